#!/usr/bin/env python3
"""No memory is left while several people log all kinds of things: an allocation fails, one or all after it (nomemory.c), or
the kernel ends the service in a control group that is too small. The service refuses by name or ends; started anew it has
every acknowledged event exactly once (fault J3)."""

import collections
import mmap
import os
import pathlib
import random
import resource
import struct
import subprocess
import threading
import time

import kill9
import lib

GROUPS = pathlib.Path("/sys/fs/cgroup")


class Person(kill9.Writer):
    """One who takes no for an answer, and asks again by the same key after the restart."""

    def __init__(self, name, seed):
        super().__init__(name, seed)
        self.errors = set()

    def hammer(self, bus, until):
        connection = bus.connect()
        try:
            while time.monotonic() < until:
                action = self.next()
                try:
                    self.took(self.ask(connection, action, 20))
                except lib.BusError as error:
                    if not kill9.is_declined(error):
                        # With no memory left the answer is a named error, or there is none. The outcome is asked later.
                        self.errors.add(error.short)
                        return
                    self.open = None
        except (lib.Gone, lib.Unanswered):
            pass
        finally:
            connection.close()


def size(pid, field):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) << 10
    return 0


class Group:
    """A control group of its own for one process at a time, with a limit of memory; None where none can be made."""

    def __init__(self):
        base = GROUPS / "memory" if (GROUPS / "memory").is_dir() else GROUPS
        self.path = base / f"dosetap-faults-{os.getpid()}"
        self.path.mkdir()
        found = [self.path / name for name in ("memory.limit_in_bytes", "memory.max") if (self.path / name).exists()]
        if not found:
            self.path.rmdir()
            raise OSError("it has no limit of memory")
        self.limit = found[0]

    def wrapper(self, limit):
        """Begins a program inside."""
        self.limit.write_text("-1" if self.limit.name != "memory.max" else "max")
        self.limit.write_text(str(limit))
        return ["sh", "-c", 'echo $$ >"$0/cgroup.procs"; exec "$@"', self.path]

    def remove(self):
        for _ in range(100):
            try:
                return self.path.rmdir()
            except OSError:
                time.sleep(0.02)


def hammered(bus, people, seconds, meanwhile):
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=person.hammer, args=(bus, until)) for person in people]
    for thread in threads:
        thread.start()
    meanwhile()
    for thread in threads:
        thread.join()


class Shortage:
    """Lets allocations of a service fail."""

    def __init__(self):
        folder = lib.scratch()
        program, self.file = folder / "nomemory.so", folder / "left"
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", program, lib.ROOT / "Contrib/faults/nomemory.c"], check=True)
        self.file.write_bytes(bytes(16))
        with open(self.file, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 16)
        self.environment = {"LD_PRELOAD": str(program), "DOSETAP_NO_MEMORY": str(self.file)}

    def begin(self, after, lasts):
        self.map[8:16] = struct.pack("q", lasts)
        self.map[0:8] = struct.pack("q", after)

    def end(self):
        """Returns whether an allocation failed."""
        left, lasts = struct.unpack("qq", self.map[:])
        self.map[:] = bytes(16)
        return left == (1 if lasts else 0)


def rounds(arguments, bus, verdicts):
    source = random.Random(arguments.seed)
    people = [Person(f"m{arguments.seed}-{number}", arguments.seed) for number in range(kill9.CLIENTS)]
    counts, total = collections.Counter(), arguments.rounds or (400 if arguments.long else 16)
    try:
        group = Group()
    except OSError as error:
        group = None
        verdicts.skip(f"a control group that is too small: {error}")
    shortage = Shortage()
    service = lib.Service(bus, arguments.daemon, environment=shortage.environment)
    own = size(service.process.pid, "RssAnon")
    service.stop()
    for turn in range(total):
        if group and turn % 4 == 3:
            # The limits go from one at which the service cannot start to one that is just too small.
            how, limit = "group", source.randrange(own // 4, own * 3 // 2)
            try:
                service.start(wrapper=group.wrapper(limit))
                hammered(bus, people, source.uniform(0.2, 1), lambda: None)
            except lib.NotStarted:
                how = "group, at the start"
        else:
            how, lasts = ("all that follow", True) if turn % 2 else ("one allocation", False)
            service.start()
            after = source.randrange(1, 40_000)
            hammered(bus, people, 1.2, lambda: (time.sleep(source.uniform(0.01, 0.3)), shortage.begin(after, lasts)))
            if not shortage.end():
                how += ", never reached"
        counts[f"{how}: {'lived' if service.process.poll() is None else 'ended'}"] += 1
        service.kill()
        if turn % 20 == 19 or turn == total - 1:
            kill9.audit(service, people, verdicts)
        service.start()
        kill9.settle(service, people, verdicts)
        verdicts.check(service.process.poll() is None, "started anew it serves")
        service.stop()
    if group:
        group.remove()
    log = kill9.audit(service, people, verdicts)
    errors = sorted(set().union(*(person.errors for person in people)))
    verdicts.check(any("reached" not in name and "ended" in name for name in counts), "it ran out of memory", dict(counts))
    verdicts.say(f"{total} rounds, {sum(len(person.acknowledged) for person in people)} acknowledged, {len(log.rows)} events; "
                 f"{', '.join(f'{name} {number}' for name, number in sorted(counts.items()))}; errors: {errors}")


def starts(arguments, bus, verdicts):
    """It is started with too little address space: it ends, waits for more, or serves, and the store is as it was."""
    service = lib.Service(bus, arguments.daemon)
    with bus.connect_closing() as connection:
        event = lib.act(connection, "LogDose1", key="first")["event_id"]
    needed = size(service.process.pid, "VmPeak")
    service.stop()
    served, waited, steps = 0, 0, 40 if arguments.long else 6
    for step in range(steps):
        limit = (needed >> 10) * (step + 1) // steps
        try:
            service.start(wrapper=["sh", "-c", f'ulimit -S -v {limit}; exec "$@"', "sh"], timeout=5)
        except lib.NotStarted as error:
            if error.code is None:
                # Without room for a thread libdispatch waits for it, asleep.
                resource.prlimit(service.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                try:
                    service.await_name()
                    waited += 1
                except lib.NotStarted as failure:
                    verdicts.check(False, f"with {limit} KiB, and then with more, it starts", failure)
            service.kill()
            continue
        with bus.connect_closing() as connection:
            answer = lib.outcome(connection, "LogDose1", key="first")
        served += isinstance(answer, dict)
        service.kill()
    service.start()
    with bus.connect_closing() as connection:
        answer = lib.outcome(connection, "LogDose1", key="first")
    verdicts.check(isinstance(answer, dict) and answer["event_id"] == event, "the store is as it was", answer)
    service.stop()
    verdicts.say(f"{steps} starts with up to {needed >> 20} MiB of address space: {served} served, {waited} waited")


def main():
    arguments = lib.options(__doc__, encrypts=True, rounds=0)
    verdicts = lib.Verdicts("nomemory")
    verdicts.say(f"seed {arguments.seed}")
    bus = lib.Bus()
    rounds(arguments, bus, verdicts)
    starts(arguments, bus, verdicts)
    verdicts.finish()


if __name__ == "__main__":
    main()
