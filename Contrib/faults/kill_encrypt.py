#!/usr/bin/env python3
"""SIGKILL, ENOSPC and EIO at each system call on the store's files while the record is encrypted, gets another key and is
decrypted: afterwards it is the old record or the new one, whole, with a key at hand, and no plain text beside an encrypted one;
a failure has a name, and the change can be done anew (fault K3). In the short form a kill at each call that comes seldom and at some
of the others, and a failure at some calls of each name. With `--keys` also: no former key of the record is left that opens
nothing. The key of a change that did not come about may stay (R25.4). Needs a build with SQLCipher."""

import contextlib
import shutil
import sqlite3
import time

import lib
import record

CALLS = (*lib.CALLS, *lib.LOCKS)
FILES = ("", "-wal", "-journal", ".head", ".night", ".reserve", ".prepared", ".prepared-wal", ".prepared-journal",
         ".prepared.head", ".switch", ".switch-new", ".key-id", ".forget", ".forget-new")
DATA = lib.NAME + ".Data"
SECRET = "planted secret"


def call(connection, member, timeout=60):
    return connection.wait(connection.send(lib.NAME, lib.PATH, DATA, member, "a{sv}", ({},)), timeout)


def look(connection, member, timeout=60):
    return connection.call(lib.NAME, lib.PATH, DATA, member, timeout=timeout)


def value(report, key):
    found = report[key]
    return getattr(found, "value", found)


def settings(config):
    return {"DOSETAP_ENCRYPTION_KEY": "file", "XDG_CONFIG_HOME": str(config)}


def begin(bus, arguments, folder):
    config = folder / "config"
    config.mkdir(mode=0o700)
    service = lib.Service(bus, arguments.daemon, store=folder / "data" / "dosetap.db", environment=settings(config))
    with bus.connect_closing() as connection:
        lib.act(connection, "LogDose1", note=SECRET)
        # The key cannot be changed while a window is open.
        lib.act(connection, "SkipDose2")
    return service


def idle_keys(service):
    """The keys in the key files that open no file of the record's folder."""
    keys = {path.name: path.read_text().strip() for path in (service.config / "dosetap").glob("key-*")}
    for file in service.store.parent.rglob("*"):
        if file.is_file() and record.is_encrypted(file):
            # The service has a lock on the record itself.
            copy = lib.scratch(memory=True) / "copy.db"
            shutil.copyfile(file, copy)
            for name, key in list(keys.items()):
                with contextlib.suppress(sqlite3.DatabaseError):
                    record.opened(copy, [key]).close()
                    del keys[name]
    return sorted(keys)


def note_keys(service):
    """Notes the keys that the record or a file beside it has now."""
    service.used |= {path.name for path in (service.config / "dosetap").glob("key-*")} - set(idle_keys(service))


def judge_keys(service, verdicts, where):
    """The service removes a key once it is ready."""
    limit = time.monotonic() + 3
    while (left := service.used & set(idle_keys(service))) and time.monotonic() < limit:
        time.sleep(0.1)
    verdicts.check(not left, f"no former key is left that opens nothing, {where}",
                   f"{sorted(left)} of {[path.name for path in (service.config / 'dosetap').glob('key-*')]}")


