#!/usr/bin/env python3
"""Reads what DoseTap exports by means of its own: hashlib, csv, zoneinfo and the sqlite3 program. Prints what is wrong, a
line each, or nothing.

    export_oracle.py log FILE SEQUENCE HASH
    export_oracle.py table DATABASE FILE NAME [exact]
    export_oracle.py lab NIGHTS LAB
"""

import csv
import datetime
import hashlib
import json
import re
import struct
import subprocess
import sys
import zoneinfo

COLUMNS = ("seq id type entity_type entity_id session_id occurred_at effective_at time_zone local_offset_minutes "
           "boot_time_us boot_id device_id surface idempotency_key payload prev_hash hash wall_utc synchronised").split()
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def log(path, sequence, head):
    data = open(path, "rb").read()
    lines = data.split(b"\n")
    if lines.pop() != b"":
        yield "the last line has no end"
    first, last = json.loads(lines[0]), json.loads(lines[-1])
    if (first["format"], first["version"]) != ("dosetap-log", 1) or list(first) != ["format", "version", "store_id", "head"]:
        yield f"the first line is {first}"
    if first["head"] != {"sequence": int(sequence), "hash": head}:
        yield f"the head is {first['head']}, not {sequence} {head}"
    if last != {"events": len(lines) - 2, "sha256": hashlib.sha256(b"".join(line + b"\n" for line in lines[:-1])).hexdigest()}:
        yield f"the last line is {last}"
    before, number = first["store_id"], 0
    for number, line in enumerate(lines[1:-1], 1):
        event = json.loads(line)
        if list(event) != COLUMNS or event["seq"] != number:
            yield f"line {number} has {list(event)}, event {event['seq']}"
        hashed = COLUMNS[:17] + (COLUMNS[18:] if event["wall_utc"] is not None or event["synchronised"] is not None else [])
        chain = hashlib.sha256()
        for column in hashed:
            value = event[column]
            text = None if value is None else str(value).encode()
            chain.update(b"\xff" * 4 if text is None else struct.pack(">I", len(text)) + text)
        if event["prev_hash"] != before or event["hash"] != chain.hexdigest():
            yield f"event {number} does not fit the chain"
        json.loads(event["payload"])
        before = event["hash"]
    if (number, before) != (int(sequence), head):
        yield f"the chain ends at {number} {before}"


def sql(database, statement):
    done = subprocess.run(["sqlite3", "-readonly", "-json", database, statement], capture_output=True, check=True)
    return json.loads(done.stdout or "[]", strict=False)


def cells(data):
    """The rows by a reader of our own, which tells null (None) from an empty text."""
    row, place = [], 0
    for found in re.finditer(rb'(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)', data):
        if found.start() != place:
            raise SystemExit(f"no CSV at byte {place}")
        place, quoted, plain = found.end(), found[1], found[2]
        row.append(quoted.replace(b'""', b'"').decode() if quoted is not None else plain.decode() or None)
        if found[3] == b"\r\n":
            yield row
            row = []
    if place != len(data):
        raise SystemExit(f"no CSV at byte {place}")


def guarded(value):
    return "'" + value if re.match(r"'*[=+\-@\t\r]", value) else value


