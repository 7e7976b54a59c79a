"""A store of ten years, made by the service itself and kept for the schema it was made with."""

import datetime
import hashlib
import pathlib
import random
import shutil
import sqlite3
import struct
import subprocess
import time

import lib

HERE = pathlib.Path(__file__).resolve().parent
DIARY, MEDICATIONS = lib.NAME + ".Diary", lib.NAME + ".Medications"
TABLES = ("sleep_sessions", "dose_events", "sleep_events", "morning_checkins", "pre_sleep_logs", "medication_events")
EVENTS = ("bathroom", "water", "snack", "wake_temp", "anxiety", "dream", "heart_racing", "noise", "temperature", "pain")
MEDICINES = ("adderall_ir", "ritalin_ir", "modafinil", "armodafinil", "sunosi", "wakix")
RESTED = ("notAtAll", "slightly", "moderate", "well", "veryWell")
MOODS = ("veryLow", "low", "neutral", "good", "great")


def ten_years(programs, schema, nights=3650):
    """A copy of the store; made first where it is missing."""
    digest = hashlib.sha256(schema.read_bytes() + pathlib.Path(__file__).read_bytes()).hexdigest()[:16]
    kept = HERE.parents[1] / ".build" / "benchmarks" / f"nights-{nights}-{digest}"
    if not (kept / "dosetap.db").exists():
        make(programs, nights, kept)
    folder = lib.scratch() / "data"
    shutil.copytree(kept, folder)
    return folder / "dosetap.db"


def make(programs, nights, kept):
    print(f"generating {nights} nights …", flush=True)
    began, bus = time.monotonic(), lib.Bus()
    shim, clock = lib.scratch() / "wallclock.so", lib.scratch() / "offset"
    clock.write_bytes(bytes(8))
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", shim, HERE / "wallclock.c", "-ldl"], check=True)
    move(clock, -(nights + 3) * 86400)
    service = lib.Service(bus, programs.daemon, store=lib.scratch(memory=True) / "data" / "dosetap.db",
                          environment={"LD_PRELOAD": str(shim), "DOSETAP_CLOCK_OFFSET": str(clock),
                                       # The nights are evenings of this zone, whatever the hour is at which they are made.
                                       "TZ": "UTC"})
    source, connection = random.Random(7), bus.connect()
    midnight = int(time.time()) // 86400 * 86400
    for night in range(nights + 2, 2, -1):
        # Each night is entered two days after it, with a wall clock that moves on with the nights.
        move(clock, -(night - 2) * 86400)
        serials = [connection.send(lib.NAME, lib.PATH, *call) for call in entries(source, midnight - night * 86400)]
        for serial in serials:
            connection.wait(serial)
    connection.close()
    service.stop(timeout=120)
    log = service.log_rows()
    if log.faults:
        raise SystemExit(f"the generated store is not whole: {log.faults}")
    database = sqlite3.connect(service.store)
    rows = sum(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES)
    database.close()
    kept.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(service.store.parent, kept)
    bus.stop()
    print(f"{rows} rows of {len(log.rows)} events in {time.monotonic() - began:.0f} s", flush=True)


def move(clock, seconds):
    with open(clock, "r+b") as page:
        page.write(struct.pack("<q", seconds * 1_000_000_000))


def entries(source, midnight):
    """The calls of one night and the day after it: about thirty."""
    dose = midnight + 20 * 3600 + source.randrange(10800)
    wake = dose + 6 * 3600 + source.randrange(3600)
    date = datetime.datetime.fromtimestamp(midnight, datetime.timezone.utc).date().isoformat()

    def session(member, at):
        return lib.SESSION, member, "a{sv}", (options(at),)

    def event(word, at):
        return DIARY, "LogSleepEvent", "sa{sv}", (word, options(at))

    evening = {"stress_level": lib.Variant("x", source.randrange(6)), "body_pain": lib.Variant("s", "none"),
               "stimulants": lib.Variant("s", source.choice(("none", "coffee", "tea"))),
               "alcohol": lib.Variant("s", source.choice(("none", "1")))}
    yield DIARY, "SavePreSleep", "a{sv}a{sv}", (evening, options(dose - 60 * source.randrange(20, 100)))
    yield session("LogDose1", dose)
    yield event("lights_out", dose + 300)
    for at in sorted(source.sample(range(dose + 600, wake), source.randint(13, 21))):
        yield event(source.choice(EVENTS), at)
    # A few nights are slept through, so the service itself records the skip.
    if source.random() >= 0.04:
        second = source.randrange(151, 239)
        if second > 170 and source.random() < 0.8:
            yield session("Snooze", dose + 60 * 166)
        yield session("LogDose2", dose + 60 * second)
    yield session("LogFinalWake", wake)
    morning = {"sleep_quality": lib.Variant("x", source.randint(1, 5)), "mood": lib.Variant("s", source.choice(MOODS)),
               "mental_clarity": lib.Variant("x", source.randint(1, 10)),
               "feel_rested": lib.Variant("s", source.choice(RESTED))}
    if source.random() < 0.4:
        morning["notes"] = lib.Variant("s", "slept, mostly; a \"good\" one")
    yield DIARY, "SaveCheckIn", "a{sv}a{sv}", (morning, {**options(wake + 1200), "night": lib.Variant("s", date)})
    for turn in range(source.randint(4, 8)):
        yield MEDICATIONS, "Take", "sa{sv}", (source.choice(MEDICINES), options(wake + 3600 + turn * 5400))


def options(at):
    return {"at": lib.Variant("t", at * 1_000_000)}
