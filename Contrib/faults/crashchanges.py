#!/usr/bin/env python3
"""Power cuts while the whole record is changed: brought up from an earlier schema, backed up, restored, repaired,
a log taken in, a file imported and taken back, encrypted, given another key, decrypted, deleted. A trace of each is
replayed into what a cut may leave at each point. The service opens every one and finds the record of before or of after, whole, and after an answer that of after
(faults A6, K3).

The same is done with flushes that are answered and not made: there it must find half records, or it would prove nothing."""

import collections
import contextlib
import hashlib
import os
import pathlib
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import time

import changes
import lib
import wire
from changes import DATA, STORE, Migration, Repair, Wipe
from disktrace import CALLS, Disk, calls, contents, lay

# The names of files that unfinished work leaves.
HALF = (".prepared", ".restored", ".repaired", ".imported", ".switch", ".wipe")


def settings(root):
    """The service keeps all that outlives a power cut in one folder: store, settings and keys."""
    names = {"DATA": "share", "CONFIG": "config", "STATE": "state", "CACHE": "cache"}
    return {**{f"XDG_{kind}_HOME": f"{root}/{name}" for kind, name in names.items()}, "DOSETAP_ENCRYPTION_KEY": "file"}


class World:
    """A bus and the programs."""

    def __init__(self, arguments):
        self.bus, self.daemon = lib.Bus(), arguments.daemon

    def start(self, root, wrapper=()):
        return lib.Service(self.bus, self.daemon, store=root / STORE, environment=settings(root), wrapper=wrapper)

    def running(self, root):
        return _Running(self, root)


class _Running:
    def __init__(self, world, root):
        self.world, self.root = world, root

    def __enter__(self):
        self.service = self.world.start(self.root)
        self.connection = self.world.bus.connect()
        return self.connection

    def __exit__(self, *_):
        self.connection.close()
        self.service.stop(30)


def trace(world, change, without_flush):
    """Does it under strace; returns the folder, what it held before, and the trace."""
    place = lib.scratch(memory=True)
    root, path = place / "root", place / "trace"
    root.mkdir(mode=0o700)
    change.prepare(world, root)
    before = contents(root)
    change.before = change.look(root)
    words = ["strace", "-f", "-qq", "-xx", "-s", "300000", "-o", path, "-e", f"trace={CALLS}", "-e", "signal=none"]
    if without_flush:
        words += ["-e", "inject=fsync,fdatasync:retval=0"]
    service = world.start(root, wrapper=words)
    pid = service.pid
    with world.bus.connect_closing() as connection:
        change.take(world, connection)
    if not isinstance(change, Wipe):
        os.kill(pid, 15)
    service.process.wait(60)
    change.after = change.look(root) if not isinstance(change, Wipe) else None
    if isinstance(change, Migration):
        change.finish(root)
    return root, before, path


