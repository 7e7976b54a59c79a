#!/usr/bin/env python3
"""Floods (fault G4): every member, with and without reply, from one caller to fifty, also from one that leaves at once;
a thousand connections; ten thousand signal matches. What is due meanwhile is told at most 250 ms late; an honest dose is
recorded within 500 ms, or twice what a C service needs that refuses everything in the same flood. Memory stays."""

import os
import select
import signal
import struct
import subprocess
import time
import xml.etree.ElementTree

import lib
import wire
from wire import Variant

REMINDERS = lib.NAME + ".Reminders"
REFUSER = "org.example.Refuser"
LATEST, SLOWEST, BATCH = 0.25, 0.5, 100
# The seconds of a flood. With replies a flood may keep dbus-daemon itself busy to its end, whatever the service does.
LASTS = 4

# Arguments that make a call of the member as expensive as possible. Other members get empty values.
ASKED = {
    "Intervals": ({"by": Variant("s", "week")},),
    "FindSessions": ({"limit": Variant("u", 1000), "with": Variant("s", "bathroom")},),
    "Show": ("last",),
    "List": (1000,),
    "LogDose2": ({"confirm": Variant("as", ["early", "late"])},),
    "LogSleepEvent": ("bathroom", {}),
    "SetConfig": ("schedule.target", Variant("s", "165"), {}),
    "SetPlugin": ("journal", True, {}),
    "Questions": ("morning",),
    "Test": ("journal", {}),
    "Get": (lib.NAME + ".Medications", "ActiveRegimen"),
    "GetAll": ("",),
}
# These members are only called as dry runs, because a real entry would disturb the honest night.
DRY = {"LogDose1", "LogDose2", "LogExtraDose", "SkipDose2", "Snooze", "LogFinalWake", "Undo", "SaveCheckIn", "Take"}
EXPENSIVE = ("Rebuild", "Check", "Verify", "Stats", "Intervals", "FindSessions", "Doctor")
EMPTY = {"s": "", "t": 0, "u": 0, "b": False, "a{sv}": {}, "v": Variant("s", "")}


def members(connection):
    """(interface, member, signature) of every method, those of the properties and of introspection among them."""
    text = connection.call(lib.NAME, lib.PATH, "org.freedesktop.DBus.Introspectable", "Introspect")
    for interface in xml.etree.ElementTree.fromstring(text).iter("interface"):
        for method in interface.iter("method"):
            arguments = [one.get("type") for one in method.iter("arg") if one.get("direction", "in") == "in"]
            yield interface.get("name"), method.get("name"), "".join(arguments)


def call_of(interface, member, signature, to=lib.NAME):
    """The bytes of one call without its serial."""
    values = ASKED.get(member)
    if values is None or len(values) != len(wire.types(signature)):
        values = tuple(EMPTY.get(one, {}) for one in wire.types(signature))
    if member in DRY:
        values = (*values[:-1], {**values[-1], "dry_run": Variant("b", True)})
    return {1: lib.PATH, 2: interface, 3: member, 6: to}, signature, values


class Template:
    """A call that is sent again and again."""

    def __init__(self, call, wants_reply):
        fields, signature, values = call
        one = wire.encode(wire.METHOD_CALL, 1, fields, signature, values, 0 if wants_reply else 1)
        self.size, self.batch, self.serial = len(one), bytearray(one * BATCH), 100

    def next(self):
        for number in range(BATCH):
            self.serial += 1
            struct.pack_into("<I", self.batch, number * self.size + 8, self.serial)
        return self.batch


def flooder(address, call, wants_reply, until):
    """Sends as fast as the bus takes it and throws away what comes back; runs in a process of its own."""
    connection, template = lib.Connection(address), Template(call, wants_reply)
    sock = connection.socket
    sock.setblocking(False)
    left = b""
    while time.monotonic() < until:
        readable, writable, _ = select.select([sock], [sock], [], 0.1)
        if readable:
            while True:
                try:
                    if len(sock.recv(1 << 18)) == 0:
                        return
                except BlockingIOError:
                    break
        if writable:
            left = left or bytes(template.next())
            try:
                left = left[sock.send(left):]
            except BlockingIOError:
                pass


class Flood:
    """Callers that all do the same."""

    def __init__(self, address, call, wants_reply, processes, seconds):
        until, self.children = time.monotonic() + seconds, []
        for _ in range(processes):
            child = os.fork()
            if child == 0:
                try:
                    flooder(address, call, wants_reply, until)
                except (OSError, lib.Gone, lib.Unanswered):
                    pass
                finally:
                    os._exit(0)
            self.children.append(child)

    def end(self):
        for child in self.children:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.waitpid(child, 0)