def judge(bus, arguments, service, verdicts, member, salt, done, where):
    """Starts the service anew: the record is whole, whichever key it has now, and the change can be done again."""
    try:
        again = lib.Service(bus, arguments.daemon, store=service.store, environment=settings(service.config))
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after {where}", error)
        return
    is_encrypted = record.is_encrypted(service.store)
    # The first bytes of an encrypted file name its key.
    changed = service.store.read_bytes()[:16] != salt
    verdicts.check(changed or not done, f"what was told holds after {where}")
    verdicts.check(is_encrypted == ((member == "Decrypt") != changed or member == "Rekey"), f"it has one key or the other after {where}")
    try:
        with bus.connect_closing() as connection:
            report = look(connection, "Verify")
            verdicts.check(value(report, "ok") and value(report, "events") >= 2, f"the record is whole after {where}", report)
    except lib.BusError as error:
        verdicts.check(False, f"the record can be read after {where}", error)
    left = [path.name for path in service.store.parent.iterdir() if "prepared" in path.name or "switch" in path.name]
    verdicts.check(not left, f"nothing is left behind after {where}", left)
    if arguments.keys:
        judge_keys(service, verdicts, f"at the start after {where}")
    if is_encrypted:
        plain = lib.files_with(service.store.parent, SECRET)
        verdicts.check(not plain, f"no plain text lies beside it after {where}", plain)
    if member == "Rekey" or is_encrypted == (member == "Decrypt"):
        try:
            before = service.store.read_bytes()[:16]
            if arguments.keys:
                note_keys(service)
            with bus.connect_closing() as connection:
                call(connection, member)
            done = record.is_encrypted(service.store) == (member != "Decrypt") and service.store.read_bytes()[:16] != before
            verdicts.check(done, f"it can be done after {where}")
        except lib.BusError as error:
            verdicts.check(False, f"it can be done after {where}", error)
        if arguments.keys:
            judge_keys(service, verdicts, f"once it was done again, after {where}")
    again.stop()


def disturb(bus, arguments, verdicts, member, how, point):
    """Returns whether nothing came in the way."""
    def serve():
        folder = lib.scratch()
        service = begin(bus, arguments, folder)
        service.config = folder / "config"
        with bus.connect_closing() as connection:
            if member != "Encrypt":
                call(connection, "Encrypt")
        services.append(service)
        return service

    def strace(pid):
        store = services[-1].store
        folders = [store.parent, services[-1].config / "dosetap"]
        return point.strace(how, [*(f"{store}{name}" for name in FILES), *folders], store.parent.parent, ("-p", str(pid)))

    services = []
    # The call may also be one of the service's later work after an encryption.
    service, tracer = lib.traced(serve, strace)
    salt, service.used = service.store.read_bytes()[:16], set()
    if arguments.keys:
        note_keys(service)
    where = f"{how} at {point} of {member}"
    done = lived = False
    try:
        with bus.connect_closing() as connection:
            call(connection, member)
            done = True
    except lib.BusError as error:
        named = error.short in lib.DISK_ERRORS or how == lib.KILLED
        verdicts.check(named, f"the failure has a name, {where}", error)
    except (lib.Gone, lib.Unanswered) as error:
        verdicts.check(how == lib.KILLED, f"there is an answer, {where}", repr(error))
    if how == lib.KILLED:
        lived = done and service.process.poll() is None
        if done:
            service.process.kill()
        service.process.wait(20)
    else:
        lib.released(tracer)
        verdicts.check(service.process.poll() is None, f"the service lives, {where}")
        with bus.connect_closing() as connection:
            kept = lib.outcome(connection, "LogFinalWake", key="later")
        verdicts.check(isinstance(kept, dict), f"an entry is recorded afterwards, {where}", kept)
        service.stop(30)
    tracer.wait(20)
    judge(bus, arguments, service, verdicts, member, salt, done, where)
    return lived


def main():
    arguments = lib.options(__doc__, step=0, keys=False, only="")
    lib.require("strace")
    verdicts = lib.Verdicts("kill-encrypt")
    bus = lib.Bus()
    if not lib.can_encrypt(arguments.daemon):
        verdicts.skip("built with plain SQLite, which cannot encrypt")
        return verdicts.finish()
    if arguments.keys:
        lib.read_encrypted(arguments)
    step = arguments.step or (1 if arguments.long else 60)
    for member in ("Encrypt", "Rekey", "Decrypt"):
        if arguments.only in member:
            lib.walk(lambda how, point, member=member: disturb(bus, arguments, verdicts, member, how, point), verdicts, member, step,
                     few=None if arguments.long else 16, calls=CALLS)
    verdicts.finish()


main()
