#!/usr/bin/env python3
"""Measures the reading of a large export of Apple Health against a C program over expat, alternating in one run.

    Contrib/benchmarks/importing.py [--gigabytes 1] [--rounds 5]

The file is made once, ten years of a watch, and kept in .build/benchmarks. Compared is the time of the processors, which
other programs on the machine change least. Ends with 1 when a goal is missed. DOSETAP_EXCHANGE names another binary.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import harness

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NIGHTS, STAGES = 3_650, ("AsleepCore", "AsleepDeep", "AsleepREM", "Awake")
DEVICE = ('sourceName="Watch" sourceVersion="10.1" device="&lt;&lt;HKDevice: 0x282f3a6c0&gt;, name:Watch, '
          'model:Watch, hardware:Watch6,2, software:10.1&gt;"')


def make(path, size):
    """Writes heart rates, each with its metadata entry, and thirty sleep stages a night, all from one watch."""
    at = datetime.datetime(2016, 1, 1, 22)
    share = size // NIGHTS
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData (Record*)>\n]>\n'
                   '<HealthData locale="en_US">\n')
        for night in range(NIGHTS):
            written, second = 0, 0
            while written < share:
                moment = f"{at + datetime.timedelta(seconds=second):%Y-%m-%d %H:%M:%S} +0100"
                second += 5
                written += file.write(
                    f' <Record type="HKQuantityTypeIdentifierHeartRate" {DEVICE} unit="count/min" '
                    f'creationDate="{moment}" startDate="{moment}" endDate="{moment}" value="{50 + second % 90}">\n'
                    '  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="0"/>\n </Record>\n')
            start = at
            for number in range(30):
                end = start + datetime.timedelta(minutes=16)
                file.write(
                    f' <Record type="HKCategoryTypeIdentifierSleepAnalysis" {DEVICE} creationDate="{end} +0100" '
                    f'startDate="{start} +0100" endDate="{end} +0100" '
                    f'value="HKCategoryValueSleepAnalysis{STAGES[number % 4]}"/>\n')
                start = end
            at += datetime.timedelta(days=1)
        file.write("</HealthData>\n")


# The most memory of a process includes that of its parent, so the parent is this small program.
RUNNER = """
import os, sys
process = os.fork()
if not process:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(process, 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""


def run(command, path, output):
    """Processor seconds and most memory in KiB."""
    with open(path, "rb") as file, open(output, "wb") as target:
        done = subprocess.run([sys.executable, "-S", "-c", RUNNER, *map(str, command)], stdin=file, stdout=target,
                              stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr[-300:]}")
    seconds, memory = done.stderr.split()[-2:]
    return float(seconds), int(memory)


Measure = collections.namedtuple("Measure", "megabytes records ours floor memory floor_memory")


def measure(gigabytes, rounds):
    """Processor seconds and most memory in MiB of both."""
    size = int(gigabytes * 1e9)
    program = harness.release("dosetap-exchange")
    kept = ROOT / ".build" / "benchmarks"
    kept.mkdir(parents=True, exist_ok=True)
    path = kept / f"health-{size}.xml"
    if not path.exists():
        print("generating the export …", flush=True)
        make(path.with_suffix(".new"), size)
        path.with_suffix(".new").rename(path)
    with tempfile.TemporaryDirectory() as scratch:
        floor, output = f"{scratch}/health", f"{scratch}/lines"
        subprocess.run(["gcc", "-O2", "-o", floor, HERE / "health.c", "-lexpat"], check=True)
        taken = {"ours": [], "floor": []}
        for _ in range(rounds):
            taken["floor"].append(run([floor], path, f"{scratch}/count"))
            taken["ours"].append(run([program, "import", "apple-health"], path, output))
        # Both programs must have read the same records.
        records = int(pathlib.Path(f"{scratch}/count").read_text())
        end = json.loads(pathlib.Path(output).read_text().splitlines()[-1])
        if records != 30 * NIGHTS or end != {"kind": "end", "records": NIGHTS, "not_taken": 0}:
            sys.exit(f"read {records} records, and {end}")
    seconds = {name: statistics.median(each[0] for each in values) for name, values in taken.items()}
    most = {name: max(each[1] for each in values) / 1_024 for name, values in taken.items()}
    return Measure(path.stat().st_size / 1e6, records, seconds["ours"], seconds["floor"], most["ours"], most["floor"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    it = measure(arguments.gigabytes, arguments.rounds)
    speed, ratio = it.megabytes / it.ours, it.ours / it.floor
    print(f"export of {it.megabytes:.0f} MB, {it.records} records of sleep, {NIGHTS} nights")
    print(f"processor seconds   ours {it.ours:.2f}   C {it.floor:.2f}   ratio {ratio:.2f}   goal ≤ 2")
    print(f"MB a second         ours {speed:.0f}   goal ≥ 50")
    print(f"most memory, MiB    ours {it.memory:.1f}   C {it.floor_memory:.1f}   goal ≤ 100")
    sys.exit(0 if ratio <= 2 and speed >= 50 and it.memory <= 100 else 1)


if __name__ == "__main__":
    main()
