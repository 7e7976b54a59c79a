#!/usr/bin/env python3
"""Nonsense over the bus (faults G2, G3): calls that no member accepts, made from the introspected signatures, and bytes
that are no messages. The answer is an error by name, nothing is recorded, the service neither ends nor grows, and another
client is answered all the while.

DOSETAPD=$(Contrib/fuzz/run --daemon | tail -1) runs it on a service with AddressSanitizer."""

import itertools
import multiprocessing
import os
import random
import re
import socket
import subprocess
import time
import xml.etree.ElementTree

import lib
import wire
from wire import Variant

BASIC = "ybnqiuxtdsog"
PROPERTIES = "org.freedesktop.DBus.Properties"
# The bytes by which two services may differ at their end. Some services allocate once more for values that they keep.
LEAKED = 65_536


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def signature(self, depth=0):
        draw = self.random
        kind = draw.choice(BASIC + "vaaa({" if depth < 4 else BASIC)
        if kind == "a":
            return "a" + self.signature(depth + 1)
        if kind == "(":
            return "(" + "".join(self.signature(depth + 1) for _ in range(draw.randint(1, 3))) + ")"
        if kind == "{":
            return "a{" + draw.choice(BASIC) + self.signature(depth + 1) + "}"
        return kind

    def text(self):
        draw = self.random
        return draw.choice(("", "dose1", "\u202eesod", "'; DROP TABLE events; --", "%s%n", "\x1b[2J", "é" * 40,
                            "x" * draw.choice((1, 4001, 65_537, 1 << 20 if draw.random() < 0.02 else 9))))

    def value(self, kind, depth=0):
        draw, code = self.random, kind[0]
        if code == "b":
            return draw.randint(0, 1)
        if code in wire.NUMBERS and code != "d":
            bits = 8 * wire.struct.calcsize(wire.NUMBERS[code])
            low, high = (0, 2**bits - 1) if wire.NUMBERS[code].isupper() else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            return draw.choice((low, high, draw.randint(low, high)))
        if code == "d":
            return draw.choice((0.0, -1.5, 1e308, float("nan"), float("inf")))
        if code == "s":
            return self.text()
        if code == "o":
            return draw.choice(("/", "/a/b", lib.PATH))
        if code == "g":
            return self.signature(2)
        if code == "v":
            inner = self.signature(depth + 1)
            return Variant(inner, self.value(inner, depth + 1))
        if code == "a":
            count = draw.choice((0, 1, 3, 1001 if depth == 0 and len(kind) < 4 else 2))
            if kind[1] == "{":
                names, inner = kind[2], wire.first_type(kind[3:])[0]
                return [(self.value(names, depth + 1), self.value(inner, depth + 1)) for _ in range(min(count, 3))]
            return [self.value(kind[1:], depth + 1) for _ in range(count)]
        return tuple(self.value(inner, depth + 1) for inner in wire.types(kind[1:-1]))

    def deep(self, levels):
        value = Variant("y", 1)
        for _ in range(levels):
            value = Variant("v", value)
        return value


def members(connection):
    """(interface, member, signature) of every method the service tells of."""
    text = connection.call(lib.NAME, lib.PATH, "org.freedesktop.DBus.Introspectable", "Introspect")
    for interface in xml.etree.ElementTree.fromstring(text).iter("interface"):
        for method in interface.iter("method"):
            arguments = [one.get("type") for one in method.iter("arg") if one.get("direction", "in") == "in"]
            yield interface.get("name"), method.get("name"), "".join(arguments)


