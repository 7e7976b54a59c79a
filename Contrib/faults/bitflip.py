#!/usr/bin/env python3
"""One flipped bit in a stopped store, its head file, or the write-ahead log of a killed one, then the service on it
(faults C1, C2): whatever changes an event is noticed at the start or by Verify, or told by status; whatever changes a table
or an index by Check; a file that is refused stays as it is. What was served before anybody asked for a check is asked, too:
soon after the start it is the truth, or status says what is wrong."""

import collections
import json
import multiprocessing.util
import os
import random
import shutil
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
    try:
        connection = lib.opened(database)
    except sqlite3.DatabaseError:
        return None
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


# The files of a store, by the ends of their names.
FILES = ("", "-wal", ".head")


def fill(bus, arguments, nights):
    """A store of nights that lie behind: what its files hold while it is in use, as a kill leaves them, and when it is
    closed."""
    service = lib.Service(bus, arguments.daemon)
    everything = ["early", "late", "long_ago", "after_wake", "over_limit", "window_unresolved", "after_skip"]
    with bus.connect_closing() as connection:
        for night in range(nights, 0, -1):
            start = -night * 86_400
            lib.act(connection, "LogDose1", at=lib.microseconds(start), confirm=everything, amount_mg=4500, note="first")
            lib.act(connection, "LogDose2", at=lib.microseconds(start + 10_200), confirm=everything, amount_mg=4500)
    found = []
    for end in (service.kill, lambda: (service.start(), service.stop())):
        end()
        paths = {name: service.store.with_name(service.store.name + name) for name in FILES}
        found.append({name: path.read_bytes() for name, path in paths.items() if path.exists()})
    return found


def lay(files):
    """A store of these files."""
    store = lib.scratch(memory=True) / "dosetap.db"
    for name, content in files.items():
        path = store.with_name(store.name + name)
        path.write_bytes(content)
        path.chmod(0o600)
    return store


def served(connection):
    """The nights as everybody is shown them; None where the service says that it cannot."""
    try:
        nights, _ = connection.call(lib.NAME, lib.PATH, HISTORY, "FindSessions", "a{sv}", ({"limit": Variant("u", 100)},))
        shown = [connection.call(lib.NAME, lib.PATH, HISTORY, "Show", "s", (night["session_id"],)) for night in nights]
        return json.dumps((nights, shown), sort_keys=True, default=str)
    except lib.BusError:
        return None


def before_found(connection, truth):
    """Whether something wrong was served before it was put right or told; whether that came soon; whether it was told."""
    start, wrong = time.monotonic(), False
    while time.monotonic() - start < SOON:
        answer = served(connection)
        try:
            status = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
            told = any(warning["code"] in ("store", "finding") for warning in status["warnings"])
        except lib.BusError:
            told = True
        if answer == truth or answer is None or told:
            return wrong, True, told
        wrong = True
        time.sleep(0.02)
    return wrong, False, False


def undamaged(bus, arguments, files):
    """What a store that nothing befell serves."""
    service = lib.Service(bus, arguments.daemon, store=lay(files))
    with bus.connect_closing() as connection:
        truth = served(connection)
    service.stop()
    return truth


def looked_at(service, truth):
    """What the service says of a store: how it was noticed, or None; whether something wrong was served before; whether it
    was put right or told soon."""
    try:
        service.start()
    except lib.NotStarted as error:
        if error.code is None:
            raise
        return "refused at the start", False, True
    wrong, soon, told = False, False, False

    def how():
        with service.bus.connect_closing() as connection:
            nonlocal wrong, soon, told
            wrong, soon, told = before_found(connection, truth)
            for member, how in (("Verify", "found by Verify"), ("Check", "found by Check")):
                try:
                    report = connection.call(lib.NAME, lib.PATH, DATA, member, "", ())
                except lib.BusError:
                    return how
                if not report["ok"]:
                    return how
        return "told by status" if told else None

    try:
        return how(), wrong, soon
    finally:
        service.stop()


