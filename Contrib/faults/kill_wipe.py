#!/usr/bin/env python3
"""SIGKILL at the n-th system call on the store's files while all data is deleted: the next start finds everything or
nothing (fault K3)."""

import subprocess

import lib
from wire import Variant

CALLS = "openat,pwrite64,write,fdatasync,fsync,ftruncate,rename,unlink,rmdir"
DATA = lib.NAME + ".Data"


def strace(service, count):
    store = service.store
    names = ("", "-wal", ".head", ".night", ".reserve", ".wipe", ".wipe-new", ".beside", ".beside.head", ".beside-wal")
    paths = [word for name in names for word in ("-P", f"{store}{name}")]
    return ["strace", "-f", "-qq", "-o", "/dev/null", *paths, "-P", store.parent, "-P", store.parent / "backups",
            "-P", store.parent / "backups" / BACKUP, "-e", f"trace={CALLS}",
            "-e", f"inject={CALLS}:signal=KILL:when={count}", "-p", str(service.process.pid)]


BACKUP = "manual-2026-01-15T080000Z-12-0123456789abcdef.db"


def wipe(bus):
    options = {"confirm": Variant("as", ["wipe", "window_unresolved"]), "backups": Variant("b", True)}
    with bus.connect_closing() as connection:
        return connection.call(lib.NAME, lib.PATH, DATA, "Wipe", "a{sv}", (options,))


def files(store):
    """What is there of the record; the lease names a process only."""
    found = sorted(path.name for path in store.parent.iterdir() if path.name != "dosetap.db.lease")
    backups = store.parent / "backups"
    return found + sorted(path.name for path in backups.iterdir()) if backups.exists() else found


def at(bus, arguments, verdicts, count):
    """Kills at one call; true when nothing was left to kill."""
    service = lib.Service(bus, arguments.daemon)
    store = service.store
    with bus.connect_closing() as connection:
        lib.act(connection, "LogDose1", key="a")
    backups = store.parent / "backups"
    backups.mkdir(mode=0o700)
    (backups / BACKUP).write_text("a backup")
    (backups / BACKUP).chmod(0o600)
    tracer = lib.spawn(strace(service, count), stderr=subprocess.PIPE)
    lib.attached(service.process.pid, tracer)
    try:
        wipe(bus)
        answered = True
    except (lib.Gone, lib.BusError, lib.Unanswered):
        answered = False
    code = service.process.wait(30)
    tracer.wait(20)
    where = f"call {count} of a deletion"
    decided = (store.parent / "dosetap.db.wipe").exists()
    before = files(store)
    try:
        again = lib.Service(bus, arguments.daemon, store=store)
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after a kill at {where}", error)
        return False
    with bus.connect_closing() as connection:
        status = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
        is_there = bool(status.get("dose1_time"))
    left = files(store)
    again.stop()
    if answered or decided:
        verdicts.check(not left, f"everything is gone after a kill at {where}", (before, left))
        verdicts.check(not is_there, f"nothing is remembered after a kill at {where}")
    else:
        whole = "dosetap.db" in left and BACKUP in left and is_there
        verdicts.check(whole or not left and not is_there, f"everything or nothing is there after a kill at {where}",
                       (before, left))
        if whole:
            log = lib.Log(store)
            verdicts.check(not log.faults and len(log.rows) >= 2, f"the record is whole after a kill at {where}", log.faults)
    return answered and code == 0


def main():
    arguments = lib.options(__doc__, step=0)
    lib.require("strace")
    verdicts = lib.Verdicts("kill-wipe")
    bus = lib.Bus()
    count = 1
    while not at(bus, arguments, verdicts, count):
        count += arguments.step or (1 if arguments.long else 2)
        if count > 1000:
            verdicts.check(False, "the run ends")
            break
    verdicts.say(f"points 1 to {count}")
    verdicts.finish()


main()
