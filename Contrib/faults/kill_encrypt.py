#!/usr/bin/env python3
"""SIGKILL at the n-th system call on the store's files while the record is encrypted, gets another key and is decrypted:
afterwards it is the old record or the new one, whole, with a key at hand, and no plain text beside an encrypted one
(fault K3). Needs a build with SQLCipher."""

import subprocess
import time

import lib

CALLS = "openat,pwrite64,write,fdatasync,fsync,ftruncate,rename,unlink,fcntl"
FILES = ("", "-wal", "-journal", ".head", ".night", ".reserve", ".prepared", ".prepared-wal", ".prepared-journal",
         ".prepared.head", ".switch", ".switch-new")
DATA = lib.NAME + ".Data"
SECRET = "planted secret"
MARK = b"DoseTap1"


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
        # The key is not changed in an open window.
        lib.act(connection, "SkipDose2")
    return service


def is_encrypted(store):
    return store.read_bytes()[:8] == MARK


def judge(bus, arguments, service, verdicts, member, where):
    """Starts the service anew: the record is whole, whichever key it has now."""
    try:
        again = lib.Service(bus, arguments.daemon, store=service.store, environment=settings(service.config))
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after a kill at {where}", error)
        return
    try:
        with bus.connect_closing() as connection:
            report = look(connection, "Verify")
            verdicts.check(value(report, "ok") and value(report, "events") >= 2, f"the record is whole after a kill at {where}",
                           report)
    except lib.BusError as error:
        verdicts.check(False, f"the record can be read after a kill at {where}", error)
    again.stop()
    left = [path.name for path in service.store.parent.iterdir() if "prepared" in path.name or "switch" in path.name]
    verdicts.check(not left, f"nothing is left behind after a kill at {where}", left)
    if is_encrypted(service.store):
        plain = [path.name for path in service.store.parent.iterdir() if SECRET.encode() in path.read_bytes()]
        verdicts.check(not plain, f"no plain text lies beside it after a kill at {where}", plain)


def kill_at(bus, arguments, verdicts, member, count):
    """Returns whether the change was done before a call of that number came."""
    folder = lib.scratch()
    service = begin(bus, arguments, folder)
    service.config = folder / "config"
    with bus.connect_closing() as connection:
        if member != "Encrypt":
            call(connection, "Encrypt")
    paths = [word for name in FILES for word in ("-P", f"{service.store}{name}")]
    tracer = lib.spawn(
        ["strace", "-f", "-qq", "-o", "/dev/null", *paths, "-P", service.store.parent, "-e", f"trace={CALLS}",
         "-e", f"inject={CALLS}:signal=KILL:when={count}", "-p", str(service.process.pid)], stderr=subprocess.DEVNULL)
    lib.attached(service.process.pid, tracer)
    done = False
    try:
        with bus.connect_closing() as connection:
            call(connection, member)
            done = True
    except (lib.Gone, lib.BusError, lib.Unanswered):
        pass
    if done:
        service.process.kill()
    service.process.wait(20)
    tracer.wait(20)
    judge(bus, arguments, service, verdicts, member, f"call {count} of {member}")
    return done


def main():
    arguments = lib.options(__doc__, step=0)
    lib.require("strace")
    verdicts = lib.Verdicts("kill-encrypt")
    bus = lib.Bus()
    linked = subprocess.run(["ldd", arguments.daemon], capture_output=True, text=True).stdout
    if "sqlcipher" not in linked:
        verdicts.skip("built with plain SQLite, which cannot encrypt")
        return verdicts.finish()
    step = arguments.step or (1 if arguments.long else 23)
    for member in ("Encrypt", "Rekey", "Decrypt"):
        count, started = 1, time.monotonic()
        while not kill_at(bus, arguments, verdicts, member, count):
            count += step
            if count > 4000:
                verdicts.check(False, "the run ends")
                break
        verdicts.say(f"{member}: calls 1 to {count} by {step}, {time.monotonic() - started:.0f} s")
    verdicts.finish()


main()
