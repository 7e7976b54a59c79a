#!/usr/bin/env python3
"""SIGKILL at the n-th system call on the store's files, for every n of a start and of log, undo, log: every
acknowledged event is there afterwards (fault A2)."""

import shutil
import subprocess
import time

import lib

CALLS = "openat,pwrite64,write,fdatasync,fsync,ftruncate,rename,unlink,fcntl"
ACTIONS = (("LogDose1", "a"), ("Undo", "b"), ("LogDose1", "c"))


def strace(store, count, more=()):
    paths = [word for suffix in ("", "-wal", "-journal", ".head", ".lease", ".night", ".reserve", ".new", ".new-wal", ".new-journal")
             for word in ("-P", f"{store}{suffix}")]
    return ["strace", "-f", "-qq", "-o", "/dev/null", *paths, "-P", store.parent, "-e", f"trace={CALLS}",
            "-e", f"inject={CALLS}:{lib.KILLED}:when={count}", *more]


def drive(bus, acknowledged):
    """Logs until done or cut off."""
    try:
        with bus.connect_closing() as connection:
            for member, key in ACTIONS:
                acknowledged[key] = lib.act(connection, member, key=key)["event_id"]
        return True
    except (lib.Gone, lib.BusError, lib.Unanswered):
        return False


def verify(bus, arguments, store, acknowledged, verdicts, where):
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
        for member, key in ACTIONS:
            receipt = lib.outcome(connection, member, key=key)
            same = isinstance(receipt, dict) and acknowledged.get(key, receipt["event_id"]) == receipt["event_id"]
            if not verdicts.check(same, f"a retry by key finds or does it, after a kill at {where}", receipt):
                break
        owner = lib.outcome(connection, "LogDose1", key="c")
    service.stop()
    log = lib.Log(store)
    doses = [row for row in log.rows if row["type"] == "dose_recorded"]
    verdicts.check(len(doses) == 2 and not log.faults, f"each dose once after a kill at {where}",
                   f"{len(doses)} doses, {log.faults}, {owner}")


def during_start(bus, arguments, verdicts, count):
    """Kills at a call while a new store is made, or an encrypted one is opened, and the first actions come in; true when
    nothing was left to kill."""
    store = lib.scratch() / "data" / "dosetap.db"
    acknowledged = {}
    store.parent.mkdir(mode=0o700)
    if arguments.encrypted:
        lib.Service(bus, arguments.daemon, store=store).stop()
    try:
        service = lib.Service(bus, arguments.daemon, store=store, wrapper=strace(store, count))
    except lib.NotStarted:
        verify(bus, arguments, store, acknowledged, verdicts, f"call {count} of a start")
        return False
    done = drive(bus, acknowledged)
    if done:
        with bus.connect_closing() as connection:
            pid = connection.call(*lib.DRIVER, "GetConnectionUnixProcessID", "s", (lib.NAME,))
        subprocess.run(["kill", str(pid)], check=False)
    service.process.wait(20)
    verify(bus, arguments, store, acknowledged, verdicts, f"call {count} of a start and three actions")
    return done


def during_actions(bus, arguments, verdicts, count):
    """Kills a service that has started, at a call of its three actions and its stop."""
    store = lib.scratch() / "data" / "dosetap.db"

    def serve():
        shutil.rmtree(store.parent, ignore_errors=True)
        store.parent.mkdir(mode=0o700)
        return lib.Service(bus, arguments.daemon, store=store)

    service, tracer = lib.traced(serve, lambda pid: strace(store, count, ("-p", str(pid))))
    acknowledged = {}
    done = drive(bus, acknowledged)
    if done:
        service.process.terminate()
    code = service.process.wait(20)
    tracer.wait(20)
    verify(bus, arguments, service.store, acknowledged, verdicts, f"call {count} of three actions and a stop")
    return done and code == 0


def main():
    arguments = lib.options(__doc__, encrypts=True, step=0)
    lib.require("strace")
    verdicts = lib.Verdicts("kill-at-syscall")
    bus = lib.Bus()
    step = arguments.step or (1 if arguments.long else 4)
    for name, scenario in (("start", during_start), ("actions", during_actions)):
        count, started = 1, time.monotonic()
        while not scenario(bus, arguments, verdicts, count):
            count += step
            if count > 2000:
                verdicts.check(False, "the run ends")
                break
        verdicts.say(f"{name}: points 1 to {count} by {step}, {time.monotonic() - started:.0f} s")
    verdicts.finish()


main()
