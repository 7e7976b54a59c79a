#!/usr/bin/env python3
"""Says what the system's time zones do, without any code of DoseTap: Python's zoneinfo and, where present, zdump.

zone_oracle.py offsets [FOLDER]   for each zone "Z name..." and lines "second offset" or
    "second offset isdst abbreviation", or "? second" where the tools contradict each other
zone_oracle.py keys [FOLDER]      for each zone "Z name..." and lines "hour second key next", from the definition of
    the session date: the civil date of the latest moment at which the clock reached or passed hour:00

FOLDER holds compiled zones, /usr/share/zoneinfo unless given. All seconds count from 1970-01-01T00:00:00Z. The sample is the same on every run.
"""

import bisect
import hashlib
import os
import random
import shutil
import subprocess
import sys
import zoneinfo
from datetime import date, datetime, timezone

ROOT = sys.argv[2] if len(sys.argv) == 3 else "/usr/share/zoneinfo"
DAY = 86400
# The number of days for each zone. A number above the default is the long form.
DAYS = int(os.environ.get("DOSETAP_ZONE_DAYS", "300"))
RANGES = [(1970, 2041), (2099, 2102)]
MONTHS = {m: i + 1 for i, m in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split())}


def year_start(year):
    return int(datetime(year, 1, 1, tzinfo=timezone.utc).timestamp())


def zones():
    """Names of all zones, those with the same content together."""
    groups = {}
    for folder, subfolders, files in os.walk(ROOT):
        if folder == ROOT:
            subfolders[:] = [name for name in subfolders if name not in ("posix", "right")]
        subfolders.sort()
        for file in sorted(files):
            path = os.path.join(folder, file)
            with open(path, "rb") as stream:
                content = stream.read()
            if content[:4] == b"TZif" and file != "localtime":
                groups.setdefault(hashlib.sha256(content).digest(), []).append(os.path.relpath(path, ROOT))
    return list(groups.values())


def offset_function(name):
    with open(os.path.join(ROOT, name), "rb") as stream:
        zone = zoneinfo.ZoneInfo.from_file(stream, key=name)

    def offset(second):
        delta = datetime.fromtimestamp(second, zone).utcoffset()
        return delta.days * DAY + delta.seconds

    return offset


def transitions(offset, first, last, step=DAY):
    """Seconds at which the offset changes: stepping, then halving."""
    found = []
    before, old = first, offset(first)
    while before < last:
        after = before + step
        new = offset(after)
        if new != old:
            low, high = before, after
            while high - low > 1:
                middle = (low + high) // 2
                if offset(middle) == old:
                    low = middle
                else:
                    high = middle
            found.append(high)
        before, old = after, new
    return found


def zdump_lines(name):
    tool = shutil.which("zdump")
    if tool is None:
        return
    for years in RANGES:
        command = [tool, "-v", "-c", f"{years[0]},{years[1]}", os.path.join(ROOT, name)]
        text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        for line in text.splitlines():
            words = line.split()
            if len(words) != 16 or not words[-1].startswith("gmtoff="):
                continue
            _, _, month, day, clock, year, _, _, _, _, _, _, _, abbreviation, dst, east = words
            if not years[0] <= int(year) < years[1]:
                continue
            moment = datetime(int(year), MONTHS[month], int(day), *map(int, clock.split(":")), tzinfo=timezone.utc)
            yield int(moment.timestamp()), int(east[7:]), int(dst[6:]), abbreviation


def print_offsets(out):
    # zdump finds all transitions, also two within the larger step.
    step = 5 * DAY if shutil.which("zdump") else DAY
    for names in zones():
        offset = offset_function(names[0])
        out.write("Z " + " ".join(names) + "\n")
        said = {}
        for years in RANGES:
            first, last = year_start(years[0]), year_start(years[1])
            seconds = set(range(first, last, 47 * DAY + 3 * 3600 + 7))
            for transition in transitions(offset, first, last, step):
                seconds.update((transition - 1, transition, transition + 1))
            said.update((second, offset(second)) for second in seconds)
        for entry in zdump_lines(names[0]):
            if said.pop(entry[0], entry[1]) == entry[1]:
                out.write("%d %d %d %s\n" % entry)
            else:
                out.write(f"? {entry[0]}\n")
        for second, east in sorted(said.items()):
            out.write(f"{second} {east}\n")


class Clock:
    """The wall clock of a zone between its jumps."""

    def __init__(self, name):
        offset = offset_function(name)
        first, last = year_start(1969), year_start(2042)
        self.jumps = transitions(offset, first, last)
        self.offsets = [offset(first)] + [offset(jump) for jump in self.jumps]

    def pieces(self, first, last):
        """(start, end, offset before start, offset) of each stretch between first and last."""
        index = bisect.bisect_right(self.jumps, first)
        start, before = first, self.offsets[index]
        while start < last:
            end = self.jumps[index] if index < len(self.jumps) else last
            yield start, min(end, last), before, self.offsets[index]
            start, before, index = end, self.offsets[index], index + 1

    def events(self, hour, first, last):
        """(second, day) at which the clock reaches or jumps past that hour of that day; days that never were excluded."""
        found = []
        for start, end, before, offset in self.pieces(first, last):
            shown_before, shown = start + before, start + offset
            for day in range((shown_before - hour * 3600) // DAY, (shown - hour * 3600) // DAY + 1):
                passed = day * DAY + hour * 3600
                existed = day in ((shown_before - 1) // DAY, shown // DAY)
                if shown_before <= passed < shown and existed:
                    found.append((start, day))
            day = -((hour * 3600 - shown) // DAY)
            while day * DAY + hour * 3600 < end + offset:
                found.append((day * DAY + hour * 3600 - offset, day))
                day += 1
        return found


def print_keys(out):
    chance = random.Random(20260114)
    first_day, last_day = year_start(1970) // DAY, year_start(2040) // DAY
    for names in zones():
        clock = Clock(names[0])
        near = [jump // DAY + shift for jump in clock.jumps for shift in (-1, 0, 1)]
        chance.shuffle(near)
        days = near[:DAYS * 2 // 5]
        days += [chance.randrange(first_day, last_day) for _ in range(DAYS - len(days))]
        out.write("Z " + " ".join(names) + "\n")
        for number, day in enumerate(days):
            hour = 18 if number % 2 == 0 else chance.choice((0, 1, 2, 3, 12, 22, 23))
            events = clock.events(hour, (day - 5) * DAY, (day + 6) * DAY)
            seen, firsts = set(), []
            for event in events:
                if event[1] not in seen:
                    seen.add(event[1])
                    firsts.append(event)
            boundary = min((event[0] for event in events if event[0] >= day * DAY), default=day * DAY)
            for second in (boundary - 1, boundary, boundary + 1, day * DAY + chance.randrange(DAY)):
                key = [event[1] for event in events if event[0] <= second][-1]
                following = min(event[0] for event in firsts if event[0] > second)
                out.write(f"{hour} {second} {date.fromordinal(719163 + key)} {following}\n")


def main():
    modes = {"offsets": print_offsets, "keys": print_keys}
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in modes:
        sys.exit(__doc__)
    modes[sys.argv[1]](sys.stdout)


if __name__ == "__main__":
    main()
