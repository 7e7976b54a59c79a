#!/usr/bin/env python3
"""Says whether the one page of a packet tells what the nights say, without any code of DoseTap.

summary_check.py NIGHTS PAGE --first DATE --last DATE

NIGHTS is the stream the page was made of. Prints how many figures were worked out again, or what is wrong, one line each.
"""

import argparse
import json
import re
import statistics
import sys
from datetime import date, datetime, timedelta
from html.parser import HTMLParser


class Words(HTMLParser):
    """Rows of tables by their first cell, and all other text."""

    def __init__(self):
        super().__init__()
        self.rows, self.cells, self.text, self.inside = {}, None, "", ""

    def handle_starttag(self, tag, attributes):
        self.inside = tag
        if tag == "tr":
            self.cells = []
        elif tag in ("td", "th") and self.cells is not None:
            self.cells.append("")

    def handle_endtag(self, tag):
        if tag == "tr" and self.cells:
            self.rows[self.cells[0]] = self.cells[1:]
            self.cells = None

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data
        elif self.inside not in ("style", "text"):
            self.text += data + "\n"


def tenth(value):
    """To a tenth, whole numbers without it; a half goes away from zero."""
    tenths = int(value * 10 + 0.5 + 1e-9)
    return str(tenths // 10) if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}"


def quartiles(values):
    if len(values) == 1:
        return values * 3
    return statistics.quantiles(values, n=4, method="inclusive")


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def main():
    reader = argparse.ArgumentParser()
    reader.add_argument("nights")
    reader.add_argument("page")
    reader.add_argument("--first", type=date.fromisoformat)
    reader.add_argument("--last", type=date.fromisoformat)
    said = reader.parse_args()
    lines = [json.loads(line) for line in open(said.nights, encoding="utf-8")]
    sessions = [line for line in lines if "session_id" in line]
    # A session with entries of the day alone, such as a nap, is no night (R32.5).
    signs = {"dose1", "dose2", "extra_dose", "in_bed", "lights_out", "wake_final"}
    nights = [session for session in sessions
              if session.get("recorded_sleep") or signs & {entry["type"] for entry in session["entries"]}]
    page = Words()
    page.feed(open(said.page, encoding="utf-8").read())
    wrong, looked = [], 0

    def expect(row, *cells):
        nonlocal looked
        looked += 1
        if page.rows.get(row) != list(cells):
            wrong.append(f"{row}: {page.rows.get(row)}, not {list(cells)}")

    def says(words):
        nonlocal looked
        looked += 1
        if words not in page.text:
            wrong.append(f"does not say: {words}")

    days = (said.last - said.first).days + 1
    known = {night["session_date"] for night in nights}
    missing = [said.first + timedelta(days=day) for day in range(days)]
    runs = "".join("x" if day.isoformat() in known else " " for day in missing)
    gaps = [len(run) for run in runs.split("x")]
    says(f"{sum(gaps)} of {days} dates without one, at most {max(gaps)} in a row" if sum(gaps) else "no date without one")
    says(f"{len(known)} nights on record")

    judged = [night for night in nights
              if night["outcome"] in ("on_time", "early", "late", "skipped", "not_recorded")]
    for outcome, row in (
        ("on_time", "on time, 150 to 239 min after dose 1"), ("early", "early, before 150 min"),
        ("late", "late, 240 min or more"), ("skipped", "skipped by the person"), ("not_recorded", "not recorded"),
    ):
        count = sum(night["outcome"] == outcome for night in judged)
        expect(row, str(count), tenth(100 * count / len(judged)))
    intervals = [night["interval_ms"] / 60_000 for night in nights if night["interval_ms"] is not None]
    low, middle, high = quartiles(intervals)
    expect("Interval", f"median {tenth(middle)} min, quartiles {tenth(low)} and {tenth(high)}, n {len(intervals)}")
    extra = [night["extra_doses"] for night in nights if night["extra_doses"]]
    few = lambda count: "1 night" if count == 1 else f"{count} nights"
    expect("Extra doses", f"{sum(extra)} in {few(len(extra))}" if extra else "none on record")
    dates = {}
    for night in nights:
        bundle, sums = night["bundle"], dates.setdefault(night["session_date"], [0, 0, 0, 0])
        sums[:] = [sums[0] + bundle["taken"], sums[1] + bundle["known_mg"], sums[2] + bundle["unknown"], bundle["target_mg"]]
    over = [sums for sums in dates.values() if sums[1] > 1.05 * sums[3]]
    compared = [sums for sums in dates.values() if sums[0] and (not sums[2] or sums in over)]
    expect("More than prescribed", f"{few(len(over))} of {len(compared)}, by more than 5 %")

    for key, row in (
        ("sleep_onset_latency_min", "Sleep onset latency, min"), ("wake_after_sleep_onset_min", "Wake after sleep onset, min"),
        ("awakenings", "Awakenings"), ("time_in_bed_min", "Time in bed, min"), ("total_sleep_min", "Total sleep time, min"),
        ("sleep_efficiency_percent", "Sleep efficiency, %"),
    ):
        cells = []
        for place in ("sleep_diary", "recorded_sleep"):
            values = [(night.get(place) or {}).get(key) for night in nights]
            values = [value for value in values if value is not None]
            spread = tenth(statistics.stdev(values)) if len(values) > 1 else "–"
            cells.append(f"{tenth(statistics.mean(values))} ± {spread} ({len(values)})" if values else "–")
        expect(row, *cells)

    def entries(kind):
        return [entry for session in sessions for entry in session["entries"] if entry["type"] == kind]

    for kind, row in (("in_bed", "To bed"), ("wake_final", "Got up")):
        evening = []
        for entry in entries(kind):
            local = moment(entry["timestamp"]) + timedelta(minutes=entry["metadata"]["local_offset_minutes"])
            evening.append((local.hour * 60 + local.minute - 18 * 60) % 1_440)
        clock = lambda value: "{:02d}:{:02d}".format(*divmod((int(value + 0.5) + 1_080) % 1_440, 60))
        low, middle, high = quartiles(evening)
        expect(row, f"median {clock(middle)}, quartiles {clock(low)} and {clock(high)}, n {len(evening)}")
    naps = [(moment(nap["end_utc"]) - moment(nap["start_utc"])).total_seconds() / 60
            for session in sessions for nap in session["naps"]]
    days = len({session["session_date"] for session in sessions if session["naps"]})
    on = f"{days} day" + ("" if days == 1 else "s")
    expect("Naps", f"{len(naps)} on {on}, median {tenth(statistics.median(naps))} min" if naps else "none on record")
    answers = [entry["metadata"]["answers"] for entry in entries("checkin")]
    for key, row in (("had_sleep_paralysis", "sleep paralysis"), ("had_confusion_on_waking", "confusion on waking")):
        expect(row, f"{sum(answer[key] for answer in answers)} of {len(answers)}" if answers else "not answered")
    doses = entries("dose1") + entries("dose2") + entries("extra_dose")
    late = sum((moment(dose["recorded_at"]) - moment(dose["timestamp"])).total_seconds() > 900 for dose in doses)
    says(f"{len(doses)} doses: {late} entered more than 15 min after the dose, 0 corrected later, 0 imported")
    says(f"Modafinil {len(entries('medication'))} times" if len(entries("medication")) > 1 else "Modafinil")
    if re.search(r"should|recommend|advis(e|able)|consider ", page.text):
        wrong.append("it advises")
    print("\n".join(wrong) if wrong else f"ok {looked}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