def wrong_call(generator, known):
    """A call that must fail: (interface, member, signature, arguments, descriptors)."""
    draw = generator.random
    interface, member, signature = draw.choice(known)
    kind = draw.choice(("types", "missing", "more", "option", "value", "deep", "member", "interface", "descriptors",
                        "set", "get"))
    has_options = signature.endswith("a{sv}") and interface.startswith(lib.NAME)
    front = [generator.value(one) for one in wire.types(signature)[:-1]] if has_options else []
    if kind == "option" and has_options:
        return interface, member, signature, (*front, {"x" + generator.text()[:300]: generator.deep(2)}), 0
    if kind == "value" and has_options:
        name = draw.choice(list(lib.KINDS))
        other = generator.signature(2)
        while other == lib.KINDS[name]:
            other = generator.signature(2)
        return interface, member, signature, (*front, {name: Variant(other, generator.value(other))}), 0
    if kind == "deep" and has_options:
        return interface, member, signature, (*front, {"note": generator.deep(draw.randint(1, 58))}), 0
    if kind == "set":
        value = generator.signature(2)
        return PROPERTIES, "Set", "ssv", (interface, member, Variant(value, generator.value(value))), 0
    if kind == "get":
        return PROPERTIES, "Get", "ss", (interface, "X" + generator.text()), 0
    if kind == "member":
        return interface, "X" + member, "", (), 0
    if kind == "interface":
        return interface + "x", member, signature, tuple(generator.value(one) for one in wire.types(signature)), 0
    if kind == "descriptors" and signature != "h":
        return interface, member, "h" * 3, (0, 1, 2), 3
    if kind == "missing" and signature:
        return interface, member, "", (), 0
    wrong = signature + "y" if kind == "more" else generator.signature()
    if wrong == signature:
        wrong += "s"
    return interface, member, wrong, tuple(generator.value(one) for one in wire.types(wrong)), 0


def rounds(service, connection, arguments, verdicts, count):
    generator = Generator(arguments.seed)
    known = [one for one in members(connection) if one[0].startswith(lib.NAME)]
    verdicts.check(len(known) >= 10, "members are introspected", len(known))
    errors, called, sample = {}, set(), open(os.devnull, "rb")
    for turn in range(count):
        interface, member, signature, values, fds = wrong_call(generator, known)
        called.add((interface, member))
        try:
            answer = connection.call(lib.NAME, lib.PATH, interface, member, signature, values, 10, [sample.fileno()] * fds)
            verdicts.check(False, "a wrong call is refused", f"{interface}.{member} {signature} → {str(answer)[:200]}")
        except lib.BusError as error:
            errors[error.name] = errors.get(error.name, 0) + 1
            verdicts.passed += 1
        except lib.Unanswered:
            verdicts.check(False, "a wrong call is answered", f"{interface}.{member} {signature} {str(values)[:200]}")
            break
        except (lib.Gone, UnicodeDecodeError, wire.struct.error) as error:
            # The bus itself closes the connection of a caller that sends bytes that are no message.
            connection = service.bus.connect()
            errors[f"({type(error).__name__})"] = errors.get(f"({type(error).__name__})", 0) + 1
    missed = [member for interface, member, _ in known if (interface, member) not in called]
    verdicts.check(count < SHORT or not missed, "every member is called", missed)
    return connection, errors


def broken(kind, good):
    """A message spoilt in one way."""
    raw = bytearray(good)
    if kind == "utf8":
        return bytes(raw).replace(b"spoil", b"sp\xff\xfel")
    if kind == "nul":
        return bytes(raw).replace(b"spoil", b"sp\0il")
    if kind == "length":
        raw[4:8] = (0x7FFFFFFF).to_bytes(4, "little")
    elif kind == "fields":
        raw[12:16] = (0x0FFFFFFF).to_bytes(4, "little")
    elif kind == "endian":
        raw[0] = 0x42
    elif kind == "version":
        raw[3] = 9
    elif kind == "type":
        raw[1] = 0
    elif kind == "serial":
        raw[8:12] = b"\0\0\0\0"
    elif kind == "noise":
        return os.urandom(len(raw))
    elif kind == "cut":
        return bytes(raw[:-7])
    elif kind == "flips":
        # Many messages, each with some changed bytes. The service closes the connection at the first wrong message.
        changed = bytearray()
        for _ in range(40):
            one = bytearray(good)
            for _ in range(random.randint(1, 4)):
                one[random.randrange(16, len(one))] = random.randrange(256)
            changed += one
        return bytes(changed)
    return bytes(raw)


SPOILS = ("utf8", "nul", "length", "fields", "endian", "version", "type", "serial", "noise", "cut", "flips")


