#!/usr/bin/env python3
"""The machine sleeps until shortly before the window, and then the clock of the running service is set by hours
(faults E4, E5). Set back, the reminder comes at its elapsed second, once; set ahead, both figures are told and the alarm
rings at once. The change is noticed at once and recorded once, and times are told by the new clock. After a sleep over the
window one reminder comes at once. The machine itself goes on: clockset.c shows the service other clocks, and does to its
timers what the kernel does. Without the kernel's word to the timer that watches the clock the change is noticed late: the
script can fail."""

import os
import subprocess
import struct
import time

import lib
from nodescriptors import REMINDERS

SOON = 6.0
# Other scripts measure smaller delays (faults G4 and J5).
LATEST = 2.0
HOUR = 3600
SLEPT = 9000 - SOON


def shim():
    program = lib.scratch() / "clockset.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", program, lib.ROOT / "Contrib/faults/clockset.c", "-lpthread"],
                   check=True)
    return program


class Clock:
    """A service whose clock can be set."""

    def __init__(self, arguments, program, is_silent):
        self.bus, self.path = lib.Bus(), lib.scratch() / "clock"
        os.mkfifo(self.path)
        environment = {"LD_PRELOAD": str(program), "DOSETAP_CLOCK": str(self.path)}
        if is_silent:
            environment["DOSETAP_CLOCK_SILENT"] = "1"
        self.service = lib.Service(self.bus, arguments.daemon, environment=environment)

    def set(self, seconds, slept):
        """Returns when the service is shown these clocks."""
        pair = struct.pack("qq", int((slept + seconds) * 1e9), int(slept * 1e9))
        with open(self.path, "wb") as file:
            file.write(pair)
        deadline = time.monotonic() + 30
        while self.path.with_suffix(".shown").read_bytes() != pair:
            if time.monotonic() > deadline:
                raise SystemExit("the service was not shown the clocks in time")
            time.sleep(0.001)
        self.moment = time.clock_gettime(time.CLOCK_BOOTTIME) + slept


def fired(watcher, seconds, wanted=lambda reminder: True):
    try:
        return watcher.await_signal("Fired", seconds, lambda words: wanted(words[0])).body
    except lib.Unanswered:
        return None


def set_back(watcher, person, verdicts, what, opens, hours):
    """Returns what there is to say."""
    def is_opening(reminder):
        return reminder == "window_open"
    told = fired(watcher, SOON + 10, is_opening)
    # The time is by this program's own clock, which is never set. The dose came a moment after `opens` was calculated.
    late = time.monotonic() - opens
    verdicts.check(told and -0.05 <= late <= LATEST, f"{what}: the reminder keeps its elapsed second", f"{late:.1f} s late")
    verdicts.check(not fired(watcher, 1.5, is_opening), f"{what}: it is told once")
    return f"the reminder {late * 1e3:.0f} ms late"


def set_ahead(watcher, person, verdicts, what, opens, hours):
    told = fired(watcher, 2)
    verdicts.check(told, f"{what}: in doubt the alarm rings at once")
    status = person.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
    both = (status["elapsed_s"], status.get("elapsed_most_s", 0))
    verdicts.check(abs(both[1] - both[0] - hours * HOUR) < 5, f"{what}: both figures are told", both)
    verdicts.check(any(warning["code"] == "clock" for warning in status["warnings"]), f"{what}: and why", status["warnings"])
    return f"both figures told, the alarm rang: {told and told[0]}"


def night(arguments, program, verdicts, hours, is_silent=False):
    what = f"{hours:+} h" + (", unnoticed" if is_silent else "")
    clock = Clock(arguments, program, is_silent)
    with clock.bus.connect_closing() as watcher, clock.bus.connect_closing() as person:
        watcher.match(f"type='signal',interface='{REMINDERS}',member='Fired'")
        opens = time.monotonic() + SOON
        lib.act(person, "LogDose1", key="first")
        clock.set(0, SLEPT)
        time.sleep(1)
        clock.set(hours * HOUR, SLEPT)
        late = (set_back if hours < 0 else set_ahead)(watcher, person, verdicts, what, opens, hours)
        told = lib.act(person, "LogDose2", key="second", confirm=["clock_suspect", "early", "late"])["timestamp"]
        off = told / 1e6 - time.time() - SLEPT - hours * HOUR
        verdicts.check(abs(off) < 5, f"{what}: a time is told by the new clock", f"{off:.1f} s off")
    clock.service.stop()
    clock.bus.stop()
    log = clock.service.log_rows()
    noticed = [row["boot_time_us"] / 1e6 - clock.moment for row in log.rows if row["type"] == "clock_stepped"]
    verdicts.check(not log.faults and len(noticed) == 1, f"{what}: the change is recorded once",
                   (log.faults, noticed))
    if noticed and is_silent:
        verdicts.check(noticed[0] > 0.3, "without the kernel's word it is noticed when something else is due", noticed)
    elif noticed:
        verdicts.check(noticed[0] < 1, f"{what}: the change is noticed at once", noticed)
        verdicts.say(f"{what}: noticed after {max(0, noticed[0]) * 1e3:.0f} ms, {late}")


def slept_over(arguments, program, verdicts):
    """The machine sleeps from dose 1 until 183 minutes after it."""
    clock = Clock(arguments, program, False)
    with clock.bus.connect_closing() as watcher, clock.bus.connect_closing() as person:
        watcher.match(f"type='signal',interface='{REMINDERS}',member='Fired'")
        lib.act(person, "LogDose1", key="first")
        clock.set(0, 11_000)
        woke = time.monotonic()
        told = fired(watcher, 10)
        took = time.monotonic() - woke
        more = fired(watcher, 3)
    clock.service.stop()
    clock.bus.stop()
    verdicts.check(told and took <= LATEST, "after a sleep over the window a reminder comes at once", f"{took:.1f} s")
    verdicts.check(told and not more, "and one only", (told, more))
    verdicts.say(f"slept over the window: {told and told[0]} after {took * 1e3:.0f} ms")


def main():
    arguments = lib.options(__doc__)
    verdicts, program = lib.Verdicts("clockset"), shim()
    every = (1, -1, 2, -2, 3, -3) if arguments.long else (3, -1)
    for hours in every:
        night(arguments, program, verdicts, hours)
    night(arguments, program, verdicts, -1, is_silent=True)
    slept_over(arguments, program, verdicts)
    verdicts.finish()


if __name__ == "__main__":
    main()
