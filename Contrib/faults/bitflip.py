#!/usr/bin/env python3
"""One flipped bit in a stopped store, then the service on it (fault C1): whatever changes an event is noticed at the
start or by Verify, whatever changes a table or an index by Check; a file that is refused stays as it is. What was served
before anybody asked for a check is asked, too: soon after the start it is the truth, or status says what is wrong."""

import collections
import json
import random
import sqlite3
import time

import lib
from wire import Variant

DATA = lib.NAME + ".Data"
HISTORY = lib.NAME + ".History"
SOON = 10.0
TABLES = ("dose_events", "sleep_events", "sleep_sessions", "current_session")


def rows(database, table):
    """Every stored value of a table with its kind, read past all indexes; None if unreadable."""
    connection = sqlite3.connect(database)
    connection.text_factory = bytes
    try:
        columns = [row[1].decode() for row in connection.execute(f"PRAGMA table_info({table})")]
        picked = ",".join(f"typeof({name}),{name}" for name in columns)
        return sorted(map(repr, connection.execute(f"SELECT {picked} FROM {table} NOT INDEXED")))
    except (sqlite3.DatabaseError, OverflowError, MemoryError, UnicodeDecodeError):
        return None
    finally:
        connection.close()


def contents(database):
    """The log, and the tables that follow from it."""
    return rows(database, "events"), {table: rows(database, table) for table in TABLES}


def fill(bus, arguments, nights):
    """A store of nights that lie behind; returns its path."""
    service = lib.Service(bus, arguments.daemon)
    everything = ["early", "late", "long_ago", "after_wake", "over_limit", "window_unresolved", "after_skip"]
    with bus.connect_closing() as connection:
        for night in range(nights, 0, -1):
            start = -night * 86_400
            lib.act(connection, "LogDose1", at=lib.microseconds(start), confirm=everything, amount_mg=4500, note="first")
            lib.act(connection, "LogDose2", at=lib.microseconds(start + 10_200), confirm=everything, amount_mg=4500)
    service.stop()
    return service.store


def served(connection):
    """The nights as everybody is shown them; None where the service says that it cannot."""
    try:
        nights, _ = connection.call(lib.NAME, lib.PATH, HISTORY, "FindSessions", "a{sv}", ({"limit": Variant("u", 100)},))
        shown = [connection.call(lib.NAME, lib.PATH, HISTORY, "Show", "s", (night["session_id"],)) for night in nights]
        return json.dumps((nights, shown), sort_keys=True, default=str)
    except lib.BusError:
        return None


def before_found(connection, truth):
    """Whether something wrong was served before it was put right or told, and whether that came soon."""
    start, wrong = time.monotonic(), False
    while time.monotonic() - start < SOON:
        answer = served(connection)
        try:
            status = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
            told = any(warning["code"] in ("store", "finding") for warning in status["warnings"])
        except lib.BusError:
            told = True
        if answer == truth or answer is None or told:
            return wrong, True
        wrong = True
        time.sleep(0.02)
    return wrong, False


def undamaged(bus, arguments, image, head):
    """What a store that nothing befell serves."""
    store = lib.scratch(memory=True) / "dosetap.db"
    store.write_bytes(image)
    store.chmod(0o600)
    store.with_name("dosetap.db.head").write_bytes(head)
    service = lib.Service(bus, arguments.daemon, store=store)
    with bus.connect_closing() as connection:
        truth = served(connection)
    service.stop()
    return truth


def looked_at(bus, arguments, store, truth, what, verdicts, early):
    """What the service says of a store: how it was noticed, or None."""
    try:
        service = lib.Service(bus, arguments.daemon, store=store)
    except lib.NotStarted:
        return "refused at the start"
    try:
        with bus.connect_closing() as connection:
            wrong, soon = before_found(connection, truth)
            if wrong:
                early.append(what)
            verdicts.check(soon, f"what is served is soon the truth, or told ({what})")
            for member, how in (("Verify", "found by Verify"), ("Check", "found by Check")):
                try:
                    report = connection.call(lib.NAME, lib.PATH, DATA, member, "", ())
                except lib.BusError:
                    return how
                if not report["ok"]:
                    return how
        return None
    finally:
        service.stop()


def main():
    arguments = lib.options(__doc__, flips=0)
    verdicts = lib.Verdicts("bitflip")
    flips = arguments.flips or (400 if arguments.long else 60)
    chance = random.Random(arguments.seed)
    bus = lib.Bus()
    original = fill(bus, arguments, 8)
    image, head = original.read_bytes(), original.with_name("dosetap.db.head").read_bytes()
    log, tables = contents(original)
    verdicts.check(log and len(log) >= 24, "the store holds nights to damage")
    truth = undamaged(bus, arguments, image, head)
    verdicts.check(truth and truth == undamaged(bus, arguments, image, head), "what is served is compared")
    classes, early = collections.Counter(), []
    for _ in range(flips):
        place, bit = chance.randrange(len(image)), chance.randrange(8)
        flipped = bytearray(image)
        flipped[place] ^= 1 << bit
        store = lib.scratch(memory=True) / "dosetap.db"
        store.write_bytes(flipped)
        store.chmod(0o600)
        store.with_name("dosetap.db.head").write_bytes(head)
        copy = lib.scratch(memory=True) / "copy.db"
        copy.write_bytes(flipped)
        now_log, now_tables = contents(copy)
        what = f"byte {place}, bit {bit}, seed {arguments.seed}"
        noticed = looked_at(bus, arguments, store, truth, what, verdicts, early)
        classes[noticed or "no effect"] += 1
        if now_log != log:
            verdicts.check(noticed in ("refused at the start", "found by Verify"), f"a changed event is noticed ({what})",
                           noticed)
        elif now_tables != tables:
            log_after, tables_after = contents(store)
            mended = tables_after == tables
            verdicts.check(noticed is not None or mended, f"a changed table is noticed or rebuilt ({what})", noticed)
        else:
            verdicts.check(True, "nothing changed")
        if noticed == "refused at the start":
            verdicts.check(store.read_bytes() == bytes(flipped), f"a refused store is left as it is ({what})")
    verdicts.say(f"{flips} flips in {len(image)} bytes: " + ", ".join(f"{k} {v}" for k, v in classes.most_common()))
    verdicts.say(f"{len(early)} of them served something wrong until it was found: {'; '.join(early[:5])}")
    bus.stop()
    verdicts.finish()


if __name__ == "__main__":
    main()
