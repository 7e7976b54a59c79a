#!/usr/bin/env python3
"""Writes the seeds that follow from other files of the project: events of a store, settings, scripts, zones, messages.
Inputs that were made or found otherwise stay. Run it when a kind of entry, a setting or a member was added."""

import json
import pathlib
import sqlite3
import sys

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


if __name__ == "__main__":
    log()
    texts()
    messages()
