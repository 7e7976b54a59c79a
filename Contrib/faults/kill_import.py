#!/usr/bin/env python3
"""SIGKILL, ENOSPC and EIO at each system call of an import, of its taking back, and of a log that becomes the record or
goes on from it: each is whole or has not happened, and no acknowledged event is lost (fault A7). In the short form a kill at each
call that comes seldom and at some of the others, and a failure at some calls of each name."""

import json
import os
import pathlib
import shutil
import subprocess

import lib

ROWS = 40


def paths(store):
    names = ("", "-wal", "-journal", ".head", ".night", ".reserve", ".imported", ".imported-wal", ".imported-journal",
             ".imported.head", ".switch", ".switch-new", ".key-id")
    return [*(f"{store}{name}" for name in names), store.parent]


class Imports:
    """A service on a copy of a store that has a night, and a file that it can import."""

    def __init__(self, arguments):
        self.arguments, self.bus = arguments, lib.Bus()
        self.file = lib.scratch() / "plees.csv"
        rows = [f"{n},{1_736_118_000_000 + n * 86_400_000},{1_736_146_800_000 + n * 86_400_000},4" for n in range(ROWS)]
        self.file.write_text("sid,start,stop,rating\n" + "\n".join(rows) + "\n")
        service = lib.Service(self.bus, arguments.daemon)
        self.environment = service.environment
        with self.bus.connect_closing() as connection:
            lib.act(connection, "LogDose1", key="a", at=lib.microseconds(-9_000))
            self.dose = lib.act(connection, "LogDose2", key="b")["event_id"]
        service.stop()
        self.empty = service.store.parent
        self.begun = len(lib.Log(service.store).rows)
        self.full = self.copy(self.empty).parent
        service = lib.Service(self.bus, arguments.daemon, store=self.full / "dosetap.db")
        made = self.run("plees", self.file)
        if made.returncode:
            raise SystemExit(f"the file was not imported: {made.stdout}{made.stderr}")
        self.id = json.loads(made.stdout)["import_id"]
        self.log = lib.scratch() / "log.jsonl"
        subprocess.run([arguments.cli, "export", "log", "-o", self.log], check=True, env=self.environment, timeout=60)
        service.stop()
        self.taken = {row["hash"] for row in lib.Log(self.full / "dosetap.db").rows}

    def copy(self, template):
        store = lib.scratch() / "data" / "dosetap.db"
        if template:
            shutil.copytree(template, store.parent)
        else:
            store.parent.mkdir(mode=0o700)
        return store

    def run(self, *words):
        return subprocess.run([self.arguments.cli, "import", *[str(word) for word in words], "--json"],
                              capture_output=True, text=True, env=self.environment, timeout=60)


class Nothing:
    """No record yet."""

    faults, rows = [], []


def entries(log):
    """Sleeps that stand, and what is on record of imports."""
    undone = set()
    for row in log.rows:
        if row["type"] == "action_undone":
            undone.update(json.loads(row["payload"])["events"])
    sleeps = [row for row in log.rows if row["type"] == "sleep_recorded" and row["id"] not in undone]
    return len(sleeps), sum(row["type"] == "import_recorded" for row in log.rows)


def during(imports, verdicts, name, how, point):
    """True when nothing was left to disturb."""
    begun, all_of_it = imports.begun, len(imports.taken)
    before, after, template, words = {
        "import": ((0, 0), (ROWS, 1), imports.empty, ["plees", imports.file]),
        "take back": ((ROWS, 1), (0, 2), imports.full, ["--take-back", imports.id]),
        "log into no record": (0, all_of_it, None, ["log", imports.log]),
        "log that goes on": (begun, all_of_it, imports.empty, ["log", imports.log])}[name]

    def counts(log):
        return sum(row["hash"] in imports.taken for row in log.rows) if "log" in name else entries(log)

    stores = []

    def serve():
        stores.append(imports.copy(template))
        return lib.Service(imports.bus, imports.arguments.daemon, store=stores[-1])

    # What is left of the start can be the call, too.
    service, tracer = lib.traced(serve, lambda pid: point.strace(how, paths(stores[-1]), stores[-1].parent.parent,
                                                                 ("-p", str(pid))))
    store = stores[-1]
    result = imports.run(*words)
    ended = service.process.poll()
    if how == lib.KILLED and result.returncode:
        ended = service.process.wait(20)
    if ended is None:
        ended = service.stop(30)
    tracer.wait(30)
    where = f"{how} at {point} of {name}"
    if result.returncode:
        told = json.loads(result.stdout or "{}").get("error", {}) if result.stdout.startswith("{") else {}
        verdicts.check(told.get("kind"), f"the failure has a name, {where}", result.stdout + result.stderr)
    try:
        service = lib.Service(imports.bus, imports.arguments.daemon, store=store)
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after {where}", error)
        return False
    if template or result.returncode == 0:
        with imports.bus.connect_closing() as connection:
            again = lib.outcome(connection, "LogDose2", key="b")
        verdicts.check(isinstance(again, dict) and again["event_id"] == imports.dose,
                       f"the acknowledged dose is there, once, after {where}", again)
    service.stop()
    left = [file.name for file in store.parent.iterdir() if ".imported" in file.name or ".switch" in file.name]
    verdicts.check(not left, f"nothing of it is left after {where}", left)
    log = lib.Log(store) if store.exists() else Nothing
    found = counts(log)
    verdicts.check(not log.faults and found in (before, after), f"all of it or nothing after {where}",
                   f"{log.faults} {found}")
    if result.returncode == 0:
        verdicts.check(found == after, f"what was told is there after {where}", found)
    service = lib.Service(imports.bus, imports.arguments.daemon, store=store)
    repeated = imports.run(*words)
    service.stop()
    log = lib.Log(store)
    verdicts.check(not log.faults and counts(log) == after, f"done once more it is done once after {where}",
                   f"{log.faults} {counts(log)} {repeated.stdout}{repeated.stderr}")
    return how == lib.KILLED and ended == 0


def main():
    arguments = lib.options(__doc__, encrypts=True, step=0, only="")
    if not pathlib.Path(arguments.cli).with_name("dosetap-exchange").exists():
        # Only a whole build has the filter that the command starts. The command trusts only a service from its own
        # folder.
        arguments.cli, arguments.daemon = (str(lib.ROOT / ".build/debug" / name) for name in ("dosetap", "dosetapd"))
    lib.require("strace")
    verdicts = lib.Verdicts("kill-import")
    imports = Imports(arguments)
    step = arguments.step or (1 if arguments.long else 12)
    for name in ("import", "take back", "log into no record", "log that goes on"):
        if arguments.only in name:
            lib.walk(lambda how, point, name=name: during(imports, verdicts, name, how, point), verdicts, name, step,
                     few=None if arguments.long else 12)
    verdicts.finish()


main()
