"""A small D-Bus client over a unix socket: enough to ask a service, and to send it what no library would."""

import os
import select
import socket
import struct
import time

METHOD_CALL, METHOD_RETURN, ERROR, SIGNAL = 1, 2, 3, 4
ALIGNMENT = {**dict.fromkeys("ygv", 1), **dict.fromkeys("nq", 2), **dict.fromkeys("biusoah", 4), **dict.fromkeys("xtd({", 8)}
NUMBERS = {"y": "B", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d", "b": "I", "h": "I"}
HEADER_FIELDS = {1: "o", 2: "s", 3: "s", 4: "s", 5: "u", 6: "s", 7: "s", 8: "g", 9: "u"}


class Variant(tuple):
    """A value with the signature it travels under."""

    def __new__(cls, signature, value):
        return super().__new__(cls, (signature, value))


class BusError(Exception):
    """An error reply: its name, and the arguments that came with it."""

    def __init__(self, name, arguments):
        super().__init__(f"{name}: {arguments[0] if arguments else ''}")
        self.name = name
        self.short = name.rsplit(".", 1)[-1]
        self.details = arguments[1] if len(arguments) > 1 and isinstance(arguments[1], dict) else {}
        self.reason = self.details.get("reason")


class Gone(Exception):
    """The connection ended."""


class Unanswered(Exception):
    """No answer came in time."""


def first_type(signature):
    """Splits a signature behind its first complete type."""
    depth, index = 0, 0
    while signature[index] == "a":
        index += 1
    opening = signature[index]
    if opening in "({":
        while True:
            depth += (signature[index] in "({") - (signature[index] in ")}")
            index += 1
            if depth == 0:
                break
    else:
        index += 1
    return signature[:index], signature[index:]


def types(signature):
    found = []
    while signature:
        one, signature = first_type(signature)
        found.append(one)
    return found


def pad(out, boundary):
    out.extend(b"\0" * (-len(out) % boundary))


def write(out, kind, value):
    """Appends one value, little-endian. Strings may be given as bytes, which are sent as they are."""
    code = kind[0]
    pad(out, ALIGNMENT[code])
    if code in NUMBERS:
        out += struct.pack("<" + NUMBERS[code], int(value) if code != "d" else value)
    elif code in "so":
        raw = value if isinstance(value, bytes) else value.encode()
        out += struct.pack("<I", len(raw)) + raw + b"\0"
    elif code == "g":
        raw = value.encode()
        out += bytes([len(raw)]) + raw + b"\0"
    elif code == "v":
        signature, inner = value
        write(out, "g", signature)
        write(out, signature, inner)
    elif code == "a":
        element = kind[1:]
        length_at = len(out)
        out += b"\0\0\0\0"
        pad(out, ALIGNMENT[element[0]])
        start = len(out)
        for item in value.items() if isinstance(value, dict) else value:
            write(out, element, item)
        struct.pack_into("<I", out, length_at, len(out) - start)
    else:
        for inner, item in zip(types(kind[1:-1]), value):
            write(out, inner, item)


class Reader:
    def __init__(self, data, order):
        self.data, self.order, self.at = data, order, 0

    def read(self, kind):
        code = kind[0]
        self.at += -self.at % ALIGNMENT[code]
        if code in NUMBERS:
            size = struct.calcsize(NUMBERS[code])
            (value,) = struct.unpack_from(self.order + NUMBERS[code], self.data, self.at)
            self.at += size
            return bool(value) if code == "b" else value
        if code in "so":
            length = self.read("u")
            return self.text(length)
        if code == "g":
            return self.text(self.read("y"))
        if code == "v":
            return self.read(self.read("g"))
        if code == "a":
            length = self.read("u")
            element = kind[1:]
            self.at += -self.at % ALIGNMENT[element[0]]
            end = self.at + length
            items = []
            while self.at < end:
                items.append(self.read(element))
            return dict(items) if element[0] == "{" else items
        return tuple(self.read(inner) for inner in types(kind[1:-1]))

    def text(self, length):
        value = bytes(self.data[self.at : self.at + length]).decode()
        self.at += length + 1
        return value


class Message:
    def __init__(self, kind, serial, fields, body):
        self.kind, self.serial, self.body = kind, serial, body
        self.path, self.interface, self.member = fields.get(1), fields.get(2), fields.get(3)
        self.error, self.reply_to, self.sender = fields.get(4), fields.get(5), fields.get(7)


def encode(kind, serial, fields, signature="", arguments=(), flags=0, fds=0):
    """One message as bytes; `fields` maps field codes to values."""
    body = bytearray()
    for one, value in zip(types(signature), arguments):
        write(body, one, value)
    if signature:
        fields = {**fields, 8: signature}
    if fds:
        fields = {**fields, 9: fds}
    out = bytearray(b"l" + bytes([kind, flags, 1]))
    out += struct.pack("<II", len(body), serial)
    write(out, "a(yv)", [(code, Variant(HEADER_FIELDS[code], value)) for code, value in sorted(fields.items())])
    pad(out, 8)
    return bytes(out + body)


class Connection:
    """One connection: to a bus by its address, or to a peer by a connected socket."""

    def __init__(self, address=None, sock=None, hello=True, first=b""):
        self.is_peer = sock is not None
        if sock is None:
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            sock.connect(address.split("unix:path=", 1)[1].split(",", 1)[0])
        self.socket, self.buffer, self.serial = sock, bytearray(), 0
        self.replies, self.signals = {}, []
        self.authenticate(first)
        if hello and not self.is_peer:
            self.name = self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")

    def authenticate(self, first):
        """With `first` bytes that arrive in one piece with the end of the handshake."""
        uid = str(os.getuid()).encode().hex().encode()
        self.socket.sendall(b"\0AUTH EXTERNAL " + uid + b"\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n" + first)
        self.line()
        self.line()

    def line(self):
        got = b""
        while not got.endswith(b"\r\n"):
            one = self.socket.recv(1)
            if not one:
                raise Gone("refused while authenticating")
            got += one
        if got.startswith(b"REJECTED"):
            raise Gone("authentication rejected")
        return got

    def fileno(self):
        return self.socket.fileno()

    def close(self):
        self.socket.close()

    # Sending

    def send(self, destination, path, interface, member, signature="", arguments=(), fds=(), flags=0):
        """Sends a call and returns its serial."""
        self.serial += 1
        fields = {1: path, 3: member}
        if interface:
            fields[2] = interface
        if destination and not self.is_peer:
            fields[6] = destination
        raw = encode(METHOD_CALL, self.serial, fields, signature, arguments, flags, len(fds))
        try:
            if fds:
                sent = socket.send_fds(self.socket, [raw], list(fds))
                self.socket.sendall(raw[sent:])
            else:
                self.socket.sendall(raw)
        except OSError as error:
            raise Gone(str(error)) from error
        return self.serial

    def call(self, destination, path, interface, member, signature="", arguments=(), timeout=30, fds=()):
        """Calls and waits; one value comes back bare, more as a tuple."""
        return self.wait(self.send(destination, path, interface, member, signature, arguments, fds), timeout)

    def wait(self, serial, timeout=30):
        deadline = time.monotonic() + timeout
        while serial not in self.replies:
            self.receive(deadline - time.monotonic())
        reply = self.replies.pop(serial)
        if reply.kind == ERROR:
            raise BusError(reply.error, reply.body)
        return reply.body[0] if len(reply.body) == 1 else reply.body or None

    # Receiving

    def receive(self, timeout):
        """Takes one message; replies and signals are put where they are looked for."""
        deadline = time.monotonic() + timeout
        # select() cannot take a descriptor above 1023, which a long run reaches.
        readable = select.poll()
        readable.register(self.socket, select.POLLIN)
        while (message := self.parse()) is None:
            left = deadline - time.monotonic()
            if left <= 0 or not readable.poll(left * 1_000):
                raise Unanswered("no answer in time")
            try:
                data = self.socket.recv(1 << 18)
            except OSError as error:
                raise Gone(str(error)) from error
            if not data:
                raise Gone("the connection ended")
            self.buffer += data
        if message.kind in (METHOD_RETURN, ERROR):
            self.replies[message.reply_to] = message
        elif message.kind == SIGNAL:
            message.received = time.time()
            self.signals.append(message)
        return message

    def parse(self):
        data = self.buffer
        if len(data) < 16:
            return None
        order = "<" if data[0:1] == b"l" else ">"
        body_length, serial, fields_length = struct.unpack_from(order + "III", data, 4)
        head = 16 + fields_length + -fields_length % 8
        if len(data) < head + body_length:
            return None
        reader = Reader(data, order)
        reader.at = 12
        fields = dict(reader.read("a(yv)"))
        body = Reader(data[head : head + body_length], order)
        arguments = tuple(body.read(kind) for kind in types(fields.get(8, "")))
        message = Message(data[1], serial, fields, arguments)
        message.size = head + body_length
        del data[: head + body_length]
        return message

    def match(self, rule):
        self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s", (rule,))

    def await_signal(self, member, timeout, accept=lambda arguments: True):
        """The next signal of that name that is accepted; those seen before it are kept."""
        deadline, seen = time.monotonic() + timeout, 0
        while True:
            while seen < len(self.signals):
                signal = self.signals[seen]
                if signal.member == member and accept(signal.body):
                    return self.signals.pop(seen)
                seen += 1
            self.receive(deadline - time.monotonic())
