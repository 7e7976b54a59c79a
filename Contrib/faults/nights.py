#!/usr/bin/env python3
"""Random nights on a virtual clock, through the real engine, store and plugin host: no reminder missed, early or twice."""

import json
import subprocess

import lib

arguments = lib.options(__doc__, nights=0)


def main():
    verdicts = lib.Verdicts("nights")
    count = arguments.nights or (100_000 if arguments.long else 2_000)
    done = subprocess.run(
        [arguments.daemon, "--simulate", "--json", "--nights", str(count), "--seed", str(arguments.seed)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    verdicts.check(done.returncode in (0, 1) and done.stdout.startswith("{"), "the simulation ends", done.stderr)
    if done.stdout.startswith("{"):
        found = json.loads(done.stdout)
        summary = found["summary"]
        verdicts.check(found["nights"] == count, "every night is run", found["nights"])
        for fault in ("missed", "early", "twice", "late", "after_close", "after_resolved"):
            verdicts.check(summary[fault] == 0, f"no reminder {fault}", summary["complaints"])
        verdicts.check(summary["told"] > count, "reminders were told", summary["told"])
        verdicts.say(f"{count} nights, seed {arguments.seed}: {summary['told']} told, {summary['dropped']} dropped")
        if done.stderr:
            print(done.stderr[:4_000])
    verdicts.finish()


main()