def table(database, path, name, exact=False):
    data = open(path, "rb").read()
    rows = list(cells(data))
    with open(path, newline="", encoding="utf-8") as file:
        if list(csv.reader(file, strict=True)) != [[cell or "" for cell in row] for row in rows]:
            yield "Python's csv reads other rows"
    header, columns = rows.pop(0), [row["name"] for row in sql(database, f"PRAGMA table_info({name})")]
    ours = [column for column in header if not re.search("_(local|offset_minutes)$", column) or column in columns]
    marks = ["superseded"] if name == "dose_events" else []
    if ours != columns + marks:
        yield f"the columns are {ours}, not {columns + marks}"
    stored = sql(database, f"SELECT * FROM {name}")
    if len(stored) != len(rows):
        yield f"{len(rows)} rows, not {len(stored)}"
    taken = {row["session_id"] for row in stored if marks and row["event_type"] == "dose2"}
    zones = {row["session_id"]: row["time_zone"] for row in sql(database, "SELECT * FROM events ORDER BY seq DESC")}
    entries = {row["entity_id"]: row["time_zone"] for row in sql(database, "SELECT * FROM events ORDER BY seq DESC")}
    for number, (wanted, row) in enumerate(zip(stored, rows)):
        found = dict(zip(header, row))
        zone = zones.get(wanted["session_id"]) if wanted.get("session_id") else entries.get(wanted.get("id") or wanted.get("record_id"))
        if marks:
            mark = str(int(wanted["event_type"] == "dose2_skipped" and wanted["session_id"] in taken))
            if found["superseded"] != mark:
                yield f"row {number} superseded: {found['superseded']!r}, not {mark!r}"
        for column, value in wanted.items():
            text = None if value is None else str(value)
            if isinstance(value, str) and not exact:
                text = guarded(text)
            if found[column] != text:
                yield f"row {number} {column}: {found[column]!r}, not {text!r}"
            isInstant = isinstance(value, str) and INSTANT.fullmatch(value)
            if isInstant and column + "_local" not in found:
                yield f"{column} has no local time"
            if column + "_local" in found:
                shown = (found[column + "_local"], found[column + "_offset_minutes"])
                local = (None, None)
                if isInstant and zone:
                    at = datetime.datetime.fromisoformat(value.replace("Z", "+00:00")).astimezone(zoneinfo.ZoneInfo(zone))
                    local = (at.replace(tzinfo=None).isoformat(timespec="milliseconds"),
                             str(int(at.utcoffset().total_seconds() / 60)))
                if shown != local:
                    yield f"row {number} {column}: local {shown}, not {local} in {zone}"


def lab(nights, told):
    """What the lab takes of the nights (R34.1, R34.2), worked out from the nights as they are shown."""
    def instant(text):
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))

    def lines(path):
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    wanted, found = [], lines(told)
    for night in lines(nights):
        if "nights" in night:  # What was noted on a day without a night.
            continue
        entries = night["entries"]
        of = lambda *types: [entry for entry in entries if entry["type"] in types]
        value = {"session_date": night["session_date"], "nap_min": 0}
        if night.get("interval_ms") is not None and night["outcome"] != "once_nightly":
            value["interval_ms"] = night["interval_ms"]
        amounts = [[entry["metadata"].get("amount_mg") for entry in of(kind)] for kind in ("dose1", "dose2")]
        if [len(one) for one in amounts] == [1, 1] and not of("extra_dose") and None not in amounts[0] + amounts[1]:
            value["first_share_percent"] = 100 * amounts[0][0] / (amounts[0][0] + amounts[1][0])
        for bed in (of("lights_out") or of("in_bed"))[:1]:
            local = instant(bed["timestamp"]) + datetime.timedelta(minutes=bed["metadata"]["local_offset_minutes"])
            value["bedtime_min"] = (local.hour * 60 + local.minute - 720) % 1440
        for checkin in of("checkin")[-1:]:
            given = {key: answer for key, answer in checkin["metadata"]["answers"].items()
                     if key not in checkin["metadata"]["defaults"]}
            for key, name, codes in (
                    ("feel_rested", "rested", [None, "notAtAll", "slightly", "moderate", "well", "veryWell"]),
                    ("grogginess", "grogginess", ["none", "mild", "moderate", "severe", "cantFunction"])):
                if key in given:
                    value[name] = codes.index(given[key])
            if "mental_clarity" in given:
                value["clarity"] = given["mental_clarity"]
            if night["wellness_score"] is not None and not checkin["metadata"].get("wellness_defaults"):
                value["wellness"] = night["wellness_score"]
            value["has_checkin"] = True
        for nap in night["naps"]:
            if nap.get("start_utc") and nap.get("end_utc"):
                value["nap_min"] += int((instant(nap["end_utc"]) - instant(nap["start_utc"])).total_seconds() // 60)
            else:
                value["naps_unfinished"] = True
        if of("checkin", "wake_final") or (night["end_utc"] and night["dose1_time"]):
            value["is_over"] = True
        for log in of("pre_sleep")[-1:]:
            value |= {key: log["metadata"]["answers"][key] for key in ("late_meal", "alcohol", "screens")
                      if key in log["metadata"]["answers"]}
        wanted.append(value)
    if len(wanted) != len(found):
        yield f"{len(found)} lines, not {len(wanted)}"
    for ours, theirs in zip(wanted, found):
        if ours != theirs:
            yield f"{theirs}, not {ours}"
    # The counts show that most keys were there to be compared.
    for key in {key for value in wanted for key in value}:
        print(key, sum(key in value for value in wanted), file=sys.stderr)


for fault in {"log": log, "table": table, "lab": lab}[sys.argv[1]](*sys.argv[2:]):
    print(fault)
