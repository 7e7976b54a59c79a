#!/usr/bin/env python3
"""Power cuts: a system call trace of the service is replayed into every kind of directory a cut may leave, at every
point; each is opened, its chain recomputed, and must hold every acknowledged event (faults A3, A4, A5).

The same is done with the flushes that synchronous=NORMAL would make (shim.c drops the others): there it must find
losses, or it would prove nothing."""

import collections
import os
import pathlib
import shutil
import subprocess
import sys

import lib
from disktrace import CALLS, Disk, calls, lay


def record(bus, arguments, count, environment):
    """Runs the service under strace from its first start; returns its folder, the trace, and the receipts in order."""
    service = lib.Service.__new__(lib.Service)
    service.folder = lib.scratch(memory=True)
    trace = service.folder / "trace"
    store = service.folder / "data" / "dosetap.db"
    wrapper = ["strace", "-f", "-qq", "-xx", "-s", "80000", "-o", trace, "-e", f"trace={CALLS}", "-e", "signal=none"]
    preload = [f"-E{name}={value}" for name, value in environment.items()]
    service.__init__(bus, arguments.daemon, store=store, wrapper=[*wrapper, *preload])
    receipts = []
    with bus.connect_closing() as connection:
        pid = connection.call(*lib.DRIVER, "GetConnectionUnixProcessID", "s", (lib.NAME,))
        for turn in range(count):
            note = {"note": "x" * (turn * 37 % 300)} if turn % 2 == 0 else {}
            receipts.append(lib.act(connection, ("LogDose1", "Undo")[turn % 2], key=f"cut-{turn}", **note)["event_id"])
    os.kill(pid, 15)
    service.process.wait(30)
    return store, trace, receipts


def examine(job):
    """Judges one directory: what is wrong with it, or nothing."""
    folder, files, acknowledged = job
    folder = pathlib.Path(folder) / str(os.getpid())
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    lay(files, folder)
    if "dosetap.db" not in files:
        return "lost" if acknowledged else None
    log = lib.Log(folder / "dosetap.db", is_copy=True)
    if log.faults:
        return "damaged: " + log.faults[0]
    if not set(acknowledged) <= log.ids:
        return "lost"
    return None


def states(store, trace, receipts, per_point, stride, seed):
    """What cuts may leave; away from a checkpoint only every `stride`-th point is looked at."""
    disk, points = Disk(store.parent, seed), 0
    for name, arguments, result in calls(trace):
        if disk.take(name, arguments, result, receipts):
            points += 1
            main_file = disk.names.get(store.name)
            in_checkpoint = bool(main_file and main_file.pending)
            if points % stride and not in_checkpoint:
                continue
            for image in disk.images(per_point):
                yield image, list(disk.acknowledged), in_checkpoint
    if len(disk.acknowledged) != len(receipts):
        raise SystemExit(f"the trace shows {len(disk.acknowledged)} of {len(receipts)} replies")


def with_service(bus, arguments, verdicts, sample):
    """The service itself opens some of the states."""
    for number, (image, acknowledged) in enumerate(sample):
        folder = lib.scratch(memory=True) / "data"
        folder.mkdir(mode=0o700)
        lay(image, folder)
        try:
            service = lib.Service(bus, arguments.daemon, store=folder / "dosetap.db")
        except lib.NotStarted as error:
            verdicts.check(False, f"the service opens state {number}", error)
            continue
        with bus.connect_closing() as connection:
            status = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
            verified = connection.call(lib.NAME, lib.PATH, lib.NAME + ".Data", "Verify")
            again = [lib.outcome(connection, ("LogDose1", "Undo")[turn % 2], key=f"cut-{turn}",
                                 **({"note": "x" * (turn * 37 % 300)} if turn % 2 == 0 else {}))
                     for turn in range(max(0, len(acknowledged) - 2), len(acknowledged))]
        # The head file is written without a flush. The service must report its loss, and give no other warning.
        warnings = [one for one in lib.warnings(status) if "missing or torn" not in one["message"]]
        verdicts.check(not warnings, f"state {number} opens without a warning", warnings)
        verdicts.check(verified.get("ok", True), f"the chain of state {number} holds", verified)
        verdicts.check(all(isinstance(one, dict) and one["duplicate"] for one in again),
                       f"acknowledged keys are known in state {number}", again)
        service.stop()


def run(bus, arguments, verdicts, name, environment, actions, per_point, stride):
    store, trace, receipts = record(bus, arguments, actions, environment)
    folder = lib.scratch(memory=True)
    counts, total, inside, sample, kinds = collections.Counter(), 0, 0, [], []

    def jobs():
        nonlocal total, inside
        for image, acknowledged, in_checkpoint in states(store, trace, receipts, per_point, stride, arguments.seed):
            total += 1
            inside += in_checkpoint
            if not environment and total % (400 if not arguments.long else 2000) == 7:
                sample.append((image, acknowledged))
            yield str(folder), image, acknowledged

    for fault in lib.in_parallel(examine, jobs()):
        if fault:
            counts[fault.split(":")[0]] += 1
            kinds.append(fault)
    verdicts.say(f"{name}: {len(receipts)} acknowledged, {total} states, {inside} of them inside a checkpoint: "
                 f"{counts['lost']} without an acknowledged event, {counts['damaged']} damaged")
    for kind, number in collections.Counter(kinds).most_common(4):
        if kind != "lost":
            verdicts.say(f"  {number} × {kind[:200]}")
    return total, counts, sample, inside


def main():
    arguments = lib.options(__doc__, actions=0, per_point=0)
    lib.require("strace")
    verdicts = lib.Verdicts("crashstates")
    verdicts.say(f"seed {arguments.seed}")
    bus = lib.Bus()
    per_point = arguments.per_point or (60 if arguments.long else 3)
    found = [run(bus, arguments, verdicts, "FULL, from the first start", {},
                 arguments.actions or (24 if arguments.long else 10), per_point, 1)]
    # SQLite copies its log back every 1,000 pages. This number of actions makes several such checkpoints.
    found.append(run(bus, arguments, verdicts, "FULL, with checkpoints", {}, 1000 if arguments.long else 260,
                     4 if arguments.long else 1, 40))
    for total, counts, sample, _ in found:
        verdicts.check(total > 1000, "many states were seen", total)
        verdicts.check(not counts, "synchronous=FULL loses nothing", dict(counts))
        with_service(bus, arguments, verdicts, sample)
    verdicts.check(found[1][3] > 0, "cuts inside a checkpoint were among them")
    shim = lib.scratch() / "shim.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", shim, lib.ROOT / "Contrib/faults/shim.c", "-ldl"], check=True)
    _, weaker, *_ = run(bus, arguments, verdicts, "NORMAL", {"LD_PRELOAD": shim, "DOSETAP_SHIM": "normal"}, 10,
                       min(per_point, 10), 1)
    verdicts.check(weaker["lost"] > 0, "the same harness sees the losses of synchronous=NORMAL", dict(weaker))
    verdicts.finish()


if __name__ == "__main__":
    sys.exit(main())