def message(kind, destination=True):
    """A call of a dose; for bytes that change at random a question, since some changes make another right call."""
    fields = {1: lib.PATH, 2: lib.SESSION, 3: "Status" if kind == "flips" else "LogDose1", **({6: lib.NAME} if destination else {})}
    return wire.encode(wire.METHOD_CALL, 77, fields, "a{sv}", ({"note": Variant("s", "spoil")},))


def raw_bus(service, verdicts, turns):
    """Spoilt bytes on the bus: the bus lets go of such a caller, or the service answers with an error."""
    for turn in range(turns):
        for kind in SPOILS:
            caller = service.bus.connect()
            try:
                caller.socket.sendall(broken(kind, message(kind)))
                caller.receive(0.05)
            except (lib.Gone, lib.Unanswered, OSError, UnicodeDecodeError):
                pass
            caller.close()
        verdicts.check(service.process.poll() is None, "the service lives through broken messages")


def raw_peer(arguments, verdicts, sanitizer, turns):
    """The same bytes sent to the service itself, over a socket of its own."""
    for turn in range(turns):
        for kind in SPOILS:
            ours, theirs = socket.socketpair()
            store = lib.scratch() / "data" / "dosetap.db"
            store.parent.mkdir(mode=0o700)
            process = lib.spawn([arguments.daemon, "--store", store, "--peer-fd", str(theirs.fileno())],
                                pass_fds=[theirs.fileno()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                env={"PATH": os.environ["PATH"], "HOME": str(store.parent), "TZ": "UTC",
                                     "SWIFT_BACKTRACE": "enable=no", **sanitizer})
            theirs.close()
            try:
                peer = lib.Connection(sock=ours)
                peer.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},), 10)
                peer.socket.sendall(broken(kind, message(kind, destination=False)))
                peer.receive(0.05)
            except (lib.Gone, lib.Unanswered, lib.BusError, OSError, UnicodeDecodeError):
                pass
            ours.close()
            try:
                code = process.wait(30)
                verdicts.check(code >= 0, f"no crash by '{kind}' from a peer", code)
            except subprocess.TimeoutExpired:
                verdicts.check(False, f"it ends when its peer is gone ({kind})")
                lib.end(process)
            rows = [row for row in lib.Log(store).rows if row["type"] == "dose_recorded"]
            verdicts.check(not rows, f"nothing is recorded by '{kind}'", rows)


