#!/usr/bin/env python3
"""No descriptor is left for a running or a starting service, and the kernel makes no timer: a named error or none,
the reminder comes in time, no busy loop, and all goes on afterwards (fault J4)."""

import contextlib
import os
import pathlib
import resource
import time

import lib

REMINDERS = lib.NAME + ".Reminders"
# Other scripts measure smaller delays (faults G4 and J5).
LATEST = 1.0
# Seconds of processor time that a service may use in one second of waiting.
IDLE = 0.2


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def thread_names(pid):
    names = set()
    for task in os.listdir(f"/proc/{pid}/task"):
        # A thread may end during this loop.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            names.add(pathlib.Path(f"/proc/{pid}/task/{task}/comm").read_text().strip())
    return names


def exhaust(pid, left=0):
    """From now on no descriptor can be opened, or only some; returns the limits of before."""
    taken, free = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}, 0
    while free in taken or left > 0:
        left -= free not in taken
        free += 1
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (free, before[1]))
    return before


class Window:
    """A dose whose window opens soon, and the reminder of that."""

    def __init__(self, bus, verdicts, what):
        self.verdicts, self.what = verdicts, what
        self.watcher, self.person = bus.connect(), bus.connect()
        self.watcher.match(f"type='signal',interface='{REMINDERS}',member='Fired'")

    def dose(self, seconds, key):
        return lib.outcome(self.person, "LogDose1", at=lib.microseconds(seconds - 9000), key=key)

    def opens(self, seconds):
        try:
            got = self.watcher.await_signal("Fired", seconds + 10, lambda words: words[0] == "window_open")
        except (lib.Unanswered, lib.Gone) as error:
            return self.verdicts.check(False, f"{self.what}: the window opens", error)
        late = (got.body[2] - got.body[1]) / 1e6
        self.verdicts.say(f"{self.what}: told {late * 1e3:.1f} ms late")
        return self.verdicts.check(0 <= late <= LATEST, f"{self.what}: the reminder is in time", f"{late * 1e3:.0f} ms")

    def close(self):
        self.watcher.close()
        self.person.close()


def afterwards(service, window, verdicts, what, keys):
    """All goes on, and what was acknowledged is there once."""
    answer = lib.outcome(window.person, "LogDose2", key="after")
    verdicts.check(isinstance(answer, dict), f"{what}: afterwards a dose is recorded", answer)
    window.close()
    service.stop()
    log = service.log_rows()
    once = all(len(log.keys.get(key, [])) == 1 for key in [*keys, "after"])
    verdicts.check(not log.faults and once, f"{what}: each dose is there once", f"{log.faults} {log.keys}")


def running(bus, arguments, verdicts):
    """The limit is reached before the first dose, so what that needs is not there yet."""
    for when in ("before the dose", "before the reminder"):
        what = f"no descriptor {when}"
        service = lib.Service(bus, arguments.daemon)
        pid, window = service.process.pid, Window(bus, verdicts, what)
        before = exhaust(pid) if when == "before the dose" else None
        answer = window.dose(3, "first")
        verdicts.check(isinstance(answer, dict) or not answer.name.startswith("org.freedesktop.DBus"),
                       f"{what}: the dose is recorded, or refused by name", answer)
        before = before or exhaust(pid)
        used, began = processor_seconds(pid), time.monotonic()
        if isinstance(answer, dict):
            window.opens(3)
        time.sleep(max(0, began + 4 - time.monotonic()))
        used = (processor_seconds(pid) - used) / (time.monotonic() - began)
        verdicts.check(used < IDLE, f"{what}: no busy loop", f"{used:.2f} s of processor time a second")
        if not verdicts.check(service.process.poll() is None, f"{what}: the service lives",
                              f"{service.process.poll()} {service.errors()[-380:]}"):
            continue
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        retried = window.dose(3, "first")
        verdicts.check(isinstance(retried, dict), f"{what}: afterwards its key is known", retried)
        afterwards(service, window, verdicts, what, ["first"])


