#!/usr/bin/env python3
"""What encryption costs: the same service, linked with SQLCipher, on a record that is not encrypted and on one that is,
in turn. Prints a row for each figure, both side by side. Needs a build with SQLCipher (DOSETAPD names one)."""

import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
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
                connection.wait(connection.send(lib.NAME, lib.PATH, DATA, "Encrypt", "a{sv}", ({},)), 120)
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


def main():
    arguments = lib.options(__doc__, rounds=10)
    linked = subprocess.run(["ldd", arguments.daemon], capture_output=True, text=True).stdout
    if "sqlcipher" not in linked:
        raise SystemExit("this service was built with plain SQLite: see Contrib/get-sqlcipher")
    bus = lib.Bus()
    plain, encrypted = Record(bus, arguments.daemon, False), Record(bus, arguments.daemon, True)
    for number in range(arguments.rounds):
        for record in (plain, encrypted):
            record.round(number)
    print(f"{'median of':<18}{'plain':>10}{'encrypted':>12}{'ratio':>8}")
    for name in plain.figures:
        one, other = (statistics.median(record.figures[name]) for record in (plain, encrypted))
        print(f"{name:<18}{one:>10.2f}{other:>12.2f}{other / one:>8.2f}")


main()