def leave_at_once(address, call, count):
    """A client that sends and is gone before anything was done."""
    connection, template = lib.Connection(address), Template(call, False)
    for _ in range(count // BATCH):
        connection.socket.sendall(template.next())
    connection.close()


class Night:
    """An honest person in the middle of it."""

    def __init__(self, bus, verdicts):
        self.bus, self.verdicts, self.turn = bus, verdicts, 0
        self.watcher, self.person = bus.connect(), bus.connect()
        self.watcher.match(f"type='signal',interface='{REMINDERS}',member='Fired'")
        self.worst = {"late": 0.0, "dose": 0.0}

    def dose(self, seconds):
        """Logs dose 1 so that its window opens in so many seconds; how long that took."""
        self.turn += 1
        began = time.monotonic()
        try:
            receipt = lib.act(
                self.person, "LogDose1", timeout=60, at=lib.microseconds(seconds - 9000), key=f"flood-{self.turn}")
            self.event = receipt["event_id"]
        except lib.Unanswered:
            self.event = None
        return time.monotonic() - began

    def undo(self):
        if self.event is None:
            self.event = lib.act(self.person, "LogDose1", timeout=60, key=f"again-{self.turn}")["event_id"]
        self.person.call(lib.NAME, lib.PATH, lib.SESSION, "Delete", "sa{sv}", (self.event, {}), 60)

    def window(self, what, seconds):
        """The window opens within the next seconds: how late that was told, by the service's own clock."""
        self.watcher.signals.clear()
        try:
            got = self.watcher.await_signal("Fired", seconds + 40, lambda words: words[0] == "window_open")
        except (lib.Unanswered, lib.Gone):
            return self.verdicts.check(False, f"{what}: the window opens")
        late = (got.body[2] - got.body[1]) / 1e6
        self.worst["late"] = max(self.worst["late"], late)
        return self.verdicts.check(0 <= late <= LATEST, f"{what}: told at most 250 ms late", f"{late * 1e3:.0f} ms")

    def close(self):
        self.watcher.close()
        self.person.close()


def floor(bus, call, wants_reply, processes):
    """What a call of a service takes that refuses everything, in the same flood."""
    program = lib.scratch() / "refuser"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libsystemd"], capture_output=True, text=True).stdout.split()
    subprocess.run(["cc", "-O2", "-o", program, lib.ROOT / "Contrib/faults/refuser.c", *flags], check=True)
    service = lib.spawn([program, bus.address, REFUSER])
    slowest = 0.0
    with bus.connect_closing() as person:
        while True:
            try:
                person.call(*lib.DRIVER, "GetNameOwner", "s", (REFUSER,))
                break
            except lib.BusError:
                time.sleep(0.02)
        flood = Flood(bus.address, ({**call[0], 6: REFUSER}, *call[1:]), wants_reply, processes, LASTS)
        time.sleep(0.4 + processes * 0.01)
        began = time.monotonic()
        try:
            person.call(REFUSER, lib.PATH, lib.SESSION, "LogDose1", "a{sv}", ({},), 60)
        except lib.BusError:
            pass
        slowest = time.monotonic() - began
        flood.end()
    lib.end(service)
    return slowest


def during(night, bus, verdicts, one, wants_reply, processes, is_last=False):
    """One flood: a dose in the middle of it, and a window that opens. A dose that comes late is tried in a second flood: the
    machine may have had something else to do in the first."""
    interface, member, signature = one
    what = f"{member} × {processes}{'' if wants_reply else ', no reply'}"
    call = call_of(interface, member, signature)
    flood = Flood(bus.address, call, wants_reply, processes, LASTS)
    time.sleep(0.4 + processes * 0.01)
    took = night.dose(0.8)
    night.window(what, 1)
    flood.end()
    night.undo()
    best = floor(bus, call, wants_reply, processes) if took > SLOWEST else 0
    if took > max(SLOWEST, 2 * best) and not is_last:
        verdicts.say(f"{what}: dose {took * 1e3:.0f} ms, the floor {best * 1e3:.0f} ms; once more")
        return during(night, bus, verdicts, one, wants_reply, processes, is_last=True)
    night.worst["dose"] = max(night.worst["dose"], took)
    verdicts.check(took <= max(SLOWEST, 2 * best), f"{what}: an honest dose is recorded in time",
                   f"{took * 1e3:.0f} ms, the floor {best * 1e3:.0f} ms")
    return took


def hit_and_run(night, bus, verdicts, one):
    """A thousand calls in a moment, from a client that is gone when the first is looked at."""
    interface, member, signature = one
    leave_at_once(bus.address, call_of(interface, member, signature), 1000)
    took = night.dose(0.3)
    verdicts.check(took <= SLOWEST, f"{member} × 1000 and gone: an honest dose is recorded in time", f"{took * 1e3:.0f} ms")
    night.window(f"{member} × 1000 and gone", 1)
    night.undo()


def fill(bus, nights):
    """So many nights to look through."""
    with bus.connect_closing() as connection:
        for back in range(nights, 0, -1):
            for member, minutes in (("LogDose1", 0), ("LogDose2", 170), ("LogFinalWake", 480)):
                lib.act(connection, member, at=lib.microseconds(-back * 86_400 + minutes * 60 - 7_200),
                        confirm=["long_ago", "after_wake"] if member == "LogDose2" else ["long_ago"])


def crowd(night, service, bus, verdicts, matches):
    """A thousand connections, and so many matches on one of them."""
    many = []
    try:
        many = [bus.connect() for _ in range(1000)]
    except (OSError, lib.Gone) as error:
        verdicts.say(f"{len(many)} connections: {error}")
    for one in many:
        one.send(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
    for number in range(matches):
        night.watcher.match(f"type='signal',interface='org.example.I{number}'")
    night.dose(1)
    night.window("a crowd", 2)
    night.undo()
    for one in many:
        one.close()


def floods(arguments, kind, verdicts):
    bus = lib.Bus(kind=kind)
    service = lib.Service(bus, arguments.daemon)
    fill(bus, arguments.nights or (1000 if arguments.long else 200))
    night, pid = Night(bus, verdicts), service.process.pid
    known = list(members(night.watcher))
    verdicts.check(len(known) > 40, "members are introspected", len(known))
    night.dose(0.3)
    night.window("quiet", 1)
    night.undo()
    for _ in range(200):
        night.watcher.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
    for interface, member, signature in known:
        if member in EXPENSIVE or member == "Introspect":
            for _ in range(3):
                fields, kinds, values = call_of(interface, member, signature)
                night.watcher.call(lib.NAME, lib.PATH, interface, member, kinds, values, timeout=60)
    memory, open_files = lib.resident_kib(pid), lib.descriptors(pid)
    named = {one[1]: one for one in known}
    for member in EXPENSIVE if arguments.long else ("Rebuild", "Check"):
        hit_and_run(night, bus, verdicts, named[member])
    only = arguments.only.split(",") if arguments.only else []
    if arguments.long or arguments.all or only:
        for one in [one for one in known if not only or one[1] in only]:
            for wants_reply in (True, False):
                for processes in (1, 6, 50):
                    took = during(night, bus, verdicts, one, wants_reply, processes)
                    verdicts.say(f"{one[1]} × {processes}{'' if wants_reply else ', no reply'}: dose {took * 1e3:.0f} ms")
    else:
        for member, wants_reply, processes in (
                ("Rebuild", False, 1), ("Check", True, 6), ("Stats", True, 6), ("FindSessions", False, 6),
                ("Status", True, 6), ("LogDose2", True, 6), ("GetAll", False, 6), ("Introspect", True, 1)):
            took = during(night, bus, verdicts, named[member], wants_reply, processes)
            verdicts.say(f"{member} × {processes}: dose {took * 1e3:.0f} ms")
    crowd(night, service, bus, verdicts, 10_000 if arguments.long else 1000)
    # The memory for a crowd is freed a moment after it. On a busy machine this takes longer.
    until, grown = time.monotonic() + 10, 4097
    while grown > 4096 and time.monotonic() < until:
        time.sleep(0.1)
        grown = lib.resident_kib(pid) - memory
    verdicts.check(grown <= 4096, "memory stays within 4 MiB", f"{grown} KiB")
    verdicts.check(lib.descriptors(pid) <= open_files, "descriptors stay", f"{open_files} → {lib.descriptors(pid)}")
    verdicts.check(service.process.poll() is None, "the service lives")
    verdicts.say(f"{kind}: latest {night.worst['late'] * 1e3:.0f} ms, slowest dose {night.worst['dose'] * 1e3:.0f} ms, "
                 f"memory {memory} KiB {grown:+} KiB")
    night.close()
    service.stop()
    log = service.log_rows()
    verdicts.check(not log.faults, "the store is whole", log.faults)


def main():
    arguments = lib.options(__doc__, nights=0, all=False, only="")
    verdicts = lib.Verdicts("flood")
    for kind in lib.BUSES:
        floods(arguments, kind, verdicts)
    verdicts.finish()


main()
