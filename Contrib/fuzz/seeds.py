#!/usr/bin/env python3
"""Writes the seeds that follow from other files of the project: events of a store, settings, scripts, zones, messages.
Inputs that were made or found otherwise stay. Run it when a kind of entry, a setting or a member was added."""

import datetime
import hashlib
import io
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "Contrib" / "fuzz" / "corpus"
sys.path.insert(0, str(ROOT / "Contrib" / "faults"))
sys.dont_write_bytecode = True
import wire  # noqa: E402
from wire import Variant  # noqa: E402


def seed(target, name, data):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def event(row):
    """The JSON of an event as `Event.json` writes it."""
    known = {
        "id": row["id"], "type": row["type"], "entity_type": row["entity_type"], "entity_id": row["entity_id"],
        "session_id": row["session_id"], "occurred_at": row["occurred_at"], "effective_at": row["effective_at"],
        "time_zone": row["time_zone"], "local_offset_minutes": row["local_offset_minutes"],
        "counter_us": row["boot_time_us"], "boot_id": row["boot_id"], "wall": row["wall_utc"] or row["occurred_at"],
        "synchronised": row["synchronised"] == 1, "device_id": row["device_id"], "surface": row["surface"],
        "idempotency_key": row["idempotency_key"], "payload": json.loads(row["payload"]),
    }
    return json.dumps({key: value for key, value in known.items() if value is not None})


def log():
    """One event of each type, and each night, of the newest store among the tests."""
    store = max((ROOT / "Tests/DoseTapStoreTests/Fixtures").glob("v*.db"), key=lambda path: int(path.stem[1:]))
    database = sqlite3.connect(f"file:{store}?immutable=1", uri=True)
    database.row_factory = sqlite3.Row
    rows = database.execute("SELECT * FROM events ORDER BY seq").fetchall()
    source = (ROOT / "Sources/DoseTapDomain/Entries/EntryKinds.swift").read_text().split("enum EntityType")[0]
    types = [line.split('"')[1] for line in source.splitlines() if line.strip().startswith("case ") and '"' in line]
    nights = {}
    for row in rows:
        seed("event", row["type"], event(row))
        seed("record", row["type"], bytes([types.index(row["type"])]) + row["payload"].encode())
        nights.setdefault(row["session_id"] or "", []).append(event(row))
    for number, lines in enumerate(nights.values()):
        seed("night", f"night-{number}", "\n".join(lines[:40]))
    seed("night", "all", "\n".join(event(row) for row in rows[:40]))


