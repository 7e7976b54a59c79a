#!/usr/bin/env python3
"""Files of other programs, and what has to come out of them, without any code of DoseTap.

import_oracle.py make KIND FILE [SEED]    writes a file with odd cases in it, of chance where a seed is given
import_oracle.py sleeps KIND FILE         prints each sleep: device, start, end in seconds, and the seconds of each stage
import_oracle.py doses KIND FILE          prints each dose: kind and time

KIND is apple-health, gadgetbridge, ios, plees or zip.
"""

import csv
import json
import random
import sqlite3
import sys
import xml.etree.ElementTree as tree
import zipfile
from datetime import datetime, timezone

NIGHT = 1_768_428_000  # 2026-01-14T22:00:00Z
STAGES = ["in_bed", "asleep", "awake", "light", "deep", "rem", "unknown"]
RANK = {"in_bed": 0, "unknown": 0, "asleep": 1, "awake": 2, "light": 2, "deep": 2, "rem": 2}


def paint(spans):
    """Seconds of each stage on one line: spans are (start, end, stage) in minutes of the clock. The more exact one counts,
    of equals the one that began last, of those the longer one, then the one later in the list of stages. Time in bed
    lies under the others."""
    minutes = {}
    in_bed = set()
    for start, end, stage in spans:
        for minute in range(start, end, 60):
            if stage == "in_bed":
                in_bed.add(minute)
                continue
            key = (RANK[stage], start, end, STAGES.index(stage))
            if minute not in minutes or minutes[minute][0] < key:
                minutes[minute] = (key, stage)
    seconds = {"in_bed": 60 * len(in_bed)}
    for _, stage in minutes.values():
        seconds[stage] = seconds.get(stage, 0) + 60
    return seconds


def tell(device, start, end, seconds):
    words = " ".join(f"{stage}:{seconds[stage]}" for stage in sorted(seconds) if seconds[stage])
    return f"{device}|{start}|{end}|{words}"


# Apple Health

VALUES = {"InBed": "in_bed", "Asleep": "asleep", "AsleepUnspecified": "asleep", "Awake": "awake", "AsleepCore": "light",
          "AsleepDeep": "deep", "AsleepREM": "rem"}


def apple_record(source, value, start, end, offset="+0100"):
    shift = (int(offset[1:3]) * 60 + int(offset[3:])) * (-60 if offset[0] == "-" else 60)

    def text(at):
        return datetime.fromtimestamp(at + shift, timezone.utc).strftime("%Y-%m-%d %H:%M:%S ") + offset
    return (f'<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="{source}" unit="x" '
            f'creationDate="{text(end)}" startDate="{text(start)}" endDate="{text(end)}" '
            f'value="HKCategoryValueSleepAnalysis{value}"/>\n')


def make_apple(path, seed):
    dice = random.Random(seed)
    lines = []
    for night in range(20):
        for source in ("Watch", "Phone &amp; more", "Jana’s \u00a0Band"):
            at = NIGHT + night * 86_400 + dice.randrange(0, 180) * 60
            if source.startswith("Phone"):
                lines.append(apple_record(source, "InBed", at, at + 480 * 60, dice.choice(["+0100", "-0530"])))
            for _ in range(dice.randrange(1, 14)):
                length = dice.randrange(1, 120) * 60
                lines.append(apple_record(source, dice.choice(list(VALUES) + ["Future"]), at, at + length,
                                          dice.choice(["+0100", "+0200", "-0800"])))
                at += max(60, length + dice.randrange(-30, 160) * 60)
            lines.append('<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" value="61"><MetadataEntry '
                         'key="HKWasUserEntered" value="1"/></Record>\n')
    dice.shuffle(lines)
    body = "".join(lines)
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData (Record*)>\n'
                   '<!ATTLIST HealthData locale CDATA #REQUIRED>\n]>\n<HealthData locale="en_DE">\n'
                   + body + "</HealthData>\n")


