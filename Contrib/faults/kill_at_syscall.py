#!/usr/bin/env python3
"""SIGKILL at each system call on the store's files that strace can pick out, during a start and during entries of all kinds: every
acknowledged event is there afterwards, and its key finds it (fault A2). In the short form at each call that comes seldom and at some
of the others."""

import shutil
import subprocess

import lib
from wire import Variant

CALLS = (*lib.CALLS, *lib.LOCKS)
SESSION, DIARY = lib.SESSION, lib.NAME + ".Diary"
MEDICATIONS, INVENTORY = lib.NAME + ".Medications", lib.NAME + ".Inventory"
BOTTLE = {"medication_id": Variant("s", "xyrem"), "amount": Variant("s", "180mL")}
# Entries: key, interface, member, what comes before the options, options.
FEW = (("a", SESSION, "LogDose1", (), {}), ("b", SESSION, "Undo", (), {}), ("c", SESSION, "LogDose1", (), {}))
NIGHT = (
    ("pre", DIARY, "SavePreSleep", ({},), {}),
    ("dose1", SESSION, "LogDose1", (), {"at": lib.microseconds(-9_300)}),
    ("amend", SESSION, "Amend", ("dose1",), {"at": lib.microseconds(-9_200)}),
    ("bathroom", DIARY, "LogSleepEvent", ("bathroom",), {}),
    ("delete", SESSION, "Delete", ("last bathroom",), {}),
    ("snooze", SESSION, "Snooze", (), {}),
    ("skip", SESSION, "SkipDose2", (), {}),
    ("unskip", SESSION, "Undo", (), {}),
    ("dose2", SESSION, "LogDose2", (), {}),
    ("medicine", MEDICATIONS, "Take", ("modafinil",), {"confirm": ["duplicate"]}),
    ("bottle", INVENTORY, "AddBottle", (BOTTLE,), {}),
    ("wake", SESSION, "LogFinalWake", (), {}),
    ("checkin", DIARY, "SaveCheckIn", ({},), {}),
)
# In the short form, a night of fewer kinds.
SOME = tuple(entry for entry in NIGHT if entry[0] in ("dose1", "amend", "skip", "bottle"))


def paths(store):
    names = ("", "-wal", "-journal", ".head", ".lease", ".night", ".reserve", ".new", ".new-wal", ".new-journal", ".key-id")
    return [*(f"{store}{name}" for name in names), store.parent]


def strace(store, point, more=()):
    return point.strace(lib.KILLED, paths(store), store.parent.parent, more)


def enter(connection, entry):
    """The receipt of an entry, or the error in its place."""
    key, interface, member, words, options = entry
    kinds = "".join("s" if isinstance(word, str) else "a{sv}" for word in words) + "a{sv}"
    try:
        return connection.call(lib.NAME, lib.PATH, interface, member, kinds, (*words, lib.variants({**options, "key": key})),
                               timeout=30)
    except lib.BusError as error:
        return error


def drive(bus, entries, acknowledged):
    """Logs until done or cut off."""
    try:
        with bus.connect_closing() as connection:
            for entry in entries:
                receipt = enter(connection, entry)
                if isinstance(receipt, lib.BusError):
                    if receipt.name.startswith("org.freedesktop.DBus.Error."):
                        return False
                    raise SystemExit(f"{entry[2]} is refused: {receipt}")
                acknowledged[entry[0]] = receipt["event_id"]
        return True
    except (lib.Gone, lib.BusError, lib.Unanswered):
        return False


def verify(bus, arguments, entries, store, acknowledged, verdicts, where):
    log = lib.Log(store)
    verdicts.check(not log.faults, f"the store is whole after a kill at {where}", log.faults)
    missing = [key for key, event in acknowledged.items() if log.exists and log.keys.get(key) != [event]]
    verdicts.check(not missing and (log.exists or not acknowledged), f"nothing acknowledged is lost at {where}", missing)
    try:
        service = lib.Service(bus, arguments.daemon, store=store)
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after a kill at {where}", error)
        return
    with bus.connect_closing() as connection:
        for entry in entries:
            receipt = enter(connection, entry)
            same = isinstance(receipt, dict) and acknowledged.get(entry[0], receipt["event_id"]) == receipt["event_id"]
            if not verdicts.check(same, f"a retry by key finds or does it, after a kill at {where}", f"{entry[2]} {receipt}"):
                break
        # The last one once more.
        again = enter(connection, entry)
    service.stop()
    log = lib.Log(store)
    verdicts.check(isinstance(again, dict) and again["duplicate"] and again["event_id"] == receipt["event_id"],
                   f"the same key is the same event after a kill at {where}", again)
    doses = sum(row["type"] == "dose_recorded" for row in log.rows)
    wanted = sum("LogDose" in entry[2] for entry in entries)
    doubled = [entry[0] for entry in entries if len(log.keys.get(entry[0], [])) != 1]
    verdicts.check(doses == wanted and not doubled and not log.faults, f"each entry once after a kill at {where}",
                   f"{doses} doses, not once: {doubled}, {log.faults}")


def during_start(bus, arguments, verdicts, point):
    """Kills at a call while a new store is made, or an encrypted one is opened, and the first entries come in; true when
    nothing was left to kill."""
    store = lib.scratch() / "data" / "dosetap.db"
    acknowledged = {}
    store.parent.mkdir(mode=0o700)
    if arguments.encrypted:
        lib.Service(bus, arguments.daemon, store=store).stop()
    try:
        service = lib.Service(bus, arguments.daemon, store=store, wrapper=strace(store, point))
    except lib.NotStarted:
        verify(bus, arguments, FEW, store, acknowledged, verdicts, f"{point} of a start")
        return False
    done = drive(bus, FEW, acknowledged)
    if done:
        try:
            subprocess.run(["kill", str(service.pid)], check=False)
        except lib.BusError:
            # It was killed at one of its later calls.
            done = False
    code = service.process.wait(20)
    verify(bus, arguments, FEW, store, acknowledged, verdicts, f"{point} of a start and its first entries")
    return done and code == 0


def during_entries(bus, arguments, entries, verdicts, point):
    """Kills a service that has started, at a call of its entries and its stop."""
    store = lib.scratch() / "data" / "dosetap.db"

    def serve():
        shutil.rmtree(store.parent, ignore_errors=True)
        store.parent.mkdir(mode=0o700)
        return lib.Service(bus, arguments.daemon, store=store)

    service, tracer = lib.traced(serve, lambda pid: strace(store, point, ("-p", str(pid))))
    acknowledged = {}
    done = drive(bus, entries, acknowledged)
    if done:
        service.process.terminate()
    code = service.process.wait(20)
    tracer.wait(20)
    verify(bus, arguments, entries, store, acknowledged, verdicts, f"{point} of {len(entries)} entries and a stop")
    return done and code == 0


def main():
    arguments = lib.options(__doc__, encrypts=True, step=0)
    lib.require("strace")
    verdicts, bus = lib.Verdicts("kill-at-syscall"), lib.Bus()
    step = arguments.step or (1 if arguments.long else 8)
    scenarios = {"start": lambda _, point: during_start(bus, arguments, verdicts, point)}
    for name, entries in (("entries", FEW), ("all entries", NIGHT)) if arguments.long else (("entries", FEW), ("more entries", SOME)):
        scenarios[name] = lambda _, point, entries=entries: during_entries(bus, arguments, entries, verdicts, point)
    for name, run in scenarios.items():
        lib.walk(run, verdicts, name, step, calls=CALLS, effects=())
    verdicts.finish()


main()