def states(change, traced, limit, per_point, seed):
    """Folders that cuts may leave, each once, with whether the change was acknowledged: all around changes of names, and of
    the other points as many as the limit allows."""
    root, before, path = traced
    receipts = [] if isinstance(change, Migration) else [""]
    following = list(calls(path))
    count = sum(name in ("pwrite64", "write", "ftruncate") for name, _, _ in following)
    stride = max(1, count * (per_point + 3) // limit)
    disk, seen, point = Disk(root, seed, before), set(), seed % stride
    for name, arguments, result in following:
        if not disk.take(name, arguments, result, receipts):
            continue
        point += 1
        if point % stride and name in ("pwrite64", "write", "ftruncate"):
            continue
        for image in disk.images(per_point):
            done = bool(disk.acknowledged)
            digest = hashlib.blake2b(repr(done).encode(), digest_size=16)
            for file, content in sorted(image.items()):
                # The content of a lease is for people only, so it makes no state different.
                if not file.endswith(".lease"):
                    digest.update(f"{file}\0{content is None}{len(content or b'')}\0".encode() + (content or b""))
            if digest.digest() not in seen:
                seen.add(digest.digest())
                yield image, done
    if receipts and not disk.acknowledged:
        raise SystemExit(f"the trace of {change.name} shows no answer")


def sample(found, count, source):
    """So many of them, each as likely as any other."""
    kept = []
    for number, one in enumerate(found):
        if number < count:
            kept.append(one)
        elif (place := source.randrange(number + 1)) < count:
            kept[place] = one
    return kept


def check_word(text):
    """FNV-1a, as the store's own small files have it."""
    word = 0xCBF29CE484222325
    for byte in text.encode():
        word = (word ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return f"{word:016x}"


def name_folder(listed):
    """Writes the numbers of its present folder into a list of obsolete keys. The list holds for the folder that it names. After a
    power cut that is the same folder; here the files were copied to another one. A torn list stays as it is."""
    words = listed.read_text(errors="replace").removesuffix("\n").split(" ") if listed.exists() else []
    if len(words) == 5 and words[1] == "2" and words[4] == check_word(" ".join(words[:4])):
        words[2] = f"{os.statvfs(listed.parent).f_fsid}:{listed.parent.stat().st_ino}"
        words[4] = check_word(" ".join(words[:4]))
        listed.write_text(" ".join(words) + "\n")


def ask(daemon, root):
    """The service opens the store for one call and ends; returns what is wrong with that, or nothing."""
    own, other = socket.socketpair()
    (root.parent / "run").mkdir(mode=0o700, exist_ok=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(root.parent), "TZ": lib.NIGHT_ZONE, "LANG": "C.UTF-8",
                   "XDG_RUNTIME_DIR": str(root.parent / "run"), "SWIFT_BACKTRACE": "enable=no", **settings(root),
                   **{name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}}
    with open(root.parent / "stderr", "wb") as errors:
        process = subprocess.Popen(
            ["sh", "-c", 'exec "$0" --peer-fd 3 --store "$1" 3<&0 0</dev/null', daemon, str(root / STORE)],
            env=environment, stdin=other, stdout=subprocess.DEVNULL, stderr=errors)
    other.close()
    try:
        connection = wire.Connection(sock=own)
        report = connection.call(lib.NAME, lib.PATH, DATA, "Verify", timeout=60)
        connection.close()
    except wire.BusError as error:
        report = {"ok": False, "findings": [str(error)]}
    except (wire.Gone, wire.Unanswered, OSError) as error:
        return f"it does not open: {error} {(root.parent / 'stderr').read_text(errors='replace')[-300:]}"
    finally:
        own.close()
        try:
            code = process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
    if code:
        return f"it ends with {code}: {(root.parent / 'stderr').read_text(errors='replace')[-300:]}"
    return None if getattr(report["ok"], "value", report["ok"]) else f"not sound: {report['findings']}"


def examine(job):
    """Judges one folder: what is wrong with it, or nothing."""
    place, change, daemon, image, is_done = job
    place = pathlib.Path(place) / str(os.getpid())
    shutil.rmtree(place, ignore_errors=True)
    root = place / "root"
    root.mkdir(mode=0o700, parents=True)
    lay(image, root)
    name_folder(root / f"{STORE}.forget")
    fault = change.at_once(root, place / "copy.db") if isinstance(change, Migration) else None
    told = ask(daemon, root)
    # A damaged record that was not repaired is reported as damaged, which is right.
    if told and not (isinstance(change, Repair) and (root / "data/dosetap.db.beside").exists() and "not sound" in told):
        fault = fault or told
    try:
        fault = fault or change.judge(root, is_done)
    except (sqlite3.DatabaseError, OSError) as error:
        fault = f"damaged: {error}"
    half = [name for name in os.listdir(root / "data") if any(word in name for word in HALF)]
    if half and not fault:
        fault = f"half: {half} is left"
    for file in (root / "data").glob("backups/*.db"):
        found = changes.log(root, file.relative_to(root))
        # The backup of a migration has the earlier schema, and is judged with the migration.
        if not fault and not file.name.startswith("migration-") and found.faults:
            fault = f"damaged: the backup {file.name}: {found.faults[0]}"
    return fault


def run(world, arguments, verdicts, change, without_flush=False):
    began = time.monotonic()
    traced = trace(world, change, without_flush)
    limit = arguments.states or (1_000 if arguments.long else 40)
    place, found, total = lib.scratch(memory=True), collections.Counter(), 0
    found_states = states(change, traced, limit, 8 if arguments.long else 1, arguments.seed)
    if not arguments.long and not without_flush:
        found_states = sample(found_states, limit, random.Random(arguments.seed))
    jobs = ((str(place), change, world.daemon, image, done) for image, done in found_states)
    with contextlib.closing(lib.in_parallel(examine, jobs)) as faults:
        for fault in faults:
            total += 1
            if fault:
                found[fault] += 1
            # A few faults are proof enough.
            if without_flush and found.total() >= 5:
                break
    flushes = "without a flush" if without_flush else "with its flushes"
    verdicts.say(f"{change.name}, {flushes}: {total} states, {found.total()} not the record of before or after "
                 f"({time.monotonic() - began:.0f} s)")
    if without_flush:
        verdicts.check(found, f"without a flush {change.name} is found half or lost")
    else:
        verdicts.check(total >= 10, f"many states of {change.name} were seen", total)
        for fault, number in found.most_common(5):
            verdicts.check(False, f"{change.name} in {number} states", fault)
        verdicts.check(not found, f"{change.name} is whole after every cut", found.total())
    return total


def main():
    arguments = lib.options(__doc__, states=0, only="")
    lib.require("strace")
    verdicts = lib.Verdicts("crashchanges")
    has_cipher = lib.can_encrypt(arguments.daemon)
    if has_cipher:
        lib.read_encrypted(arguments)
    verdicts.say(f"seed {arguments.seed}")
    total, world = 0, World(arguments)
    for change in changes.every(has_cipher, arguments.long):
        if arguments.only in change.name:
            total += run(world, arguments, verdicts, change)
            run(world, arguments, verdicts, change, without_flush=True)
    verdicts.say(f"{total} states in all")
    verdicts.finish()


if __name__ == "__main__":
    sys.exit(main())
