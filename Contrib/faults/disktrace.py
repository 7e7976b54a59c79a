"""What a power cut may leave of a directory, after a system call trace of its writer."""

import os
import random
import re

STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
LINE = re.compile(r"(\d+)\s+(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)", re.S)
# Calls that the model of the disk does not know. A call of one of these on a file of the folder is an error.
UNKNOWN = ("pwritev", "pwritev2", "writev", "copy_file_range", "sendfile", "splice")
CALLS = ("openat,open,close,dup,dup2,pwrite64,write,ftruncate,fdatasync,fsync,unlink,unlinkat,rename,renameat,renameat2,"
         "mkdir,mkdirat,rmdir,sendmsg,sendto,clone,clone3," + ",".join(UNKNOWN))
FOLDER = "folder"


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

    def __init__(self, safe=b""):
        self.safe, self.pending = bytearray(safe), []

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
    """A folder, and those in it, on a disk that keeps only what was flushed: contents by fdatasync, names by fsync of
    their folder.

    Writes since then may each be lost, kept, or torn at a sector, in any combination; changes of names since the last
    flush of their folder may be lost from any point on.
    """

    def __init__(self, folder, seed, before=()):
        """`before`: what lies in the folder at the beginning, as `contents` reads it."""
        self.folder, self.random = os.path.realpath(folder), random.Random(seed)
        self.safe_names = {name: FOLDER if data is None else File(data) for name, data in dict(before).items()}
        self.names, self.pending_names = dict(self.safe_names), {}
        self.descriptors, self.positions, self.acknowledged = {}, {}, []

    def inside(self, raw):
        """A path by its name below the folder, which is "" itself; None for one elsewhere."""
        path = os.path.normpath(raw.decode(errors="replace"))
        if os.path.realpath(path) == self.folder:
            return ""
        above, _, name = path.rpartition("/")
        above = os.path.realpath(above)
        if above == self.folder:
            return name
        return f"{above[len(self.folder) + 1:]}/{name}" if above.startswith(self.folder + "/") else None

    def change(self, folder, *change):
        rename(self.names, change)
        self.pending_names.setdefault(folder, []).append(change)

    def take(self, name, arguments, result, receipts):
        """Follows one call; true when the disk may now look different, or more is acknowledged."""
        first = arguments.split(",", 1)[0].strip()
        number = int(first) if first.isdigit() else None
        target = self.descriptors.get(number)
        if name in ("openat", "open"):
            return self.opened(strings(arguments)[0], arguments, result)
        if name == "close":
            self.descriptors.pop(number, None)
        elif name in ("dup", "dup2") and target is not None:
            self.descriptors[result] = target
        elif name in ("pwrite64", "write") and isinstance(target, File):
            data = strings(arguments)[0][:result]
            offset = int(arguments.rsplit(",", 1)[1]) if name == "pwrite64" else self.positions.get(number, 0)
            self.positions[number] = offset + result
            target.pending.append((offset, data))
            return True
        elif name == "ftruncate" and isinstance(target, File):
            target.pending.append((int(arguments.rsplit(",", 1)[1]), None))
            return True
        elif name in ("fdatasync", "fsync") and isinstance(target, File):
            target.flush()
        elif name in ("fdatasync", "fsync") and target is not None:
            for change in self.pending_names.pop(target, ()):
                rename(self.safe_names, change)
        elif name in UNKNOWN and isinstance(target, File):
            raise SystemExit(f"the model of the disk does not know {name}")
        elif name.startswith("mkdir"):
            return self.changed("create", strings(arguments)[0], FOLDER)
        elif name.startswith(("unlink", "rmdir")):
            inside = self.inside(strings(arguments)[0])
            return inside in self.names and self.changed("unlink", strings(arguments)[0], None)
        elif name.startswith("rename"):
            old, new = strings(arguments)[:2]
            if self.inside(old) in self.names:
                if os.path.dirname(self.inside(old)) != os.path.dirname(self.inside(new)):
                    raise SystemExit("the model of the disk does not know a rename from folder to folder")
                return self.changed("rename", old, self.inside(new))
        elif name in ("sendmsg", "sendto"):
            return self.answered(b"".join(strings(arguments)), receipts)
        return False

    def changed(self, kind, raw, other):
        inside = self.inside(raw)
        if inside is None:
            return False
        self.change(os.path.dirname(inside), kind, inside, other)
        return True

    def opened(self, raw, arguments, result):
        inside = self.inside(raw)
        if inside is None:
            self.descriptors.pop(result, None)
            return False
        if inside == "" or self.names.get(inside) is FOLDER:
            self.descriptors[result] = inside
            return False
        is_new = inside not in self.names
        if is_new and "O_CREAT" not in arguments:
            raise SystemExit(f"the model of the disk has no {inside}")
        if is_new:
            self.changed("create", raw, File())
        self.descriptors[result], self.positions[result] = self.names[inside], 0
        if "O_TRUNC" in arguments and not is_new:
            self.names[inside].pending.append((0, None))
            return True
        return is_new

    def answered(self, raw, receipts):
        """A reply on its way out of the service acknowledges what it names."""
        if len(receipts) == len(self.acknowledged):
            return False
        event = receipts[len(self.acknowledged)]
        if raw[1:2] == b"\x02" and event.encode() in raw:
            self.acknowledged.append(event)
            return True
        return False

    @property
    def is_settled(self):
        """Whether nothing is left that a cut could take."""
        return not self.pending_names and not any(file.pending for file in self.names.values() if file is not FOLDER)

    def images(self, count):
        """Folders a power cut at this moment may leave: name to bytes, or to None for a folder."""
        every, draw = {folder: len(changes) for folder, changes in self.pending_names.items()}, self.random
        yield self.image(every, lambda index, length: "kept")
        yield self.image({}, lambda index, length: "lost")
        if every:
            yield self.image(every, lambda index, length: "lost")
        if any(file.pending for file in self.names.values() if file is not FOLDER):
            for _ in range(count):
                some = {folder: draw.randint(0, most) for folder, most in every.items()}
                yield self.image(some, lambda index, length: draw.choice(("kept", "lost", "torn")))
            until = draw.random()
            yield self.image(every, lambda index, length: "kept" if index < until * length else "lost")

    def image(self, changes, fate):
        names = dict(self.safe_names)
        for folder, count in changes.items():
            for change in self.pending_names[folder][:count]:
                rename(names, change)
        found = {}
        for name in sorted(names):
            file, above = names[name], os.path.dirname(name)
            # The content of a lost folder is lost with it.
            if above and found.get(above, b"") is not None:
                continue
            if file is FOLDER:
                found[name] = None
                continue
            bytes_ = bytearray(file.safe)
            for index, operation in enumerate(file.pending):
                chosen = fate(index, len(file.pending))
                if chosen == "kept" or (chosen == "torn" and operation[1] is None):
                    apply(bytes_, operation)
                elif chosen == "torn":
                    apply(bytes_, operation, 512 * self.random.randint(0, len(operation[1]) // 512))
            found[name] = bytes(bytes_)
        return found


def contents(folder):
    """All that lies in a folder: name below it to bytes, or to None for a folder."""
    found = {}
    for above, folders, files in os.walk(folder):
        for name in folders:
            found[os.path.relpath(os.path.join(above, name), folder)] = None
        for name in files:
            path = os.path.join(above, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def lay(image, folder):
    """Makes a folder what an image says."""
    for name, data in sorted(image.items()):
        path = os.path.join(folder, name)
        if data is None:
            os.mkdir(path, 0o700)
        else:
            with open(path, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                file.write(data)


def rename(names, change):
    kind, old, new = change
    if kind == "create":
        names[old] = new
    elif kind == "unlink":
        names.pop(old, None)
    elif old in names:
        names[new] = names.pop(old)