class Flips:
    """One process that flips bits; it has a bus and a service of its own."""

    def __init__(self, arguments, sets, truth, expected):
        self.arguments, self.sets, self.truth, self.expected = arguments, sets, truth, expected
        self.bus = lib.Bus()
        self.service = lib.Service(self.bus, arguments.daemon, wait=False)
        self.service.kill()

    def flip(self, number):
        """What was flipped, how it was noticed, whether something wrong was served, and what is wrong with all that."""
        chance = random.Random(f"{self.arguments.seed} {number}")
        is_killed = chance.random() < 0.5
        files = dict(self.sets[0 if is_killed else 1])
        weights = {name: 1 if name == ".head" else 5 for name in files}
        name = chance.choices(list(weights), list(weights.values()))[0]
        place, bit = chance.randrange(len(files[name])), chance.randrange(8)
        flipped = bytearray(files[name])
        flipped[place] ^= 1 << bit
        files[name] = bytes(flipped)
        copy, store = lay({name: files[name] for name in files if name != ".head"}), lay(files)
        now_log, now_tables = contents(copy)
        log, tables = self.expected
        where = f"database{name}" + (", killed" if is_killed else "")
        what = f"{where} byte {place}, bit {bit}, seed {self.arguments.seed}, flip {number}"
        self.service.store = store
        noticed, wrong, soon = looked_at(self.service, self.truth)
        faults = [] if soon else [f"what is served is soon the truth, or told ({what})"]
        if now_log != log:
            if noticed is None or noticed == "found by Check":
                faults.append(f"a changed event is noticed ({what})")
        elif now_tables != tables and noticed is None and contents(store)[1] != tables:
            faults.append(f"a changed table is noticed or rebuilt ({what})")
        if noticed == "refused at the start" and store.with_name(store.name + name).read_bytes() != files[name]:
            faults.append(f"a refused store is left as it is ({what})")
        for folder in (copy.parent, store.parent):
            shutil.rmtree(folder, ignore_errors=True)
        return where, noticed or "no effect", what if wrong else None, faults


def begin(*words):
    global flips
    # The parent process cleans up the children, groups and folders that this process inherited from it.
    for theirs in (lib._children, lib._groups, lib._scratch):
        theirs.clear()
    multiprocessing.util.Finalize(None, lib._clean, exitpriority=1)
    flips = Flips(*words)


def flip(number):
    return flips.flip(number)


def main():
    arguments = lib.options(__doc__, encrypts=True, flips=0, jobs=0)
    verdicts = lib.Verdicts("bitflip")
    total = arguments.flips or (10_000 if arguments.long else 60)
    bus = lib.Bus()
    killed, closed = fill(bus, arguments, 8)
    copies = [lay(files) for files in (killed, closed)]
    expected, same = contents(copies[1]), contents(copies[0])
    verdicts.check(expected[0] and len(expected[0]) >= 24, "the store holds nights to damage")
    verdicts.check(expected[0] == same[0] and len(killed.get("-wal", b"")) > 10_000, "a killed store has a write-ahead log")
    truth = undamaged(bus, arguments, closed)
    verdicts.check(truth and truth == undamaged(bus, arguments, killed), "what is served is compared")
    classes, early = collections.defaultdict(collections.Counter), []
    for where, noticed, wrong, faults in lib.in_parallel(
            flip, range(total), max_workers=arguments.jobs or os.cpu_count(), initializer=begin,
            initargs=(arguments, [killed, closed], truth, expected)):
        classes[where][noticed] += 1
        if wrong:
            early.append(wrong)
        for fault in faults:
            verdicts.check(False, fault, noticed)
        if not faults:
            verdicts.check(True, "it is noticed or harmless")
    for where, counts in sorted(classes.items()):
        verdicts.say(f"{counts.total()} flips of {where}: " + ", ".join(f"{k} {v}" for k, v in counts.most_common()))
    verdicts.say(f"{total} flips, seed {arguments.seed}; {len(early)} served something wrong until it was found: "
                 f"{'; '.join(early[:5])}")
    bus.stop()
    verdicts.finish()


if __name__ == "__main__":
    main()