def logs():
    """Exported logs of some nights of the same store, with their sum."""
    store = max((ROOT / "Tests/DoseTapStoreTests/Fixtures").glob("v*.db"), key=lambda path: int(path.stem[1:]))
    database = sqlite3.connect(f"file:{store}?immutable=1", uri=True)
    database.row_factory = sqlite3.Row
    rows = database.execute("SELECT * FROM events ORDER BY seq").fetchall()
    columns = ["seq", "id", "type", "entity_type", "entity_id", "session_id", "occurred_at", "effective_at", "time_zone",
               "local_offset_minutes", "boot_time_us", "boot_id", "device_id", "surface", "idempotency_key", "payload",
               "prev_hash", "hash", "wall_utc", "synchronised"]
    identity = database.execute("SELECT store_id FROM store_meta").fetchone()[0]

    def line(value):
        return (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()

    for name, count in (("one", 1), ("night", 12), ("nights", 24)):
        part = rows[:count]
        head = {"sequence": part[-1]["seq"], "hash": part[-1]["hash"]}
        text = line({"format": "dosetap-log", "version": 1, "store_id": identity, "head": head})
        text += b"".join(line({column: row[column] for column in columns}) for row in part)
        seed("logs", name, text + line({"events": len(part), "sha256": hashlib.sha256(text).hexdigest()}))


def texts():
    for path in sorted((ROOT / "Contrib/nights").glob("*.txt")):
        seed("script", path.stem, path.read_bytes())
    lines = (ROOT / "Config/config.yaml").read_text().splitlines()
    plain = [line for line in lines if not line.startswith("# ")]
    seed("config", "default", "\n".join(lines)[:4_000])
    seed("config", "all", "\n".join(line.replace("#", "", 1) for line in plain if "# " not in line)[:4_000])
    for name in ("America/New_York", "Africa/Casablanca", "Antarctica/Troll", "UTC", "Australia/Lord_Howe"):
        seed("zones", name.replace("/", "-"), (pathlib.Path("/usr/share/zoneinfo") / name).read_bytes())


def messages():
    def call(name, signature="", arguments=(), kind=wire.METHOD_CALL, **fields):
        head = {1: "/org/dosetap/DoseTap1", 2: "org.dosetap.DoseTap1.Session", 3: "LogDose1", **fields}
        seed("message", name, wire.encode(kind, 1, head, signature, arguments))

    options = {"at": Variant("t", 1_768_428_000_000_000), "note": Variant("s", "n"), "dry_run": Variant("b", True),
               "confirm": Variant("as", ["early"]), "amount_mg": Variant("u", 2_250), "time_zone": Variant("s", "UTC")}
    call("dose", "a{sv}", (options,))
    call("nights", "a{sv}", ({"from": Variant("s", "2026-01-14"), "limit": Variant("u", 3),
                              "only": Variant("as", ["on_time"]), "by": Variant("s", "week")},))
    call("answers", "a{sv}", ({"mood": Variant("s", "good"), "ratio": Variant("ad", [0.5, 1.5]),
                               "pain": Variant("aa{sv}", [{"area": Variant("s", "knee")}]),
                               "slept": Variant("t", 1_768_428_000_000_000)},))
    call("nested", "a{sv}", ({"a": Variant("v", Variant("v", Variant("(sa{sv})", ("x", {"b": Variant("y", 1)}))))},))
    call("text", "s", ("dose1",))
    call("texts", "as", (["a", "b", ""],))
    call("dictionary", "a{sv}", ({"d": Variant("a{us}", [(1, "one"), (2, "two")]), "g": Variant("g", "a{sv}")},))
    seed("message", "reply", wire.encode(wire.ERROR, 2, {4: "org.dosetap.DoseTap1.Error.Refused", 5: 1}, "sa{sv}",
                                         ("No.", {"reason": Variant("s", "early")})))


def imports():
    """A small file for each source; the first byte is its number among them, from 128 on with a zone."""
    sources = ["ios", "apple-health", "gadgetbridge", "sleep-as-android", "plees", "fitbit", "oura"]
    oracle = ROOT / "Tests" / "Support" / "import_oracle.py"
    for kind in ("ios", "gadgetbridge"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "file"
            subprocess.run([sys.executable, oracle, "make", kind, path, "1"], check=True)
            database = sqlite3.connect(path)
            database.execute("PRAGMA journal_mode=DELETE")
            for table in ("dose_events", "XIAOMI_SLEEP_STAGE_SAMPLE", "COLMI_SLEEP_STAGE_SAMPLE", "CMF_SLEEP_STAGE_SAMPLE"):
                if database.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone():
                    database.execute(f"DELETE FROM {table} WHERE rowid > 12")
            for table in ("HUAMI_EXTENDED_ACTIVITY_SAMPLE", "MI_BAND_ACTIVITY_SAMPLE"):
                if database.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone():
                    database.execute(f"DELETE FROM {table} WHERE TIMESTAMP NOT IN (SELECT TIMESTAMP FROM {table} LIMIT 12)")
            database.commit()
            database.execute("PRAGMA page_size=1024")
            database.execute("VACUUM")
            database.close()
            seed("imports", kind, bytes([sources.index(kind)]) + path.read_bytes())
    sleep = '<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="W" startDate="2026-01-14 23:00:00 +0100" ' \
        'endDate="2026-01-15 00:00:00 +0100" value="HKCategoryValueSleepAnalysisAsleepCore"/>'
    health = f'<!DOCTYPE HealthData [<!ELEMENT HealthData (Record*)>]><HealthData>{sleep}</HealthData>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("export.xml", health)
    saa = 'Id,Tz,From,To,Sched,Hours,Rating,Comment,Framerate,Snore,Noise,Cycles,DeepSleep,LenAdjust,Geo,"Event"\n' \
        '"1603589400000","x","25. 10. 2020 1:30","","","0.8","0","a","1","-1","-1","5","0.25","-30","","DEEP_START-1603589400000"\n'
    fitbit = {"sleep": [{"logId": 1, "startTime": "2026-10-24T23:30:00.000", "endTime": "2026-10-25T04:30:00.000",
                         "duration": 21600000, "isMainSleep": True, "levels": {"data": [
                             {"dateTime": "2026-10-24T23:30:00.000", "level": "light", "seconds": 9000}]}}]}
    oura = {"data": [{"id": "o", "bedtime_start": "2026-01-14T23:00:00+01:00", "bedtime_end": "2026-01-15T00:03:00+01:00",
                      "type": "long_sleep", "sleep_phase_5_min": "4422211133342"}]}
    insights = {"schemaVersion": 1, "sessions": [{
        "sessionDate": "2026-01-14", "preSleep": {"completionState": "complete", "loggedAtUTC": "2026-01-14T21:00:00Z"},
        "morning": {"submittedAtUTC": "2026-01-15T06:00:00Z", "mood": "Great", "feelRested": "Moderately"},
        "medications": [{"medicationId": "modafinil", "doseMg": 200, "takenAtUTC": "2026-01-15T07:00:00Z"}]}]}
    for name, kind, data in [
            ("health", "apple-health", health.encode()), ("health-zip", "apple-health", packed.getvalue()),
            ("saa", "sleep-as-android", saa.encode()), ("plees", "plees", b"sid,start,stop,rating\n1,1608323029380,1608353057541,0\n"),
            ("fitbit", "fitbit", json.dumps(fitbit).encode()), ("oura", "oura", json.dumps(oura).encode()),
            ("insights", "ios", json.dumps(insights).encode()),
            ("core", "ios", b"Date,Dose1Time,Dose2Time,Interval,OnTime,NaturalWake\n2024-01-15,22:30:00,01:15:00,165,true,false\n"),
            ("events", "ios", b"event_type,occurred_at_utc,details,device_time\ndose1,2026-01-14T22:30:00.000Z,{},2026-01-14\n")]:
        seed("imports", name, bytes([sources.index(kind) + (128 + -128 % len(sources) if kind == "fitbit" else 0)]) + data)


def exchange():
    """Requests of the lab with what it takes of some nights after them, and streams of whole files."""
    history = {"history": [{"from": "2026-08-01", "until": "2026-10-20", "steps": [{"from": "2026-09-15"}]}]}
    lines = [history]
    for day in range(80):
        night = {"session_date": str(datetime.date(2026, 9, 1) + datetime.timedelta(days=day)), "nap_min": day % 3 * 20,
                 "interval_ms": 9_600_000 + day * 7_919 % 1_200_000, "first_share_percent": 50.0, "bedtime_min": 600 + day % 50,
                 "rested": 1 + day * 5 % 5, "grogginess": day % 4, "clarity": 1 + day * 7 % 10, "wellness": day * 11 % 100,
                 "has_checkin": True, "is_over": True, "late_meal": ("none", "snack")[day % 2], "alcohol": "none",
                 "screens": ("briefly", "1hr+")[day % 5 == 0]}
        for number, key in enumerate(("rested", "late_meal", "interval_ms", "has_checkin")):
            if day % 13 == number:
                del night[key]
        lines.append(night)
    nights = b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    def entry(kind, **said):
        return {"id": f"0197dc21-54bd-7469-ac0c-{len(said):012d}", "type": kind, "timestamp": "2026-11-10T20:00:00.000Z",
                "recorded_at": "2026-11-10T20:00:00.000Z", "surface": "cli", "metadata": said}

    question = entry("lab_question", exposure="late_meal", outcome="rested", nights=60, from_date="2026-09-02")
    plan = entry("lab_plan", routine="screens", outcome="clarity", pairs=14, seed=7, from_date="2026-09-10")
    kept = entry("lab_night", kept="a", night_date="2026-09-13", plan_id=plan["id"])
    for name, request in (
            ("explored", {"entries": [], "exposure": "interval", "outcome": "rested", "from_date": "2026-09-01"}),
            ("asked", {"entries": [question, {**question, "metadata": {**question["metadata"], "withdrawn": True}}]}),
            ("planned", {"entries": [plan, kept]})):
        seed("lab", name, json.dumps({"lab": {"today": "2026-11-19", **request}}).encode() + b"\n" + nights)
    seed("files", "two", b"READ-ME.txt 5\nhello" + b"doses.csv 3\na,b")
    seed("files", "empty", b"a 0\nb 0\n")
    seed("files", "twice", b"a 1\nxa 1\ny")
    seed("files", "cut", b"a 10\nabc")


if __name__ == "__main__":
    log()
    texts()
    messages()
    imports()
    logs()
    exchange()
