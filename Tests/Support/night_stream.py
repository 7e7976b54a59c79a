#!/usr/bin/env python3
"""Prints the stream of a person's nights as the service writes it, by chance from a seed.

night_stream.py NIGHTS [--seed N] [--end YYYY-MM-DD] [--zone ZONE] [--journey ZONE] [--once-nightly] [--loose N]

There are gaps, early, late, skipped and unrecorded second doses, extra doses, naps, diaries with and without answers, and
for every third night recorded sleep with stages. With a journey the second half of the nights is in that zone.
"""

import argparse
import json
import random
import uuid
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo


class Person:
    def __init__(self, said):
        self.chance = random.Random(said.seed)
        self.zone = ZoneInfo(said.zone)
        self.zone_name = said.zone
        self.once = said.once_nightly

    def move(self, zone):
        self.zone, self.zone_name = ZoneInfo(zone), zone

    def id(self):
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    def stamp(self, moment):
        return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"

    def entry(self, kind, at, late=0, **metadata):
        offset = int(at.astimezone(self.zone).utcoffset().total_seconds() // 60)
        metadata = {"surface": "cli", "source": "manual", "local_offset_minutes": offset} | metadata
        return {
            "id": self.id(), "type": kind, "timestamp": self.stamp(at), "surface": "cli",
            "recorded_at": self.stamp(at + timedelta(minutes=late)), "metadata": metadata,
        }

    def night(self, day):
        chance = self.chance
        bed = datetime(day.year, day.month, day.day, 22, 0, tzinfo=self.zone) + timedelta(minutes=chance.gauss(40, 25))
        bed = bed.replace(second=0, microsecond=0).astimezone(timezone.utc)
        dose1 = bed + timedelta(minutes=5)
        up = bed + timedelta(minutes=round(chance.gauss(490, 35)))
        entries = [self.entry("in_bed", bed), self.entry("lights_out", bed + timedelta(minutes=6))]
        entries.append(
            self.entry("dose1", dose1, late=chance.choice([0, 0, 0, 40]), amount_mg=2250, medication_id="xywav"))
        luck = chance.random()
        minutes, dose2, outcome, skipped = None, None, "once_nightly", False
        if not self.once:
            outcome = ("on_time" if luck < 0.84 else "late" if luck < 0.9 else "early" if luck < 0.93
                       else "skipped" if luck < 0.97 else "not_recorded")
            minutes = {"on_time": min(239, max(150, round(chance.gauss(183, 15)))), "late": chance.randint(240, 300),
                       "early": chance.randint(100, 149)}.get(outcome)
            skipped = outcome == "skipped"
            if minutes:
                dose2 = dose1 + timedelta(minutes=minutes)
                flags = {"is_late": True} if outcome == "late" else {"is_early": True} if outcome == "early" else {}
                entries.append(self.entry("dose2", dose2, amount_mg=2250, medication_id="xywav", **flags))
            else:
                kind = "dose2_skipped" if skipped else "dose2_not_recorded"
                entries.append(self.entry(kind, dose1 + timedelta(minutes=241)))
        extra = 1 if chance.random() < 0.02 else 0
        if extra:
            entries.append(self.entry("extra_dose", dose1 + timedelta(minutes=330), amount_mg=1000, is_extra_dose=True))
        latency, awake, wakings = chance.randint(4, 30), chance.randint(5, 50), chance.randint(0, 4)
        has_diary = chance.random() < 0.9
        asleep = round((up - bed).total_seconds() / 60) - 6 - latency - awake
        in_bed = round((up - bed).total_seconds() / 60)
        nap = None
        if chance.random() < 0.3:
            start = up + timedelta(minutes=chance.randint(240, 420))
            end = start + timedelta(minutes=chance.randint(15, 80))
            entries += [self.entry("wake_final", up), self.entry("nap_start", start), self.entry("nap_end", end)]
            nap = {"state": "complete", "start_id": entries[-2]["id"], "start_utc": self.stamp(start),
                   "end_id": entries[-1]["id"], "end_utc": self.stamp(end),
                   "nap_min": round((end - start).total_seconds() / 60)}
        else:
            entries.append(self.entry("wake_final", up))
        if chance.random() < 0.3:
            entries.append(
                self.entry("medication", up + timedelta(minutes=90), medication_id="modafinil", dose_mg=200))
        wellness = chance.randint(40, 90)
        if has_diary:
            entries.append(self.entry("checkin", up + timedelta(minutes=20), wellness_score=wellness, defaults=[], answers={
                "feel_rested": chance.choice(["notAtAll", "slightly", "moderate", "well"]), "sleep_quality": 3,
                "had_sleep_paralysis": chance.random() < 0.1, "had_hallucinations": chance.random() < 0.07,
                "had_automatic_behavior": False, "fell_out_of_bed": False,
                "had_confusion_on_waking": chance.random() < 0.2}))
        recorded = None
        if chance.random() < 0.35:
            recorded = self.recorded(entries, bed + timedelta(minutes=6 + latency), up)
        entries.sort(key=lambda entry: entry["timestamp"])
        diary = {"time_in_bed_min": in_bed, "sleep_onset_latency_min": None, "wake_after_sleep_onset_min": None,
                 "awakenings": None, "total_sleep_min": None, "sleep_efficiency_percent": None}
        if has_diary:
            diary |= {"sleep_onset_latency_min": latency, "wake_after_sleep_onset_min": awake, "awakenings": wakings,
                      "total_sleep_min": asleep, "sleep_efficiency_percent": round(100 * asleep / in_bed)}
        known = 4500 + 1000 * extra if minutes else 2250 + 1000 * extra
        night = {
            "session_id": self.id(), "session_date": day.isoformat(), "start_utc": self.stamp(bed),
            "end_utc": self.stamp(up), "terminal_state": "checkin_completed", "dose1_time": self.stamp(dose1),
            "dose2_time": self.stamp(dose2) if dose2 else None, "dose2_skipped": skipped, "extra_doses": extra,
            "snooze_count": 0, "interval_min": minutes, "interval_ms": minutes * 60_000 if minutes else None,
            "on_time": outcome == "on_time" if minutes else None, "time_zone": self.zone_name,
            "wellness_score": wellness if has_diary else None, "pre_sleep": None, "outcome": outcome,
            "night_score": chance.randint(50, 100), "entries": entries, "naps": [nap] if nap else [], "corrections": [],
            "sleep_diary": diary,
            "rules": {"target_minutes": 180, "snooze_step_minutes": 10, "max_snoozes": 3, "wake": "07:00",
                      "prep": "18:00", "checkin_cutoff_hours": 4, "rollover_hour": 18, "undo_window_seconds": 60,
                      "once_nightly": self.once},
            "bundle": {"target_mg": 4500, "parts": 2, "taken": 2 if minutes else 1, "known_mg": known, "unknown": 0,
                       "state": "over" if known > 4725 else "on_target" if known > 4275 else "under",
                       "remaining_mg": max(0, 4500 - known)},
        }
        if recorded:
            night["recorded_sleep"] = recorded
        return night

    def recorded(self, entries, start, up):
        stages, at, sums = [], start, {"awake": 0, "light": 0, "deep": 0, "rem": 0}
        while at < up:
            stage = self.chance.choice(["light", "light", "deep", "rem", "awake"])
            end = min(up, at + timedelta(minutes=self.chance.randint(3, 50)))
            stages.append({"stage": stage, "start_utc": self.stamp(at), "end_utc": self.stamp(end)})
            sums[stage] += round((end - at).total_seconds() / 60)
            at = end
        entries.append(self.entry(
            "sleep_record", start, sleep_source="oura", part="main", grade="measured", end_utc=self.stamp(up), stages=stages))
        total = sum(sums.values()) - sums["awake"]
        return {"source": "oura", "device": None, "grade": "measured", "start_utc": self.stamp(start),
                "end_utc": self.stamp(up), "records": 1, "other_sources": 0, "time_in_bed_min": None,
                "sleep_onset_latency_min": None, "wake_after_sleep_onset_min": sums["awake"],
                "awakenings": sum(stage["stage"] == "awake" for stage in stages), "total_sleep_min": total,
                "sleep_efficiency_percent": None, "deep_sleep_min": sums["deep"]}


def of_day_alone(night):
    """The session without what is a sign of a night."""
    signs = {"dose1", "dose2", "dose2_skipped", "extra_dose", "in_bed", "lights_out", "wake_final", "sleep_record", "checkin"}
    night.pop("recorded_sleep", None)
    return night | {
        "dose1_time": None, "dose2_time": None, "dose2_skipped": False, "extra_doses": 0, "interval_min": None,
        "interval_ms": None, "on_time": None, "wellness_score": None, "outcome": "no_dose1",
        "entries": [entry for entry in night["entries"] if entry["type"] not in signs],
        "sleep_diary": dict.fromkeys(night["sleep_diary"]),
        "bundle": night["bundle"] | {"taken": 0, "known_mg": 0, "state": "under", "remaining_mg": 4500},
    }


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("nights", type=int)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--end", type=date.fromisoformat, default=date(2026, 11, 18))
    reader.add_argument("--zone", default="Europe/Berlin")
    reader.add_argument("--journey", help="the zone of the second half")
    reader.add_argument("--once-nightly", action="store_true")
    reader.add_argument("--day-alone", type=int, metavar="N", help="each Nth session has day entries alone, each Nth date two")
    reader.add_argument("--loose", type=int, default=0, metavar="N", help="N recorded sleeps that belong to no night")
    said = reader.parse_args()
    person = Person(said)
    print(json.dumps({"history": [{
        "id": person.id(), "medication_id": "xywav", "total": "4.5g", "total_mg": 4500, "parts_mg": [2250, 2250],
        "from": "2026-01-01", "until": None, "recorded_at": "2026-01-01T12:00:00.000Z"}] if said.nights else []}))
    loose = []
    for back in range(said.loose):
        start = datetime.combine(said.end - timedelta(days=2 * back), datetime.min.time(), person.zone)
        start += timedelta(minutes=person.chance.randint(-240, 500))
        end = start + timedelta(minutes=person.chance.randint(20, 900))
        loose.append(person.entry(
            "sleep_record", start, sleep_source="plees", part="main", grade="told", end_utc=person.stamp(end),
            sleep={"total_sleep_min": person.chance.choice([None, 400])}))
    if loose:
        print(json.dumps({"nights": [], "sleep_records": loose}))
    for back in reversed(range(said.nights)):
        day = said.end - timedelta(days=back)
        if said.journey and back < said.nights // 2:
            person.move(said.journey)
        if said.nights < 10 or person.chance.random() > 0.04:
            place = back % said.day_alone if said.day_alone else None
            sessions = [person.night(day) for _ in range(2 if place == 1 else 1)]
            for session in sorted(sessions, key=lambda session: session["start_utc"]):
                print(json.dumps(of_day_alone(session) if place == 0 else session))


if __name__ == "__main__":
    main()
