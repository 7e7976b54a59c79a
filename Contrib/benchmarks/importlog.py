#!/usr/bin/env python3
"""Measures how a log of ten years becomes an empty record, against sqlite3 that imports the same rows, in turn.

    Contrib/benchmarks/importlog.py [--rounds 5] [--store FILE]

The floor is the sqlite3 tool: it reads the events and the rows of all tables from CSV into a database of the same schema, in
one transaction. Ours reads the log, checks each hash, and makes those rows. Compared is the time of the processors, which
other programs on the machine change least. Ends with 1 when the goal is missed. DOSETAPD and DOSETAP name other binaries.
"""

import argparse
import collections
import os
import pathlib
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

import harness  # first, because it adds the path of modules that the others import
import figures
import nights


def seconds(work):
    """Processor seconds of what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Floor:
    """The same rows as CSV, and the statements that read them."""

    def __init__(self, store, folder):
        self.folder = folder
        database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
        # CSV has no null, so the indexes leave out empty texts instead.
        self.schema = ";\n".join(
            row[0].replace("IS NOT NULL", "<> ''").replace("IS NULL", "= ''") if " INDEX " in row[0] else row[0]
            for row in database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' "
                                        "ORDER BY type = 'index'"))
        self.tables = [row[0] for row in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
        self.rows = {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in self.tables}
        database.close()
        for table in self.tables:
            with open(f"{folder}/{table}.csv", "wb") as file:
                subprocess.run(["sqlite3", "-csv", store, f"SELECT * FROM {table}"], stdout=file, check=True)

    def run(self):
        path = f"{self.folder}/floor.db"
        pathlib.Path(path).unlink(missing_ok=True)
        # The options are those of a store, without the checks of columns that a row from CSV does not satisfy.
        words = ["PRAGMA journal_mode = WAL;", "PRAGMA synchronous = FULL;", "PRAGMA ignore_check_constraints = ON;",
                 f"{self.schema};", "BEGIN;", ".mode csv"]
        words += [f".import {self.folder}/{table}.csv {table}" for table in self.tables if self.rows[table]]
        subprocess.run(["sqlite3", path], input="\n".join([*words, "COMMIT;", ""]), text=True, check=True,
                       stdout=subprocess.DEVNULL)
        return path


Measure = collections.namedtuple("Measure", "megabytes events rows ours floor")


def measure(programs, rounds, store=None):
    """Processor seconds of both. Without a store that of ten years is taken; one is only read."""
    with tempfile.TemporaryDirectory() as folder:
        if store:
            store = shutil.copy(store, f"{folder}/source.db")
        else:
            service = harness.lib.Service(harness.lib.Bus(), programs.daemon)
            figures.call_once(programs, service.bus, harness.lib.NAME, "LogDose1", "schema")
            store = nights.ten_years(programs, harness.schema_of(service.store))
            service.stop()
        environment = {**os.environ, "DOSETAP_BUS": "none", "DOSETAP_DAEMON": programs.daemon, "TZ": "UTC",
                       "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}

        def dosetap(store, *words):
            return subprocess.run([programs.cli, "--store", store, *words], env=environment, check=True,
                                  stdout=subprocess.DEVNULL)

        log, floor = f"{folder}/log.jsonl", Floor(store, folder)
        dosetap(store, "export", "log", "-o", log)
        taken = {"ours": [], "floor": []}
        for number in range(rounds):
            place = pathlib.Path(folder) / f"data{number}" / "dosetap.db"
            place.parent.mkdir(mode=0o700)
            taken["floor"].append(seconds(floor.run))
            taken["ours"].append(seconds(lambda: dosetap(place, "import", "log", log)))
            again = f"{folder}/again.jsonl"
            dosetap(place, "export", "log", "-o", again)
            if pathlib.Path(again).read_bytes() != pathlib.Path(log).read_bytes():
                sys.exit("the log that was taken in is exported with other bytes")
            pathlib.Path(again).unlink()
            database = sqlite3.connect(floor.run())
            for table, count in floor.rows.items():
                if database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] != count:
                    sys.exit(f"the floor has other rows in {table}")
            database.close()
            shutil.rmtree(place.parent)
        size = pathlib.Path(log).stat().st_size / 1e6
    median = {name: statistics.median(values) for name, values in taken.items()}
    return Measure(size, floor.rows["events"], sum(floor.rows.values()), median["ours"], median["floor"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--store", help="another store than the one of ten years, which is only read")
    arguments = parser.parse_args()
    it = measure(harness.Programs(), arguments.rounds, arguments.store)
    ratio = it.ours / it.floor
    print(f"log of {it.megabytes:.0f} MB, {it.events} events, {it.rows} rows in all")
    print(f"processor seconds   ours {it.ours:.2f}   sqlite3 {it.floor:.2f}   ratio {ratio:.2f}   goal ≤ 1.5")
    sys.exit(0 if ratio <= 1.5 else 1)


if __name__ == "__main__":
    main()