def at_once(arguments, verdicts):
    """A call that arrives in one piece with the end of the handshake is answered without another byte."""
    ours, theirs = socket.socketpair()
    store = lib.scratch() / "data" / "dosetap.db"
    store.parent.mkdir(mode=0o700)
    process = lib.spawn([arguments.daemon, "--store", store, "--peer-fd", str(theirs.fileno())],
                        pass_fds=[theirs.fileno()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                        env={"PATH": os.environ["PATH"], "HOME": str(store.parent), "TZ": "UTC"})
    theirs.close()
    fields = {1: lib.PATH, 2: lib.SESSION, 3: "Status"}
    peer = lib.Connection(sock=ours, first=wire.encode(wire.METHOD_CALL, 1, fields, "a{sv}", ({},)))
    try:
        verdicts.check("phase" in peer.wait(1, 5), "a call that comes with BEGIN is answered")
    except (lib.Unanswered, lib.Gone) as error:
        verdicts.check(False, "a call that comes with BEGIN is answered", error)
    ours.close()
    lib.end(process)


def right_calls(service, verdicts, turns):
    """Calls that are as they should be, with values at random: each is answered, by a value or by an error that has a name
    of the contract; nothing is Internal, and what is a question or a trial records nothing."""
    generator, connection, outcomes = Generator(7), service.bus.connect(), {}
    known = [one for one in members(connection) if one[0].startswith(lib.NAME) and one[1] not in ("SetPlugin", "Test")]
    for _ in range(turns):
        interface, member, signature = generator.random.choice(known)
        kinds = wire.types(signature)
        values = [generator.value(one) if one != "a{sv}" else {} for one in kinds]
        if kinds and kinds[-1] == "a{sv}" and not interface.endswith((".History", ".Service", ".Data", ".Reminders")) \
                and member != "Status":
            values[-1] = {"dry_run": Variant("b", True)}
        try:
            connection.call(lib.NAME, lib.PATH, interface, member, signature, tuple(values), 30)
            name = "answered"
        except lib.BusError as error:
            name = error.name
            # A number of a descriptor that did not come with the message is not a value of the contract.
            is_none = "h" in kinds and name == "org.freedesktop.DBus.Error.InvalidArgs"
            verdicts.check(is_none or name.startswith(lib.NAME + ".Error.") and not name.endswith("Internal"),
                           f"{member} fails by a name of the contract", f"{error} {str(values)[:200]}")
        except lib.Unanswered:
            verdicts.check(False, f"{member} is answered", str(values)[:200])
            break
        except (lib.Gone, UnicodeDecodeError, wire.struct.error):
            connection, name = service.bus.connect(), "(gone)"
        outcomes[name.rsplit(".", 1)[-1]] = outcomes.get(name.rsplit(".", 1)[-1], 0) + 1
    verdicts.check(outcomes.get("answered", 0) > turns // 20, "right calls are answered", outcomes)
    verdicts.say(f"{turns} right calls: {outcomes}")
    connection.close()


class HonestClient:
    """A program of its own that asks for the status and tries a dose twenty times a second, all the while."""

    def __init__(self, bus):
        self.end, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=self.run, args=(bus.address, theirs), daemon=True)
        self.process.start()

    @staticmethod
    def run(address, end):
        times, failure = [], None
        connection = lib.Connection(address)
        while not end.poll(0.05) and failure is None:
            began = time.monotonic()
            try:
                if len(times) % 2:
                    connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},), 10)
                else:
                    lib.act(connection, "LogDose1", 10, dry_run=True)
            except (lib.BusError, lib.Unanswered, lib.Gone) as error:
                failure = f"{type(error).__name__}: {error}"
            times.append(time.monotonic() - began)
        end.send((times, failure))

    def finish(self, verdicts, limit):
        """`limit`: the seconds within which 99 of 100 calls must be answered."""
        self.end.send(None)
        times, failure = self.end.recv()
        self.process.join(10)
        verdicts.check(failure is None, "an honest client is answered all the while", failure)
        times.sort()
        worst, late = times[-1] * 1e3, times[len(times) * 99 // 100] * 1e3
        verdicts.check(late <= limit * 1e3, f"99 of 100 calls of an honest client are answered within {limit} s", f"{late:.0f} ms")
        verdicts.say(f"an honest client meanwhile: {len(times)} calls, 99 of 100 within {late:.0f} ms, all within {worst:.0f}")


def leaked(folder):
    """Bytes that LeakSanitizer found when a service ended, the most of any; its reports go away."""
    most = 0
    for report in folder.glob("report.*"):
        text = report.read_text(errors="replace")
        sizes = re.findall(r"SUMMARY: AddressSanitizer: (\d+) byte\(s\) leaked", text)
        if sizes and "ERROR: AddressSanitizer" not in text:
            most = max(most, int(sizes[0]))
            report.unlink()
    return most


def sanitizer_reports(folder, verdicts, before):
    """What AddressSanitizer wrote. A service ends with its objects: what it does not give back then is the same after
    one call and after many."""
    after = leaked(folder)
    verdicts.check(after <= before + LEAKED, "nothing leaks", f"{before} bytes at the end without calls, {after} with them")
    for report in sorted(folder.glob("report.*")):
        verdicts.check(False, "AddressSanitizer has nothing to report", report.read_text(errors="replace")[:4000])
    return after


def huge(service, verdicts, pid, allowed):
    """A string of a megabyte, and of as many as a message can hold, in an option: refused, and its memory is given back, but for so
    many KiB."""
    before = lib.resident_kib(pid)
    for size in (1 << 20, 60 << 20):
        with service.bus.connect_closing() as connection:
            answer = lib.outcome(connection, "LogDose1", note="n" * size)
            verdicts.check(isinstance(answer, lib.BusError), f"a note of {size >> 20} MB is refused", str(answer)[:200])
    until = time.monotonic() + 5
    while (grown := lib.resident_kib(pid) - before) > allowed and time.monotonic() < until:
        time.sleep(0.1)
    verdicts.check(grown <= allowed, "the memory of long strings is given back", f"{grown} KiB more")
    verdicts.say(f"memory after strings of 60 MB: {grown:+} KiB")


def unused(bus, daemon, sanitizer, reports):
    """Bytes that a service does not give back as it ends, that was asked once."""
    service = lib.Service(bus, daemon, environment=sanitizer)
    with bus.connect_closing() as connection:
        connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},), 10)
    service.stop(60)
    return leaked(reports)


