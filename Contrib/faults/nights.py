#!/usr/bin/env python3
"""Random nights on a virtual clock, through the real engine, store and plugins: no reminder missed, early or twice, and no
clock that is set or slewed moves one unless the clocks are in doubt.

`--nights N` says how many (2,000, with `--long` 100,000), `--jobs N` how many processes share them. Nights with a fault are
named at the end with the seed of their log, and their scripts are kept in the folder `--keep` names. `--program` is the
built `random-nights`: swift build --product random-nights."""

import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import time

import lib

arguments = lib.options(__doc__, nights=0, jobs=1, keep="", program=lib.built("random-nights"))

# The nights of one log, and of one process: a process runs one log of each of the ten zones.
LOG, CHUNK = 250, 2_500
FAULTS = ("missed", "early", "twice", "late", "after_close", "after_resolved", "moved", "asked", "says_take")
AGAIN = re.compile(r"^# again: (--seed \d+ --nights \d+): (\S+)$", re.MULTILINE)


def simulate(seed, count):
    process = lib.spawn(
        [arguments.program, "--json", "--nights", count, "--seed", seed],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, errors = process.communicate()
    return seed, process.returncode, out, errors


def keep(errors):
    """Each night with a fault in a file of its own, which `dosetap simulate` reads."""
    if not arguments.keep:
        return
    folder = pathlib.Path(arguments.keep)
    folder.mkdir(parents=True, exist_ok=True)
    for script in re.split(r"^(?=# again: )", errors, flags=re.MULTILINE):
        if found := AGAIN.match(script):
            (folder / f"{found[1].split()[1]}-{found[2]}.txt").write_text(script)


def main():
    verdicts = lib.Verdicts("nights")
    count = arguments.nights or (100_000 if arguments.long else 2_000)
    # The processes continue the seeds as one process would.
    chunks = [(arguments.seed + start // LOG, min(CHUNK, count - start)) for start in range(0, count, CHUNK)]
    totals, complaints, again = collections.Counter(), [], []
    began = time.monotonic()
    verdicts.say(f"{count} nights, seed {arguments.seed}")
    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        for done in concurrent.futures.as_completed([pool.submit(simulate, *chunk) for chunk in chunks]):
            seed, code, out, errors = done.result()
            again += [f"{options} ({night})" for options, night in AGAIN.findall(errors)]
            keep(errors)
            if code not in (0, 1) or not out.startswith("{"):
                verdicts.check(False, f"the simulation of seed {seed} ends", errors[-400:])
                continue
            found = json.loads(out)
            totals["nights"] += found["nights"]
            for name, number in found["summary"].items():
                if name == "complaints":
                    complaints += number
                else:
                    totals[name] += number
            totals.update(found["clocks"])
            faults = sum(totals[fault] for fault in FAULTS)
            verdicts.say(
                f"{totals['nights']} of {count} nights, {totals['told']} told, {faults} faults"
                f" ({1_000 * (time.monotonic() - began) / totals['nights']:.1f} ms a night)")
    verdicts.check(totals["nights"] == count, "every night is run", totals["nights"])
    for fault in FAULTS:
        verdicts.check(totals[fault] == 0, f"nothing {fault}", totals[fault])
    for name in ("disturbed", "doubtful", "compared"):
        verdicts.check(totals[name] > count / 20, f"clocks were {name} in some nights", totals[name])
    verdicts.check(totals["told"] > count, "reminders were told", totals["told"])
    verdicts.say(", ".join(f"{totals[name]} nights {name}" for name in ("disturbed", "doubtful", "compared")))
    verdicts.say(", ".join(f"{totals[name]} {name}" for name in ("told", "dropped", "misled", *FAULTS)))
    for sentence in complaints[:20]:
        verdicts.say(sentence)
    for night in again:
        verdicts.say(f"again: random-nights {night}")
    verdicts.finish()


main()
