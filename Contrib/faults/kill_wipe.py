#!/usr/bin/env python3
"""SIGKILL, ENOSPC and EIO at each system call on the files of a record, plain or encrypted, sound or damaged, while all data is
deleted: the next start finds everything or nothing, and the key goes with an encrypted record (fault K3). In the short form a kill at
each call that comes seldom and at some of the others, and a failure at some calls of each name."""

import re
import time

import lib
from wire import Variant

DATA = lib.NAME + ".Data"
BACKUP = "manual-2026-01-15T080000Z-12-0123456789abcdef.db"
KEPT = ".replaced-20260115T080000Z"
NAMES = ("", "-wal", ".head", ".night", ".reserve", ".key-id", ".wipe", ".wipe-new", ".forget", ".forget-new", ".beside",
         ".beside.head", ".beside-wal", ".checkin", KEPT)


class World:
    """The folders of one record with everything that a deletion removes."""

    def __init__(self, bus, arguments, encrypted, damaged):
        self.bus, self.daemon, self.encrypted, self.damaged = bus, arguments.daemon, encrypted, damaged
        self.root = lib.scratch()
        self.store = self.root / "data" / "dosetap.db"
        self.config = self.root / "config" / "dosetap"
        self.config.mkdir(parents=True, mode=0o700)
        self.service = self.serve()
        with bus.connect_closing() as connection:
            lib.act(connection, "LogDose1", key="a")
            if encrypted:
                # The key cannot be changed while a window is open.
                lib.act(connection, "SkipDose2")
                connection.call(lib.NAME, lib.PATH, DATA, "Encrypt", "a{sv}", ({},), timeout=60)
        if damaged:
            # The night goes on in a fresh log beside the damaged record.
            self.service.stop()
            lib.overwrite(self.store)
            self.service = self.serve()
            with bus.connect_closing() as connection:
                connection.call(lib.NAME, lib.PATH, lib.NAME + ".Diary", "LogSleepEvent", "sa{sv}", ("bathroom", {}))
        identity = re.search(rb"[0-9a-f-]{36}", (self.store.parent / "dosetap.db.head").read_bytes()).group().decode()
        self.spare = self.config / f"unsaved-{identity}"
        (self.store.parent / "backups").mkdir(mode=0o700)
        for path in (self.store.parent / "backups" / BACKUP, self.spare, self.beside(".checkin"), self.beside(KEPT)):
            path.write_text("something")
            path.chmod(0o600)

    def beside(self, name):
        return self.store.parent / (self.store.name + name)

    def serve(self):
        return lib.Service(self.bus, self.daemon, store=self.store, environment={
            "DOSETAP_ENCRYPTION_KEY": "file", "XDG_CONFIG_HOME": str(self.root / "config")})

    def files(self):
        """What is there of the record; the lease names a process only."""
        folders = (self.store.parent, self.store.parent / "backups", self.config)
        found = [path.name for folder in folders if folder.exists() for path in folder.iterdir()]
        return sorted(set(found) - {"dosetap.db.lease", "backups"})

    def strace(self, how, point):
        keys = list(self.config.glob("key-*"))
        paths = [self.beside(name) for name in NAMES] + [
            self.store.parent, self.store.parent / "backups", self.store.parent / "backups" / BACKUP, self.config, self.spare,
            *keys]
        return point.strace(how, paths, self.root, ("-p", str(self.service.process.pid)))


def wipe(bus):
    options = {"confirm": Variant("as", ["wipe", "window_unresolved"]), "backups": Variant("b", True)}
    with bus.connect_closing() as connection:
        return connection.call(lib.NAME, lib.PATH, DATA, "Wipe", "a{sv}", (options,))


def at(bus, arguments, verdicts, encrypted, damaged, how, point):
    """Disturbs one call; true when nothing was left to disturb."""
    worlds = []

    def begin():
        worlds.append(World(bus, arguments, encrypted, damaged))
        return worlds[-1].service

    # The call may also be one of the service's later work after an encryption.
    _, tracer = lib.traced(begin, lambda pid: worlds[-1].strace(how, point))
    world = worlds[-1]
    kind = " ".join(word for word, holds in (("damaged", damaged), ("encrypted" if encrypted else "plain", True)) if holds)
    where = f"{how} at {point} of a deletion of a {kind} record"
    answered = False
    try:
        wipe(bus)
        answered = True
    except lib.BusError as error:
        verdicts.check(how == lib.KILLED or error.short in lib.DISK_ERRORS, f"the failure has a name, {where}", error)
    except (lib.Gone, lib.Unanswered) as error:
        verdicts.check(how == lib.KILLED, f"there is an answer, {where}", repr(error))
    if how != lib.KILLED and not answered:
        verdicts.check(world.service.process.poll() is None, f"the service lives, {where}")
        lib.released(tracer)
        world.service.stop(30)
    code = world.service.process.wait(30)
    tracer.wait(20)
    decided = any(world.beside(name).exists() for name in (".wipe", ".forget"))
    before = world.files()
    try:
        again = world.serve()
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after {where}", error)
        return False
    with bus.connect_closing() as connection:
        status = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
        is_there = bool(status.get("dose1_time"))
        is_whole = damaged or not is_there or bool(connection.call(lib.NAME, lib.PATH, DATA, "Verify", timeout=60)["ok"])
    # The service removes the key once it is ready.
    limit = time.monotonic() + 10
    while world.beside(".forget").exists() and time.monotonic() < limit:
        time.sleep(0.02)
    left = world.files()
    again.stop()
    if answered or decided:
        verdicts.check(not left, f"everything is gone after {where}", (before, left))
        verdicts.check(not is_there, f"nothing is remembered after {where}")
    else:
        whole = is_there and {"dosetap.db", "dosetap.db.checkin", BACKUP, world.spare.name} <= set(left)
        whole = whole and (not encrypted or any(name.startswith("key-") for name in left))
        verdicts.check(whole or not left and not is_there, f"everything or nothing is there after {where}",
                       (before, left))
        verdicts.check(is_whole, f"the record is whole after {where}")
        if whole and not encrypted and not damaged:
            log = lib.Log(world.store)
            verdicts.check(not log.faults and len(log.rows) >= 2, f"its chain holds after {where}", log.faults)
    return answered and code == 0


def main():
    arguments = lib.options(__doc__, step=0)
    lib.require("strace")
    verdicts = lib.Verdicts("kill-wipe")
    bus = lib.Bus()
    encrypted = lib.can_encrypt(arguments.daemon)
    for damaged in (False, True):
        step = arguments.step or (1 if arguments.long else 6)
        lib.walk(lambda how, point, damaged=damaged: at(bus, arguments, verdicts, encrypted, damaged, how, point), verdicts,
                 f"{'damaged, ' if damaged else ''}{'encrypted' if encrypted else 'plain'}", step,
                 few=None if arguments.long else 12)
    verdicts.finish()


main()
