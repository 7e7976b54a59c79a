#!/usr/bin/env python3
"""A second service (faults D5, A10): on the same bus, on the same store over another bus, and another program on the
file, also where the lease was stolen. The second ends with 75, names the holder, and touches nothing; the first does not
notice."""

import hashlib
import sqlite3
import subprocess

import lib


def prints(store):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in store.parent.iterdir()}


def second(service, verdicts, bus, store, what):
    before = prints(service.store)
    process = lib.spawn([service.daemon, "--store", store, "--address", bus.address], env=service.environment,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        words, _ = process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        verdicts.check(False, f"{what}: the second ends")
        lib.end(process)
        return
    verdicts.check(process.returncode == 75, f"{what}: the second exits 75", f"{process.returncode} {words[-300:]}")
    verdicts.check(prints(service.store) == before, f"{what}: the store is untouched")
    return words


def stolen_lease(service, verdicts, other, arguments):
    """The file that says who has the store is removed, or another file is in its place: SQLite's own lock holds."""
    lease = service.store.with_name(service.store.name + ".lease")

    def content():
        return {name: print_ for name, print_ in prints(service.store).items() if name != lease.name}

    for what in ("removed", "replaced"):
        lease.unlink()
        if what == "replaced":
            lease.write_bytes(b"")
        before = content()
        commands = [[service.daemon, "--store", service.store, "--address", other.address],
                    [arguments.cli, "--bus", "none", "--store", service.store, "log", "dose2"],
                    [arguments.cli, "--bus", "none", "--store", service.store, "db", "wipe", "--confirm", "wipe",
                     "--confirm", "window_unresolved"]]
        for command in commands:
            ended = subprocess.run([str(word) for word in command], env=service.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=30)
            verdicts.check(ended.returncode != 0 and "another program is using" in ended.stdout,
                           f"lease {what}: refused by name", f"{command[-1]} {ended.returncode} {ended.stdout[-300:]}")
            verdicts.check(content() == before, f"lease {what}: the store is untouched")


def main():
    arguments = lib.options(__doc__)
    verdicts, bus, other = lib.Verdicts("second-daemon"), lib.Bus(), lib.Bus()
    service = lib.Service(bus, arguments.daemon)
    connection = bus.connect()
    event = lib.act(connection, "LogDose1", key="one")["event_id"]
    for turn in range(20 if arguments.long else 3):
        words = second(service, verdicts, bus, service.store, "same bus, same store")
        words = second(service, verdicts, other, service.store, "another bus, same store")
        verdicts.check(str(service.process.pid) in (words or ""), "the holder is named", words)
        second(service, verdicts, bus, lib.scratch() / "own.db", "same bus, own store")
    try:
        sqlite3.connect(f"file:{service.store}?mode=rw", uri=True, timeout=0).execute("SELECT count(*) FROM events")
        verdicts.check(False, "another program cannot read the store in use")
    except sqlite3.OperationalError as error:
        verdicts.check("locked" in str(error), "another program is told that the store is locked", error)
    stolen_lease(service, verdicts, other, arguments)
    again = lib.act(connection, "LogDose1", key="one")
    verdicts.check(again["event_id"] == event and again["duplicate"], "the first service goes on", again)
    lib.act(connection, "Undo", key="two")
    connection.close()
    service.stop()
    log = service.log_rows()
    verdicts.check(not log.faults and set(log.keys) == {"one", "two"}, "the record is consistent", log.faults)
    verdicts.finish()


main()