def sleeps_apple(path):
    by_source = {}
    for _, element in tree.iterparse(path):
        if element.tag == "Record" and element.get("type") == "HKCategoryTypeIdentifierSleepAnalysis":
            times = [int(datetime.strptime(element.get(name), "%Y-%m-%d %H:%M:%S %z").timestamp())
                     for name in ("startDate", "endDate")]
            stage = VALUES.get(element.get("value").removeprefix("HKCategoryValueSleepAnalysis"), "unknown")
            name = element.get("sourceName")
            by_source.setdefault(name, []).append((times[0], times[1], stage))
            element.clear()
    for name, spans in by_source.items():
        group, end = [], None
        for span in sorted(spans):
            if end is not None and span[0] >= end + 90 * 60:
                yield tell(name, group[0][0], end, paint(group))
                group, end = [], None
            group.append(span)
            end = max(span[1], end or 0)
        yield tell(name, group[0][0], end, paint(group))


# Gadgetbridge

FAMILIES = {
    "XIAOMI": ("XIAOMI_SLEEP_TIME_SAMPLE", {0: "awake", 2: "deep", 3: "light", 4: "rem", 5: "awake"}, None),
    "COLMI": ("COLMI_SLEEP_SESSION_SAMPLE", {2: "light", 3: "deep", 4: "rem", 5: "awake"}, 60),
    "CMF": ("CMF_SLEEP_SESSION_SAMPLE", {1: "deep", 2: "light", 3: "rem"}, 1),
}


