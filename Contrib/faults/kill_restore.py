#!/usr/bin/env python3
"""SIGKILL, ENOSPC and EIO at each system call of a backup, a restore and a migration, and two of them at once: each is whole or has
not happened, and no acknowledged event is lost (fault K3). In the short form a kill at each call that comes seldom and at some of
the others, and a failure at some calls of each name."""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess

import lib

DAMAGED = "restore over a damaged record"
FIXTURE = lib.ROOT / "Tests/DoseTapStoreTests/Fixtures/v4.db"


def paths(store):
    names = ["", "-wal", "-journal", ".head", ".restored", ".restored-journal", ".restored.head", ".switch", ".switch-new",
             ".night", ".reserve", ".key-id"]
    folder = store.parent / "backups"
    found = [f"{store}{name}" for name in names] + [store.parent, folder]
    return found + [folder / f".new-{number}{suffix}" for number in range(4) for suffix in ("", "-wal", "-journal")]


class Care:
    """A service on a copy of a store that has a night, a backup of it, and a dose that the backup lacks."""

    def __init__(self, arguments):
        self.arguments, self.bus = arguments, lib.Bus()
        service = lib.Service(self.bus, arguments.daemon)
        self.environment = service.environment
        with self.bus.connect_closing() as connection:
            lib.act(connection, "LogDose1", key="a", at=lib.microseconds(-9_000))
        self.backup = lib.scratch() / "backup.db"
        made = self.run("backup", self.backup)
        if made.returncode:
            raise SystemExit(f"the backup was not made: {made.stdout}{made.stderr}")
        with self.bus.connect_closing() as connection:
            self.dose = lib.act(connection, "LogDose2", key="b")["event_id"]
        service.stop()
        self.template = service.store.parent
        self.damaged = lib.scratch() / "data"
        shutil.copytree(self.template, self.damaged)
        lib.overwrite(self.damaged / "dosetap.db")

    def origin(self, name):
        """The record that is begun with."""
        return self.damaged if name == DAMAGED else self.template

    def copy(self, name="restore"):
        store = lib.scratch() / "data" / "dosetap.db"
        shutil.copytree(self.origin(name), store.parent)
        return store

    def start(self, arguments=(), **settings):
        return subprocess.Popen(
            [self.arguments.cli, "db", *[str(word) for word in arguments], "--json"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=self.environment, **settings)

    def run(self, *arguments):
        process = self.start(arguments)
        out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def deed(self, name, store):
        """What is done, and where its file goes."""
        if name in ("restore", DAMAGED):
            return ["restore", self.backup, "--confirm", "restore"], None
        target = store.parent.parent / "copy.db" if name == "backup FILE" else None
        return ["backup"] + ([target] if target else []), target


def left(store):
    """Files of work that was not finished."""
    names = os.listdir(store.parent)
    return [name for name in names if ".restored" in name or ".switch" in name]


def verify(care, verdicts, store, name, result, target, where):
    if target is not None:
        rest = [entry for entry in os.listdir(target.parent) if ".part-" in entry]
        verdicts.check(not rest, f"no part of a file is left by the command at {where}", rest)
        verdicts.check(target.exists() == (result.returncode == 0), f"the file is there if it was told at {where}",
                       result.stdout + result.stderr)
        if target.exists():
            log = lib.Log(target)
            verdicts.check(not log.faults and log.rows, f"the copy is whole at {where}", log.faults)
    for file in (store.parent / "backups").glob("*.db"):
        log = lib.Log(file)
        verdicts.check(not log.faults and str(len(log.rows)) in file.name.split("-"),
                       f"a backup with its name is whole at {where}", f"{file.name} {log.faults}")
    try:
        service = lib.Service(care.bus, care.arguments.daemon, store=store)
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after {where}", error)
        return
    with care.bus.connect_closing() as connection:
        again = lib.outcome(connection, "LogDose2", key="b")
    service.stop()
    same = isinstance(again, dict) and again["event_id"] == care.dose
    verdicts.check(same, f"the acknowledged dose is there, once, after {where}", again)
    log = lib.Log(store)
    if name == DAMAGED and log.faults:
        untouched = store.read_bytes() == (care.damaged / store.name).read_bytes()
        verdicts.check(untouched and result.returncode, f"the damaged record is as it was after {where}", log.faults)
        verdicts.check(not left(store), f"nothing half is left after {where}", left(store))
        return
    restored = [row for row in log.rows if row["type"] == "store_restored"]
    verdicts.check(not log.faults and len(restored) <= 1, f"the record is whole after {where}",
                   f"{log.faults} {len(restored)}")
    restores = name in ("restore", DAMAGED)
    # A damaged record that is sound now was restored, even without an answer.
    if name == DAMAGED or restores and result.returncode == 0:
        verdicts.check(len(restored) == 1, f"a restore that was told is there after {where}")
    if not restores:
        verdicts.check(not restored, f"nothing was restored at {where}")
    kept = [entry for entry in os.listdir(store.parent) if ".replaced-" in entry and entry.endswith("Z")
            or name == DAMAGED and ".damaged-" in entry and entry.split("-")[-1].isdigit()]
    verdicts.check(len(kept) == len(restored), f"the replaced record is kept at {where}", kept)
    verdicts.check(not left(store), f"nothing half is left after {where}", left(store))


def during(care, verdicts, name, how, point):
    """True when nothing was left to disturb."""
    store = care.copy(name)

    def serve():
        shutil.rmtree(store.parent)
        shutil.copytree(care.origin(name), store.parent)
        return lib.Service(care.bus, care.arguments.daemon, store=store)

    service, tracer = lib.traced(serve, lambda pid: point.strace(how, paths(store), store.parent.parent, ("-p", str(pid))))
    words, target = care.deed(name, store)
    result = care.run(*words)
    ended = service.process.poll()
    if how == lib.KILLED and result.returncode:
        ended = service.process.wait(20)
    where = f"{how} at {point} of {name}"
    verdicts.check((ended is None) == (how != lib.KILLED or result.returncode == 0),
                   f"the service lives, or was killed, {where}", f"{ended} {result.stdout}{result.stderr}")
    if ended is None:
        ended = service.stop(30)
    tracer.wait(30)
    if result.returncode:
        told = json.loads(result.stdout or "{}").get("error", {}) if result.stdout.startswith("{") else {}
        verdicts.check(told.get("kind"), f"the failure has a name, {where}", result.stdout + result.stderr)
    verify(care, verdicts, store, name, result, target, where)
    return how == lib.KILLED and ended == 0


def ask(file, *questions):
    """Answers from a copy: a lock on the file itself would keep the service out."""
    copy = lib.scratch(memory=True) / "copy.db"
    shutil.copyfile(file, copy)
    database = sqlite3.connect(copy)
    answers = tuple(database.execute(question).fetchone()[0] for question in questions)
    database.close()
    return answers


def during_migration(care, verdicts, how, point):
    """True when nothing was left to disturb."""
    store = lib.scratch() / "data" / "dosetap.db"
    store.parent.mkdir(mode=0o700)
    shutil.copyfile(FIXTURE, store)
    os.chmod(store, 0o600)
    rows = ask(FIXTURE, "SELECT count(*) FROM events")[0]
    where = f"{how} at {point} of a migration"
    done = True
    try:
        service = lib.Service(care.bus, care.arguments.daemon, store=store, 
                              wrapper=point.strace(how, paths(store), store.parent.parent))
        if how != lib.KILLED:
            # A service that cannot open its record answers with the reason.
            with care.bus.connect_closing() as connection:
                found = lib.outcome(connection, "Status")
            named = not isinstance(found, lib.BusError) or found.short in lib.DISK_ERRORS
            verdicts.check(named, f"the failure has a name, {where}", found)
        with contextlib.suppress(lib.BusError, ProcessLookupError):
            # Killed at a call of its later work, it is gone.
            os.kill(service.pid, 15)
        done = service.process.wait(20) == 0
    except lib.NotStarted as error:
        done = False
        verdicts.check(how == lib.KILLED, f"the service starts, {where}", error)
    try:
        lib.Service(care.bus, care.arguments.daemon, store=store).stop()
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after {where}", error)
        return done
    log = lib.Log(store)
    verdicts.check(not log.faults and len(log.rows) >= rows, f"the record is whole after {where}", log.faults)
    backups = list((store.parent / "backups").glob("migration-*.db"))
    verdicts.check(len(backups) == 1, f"one backup precedes it after {where}", backups)
    for backup in backups:
        found = ask(backup, "PRAGMA user_version", "PRAGMA integrity_check", "SELECT count(*) FROM events")
        verdicts.check(found == (4, "ok", rows), f"it is of the earlier schema and whole after {where}", found)
    return done


def at_once(care, verdicts):
    """Two restores, a backup and a dose at once."""
    store = care.copy()
    service = lib.Service(care.bus, care.arguments.daemon, store=store)
    processes = [care.start(care.deed(name, store)[0]) for name in ("restore", "backup", "restore", "backup FILE")]
    with care.bus.connect_closing() as connection:
        event = lib.act(connection, "LogExtraDose", key="c", confirm=["early", "extra", "extra_understood", "late"])
    results = [(process.communicate(timeout=60), process.returncode) for process in processes]
    verdicts.check(any(code == 0 for _, code in (results[0], results[2])), "one of two restores is done", results)
    verdicts.check(results[1][1] == 0 and results[3][1] == 0, "both backups are made", results)
    service.stop()
    log = lib.Log(store)
    verdicts.check(log.keys.get("c") == [event["event_id"]] and log.keys.get("b") == [care.dose] and not log.faults,
                   "no dose is lost while two restores are under way", log.faults)
    verdicts.check(not left(store), "nothing half is left", left(store))


def main():
    arguments = lib.options(__doc__, encrypts=True, step=0)
    lib.require("strace")
    verdicts = lib.Verdicts("kill-restore")
    care = Care(arguments)
    step, few = arguments.step or (1 if arguments.long else 30), None if arguments.long else 10
    for name in ("backup", "backup FILE", "restore", DAMAGED):
        lib.walk(lambda how, point, name=name: during(care, verdicts, name, how, point), verdicts, name, step, few)
    lib.walk(lambda how, point: during_migration(care, verdicts, how, point), verdicts, "migration", 2 * step, few)
    at_once(care, verdicts)
    verdicts.finish()


main()
