#!/usr/bin/env python3
"""The store lies on a file system that lacks something (fault B7): without locks the service refuses by name, makes
nothing and changes nothing; without shared memory, which it does not need, it works, alone, and survives a kill. Needs root and FUSE."""

import errno
import mmap
import os
import pathlib
import subprocess
import sys

import lib
from passthrough import Passthrough


def in_namespace(verdicts):
    if os.geteuid() != 0 or not os.path.exists("/dev/fuse"):
        verdicts.skip("a file system of one's own needs root and FUSE")
        verdicts.finish()
    if not os.environ.get("DOSETAP_IN_NAMESPACE"):
        os.environ["DOSETAP_IN_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, __file__, *sys.argv[1:]])


def mounted(lacks):
    """The folder behind, the same folder seen through the file system, and that."""
    behind, place = lib.scratch() / "data", lib.scratch()
    behind.mkdir(mode=0o700)
    return behind, place, Passthrough(behind, place, lacks)


def listing(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir() if not path.name.endswith(".lease")}


def without_locks(bus, arguments, verdicts):
    behind, place, system = mounted("locks")
    # The folder has no store: the first entry would make it.
    service = lib.Service(bus, arguments.daemon, store=place / "dosetap.db", encrypts=False)
    with bus.connect_closing() as connection:
        answer = lib.outcome(connection, "LogDose1", key="b")
        verdicts.check(isinstance(answer, lib.BusError) and "lock" in str(answer), "an entry is refused with the reason", answer)
    verdicts.say(f"without locks an entry is answered: {answer}")
    service.stop(30)
    verdicts.check(not any(name.endswith(".db") for name in listing(behind)), "no store is made", list(listing(behind)))
    system.end()
    # A store was copied to the file system.
    behind, place, system = mounted("locks")
    for path in service_files(arguments, bus):
        (behind / path.name).write_bytes(path.read_bytes())
        (behind / path.name).chmod(0o600)
    before = listing(behind)
    # The service stays on the bus for a while, to give the reason.
    service = lib.Service(bus, arguments.daemon, store=place / "dosetap.db")
    with bus.connect_closing() as connection:
        for member in ("Status", "LogDose1"):
            answer = lib.outcome(connection, member)
            verdicts.check(isinstance(answer, lib.BusError) and answer.short == "StoreUnavailable" and "lock" in str(answer),
                           f"a store without locks is refused with the reason ({member})", answer)
    service.stop(30)
    verdicts.check(listing(behind) == before, "nothing there changes")
    system.end()


def service_files(arguments, bus):
    service = lib.Service(bus, arguments.daemon)
    with bus.connect_closing() as connection:
        lib.act(connection, "LogDose1", key="a")
    service.stop()
    return [path for path in service.store.parent.iterdir() if not path.name.endswith(".lease")]


def without_shared_memory(bus, arguments, verdicts):
    behind, place, system = mounted("shared memory")
    (behind / "probe").write_bytes(bytes(4096))
    with open(place / "probe", "r+b") as file:
        try:
            mmap.mmap(file.fileno(), 4096)
            verdicts.check(False, "the file system lacks shared memory")
        except OSError as error:
            verdicts.check(error.errno == errno.ENODEV, "the file system lacks shared memory", error)
    service = lib.Service(bus, arguments.daemon, store=place / "dosetap.db")
    count = 200 if arguments.long else 20
    with bus.connect_closing() as connection:
        events = [lib.act(connection, ("LogDose1", "Undo")[turn % 2], key=f"s-{turn}")["event_id"] for turn in range(count)]
    second = subprocess.run([arguments.daemon, "--store", place / "dosetap.db", "--address", bus.address],
                            env=service.environment, capture_output=True, text=True, timeout=60)
    verdicts.check(second.returncode == 75, "a second service is kept out", f"{second.returncode} {second.stderr[-200:]}")
    service.kill()
    service.start()
    with bus.connect_closing() as connection:
        again = [lib.outcome(connection, ("LogDose1", "Undo")[turn % 2], key=f"s-{turn}") for turn in range(count)]
    found = [one["event_id"] if isinstance(one, dict) and one["duplicate"] else one for one in again]
    verdicts.check(found == events, "after a kill every entry is there", found[:3])
    service.stop(30)
    log = lib.Log(behind / "dosetap.db")
    verdicts.check(not log.faults and set(events) <= log.ids, "the store is whole", log.faults)
    verdicts.say(f"without shared memory: {count} entries, a kill, none lost")
    system.end()


def main():
    arguments = lib.options(__doc__, encrypts=True)
    verdicts = lib.Verdicts("foreignfs")
    in_namespace(verdicts)
    bus = lib.Bus()
    try:
        without_shared_memory(bus, arguments, verdicts)
        without_locks(bus, arguments, verdicts)
    except PermissionError as error:
        verdicts.skip(f"FUSE may not be mounted here: {error}")
    verdicts.finish()


if __name__ == "__main__":
    main()
