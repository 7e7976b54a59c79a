"""What a power cut may leave of a directory, after a system call trace of its writer."""

import os
import random
import re

STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
LINE = re.compile(r"(\d+)\s+(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)", re.S)
CALLS = "openat,open,close,dup,dup2,pwrite64,write,ftruncate,fdatasync,fsync,unlink,unlinkat,rename,renameat,renameat2,sendmsg,sendto,clone,clone3"


def strings(text):
    return [bytes.fromhex(found.replace("\\x", "")) for found in STRING.findall(text)]


def calls(path):
    """(name, arguments, result) of every call of the program that succeeded, in the order of their ends.

    What the programs it starts do is left out: their descriptors are their own."""
    own = set()
    for thread, name, arguments, result in everything(path):
        if not own:
            own.add(thread)
        if name in ("clone", "clone3") and "CLONE_THREAD" in arguments and thread in own:
            own.add(str(result))
    for thread, name, arguments, result in everything(path):
        if thread in own:
            yield name, arguments, result


def everything(path):
    """(thread, name, arguments, result) of every call that succeeded, those of other programs included."""
    begun = {}
    with open(path, errors="replace") as trace:
        for line in trace:
            match = LINE.match(line)
            if not match:
                continue
            thread, resumed, name, rest = match.groups()
            if rest.rstrip().endswith("<unfinished ...>"):
                begun[thread] = rest.rstrip()[: -len("<unfinished ...>")]
                continue
            if resumed:
                name, rest = resumed, begun.pop(thread, "") + rest
            head, _, tail = rest.rpartition(" = ")
            number = re.match(r"-?\d+", tail)
            if number and int(number[0]) >= 0 and "INJECTED" not in tail:
                yield thread, name, head.rstrip().removesuffix(")"), int(number[0])


class File:
    """The bytes that are safe, and the writes since."""

    def __init__(self):
        self.safe, self.pending = bytearray(), []

    def flush(self):
        for operation in self.pending:
            apply(self.safe, operation)
        self.pending = []


def apply(image, operation, cut=None):
    offset, data = operation
    if data is None:
        del image[offset:]
        image.extend(b"\0" * (offset - len(image)))
        return
    if cut is not None:
        data = data[:cut]
    if len(image) < offset:
        image.extend(b"\0" * (offset - len(image)))
    image[offset : offset + len(data)] = data


class Disk:
    """A directory on a disk that keeps only what was flushed: contents by fdatasync, names by fsync of the directory.

    Writes since then may each be lost, kept, or torn at a sector, in any combination; changes of names since the last
    flush of the directory may be lost from any point on.
    """

    def __init__(self, folder, seed):
        self.folder, self.random = os.path.realpath(folder), random.Random(seed)
        self.safe_names, self.names, self.pending_names = {}, {}, []
        self.descriptors, self.positions, self.acknowledged = {}, {}, []

    def inside(self, raw):
        folder, _, name = os.path.normpath(raw.decode(errors="replace")).rpartition("/")
        return name if os.path.realpath(folder) == self.folder else None

    def change(self, *change):
        rename(self.names, change)
        self.pending_names.append(change)

    def take(self, name, arguments, result, receipts):
        """Follows one call; true when the disk may now look different, or more is acknowledged."""
        first = arguments.split(",", 1)[0].strip()
        number = int(first) if first.isdigit() else None
        if name in ("openat", "open"):
            return self.opened(strings(arguments)[0], arguments, result)
        if name == "close":
            self.descriptors.pop(number, None)
        elif name in ("dup", "dup2") and number in self.descriptors:
            self.descriptors[result] = self.descriptors[number]
        elif name in ("pwrite64", "write") and isinstance(self.descriptors.get(number), File):
            data = strings(arguments)[0][:result]
            offset = int(arguments.rsplit(",", 1)[1]) if name == "pwrite64" else self.positions.get(number, 0)
            self.positions[number] = offset + result
            self.descriptors[number].pending.append((offset, data))
            return True
        elif name == "ftruncate" and isinstance(self.descriptors.get(number), File):
            self.descriptors[number].pending.append((int(arguments.rsplit(",", 1)[1]), None))
            return True
        elif name in ("fdatasync", "fsync"):
            target = self.descriptors.get(number)
            if target == "folder":
                for change in self.pending_names:
                    rename(self.safe_names, change)
                self.pending_names = []
            elif target:
                target.flush()
        elif name.startswith("unlink"):
            inside = self.inside(strings(arguments)[0])
            if inside in self.names:
                self.change("unlink", inside, None)
                return True
        elif name.startswith("rename"):
            old, new = (self.inside(raw) for raw in strings(arguments)[:2])
            if old in self.names and new:
                self.change("rename", old, new)
                return True
        elif name in ("sendmsg", "sendto"):
            return self.answered(b"".join(strings(arguments)), receipts)
        return False

    def opened(self, raw, arguments, result):
        if os.path.realpath(raw.decode(errors="replace")) == self.folder:
            self.descriptors[result] = "folder"
            return False
        inside = self.inside(raw)
        if inside is None:
            self.descriptors.pop(result, None)
            return False
        is_new = inside not in self.names
        if is_new:
            self.change("create", inside, File())
        self.descriptors[result], self.positions[result] = self.names[inside], 0
        if "O_TRUNC" in arguments and not is_new:
            self.names[inside].pending.append((0, None))
            return True
        return is_new

    def answered(self, raw, receipts):
        """A reply on its way out of the service acknowledges the event it names."""
        if len(receipts) == len(self.acknowledged):
            return False
        event = receipts[len(self.acknowledged)]
        if raw[1:2] == b"\x02" and event.encode() in raw:
            self.acknowledged.append(event)
            return True
        return False

    def images(self, count):
        """Directories a power cut at this moment may leave: name to bytes."""
        yield self.image(len(self.pending_names), lambda index, length: "kept")
        yield self.image(0, lambda index, length: "lost")
        if self.pending_names:
            yield self.image(len(self.pending_names), lambda index, length: "lost")
        if any(file.pending for file in self.names.values()):
            draw = self.random
            for _ in range(count):
                yield self.image(draw.randint(0, len(self.pending_names)),
                                 lambda index, length: draw.choice(("kept", "lost", "torn")))
            until = draw.random()
            yield self.image(len(self.pending_names), lambda index, length: "kept" if index < until * length else "lost")

    def image(self, changes, fate):
        names = dict(self.safe_names)
        for change in self.pending_names[:changes]:
            rename(names, change)
        found = {}
        for name, file in names.items():
            bytes_ = bytearray(file.safe)
            for index, operation in enumerate(file.pending):
                chosen = fate(index, len(file.pending))
                if chosen == "kept" or (chosen == "torn" and operation[1] is None):
                    apply(bytes_, operation)
                elif chosen == "torn":
                    apply(bytes_, operation, 512 * self.random.randint(0, len(operation[1]) // 512))
            found[name] = bytes(bytes_)
        return found


def rename(names, change):
    kind, old, new = change
    if kind == "create":
        names[old] = new
    elif kind == "unlink":
        names.pop(old, None)
    elif old in names:
        names[new] = names.pop(old)
