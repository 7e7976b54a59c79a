#!/usr/bin/env python3
"""A flood from eight callers, a thousand connections, ten thousand signal matches (FAULTS G4): a phase that begins
meanwhile is told within 50 ms, memory stays, and others are still served."""

import os
import time

import lib


def flooder(address, until, kind):
    """Asks as fast as it can, without waiting for each answer; runs in a process of its own."""
    connection = lib.Connection(address)
    while time.monotonic() < until:
        serials = []
        for _ in range(20):
            if kind == 0:
                serials.append(connection.send(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},)))
            elif kind == 1:
                serials.append(lib.send(connection, "LogDose2", confirm=["late"], at=lib.microseconds(9000)))
            elif kind == 2:
                serials.append(connection.send(lib.NAME, lib.PATH, lib.SESSION, "Nothing", "s", ("x" * 60_000,)))
            else:
                serials.append(lib.send(connection, "LogDose1", note="n" * 4000, at=lib.microseconds(9000)))
        for serial in serials:
            try:
                connection.wait(serial, 30)
            except lib.BusError:
                pass
    connection.close()


def phase_during(service, watcher, verdicts, seconds, what):
    """Logs dose 1 so that its window opens in the middle, and waits for that."""
    due = time.time() + seconds
    receipt = lib.act(watcher, "LogDose1", timeout=30, at=int((due - 9000) * 1e6), key=f"flood-{what}")
    due = receipt["timestamp"] / 1e6 + 9000
    try:
        signal = watcher.await_signal("PhaseChanged", seconds + 10, lambda words: words[1] == "active")
        late = signal.received - due
        verdicts.check(0 <= late <= 0.05, f"{what}: the window opens within 50 ms", f"{late * 1e3:.1f} ms late")
        verdicts.say(f"{what}: the window opened {late * 1e3:.1f} ms after its instant")
    except lib.Unanswered:
        verdicts.check(False, f"{what}: the window opens")
    lib.act(watcher, "Undo", timeout=60, key=f"flood-undo-{what}")


def main():
    arguments = lib.options(__doc__, seconds=0)
    verdicts, bus = lib.Verdicts("flood"), lib.Bus()
    service = lib.Service(bus, arguments.daemon)
    pid, seconds = service.process.pid, arguments.seconds or (60 if arguments.long else 8)
    watcher = bus.connect()
    watcher.match(f"type='signal',interface='{lib.SESSION}',member='PhaseChanged'")
    phase_during(service, watcher, verdicts, 1, "quiet")
    for _ in range(200):
        watcher.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
    memory, open_files = lib.resident_kib(pid), lib.descriptors(pid)

    until, children = time.monotonic() + seconds, []
    for number in range(8):
        child = os.fork()
        if child == 0:
            try:
                flooder(bus.address, until, number % 4 if number < 4 else 0)
            finally:
                os._exit(0)
        children.append(child)
    slowest = 0.0
    phase_during(service, watcher, verdicts, seconds / 2, "flood")
    while time.monotonic() < until:
        start = time.monotonic()
        watcher.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},), timeout=30)
        slowest = max(slowest, time.monotonic() - start)
        time.sleep(0.05)
    for child in children:
        os.waitpid(child, 0)
    verdicts.check(slowest < 5, "others are served during the flood", f"{slowest:.2f} s")
    verdicts.say(f"status during the flood: slowest {slowest * 1e3:.0f} ms")

    crowd = []
    try:
        crowd = [bus.connect() for _ in range(1000)]
    except (OSError, lib.Gone) as error:
        verdicts.say(f"{len(crowd)} connections: {error}")
    for one in crowd:
        one.send(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
    for number in range(10_000 if arguments.long else 2000):
        watcher.match(f"type='signal',interface='org.example.I{number}'")
    phase_during(service, watcher, verdicts, 2, "crowd")
    for one in crowd:
        one.close()
    time.sleep(0.5)
    grown = lib.resident_kib(pid) - memory
    verdicts.check(grown <= 4096, "memory stays within 4 MiB", f"{grown} KiB")
    verdicts.check(lib.descriptors(pid) <= open_files, "descriptors stay", f"{open_files} → {lib.descriptors(pid)}")
    verdicts.check(service.process.poll() is None, "the service lives")
    verdicts.say(f"memory {memory} KiB {grown:+} KiB")
    watcher.close()
    service.stop()
    log = service.log_rows()
    verdicts.check(not log.faults, "the store is whole", log.faults)
    verdicts.finish()


main()