def few_left(bus, arguments, verdicts):
    """Some descriptors are left when the record is first opened: enough to begin with that, too few for all of it."""
    for left in range(12 if arguments.long else 6):
        what = f"{left} descriptors left"
        service = lib.Service(bus, arguments.daemon)
        pid, window = service.process.pid, Window(bus, verdicts, what)
        before = exhaust(pid, left)
        for _ in range(3):
            answer = window.dose(3600, "first")
            verdicts.check(isinstance(answer, dict) or not answer.name.startswith("org.freedesktop.DBus"),
                           f"{what}: the dose is recorded, or refused by name", answer)
        lives = verdicts.check(service.process.poll() is None, f"{what}: the service lives", service.errors()[-380:])
        if not lives:
            continue
        # The manager thread of libdispatch would wake the machine every second.
        threads = thread_names(pid)
        verdicts.check(threads <= {"dosetapd", "store"}, f"{what}: no thread of libdispatch is there", threads)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        retried = window.dose(3600, "first")
        verdicts.check(isinstance(retried, dict), f"{what}: afterwards its key is known", retried)
        window.close()
        service.stop()
        log = service.log_rows()
        verdicts.check(not log.faults and len(log.keys.get("first", [])) == 1, f"{what}: the dose is there once", log.faults)


def no_timer(bus, arguments, verdicts):
    """The kernel makes no timer while the dose is recorded."""
    lib.require("strace")
    for error in ("ENOMEM", "EMFILE") if arguments.long else ("ENOMEM",):
        what = f"timerfd_create fails with {error}"
        service = lib.Service(bus, arguments.daemon)
        pid, window = service.process.pid, Window(bus, verdicts, what)
        tracer = lib.tracing(pid, "trace=timerfd_create", f"inject=timerfd_create:error={error}")
        used, began = processor_seconds(pid), time.monotonic()
        serial = lib.send(window.person, "LogDose1", at=lib.microseconds(8 - 9000), key="first")
        try:
            answer = window.person.wait(serial, 10)
        except (lib.BusError, lib.Gone, lib.Unanswered) as failure:
            answer = failure
        time.sleep(1)
        used = (processor_seconds(pid) - used) / (time.monotonic() - began) if service.process.poll() is None else 0
        lib.released(tracer)
        verdicts.check(used < IDLE, f"{what}: no busy loop", f"{used:.2f} s of processor time a second")
        verdicts.check(service.process.poll() is None, f"{what}: the service lives", f"{answer} {service.errors()[-300:]}")
        if service.process.poll() is not None:
            service.start()
        verdicts.check(isinstance(answer, dict), f"{what}: the dose is recorded", answer)
        # The service tries to set its timer again with every change.
        other = window.person.call(lib.NAME, lib.PATH, lib.NAME + ".Diary", "LogSleepEvent", "sa{sv}",
                                   ("bathroom", lib.variants({"key": "change"})))
        verdicts.check(isinstance(other, dict), f"{what}: the next entry is recorded", other)
        window.opens(8)
        afterwards(service, window, verdicts, what, ["first", "change"])


def starts(bus, arguments, verdicts):
    """A service is started with a few descriptors only."""
    service = lib.Service(bus, arguments.daemon)
    with bus.connect_closing() as connection:
        event = lib.act(connection, "LogDose1", key="first")["event_id"]
    needed = lib.descriptors(service.process.pid)
    service.stop()
    served, refused = 0, 0
    for limit in range(3, needed + 6, 1 if arguments.long else 4):
        try:
            service.start(wrapper=["sh", "-c", f'ulimit -n {limit}; exec "$@"', "sh"])
        except lib.NotStarted as error:
            refused += 1
            verdicts.check(error.code not in (None, 0), f"with {limit} descriptors it ends with a reason", error)
            service.kill()
            continue
        pid = service.process.pid
        used = processor_seconds(pid)
        time.sleep(1)
        used = processor_seconds(pid) - used
        verdicts.check(used < IDLE, f"with {limit} descriptors there is no busy loop", f"{used:.2f} s a second")
        with bus.connect_closing() as connection:
            answer = lib.outcome(connection, "LogDose1", key="first")
        served += isinstance(answer, dict)
        service.kill()
    service.start()
    with bus.connect_closing() as connection:
        answer = lib.outcome(connection, "LogDose1", key="first")
    verdicts.check(isinstance(answer, dict) and answer["event_id"] == event, "the store is as it was", answer)
    service.stop()
    verdicts.check(refused and served, "it was started with too few, and with enough", (refused, served))
    verdicts.say(f"started with 3 to {needed + 5} descriptors: {refused} times ended, {served} times served")


def main():
    arguments = lib.options(__doc__)
    verdicts, bus = lib.Verdicts("nodescriptors"), lib.Bus()
    running(bus, arguments, verdicts)
    few_left(bus, arguments, verdicts)
    no_timer(bus, arguments, verdicts)
    starts(bus, arguments, verdicts)
    verdicts.finish()


if __name__ == "__main__":
    main()
