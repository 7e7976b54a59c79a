#!/usr/bin/env python3
"""What encryption costs: the service linked with plain SQLite, and the one linked with SQLCipher on a record that is not
encrypted and on one that is, in turn. Prints a row for each figure, all side by side. Needs a build with SQLCipher (DOSETAPD
names one); DOSETAPD_PLAIN names one with plain SQLite, without which that column is left out."""

import os
import pathlib
import statistics
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
import lib  # noqa: E402

DATA = lib.NAME + ".Data"


class Record:
    """A store of some hundred entries."""

    def __init__(self, bus, daemon, is_encrypted):
        self.bus, self.daemon = bus, daemon
        self.folder = lib.scratch()
        config = self.folder / "config"
        config.mkdir(mode=0o700)
        self.environment = {"DOSETAP_ENCRYPTION_KEY": "file", "XDG_CONFIG_HOME": str(config)}
        self.figures = {"an entry, ms": [], "a status, ms": [], "verify all, ms": [], "start, ms": []}
        service = self.service()
        with bus.connect_closing() as connection:
            lib.act(connection, "LogDose1")
            for number in range(300):
                lib.act(connection, "Undo", key=f"undo-{number}")
                lib.act(connection, "LogDose1", key=f"dose-{number}")
            if is_encrypted:
                # A record cannot be encrypted while dose 2 is open.
                lib.act(connection, "Undo", key="before")
                connection.wait(connection.send(lib.NAME, lib.PATH, DATA, "Encrypt", "a{sv}", ({},)), 120)
                lib.act(connection, "LogDose1", key="after")
        service.stop()

    def service(self):
        return lib.Service(self.bus, self.daemon, store=self.folder / "data" / "dosetap.db", environment=self.environment)

    def timed(self, name, work):
        began = time.perf_counter()
        result = work()
        self.figures[name].append((time.perf_counter() - began) * 1000)
        return result

    def round(self, number):
        service = self.timed("start, ms", self.service)
        with self.bus.connect_closing() as connection:
            for turn in range(20):
                self.timed("an entry, ms", lambda: lib.act(connection, "Undo", key=f"{number}-u-{turn}"))
                self.timed("an entry, ms", lambda: lib.act(connection, "LogDose1", key=f"{number}-d-{turn}"))
                self.timed("a status, ms", lambda: lib.act(connection, "Status"))
            self.timed("verify all, ms", lambda: connection.call(lib.NAME, lib.PATH, DATA, "Verify", timeout=60))
        service.stop()


def measured(bus, daemon, rounds, plain=None):
    """A record for each flavour, with its figures; the plainest comes first, the encrypted one last."""
    records = {"SQLCipher": Record(bus, daemon, False), "encrypted": Record(bus, daemon, True)}
    if plain:
        records = {"SQLite": Record(bus, plain, False)} | records
    for number in range(rounds):
        for record in records.values():
            record.round(number)
    return records


def main():
    arguments = lib.options(__doc__, rounds=10)
    if not lib.can_encrypt(arguments.daemon):
        raise SystemExit("this service was built with plain SQLite: see Contrib/get-sqlcipher")
    records = measured(lib.Bus(), arguments.daemon, arguments.rounds, os.environ.get("DOSETAPD_PLAIN"))
    print(f"{'median of':<18}" + "".join(f"{name:>12}" for name in records) + f"{'ratio':>10}")
    first = next(iter(records.values()))
    for name in first.figures:
        figures = [statistics.median(record.figures[name]) for record in records.values()]
        print(f"{name:<18}" + "".join(f"{figure:>12.2f}" for figure in figures) + f"{figures[-1] / figures[0]:>10.2f}")


if __name__ == "__main__":
    main()
