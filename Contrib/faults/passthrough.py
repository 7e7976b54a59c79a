"""A file system without something: a FUSE server that passes all on to another folder, but for what it lacks."""

import ctypes
import errno
import os
import struct
import threading

LOOKUP, FORGET, GETATTR, SETATTR, MKDIR, UNLINK, RMDIR, RENAME, OPEN, READ, WRITE, STATFS, RELEASE = (
    1, 2, 3, 4, 9, 10, 11, 12, 14, 15, 16, 17, 18)
FSYNC, FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, FSYNCDIR, GETLK, SETLK, SETLKW, ACCESS, CREATE, INTERRUPT, DESTROY = (
    20, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 38)
BATCH_FORGET, RENAME2 = 42, 45
POSIX_LOCKS, BIG_WRITES, DIRECT_IO = 1 << 1, 1 << 5, 1
MOST = 1 << 17


def text(raw):
    return raw.split(b"\0", 1)[0].decode()


class Passthrough:
    """Mounted until `end`. Everything has the numbers of the kernel's fuse.h, protocol 7.31.

    `lacks`: "locks" (asked for one it answers ENOLCK, as NFS without its lock service) or "shared memory" (no file can be
    mapped and shared).
    """

    def __init__(self, behind, place, lacks):
        self.behind, self.place, self.lacks = str(behind), str(place), lacks
        self.nodes, self.paths, self.handles = {1: ""}, {"": 1}, {}
        self.device = os.open("/dev/fuse", os.O_RDWR)
        self.libc = ctypes.CDLL(None, use_errno=True)
        options = f"fd={self.device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()},allow_other"
        if self.libc.mount(b"passthrough", self.place.encode(), b"fuse", 0, options.encode()):
            number = ctypes.get_errno()
            os.close(self.device)
            raise OSError(number, os.strerror(number))
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def end(self):
        # The file system is detached. Files that are still open there end with their processes.
        self.libc.umount2(self.place.encode(), 2)
        self.thread.join(10)

    def serve(self):
        while True:
            try:
                raw = os.read(self.device, MOST + 4096)
            except OSError as error:
                if error.errno in (errno.EINTR, errno.ENOENT):
                    continue
                return os.close(self.device)
            _, opcode, unique, node = struct.unpack_from("<IIQQ", raw)
            if opcode in (FORGET, BATCH_FORGET, INTERRUPT):
                continue
            try:
                answer, code = self.answer(opcode, node, raw[40:]), 0
            except OSError as error:
                answer, code = b"", -error.errno
            try:
                os.write(self.device, struct.pack("<IiQ", 16 + len(answer), code, unique) + answer)
            except OSError:
                pass

    def path(self, node, name=None):
        path = self.nodes[node] if name is None else os.path.join(self.nodes[node], name)
        return os.path.join(self.behind, path)

    def attributes(self, target):
        """Of a path, or of an open file, which may have lost its name."""
        found = os.fstat(target) if isinstance(target, int) else os.lstat(target)
        times = [divmod(moment, 10**9) for moment in (found.st_atime_ns, found.st_mtime_ns, found.st_ctime_ns)]
        return struct.pack("<6Q10I", found.st_ino, found.st_size, found.st_blocks, *(seconds for seconds, _ in times),
                           *(rest for _, rest in times), found.st_mode, found.st_nlink, found.st_uid, found.st_gid, 0, 4096, 0)

    def entry(self, node, name):
        path = os.path.join(self.nodes[node], name)
        attributes = self.attributes(os.path.join(self.behind, path))
        if path not in self.paths:
            self.paths[path] = max(self.nodes) + 1
            self.nodes[self.paths[path]] = path
        return struct.pack("<4Q2I", self.paths[path], 0, 0, 0, 0, 0) + attributes

    def forget(self, path):
        """A name is gone; what is open of it goes on under its number."""
        self.paths.pop(path, None)

    def opened(self, descriptor):
        self.handles[descriptor] = descriptor
        return struct.pack("<QII", descriptor, DIRECT_IO if self.lacks == "shared memory" else 0, 0)

    def answer(self, opcode, node, body):
        if opcode == INIT:
            flags = BIG_WRITES | (POSIX_LOCKS if self.lacks == "locks" else 0)
            return struct.pack("<IIIIHHIIHHI28x", 7, 31, MOST, flags, 16, 12, MOST, 1, 0, 0, 0)
        if opcode == LOOKUP:
            return self.entry(node, text(body))
        if opcode == GETATTR:
            flags, _, handle = struct.unpack_from("<IIQ", body)
            target = handle if flags & 1 and handle in self.handles else self.path(node)
            return struct.pack("<QII", 0, 0, 0) + self.attributes(target)
        if opcode == SETATTR:
            valid, _, handle, size = struct.unpack_from("<IIQQ", body)
            mode = struct.unpack_from("<I", body, 68)[0]
            target = handle if valid & 64 and handle in self.handles else self.path(node)
            if valid & 1:
                os.chmod(target, mode & 0o7777)
            if valid & 8:
                os.truncate(target, size)
            return struct.pack("<QII", 0, 0, 0) + self.attributes(target)
        if opcode == MKDIR:
            os.mkdir(self.path(node, text(body[8:])), struct.unpack_from("<I", body)[0])
            return self.entry(node, text(body[8:]))
        if opcode in (UNLINK, RMDIR):
            (os.unlink if opcode == UNLINK else os.rmdir)(self.path(node, text(body)))
            self.forget(os.path.join(self.nodes[node], text(body)))
            return b""
        if opcode in (RENAME, RENAME2):
            folder = struct.unpack_from("<Q", body)[0]
            old, new = body[8 if opcode == RENAME else 16:].split(b"\0")[:2]
            os.rename(self.path(node, old.decode()), self.path(folder, new.decode()))
            before, after = os.path.join(self.nodes[node], old.decode()), os.path.join(self.nodes[folder], new.decode())
            self.forget(after)
            if (number := self.paths.pop(before, None)) is not None:
                self.paths[after], self.nodes[number] = number, after
            return b""
        if opcode == OPEN:
            return self.opened(os.open(self.path(node), struct.unpack_from("<I", body)[0] & ~os.O_CREAT))
        if opcode == CREATE:
            flags, mode = struct.unpack_from("<II", body)
            descriptor = os.open(self.path(node, text(body[16:])), flags | os.O_CREAT, mode)
            return self.entry(node, text(body[16:])) + self.opened(descriptor)
        if opcode == READ:
            handle, offset, size = struct.unpack_from("<QQI", body)
            return os.pread(handle, size, offset)
        if opcode == WRITE:
            handle, offset, size = struct.unpack_from("<QQI", body)
            return struct.pack("<II", os.pwrite(handle, body[40:40 + size], offset), 0)
        if opcode == STATFS:
            found = os.statvfs(self.behind)
            return struct.pack("<5Q4I24x", found.f_blocks, found.f_bfree, found.f_bavail, found.f_files, found.f_ffree,
                               found.f_bsize, 255, found.f_frsize, 0)
        if opcode in (RELEASE, RELEASEDIR):
            handle = struct.unpack_from("<Q", body)[0]
            if self.handles.pop(handle, None) is not None:
                os.close(handle)
            return b""
        if opcode in (FSYNC, FSYNCDIR):
            handle = struct.unpack_from("<Q", body)[0]
            os.fsync(handle)
            return b""
        if opcode == OPENDIR:
            return self.opened(os.open(self.path(node), os.O_RDONLY | os.O_DIRECTORY))[:8] + bytes(8)
        if opcode == READDIR:
            return self.listed(node, *struct.unpack_from("<QQI", body)[1:])
        if opcode in (FLUSH, ACCESS, DESTROY):
            return b""
        if opcode in (GETLK, SETLK, SETLKW):
            raise OSError(errno.ENOLCK, "no locks")
        raise OSError(errno.ENOSYS, "not served")

    def listed(self, node, offset, size):
        found, names = b"", sorted(os.listdir(self.path(node)))
        for index, name in enumerate(names[offset:], offset + 1):
            raw = name.encode()
            one = struct.pack("<QQII", 1, index, len(raw), 0) + raw
            one += bytes(-len(one) % 8)
            if len(found) + len(one) > size:
                break
            found += one
        return found