SHORT = 4000


def main():
    arguments = lib.options(__doc__, calls=0)
    verdicts, bus = lib.Verdicts("fuzz-bus"), lib.Bus()
    verdicts.say(f"seed {arguments.seed}")
    reports = lib.scratch()
    is_sanitized = b"__asan_init" in open(arguments.daemon, "rb").read()
    # The sanitizer keeps freed memory for a while to find later uses. The amount is small, so that growth is seen.
    sanitizer = {
        "ASAN_OPTIONS": f"log_path={reports}/report:quarantine_size_mb=8:detect_stack_use_after_return=0",
        "LSAN_OPTIONS": f"suppressions={lib.ROOT}/Contrib/lib/sanitize-leak.txt:print_suppressions=0"}
    before = unused(bus, arguments.daemon, sanitizer, reports) if is_sanitized else 0
    service = lib.Service(bus, arguments.daemon, environment=sanitizer)
    pid, honest, connection = service.process.pid, HonestClient(bus), bus.connect()
    # KiB that a series may take more. The sanitizer keeps 8 MiB of freed memory.
    allowed, limit = (12_288, 1.0) if is_sanitized else (2_048, 0.25)
    # Each kind of call runs before memory is measured, as often as in the short form. A heap that fills is no leak.
    connection, _ = rounds(service, connection, arguments, verdicts, SHORT)
    right_calls(service, verdicts, 500)
    raw_bus(service, verdicts, 5)
    memory, open_files = [lib.resident_kib(pid)], lib.descriptors(pid)
    count = (arguments.calls or (1_000_000 if arguments.long else SHORT)) // 2
    # Two series, and a third one where the second took more. What is noted once (the sanitizer notes each place that allocates)
    # takes less each time; a leak takes as much again. After it has compared its tables the service gives memory back. If this was
    # just before a reading, the caches fill again, once.
    for turn in range(3):
        arguments.seed += 1
        began = time.monotonic()
        connection, errors = rounds(service, connection, arguments, verdicts, count)
        verdicts.say(f"{count} calls in {time.monotonic() - began:.0f} s: {errors}")
        right_calls(service, verdicts, 10_000 if arguments.long else 250)
        raw_bus(service, verdicts, 50 if arguments.long else 3)
        memory.append(lib.resident_kib(pid))
        grown = [later - earlier for earlier, later in itertools.pairwise(memory)]
        is_flat = grown[-1] <= max(allowed, grown[-2] // 2 if is_sanitized and turn else 0)
        if turn and is_flat:
            break
    verdicts.check(is_flat, "memory stays", f"KiB more in each series: {grown}")
    honest.finish(verdicts, limit)
    huge(service, verdicts, pid, 49_152 if is_sanitized else 16_384)
    connection.close()
    time.sleep(0.2)
    verdicts.check(service.process.poll() is None, "the service lives")
    verdicts.check(lib.descriptors(pid) <= open_files, "descriptors stay", f"{lib.descriptors(pid)} of {open_files}")
    verdicts.say(f"memory {memory[0]} KiB, more in each series of {count} calls: {grown}")
    service.stop(60)
    after = sanitizer_reports(reports, verdicts, before)
    log = service.log_rows()
    verdicts.check(not log.rows and not log.faults, "nothing was recorded", f"{len(log.rows)} rows {log.faults}")
    at_once(arguments, verdicts)
    raw_peer(arguments, verdicts, sanitizer, 20 if arguments.long else 1)
    sanitizer_reports(reports, verdicts, before)
    if is_sanitized:
        verdicts.say(f"AddressSanitizer: at the end of a service {before} bytes without calls, {after} with them")
    verdicts.finish()


main()