def make_gadgetbridge(path, seed):
    dice = random.Random(seed)
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE DEVICE (_id INTEGER PRIMARY KEY, NAME TEXT, TYPE_NAME TEXT)")
    database.executemany(
        "INSERT INTO DEVICE VALUES (?, ?, ?)",
        [(1, "Band", "X"), (2, "Ring", "X"), (3, "Watch", "X"), (4, "Bip", "AMAZFITBIPU"), (5, "Mi 2", "MIBAND2"),
         (6, "Mi 1", "MIBAND")])
    for device, (name, (sessions, _, unit)) in enumerate(FAMILIES.items(), 1):
        more = ", DEEP_SLEEP_DURATION INTEGER, LIGHT_SLEEP_DURATION INTEGER" if name == "XIAOMI" else ""
        database.execute(f"CREATE TABLE {sessions} (TIMESTAMP INTEGER, DEVICE_ID INTEGER, WAKEUP_TIME INTEGER{more})")
        duration = "" if unit is None else ", DURATION INTEGER"
        database.execute(
            f"CREATE TABLE {name}_SLEEP_STAGE_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, STAGE{duration})")
        for night in range(15):
            at = NIGHT + night * 86_400 + dice.randrange(0, 120) * 60
            end = at + dice.randrange(60, 600) * 60
            values = [at * 1000, device, end * 1000] + ([90, 200] if more else [])
            database.execute(f"INSERT INTO {sessions} VALUES ({','.join('?' * len(values))})", values)
            if night == 3:
                # An earlier version of the same night, shorter than the night.
                values[2] = (at + (end - at) // 120 * 60) * 1000
                database.execute(f"INSERT INTO {sessions} VALUES ({','.join('?' * len(values))})", values)
            if night == 5:
                continue  # a band that tells no stages
            mark = at
            while mark < end:
                length = dice.randrange(1, 90) * 60
                row = [mark * 1000, device, dice.choice([0, 1, 2, 3, 4, 5, 99, None, "x"])]
                if unit is not None:
                    row.append(length // unit)
                database.execute(
                    f"INSERT INTO {name}_SLEEP_STAGE_SAMPLE VALUES ({','.join('?' * len(row))})", row)
                mark += length
        # Missing and impossible ends.
        for wake in (None, 0, 5):
            values = [(NIGHT + 40 * 86_400) * 1000, device, wake] + ([1, 1] if more else [])
            database.execute(f"INSERT INTO {sessions} VALUES ({','.join('?' * len(values))})", values)
    make_minutes(database, dice)
    database.commit()


def make_minutes(database, dice):
    """A row for each minute of some days, with a nap of three minutes on the second."""
    database.execute(
        "CREATE TABLE HUAMI_EXTENDED_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, RAW_KIND INTEGER, "
        "DEEP_SLEEP INTEGER, REM_SLEEP INTEGER, PRIMARY KEY (TIMESTAMP, DEVICE_ID)) WITHOUT ROWID")
    database.execute(
        "CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, RAW_KIND INTEGER, "
        "PRIMARY KEY (TIMESTAMP, DEVICE_ID)) WITHOUT ROWID")
    for day in range(4):
        for device in (4, 5, 6):
            asleep = [(dice.randrange(60, 120), dice.randrange(300, 420)), (dice.randrange(421, 560), 640)]
            if day == 1:
                asleep.append((1_000, 1_003))
            for minute in range(1_440):
                if dice.random() < 0.01:
                    continue  # a row that was never sent
                at = NIGHT + day * 86_400 + minute * 60 + device
                sleeps = any(start <= minute < end for start, end in asleep)
                if device == 4:
                    row = [120 if sleeps else dice.choice([1, 64, 115, 118]),
                           dice.choice([0, 40, 43, 90, 128 + 43, 128]), dice.choice([0, 30, 56, 128 + 30, 255])]
                    database.execute("INSERT INTO HUAMI_EXTENDED_ACTIVITY_SAMPLE VALUES (?, ?, ?, ?, ?)", [at, device] + row)
                    continue
                if device == 5:
                    kinds = [9, 11, 0, 10, 0x59, 0x7B] if sleeps else [1, 12, 17, 3, 16, 80, -1]
                else:
                    kinds = [4, 5] if sleeps else [1, 0, 3, 6, -1, 11]
                database.execute("INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (?, ?, ?)", [at, device, dice.choice(kinds)])


def minutes_of(database, device):
    """Each minute of a device and its stage: a word of sleep, awake, or None where nothing is known."""
    if device == 4:
        for at, kind, deep, rem in database.execute(
                "SELECT TIMESTAMP, RAW_KIND, DEEP_SLEEP % 128, REM_SLEEP % 128 FROM HUAMI_EXTENDED_ACTIVITY_SAMPLE "
                "ORDER BY TIMESTAMP"):
            stage = "awake" if kind == 64 else None
            yield at, ("rem" if rem > 55 else "deep" if deep > 42 else "light") if kind == 120 else stage
        return
    words = {6: {1: "awake", 2: "awake", 4: "deep", 5: "light"},
             5: {1: "awake", 2: "awake", 4: "awake", 9: "light", 11: "deep", 12: "awake"}}[device]
    last = None
    for at, kind in database.execute(
            "SELECT TIMESTAMP, RAW_KIND FROM MI_BAND_ACTIVITY_SAMPLE WHERE DEVICE_ID = ? ORDER BY TIMESTAMP", (device,)):
        if device == 5 and kind == -1:
            last = None
        elif device == 5 and kind % 16 not in (0, 10):
            last = words.get(kind % 16)
        elif device == 6:
            last = words.get(kind)
        yield at, last


def sleeps_of_minutes(database, devices):
    for device in (4, 5, 6):
        minutes = [(at, stage) for at, stage in minutes_of(database, device) if stage]
        groups = []
        for at, stage in minutes:
            if stage == "awake":
                continue
            if not groups or at - groups[-1][-1] - 60 > 7_200:
                groups.append([])
            groups[-1].append(at)
        for group in groups:
            if len(group) < 5:
                continue
            start, end = group[0], group[-1] + 60
            seconds = {}
            for at, stage in minutes:
                if start <= at < end:
                    seconds[stage] = seconds.get(stage, 0) + 60
            yield tell(devices[device], start, end, seconds)


def sleeps_gadgetbridge(path):
    database = sqlite3.connect(path)
    devices = dict(database.execute("SELECT _id, NAME FROM DEVICE"))
    yield from sleeps_of_minutes(database, devices)
    for name, (sessions, words, unit) in FAMILIES.items():
        extra = ", DEEP_SLEEP_DURATION, LIGHT_SLEEP_DURATION" if name == "XIAOMI" else ""
        rows = database.execute(
            f"SELECT TIMESTAMP / 1000, MAX(WAKEUP_TIME) / 1000, DEVICE_ID{extra} FROM {sessions} "
            "WHERE WAKEUP_TIME > TIMESTAMP GROUP BY TIMESTAMP, DEVICE_ID").fetchall()
        for start, end, device, *minutes in rows:
            marks = database.execute(
                f"SELECT TIMESTAMP / 1000, STAGE{'' if unit is None else ', DURATION'} FROM {name}_SLEEP_STAGE_SAMPLE "
                "WHERE DEVICE_ID = ? AND TIMESTAMP >= ? AND TIMESTAMP < ? ORDER BY TIMESTAMP",
                (device, start * 1000, end * 1000)).fetchall()
            spans = []
            for place, mark in enumerate(marks):
                until = marks[place + 1][0] if place + 1 < len(marks) else end
                if unit is not None:
                    until = mark[0] + mark[2] * unit
                spans.append((mark[0], min(until, end), words.get(mark[1], "unknown")))
            seconds = paint(spans)
            if not spans:
                seconds = {"deep": minutes[0] * 60, "light": minutes[1] * 60} if minutes else {"asleep": end - start}
            yield tell(devices[device], start, end, seconds)


# Plees Tracker

def make_plees(path, seed):
    dice = random.Random(seed)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)  # CRLF
        writer.writerow(["sid", "start", "stop", "rating", "comment", "wakes"])
        for number in range(1, 30):
            start = NIGHT + number * 86_400 + dice.randrange(7_200)
            comment = dice.choice(["", 'two, "words"', "line\nand line", "=1+1", "ž\u0301"])
            writer.writerow([number, start * 1000, (start + dice.randrange(60, 36_000)) * 1000, 3, comment, 0])


def sleeps_plees(path):
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            start, end = int(row["start"]) // 1000, int(row["stop"]) // 1000
            yield tell("Plees Tracker", start, end, {"asleep": end - start})


# The app's database

def make_ios(path, seed):
    dice = random.Random(seed)
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode=WAL")
    database.executescript("""
        CREATE TABLE sleep_sessions (session_id TEXT PRIMARY KEY, session_date TEXT NOT NULL, start_utc TEXT);
        CREATE TABLE dose_events (id TEXT PRIMARY KEY, event_type TEXT NOT NULL, timestamp TEXT NOT NULL,
            session_date TEXT NOT NULL, session_id TEXT, metadata TEXT, created_at TEXT DEFAULT CURRENT_TIMESTAMP);
        CREATE TABLE sleep_events (id TEXT PRIMARY KEY, event_type TEXT NOT NULL, timestamp TEXT NOT NULL,
            session_date TEXT NOT NULL, session_id TEXT, color_hex TEXT, notes TEXT);
        CREATE TABLE medication_events (id TEXT PRIMARY KEY, session_id TEXT, session_date TEXT, medication_id TEXT,
            dose_mg INTEGER, dose_unit TEXT DEFAULT 'mg', formulation TEXT, taken_at_utc TEXT,
            local_offset_minutes INTEGER, notes TEXT, confirmed_duplicate INTEGER);
        CREATE TABLE pre_sleep_logs (id TEXT PRIMARY KEY, session_id TEXT, created_at_utc TEXT,
            local_offset_minutes INTEGER, completion_state TEXT, answers_json TEXT);
        CREATE TABLE morning_checkins (id TEXT PRIMARY KEY, session_id TEXT, timestamp TEXT, session_date TEXT,
            sleep_quality INTEGER, feel_rested TEXT, grogginess TEXT, sleep_inertia_duration TEXT,
            mental_clarity INTEGER, mood TEXT, has_physical_symptoms INTEGER, physical_symptoms_json TEXT,
            has_sleep_environment INTEGER, sleep_environment_json TEXT, notes TEXT);
        CREATE TRIGGER t AFTER INSERT ON sleep_events BEGIN SELECT 1; END;
        CREATE VIEW v AS SELECT * FROM dose_events;
        INSERT INTO sleep_sessions VALUES ('S1', '2026-01-14', '2026-01-14T22:00:00.000Z');
    """)
    doses = [
        ("d1", "dose1", "2026-01-14T22:30:00.123Z", "2026-01-14", "S1", '{"amount_mg":4500}'),
        ("d2", "dose2", "2026-01-15T01:15:00.000Z", "2026-01-14", "S1", '{"is_early":false}'),
        ("d3", "extra_dose", "2026-01-15T02:15:00.000Z", "2026-01-14", "S1", '{"is_extra_dose":true,"amount_mg":99999}'),
        ("d4", "snooze", "2026-01-15T01:00:00.000Z", "2026-01-14", "S1", '{"count":1}'),
        ("d5", "dose2_skipped", "2026-01-16T01:00:00.000Z", "2026-01-15", "2026-01-15", '{"reason":"a "word""}'),
        ("d6", "dose2_skipped", "2026-01-17T01:00:00.000Z", "2026-01-16", None, '{"reason":"slept_through"}'),
        ("d7", "dose1", "2026-01-15 22:00:00", "2026-01-15", None, None),
        ("d8", "dose1", "1900-01-15T22:00:00.000Z", "1900-01-15", None, None),
        ("d9", "dose1", "2106-01-15T22:00:00.000Z", "2106-01-15", None, None),
    ]
    for night in range(40):
        at = datetime.fromtimestamp(NIGHT + (night + 10) * 86_400 + dice.randrange(7_200), timezone.utc)
        doses.append((f"r{night}", dice.choice(["dose1", "dose2", "Dose1", "extra_dose", "wake"]),
                      at.strftime("%Y-%m-%dT%H:%M:%S.000Z"), at.strftime("%Y-%m-%d"), None, None))
    database.executemany("INSERT INTO dose_events (id, event_type, timestamp, session_date, session_id, metadata) "
                         "VALUES (?, ?, ?, ?, ?, ?)", doses)
    database.executemany("INSERT INTO sleep_events VALUES (?, ?, ?, '2026-01-14', 'S1', NULL, ?)", [
        ("e1", "lightsout", "2026-01-14T22:10:00.000Z", None), ("e2", "Brief Wake", "2026-01-15T03:00:00.000Z", "a\r\nb"),
        ("e3", "wake_final", "2026-01-15T06:00:00.000Z", ""), ("e4", "congestion", "2026-01-15T06:00:00.000Z", ""),
        ("e5", "dose1", "2026-01-15T06:00:00.000Z", "")])
    database.executemany(
        "INSERT INTO medication_events VALUES (?, 'S1', '2026-01-14', ?, ?, 'mg', 'ir', ?, 60, NULL, 0)", [
            ("m1", "adderall_ir", 10, "2026-01-15T07:00:00.000Z"), ("m2", "aspirin", 10, "2026-01-15T07:00:00.000Z")])
    database.execute("INSERT INTO pre_sleep_logs VALUES ('p1', 'S1', '2026-01-14T21:50:00.000Z', 60, 'complete', ?)", (
        json.dumps({"intendedSleepTime": "30min", "stressLevel": 3, "stressDrivers": ["work", "pain"],
                    "stimulants": "coffee", "caffeineLastAmountMg": 12, "alcohol": "2-3", "napToday": "short",
                    "screensInBed": "1hr+", "roomTemp": "cool", "sleepAids": ["eye_mask", "fan"], "weird": 1}),))
    database.execute(
        "INSERT INTO morning_checkins VALUES ('c1', 'S1', '2026-01-15T06:30:00.000Z', '2026-01-14', 4, 'Moderately', "
        "'Can''t function', '5-15 minutes', 11, 'Very Low', 1, ?, 0, ?, 'fine')", (
            json.dumps({"painLocations": ["Upper Back", "Head"], "painSeverity": 4, "hasHeadache": True}),
            json.dumps({"roomDarkness": "Pitch Black"})))
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def doses_ios(path):
    database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    for kind, at in database.execute(
            "SELECT CASE lower(event_type) WHEN 'dose2_skipped' THEN 'skip' ELSE lower(event_type) END, "
            "CAST(strftime('%s', timestamp) AS INTEGER) FROM dose_events WHERE (lower(event_type) IN "
            "('dose1', 'dose2', 'extra_dose') OR event_type = 'dose2_skipped' AND metadata NOT LIKE '%slept_through%') "
            "AND timestamp LIKE '%T%Z' AND timestamp BETWEEN '2000' AND '2100' ORDER BY rowid"):
        yield f"{kind}|{at}"


def make_zip(path, _):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../etc/passwd", "x")
        archive.writestr("a/bomb.xml", "<x>" + " " * 30_000_000)
        archive.writestr("stored.csv", "a,b\r\n1,2\r\n", compress_type=zipfile.ZIP_STORED)
        archive.writestr("packed.csv", "a,b\r\n" + "1,2\r\n" * 50_000)


def main():
    action, kind, path = sys.argv[1:4]
    name = kind.split("-")[0]
    if action == "make":
        globals()[f"make_{name}"](path, sys.argv[4] if len(sys.argv) > 4 else "")
        return
    for line in sorted(globals()[f"{action}_{name}"](path)) if action == "sleeps" else globals()[f"{action}_{name}"](path):
        print(line)


if __name__ == "__main__":
    main()
