#!/usr/bin/env python3
"""Two months of nights in one run of the service (faults J2, K9), with `--long` a year: each dose 1 is logged when it happens,
the machine sleeps until just before the window, the reminder comes, and the night ends as nights do: dose 2, a snooze before
it, a skip, nothing at all. The clocks go on while the machine sleeps (clockset.c). Neither memory nor descriptors nor threads
grow, each night is told once, and the record has them all."""

import collections
import pathlib
import random
import time

import lib
from clockset import Clock, fired, shim

MINUTE, DAY = 60, 86_400
DIARY, DATA, HISTORY = lib.NAME + ".Diary", lib.NAME + ".Data", lib.NAME + ".History"
# After SETTLED nights all caches are full. The memory of a period is the lowest value of SPAN nights.
SETTLED, SPAN = 30, 4
# The permitted growth of memory in KiB: SQLite's cache, which fills and empties, and for each night the queues of two
# databases that were opened, which libdispatch may not release (ClosedQueues).
GROWTH, KEPT = 1024, 8
# The seconds from the end of the machine's sleep until the reminder is due.
AHEAD = 0.15


class Month:
    def __init__(self, arguments, verdicts):
        self.verdicts, self.source = verdicts, random.Random(arguments.seed)
        self.clock = Clock(arguments, shim(), False)
        self.slept, self.told, self.threads = 0.0, collections.Counter(), 1_000
        self.watcher, self.person = self.clock.bus.connect(), self.clock.bus.connect()
        self.watcher.match(f"type='signal',interface='{lib.NAME}.Reminders',member='Fired'")
        self.pid = self.clock.service.pid

    def now(self):
        return time.time() + self.slept

    def sleep_until(self, moment):
        self.slept += max(0.0, moment - self.now())
        self.clock.set(0, self.slept)

    def act(self, member, **settings):
        return lib.act(self.person, member, key=f"{member}-{self.number}", **settings)

    def night(self, number, evening):
        """Returns how it ended, as the record should say."""
        self.number = number
        self.sleep_until(evening + self.source.randrange(40 * MINUTE))
        taken = self.act("LogDose1")["timestamp"] / 1e6
        opens = taken + 150 * MINUTE
        self.sleep_until(opens - AHEAD)
        told = fired(self.watcher, 10, lambda reminder: reminder == "window_open")
        self.verdicts.check(told, f"night {number}: the window is told")
        end = ("taken", "taken", "snoozed", "skipped", "slept through")[number % 5]
        if end == "snoozed":
            self.sleep_until(taken + 166 * MINUTE)
            self.act("Snooze")
        if end in ("taken", "snoozed"):
            self.sleep_until(taken + self.source.randrange(170, 235) * MINUTE)
            self.act("LogDose2")
        elif end == "skipped":
            self.act("SkipDose2", reason="tired")
        self.sleep_until(taken + 8 * 60 * MINUTE)
        if end != "slept through":
            self.act("LogFinalWake")
        answers = {"sleep_quality": lib.Variant("x", 1 + number % 5)}
        self.person.call(lib.NAME, lib.PATH, DIARY, "SaveCheckIn", "a{sv}a{sv}",
                         (answers, lib.variants({"key": f"morning-{number}"})))
        self.sleep_until(taken + 11 * 60 * MINUTE)
        again = fired(self.watcher, 0.1, lambda reminder: reminder == "window_open")
        self.verdicts.check(not again, f"night {number}: the window is told once", again)
        return {"taken": "on_time", "snoozed": "on_time", "slept through": "not_recorded"}.get(end, end)

    def weight(self):
        """Memory of its own in KiB, descriptors, threads; of the last of several readings, once nothing is freed any more and no
        backup is being made, which has a thread and files of its own."""
        process, seen = pathlib.Path(f"/proc/{self.pid}"), []
        give_up = time.monotonic() + 20
        while True:
            # This time passes on the service's clock, so it gives freed memory back.
            self.sleep_until(self.now() + 5 * MINUTE)
            self.person.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
            fields = (process / "smaps_rollup").read_text().split("\n")
            anonymous = next(int(line.split()[1]) for line in fields if line.startswith("Anonymous:"))
            threads = len(list((process / "task").iterdir()))
            self.threads = min(self.threads, threads)
            seen.append(anonymous)
            is_quiet = threads == self.threads and len(seen) >= 3 and seen[-1] >= seen[-3]
            if is_quiet or time.monotonic() > give_up:
                return anonymous, len(list((process / "fd").iterdir())), threads
            if threads > self.threads: time.sleep(0.05)


def main():
    arguments = lib.options(__doc__, nights=0)
    verdicts = lib.Verdicts("month")
    nights = arguments.nights or (365 if arguments.long else 60)
    month = Month(arguments, verdicts)
    start, ends, weights, costs = month.now() + MINUTE, [], [], []
    for number in range(nights):
        began = time.monotonic()
        ends.append(month.night(number, start + number * DAY))
        costs.append(time.monotonic() - began)
        if SETTLED - SPAN <= number < SETTLED or number >= nights - SPAN:
            weights.append(month.weight())
    report = month.person.call(lib.NAME, lib.PATH, DATA, "Verify", timeout=60)
    verdicts.check(getattr(report["ok"], "value", report["ok"]), "the record is sound", report)
    found, _ = month.person.call(lib.NAME, lib.PATH, HISTORY, "FindSessions", "a{sv}", ({"limit": lib.Variant("u", 1000)},))
    recorded = [night["outcome"] for night in reversed(found)]
    verdicts.check(recorded == ends, "the record has every night as it was", (len(recorded), recorded[-5:], ends[-5:]))
    month.clock.service.stop()
    month.clock.bus.stop()
    first, last = (tuple(map(min, zip(*nights))) for nights in (weights[:SPAN], weights[SPAN:]))
    verdicts.check(last[0] - first[0] <= GROWTH + KEPT * (nights - SETTLED), f"memory stays after night {SETTLED}", f"{first[0]} → {last[0]} KiB")
    verdicts.check(last[1] <= first[1] and last[2] <= first[2], "descriptors and threads stay", weights)
    verdicts.say(f"{nights} nights, seed {arguments.seed}: memory {first[0]} → {last[0]} KiB, {last[1]} descriptors, "
                 f"{last[2]} threads, a night {sum(costs) / len(costs):.2f} s")
    verdicts.finish()


if __name__ == "__main__":
    main()
