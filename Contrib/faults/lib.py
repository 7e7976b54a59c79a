"""What the fault scripts share: a private bus, the service on a scratch store, reading its log, counting verdicts."""

import argparse
import atexit
import concurrent.futures
import contextlib
import faulthandler
import itertools
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

import record
import wire
from wire import BusError, Connection, Gone, Unanswered, Variant

# SIGABRT ends a script that hangs, and shows where it hung.
faulthandler.enable()

NAME, PATH = "org.dosetap.DoseTap1", "/org/dosetap/DoseTap1"
SESSION = NAME + ".Session"
# The errors that a caller may get when a call of the disk failed.
DISK_ERRORS = ("NoSpace", "ReadOnly", "OutcomeUnknown", "StoreUnavailable", "Busy")
# The effects of strace on a call: the process dies, the disk is full, the disk fails.
KILLED, FULL, BROKEN = "signal=KILL", "error=ENOSPC", "error=EIO"
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=%s</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>%s</policy>
<limit name="max_incoming_bytes">1000000000</limit><limit name="max_outgoing_bytes">1000000000</limit>
<limit name="max_message_size">1000000000</limit><limit name="max_completed_connections">100000</limit>
<limit name="max_connections_per_user">100000</limit><limit name="max_match_rules_per_connection">50000</limit>
<limit name="max_replies_per_connection">50000</limit></busconfig>"""


def options(description, encrypts=False, **extra):
    """`--short` (default) or `--long`, and where the programs are. `encrypts`: each record that is made is encrypted where the
    service can, and `encrypted` of the result says so."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--short", action="store_true", help="a few minutes at most (default)")
    parser.add_argument("--long", action="store_true", help="the full run")
    parser.add_argument("--daemon", default=os.environ.get("DOSETAPD") or built("dosetapd"))
    parser.add_argument("--cli", default=os.environ.get("DOSETAP") or built("dosetap"))
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    for name, default in extra.items():
        kind = {"action": "store_true"} if default is False else {"type": type(default), "default": default}
        parser.add_argument("--" + name.replace("_", "-"), **kind)
    arguments = parser.parse_args()
    arguments.encrypted = encrypts and encrypt_records(arguments)
    return arguments


def built(program):
    """The newest build of a program in this tree."""
    found = [ROOT / ".build" / kind / program for kind in ("release", "debug")]
    found = [path for path in found if path.exists()]
    return str(max(found, key=lambda path: path.stat().st_mtime)) if found else program


def can_encrypt(daemon):
    """Whether the service is linked with SQLCipher."""
    return "sqlcipher" in subprocess.run(["ldd", daemon], capture_output=True, text=True, check=True).stdout


def read_encrypted(arguments):
    """Returns in a program that reads encrypted records: it is begun anew with the library of the service."""
    if sqlite3.connect(":memory:").execute("PRAGMA cipher_version").fetchone():
        return
    link = subprocess.run([ROOT / "Contrib/get-sqlcipher"], check=True, capture_output=True, text=True).stdout.strip()
    if link in os.environ.get("LD_LIBRARY_PATH", ""):
        raise SystemExit("this Python does not read encrypted records with the library of Contrib/get-sqlcipher")
    os.execve(sys.executable, [sys.executable, *sys.argv, "--seed", str(arguments.seed)],
              {**os.environ, "LD_LIBRARY_PATH": link})


# The settings' folder with the keys, which all services share while their records are encrypted. None while records are
# plain.
_key_folder = None


def encrypt_records(arguments):
    """Encrypts each record that is made from here on, where the service can; returns whether it can."""
    global _key_folder
    if not can_encrypt(arguments.daemon):
        return False
    read_encrypted(arguments)
    _key_folder = scratch()
    return True


def keys(config=None):
    """The keys in a settings' folder, the newest first; by default those of the records that are encrypted."""
    config = config or _key_folder
    found = (config / "dosetap").glob("key-*") if config else ()
    return [path.read_text().strip() for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)]


def files_with(folder, text):
    """The files that hold a text, not encrypted."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes())


def overwrite(store):
    """Damages a record: most of its first page is zeros."""
    with open(store, "r+b") as file:
        file.seek(100)
        file.write(bytes(3_000))


def opened(path):
    """A database of SQLite or of a record, also of an encrypted one."""
    return record.opened(path, keys())


def in_parallel(work, jobs, **settings):
    """The results of work over jobs, as they come, each made in another process. Few are begun ahead, and who stops early
    waits for those: nothing is ended in the middle of its work, where it might hold a lock."""
    with concurrent.futures.ProcessPoolExecutor(**settings) as pool:
        jobs, waiting = iter(jobs), set()
        while True:
            waiting |= {pool.submit(work, job) for job in itertools.islice(jobs, 3 * os.cpu_count() - len(waiting))}
            if not waiting:
                return
            done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for one in done:
                yield one.result()


def warnings(status):
    """What a status warns of; that nothing shows or plays a reminder here is no wonder."""
    return [warning for warning in status["warnings"] if warning["code"] != "no_channel"]


_scratch = []


def scratch(memory=False):
    """A directory that goes away with the script."""
    base = "/dev/shm" if memory and os.access("/dev/shm", os.W_OK) else None
    path = pathlib.Path(tempfile.mkdtemp(prefix="dosetap-faults-", dir=base))
    _scratch.append(path)
    return path


_children, _groups = [], []


def spawn(command, **settings):
    """Starts a program that will not outlive the script."""
    process = subprocess.Popen([str(word) for word in command], **settings)
    _children.append(process)
    return process


def end(process, how=signal.SIGKILL, timeout=10):
    if process.poll() is None:
        process.send_signal(how)
    return process.wait(timeout)


@atexit.register
def _clean():
    for process in reversed(_children):
        if process.poll() is None:
            process.kill()
            process.wait()
    for group in _groups:
        # A tracer that is killed lets its process run on, so the group is killed.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
    for path in _scratch:
        shutil.rmtree(path, ignore_errors=True)


# The makes of bus that are installed.
BUSES = [kind for kind in ("dbus-daemon", "dbus-broker-launch") if shutil.which(kind)]


def night_zone():
    """A zone where it is about one in the night now: a dose of three hours ago is of tonight at any hour of the day."""
    ahead = (1 - time.gmtime().tm_hour + 11) % 24 - 11
    return f"Etc/GMT{-ahead:+d}" if ahead else "Etc/UTC"


# The zone changes with the hour, so it is chosen once.
NIGHT_ZONE = night_zone()


class Bus:
    """A private message bus."""

    def __init__(self, everyone=False, wrapper=(), kind="dbus-daemon"):
        self.folder, self.wrapper, self.kind = scratch(), wrapper, kind
        os.chmod(self.folder, 0o755 if everyone else 0o700)
        self.socket = self.folder / "bus"
        self.address = f"unix:path={self.socket}"
        (self.folder / "bus.conf").write_text(BUS_CONFIG % (self.socket, '<allow user="*"/>' if everyone else ""))
        self.start()

    def start(self):
        if self.socket.exists():
            self.socket.unlink()
        if self.kind == "dbus-broker-launch":
            return self.start_broker()
        self.process = spawn(
            [*self.wrapper, "dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--print-address"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if not self.process.stdout.readline():
            raise SystemExit("the private bus did not start")

    def start_broker(self):
        """It takes a listening socket as systemd hands it over: number 3, and its own process id in LISTEN_PID."""
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(str(self.socket))
        listening.listen(4096)
        line = ('eval "exec 3<&$0"; export DBUS_SESSION_BUS_ADDRESS="$1"; shift; '
                'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"',)
        self.process = spawn(
            [*self.wrapper, "sh", "-c", *line, listening.fileno(), self.address, "dbus-broker-launch", "--scope", "user",
             f"--config-file={self.folder}/bus.conf"],
            pass_fds=[listening.fileno()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        listening.close()

    def connect(self):
        return Connection(self.address)

    def connect_closing(self):
        """Returns a connection for `with`, which closes it."""
        return contextlib.closing(self.connect())

    def stop(self):
        end(self.process, signal.SIGTERM)


class NotStarted(Exception):
    """The service ended, or did not come up."""

    def __init__(self, service, text):
        super().__init__(f"{text}; exit {service.process.poll()}; {service.errors()[-400:]}")
        self.code = service.process.poll()


class Service:
    """The service on a store of its own. One that is new is encrypted where records are, unless it starts under a wrapper or
    `encrypts` is false."""

    def __init__(self, bus, daemon, store=None, wrapper=(), environment=None, wait=True, encrypts=True):
        self.bus, self.daemon = bus, daemon
        self.folder = scratch() if store is None else pathlib.Path(store).parent
        self.store = pathlib.Path(store or self.folder / "data" / "dosetap.db")
        self.store.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.home = scratch()
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "TZ": NIGHT_ZONE, "LANG": "C.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
            **{f"XDG_{kind}_HOME": str(self.home / kind.lower()) for kind in ("DATA", "CONFIG", "STATE", "CACHE")},
            "XDG_RUNTIME_DIR": str(self.home / "run"), "SWIFT_BACKTRACE": "enable=no",
            **{name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ},
            **({"DOSETAP_ENCRYPTION_KEY": "file", "XDG_CONFIG_HOME": str(_key_folder)} if _key_folder else {}), **(environment or {}),
        }
        (self.home / "run").mkdir(mode=0o700)
        # A replacement of the file that was cut off is finished by this start.
        is_new = encrypts and not self.store.exists() and not self.store.with_name(f"{self.store.name}.switch").exists()
        self.start(wrapper, wait)
        if _key_folder and is_new and wait and not wrapper:
            with bus.connect_closing() as connection:
                connection.call(NAME, PATH, NAME + ".Data", "Encrypt", "a{sv}", ({},), timeout=60)

    def start(self, wrapper=(), wait=True, timeout=60):
        self.log = open(self.home / "stderr", "ab")
        self.watch = self.bus.connect() if wait else None
        if wait:
            self.watch.match(f"type='signal',member='NameOwnerChanged',arg0='{NAME}'")
        self.process = spawn(
            [*wrapper, self.daemon, "--store", self.store, "--address", self.bus.address],
            env=self.environment, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL,
            process_group=0 if wrapper else None)
        if wrapper:
            _groups.append(self.process.pid)
        if wait:
            self.await_name(timeout)

    def await_name(self, timeout=60):
        """Returns when the service owns its name."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise NotStarted(self, "the service ended before it owned its name")
            try:
                got = self.watch.await_signal("NameOwnerChanged", 0.25, lambda a: a[0] == NAME and a[2])
                self.owner = got.body[2]
                self.watch.close()
                return
            except Unanswered:
                continue
        raise NotStarted(self, "the service did not own its name in time")

    @property
    def pid(self):
        """The service itself, also behind a wrapper."""
        with self.bus.connect_closing() as connection:
            return connection.call(*DRIVER, "GetConnectionUnixProcessID", "s", (NAME,))

    def errors(self):
        return (self.home / "stderr").read_text(errors="replace")

    def kill(self):
        return end(self.process)

    def stop(self, timeout=10):
        return end(self.process, signal.SIGTERM, timeout)

    def log_rows(self):
        return Log(self.store)


DRIVER = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")

KINDS = {"at": "t", "time_zone": "s", "confirm": "as", "key": "s", "amount_mg": "u", "note": "s", "reason": "s",
         "dry_run": "b", "surface": "s"}


def variants(settings):
    return {name: Variant(KINDS[name], value) for name, value in settings.items()}


def send(connection, member, **settings):
    """Sends an action without waiting; returns its serial."""
    return connection.send(NAME, PATH, SESSION, member, "a{sv}", (variants(settings),))


def act(connection, member, timeout=30, **settings):
    """Asks for an action; returns its receipt."""
    return connection.wait(send(connection, member, **settings), timeout)


def outcome(connection, member, timeout=30, **settings):
    """Like `act`, with an error's short name in place of an exception."""
    try:
        return act(connection, member, timeout, **settings)
    except BusError as error:
        return error


class Log(record.Log):
    """The event log of a store that is not running, read from a copy so that the store stays as it was left.

    With `is_copy` it is one already and may change.
    """

    def __init__(self, store, is_copy=False):
        copy = store if is_copy else scratch(memory=True) / "copy.db"
        if not is_copy:
            for suffix in ("", "-wal"):
                if os.path.exists(f"{store}{suffix}"):
                    shutil.copyfile(f"{store}{suffix}", f"{copy}{suffix}")
        super().__init__(copy, keys())


def microseconds(seconds_from_now=0.0):
    return int((time.time() + seconds_from_now) * 1e6)


class Verdicts:
    """Counts what passed, names what failed, and ends the script with one line."""

    def __init__(self, name):
        self.name, self.passed, self.failed, self.skipped = name + (" (encrypted)" if _key_folder else ""), 0, 0, 0
        self.started = time.monotonic()

    def check(self, holds, what, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"{self.name}: FAILED: {what}{': ' + str(detail)[:400] if detail != '' else ''}", flush=True)
        return bool(holds)

    def skip(self, what):
        self.skipped += 1
        self.say(f"skipped: {what}")

    def say(self, text):
        print(f"{self.name}: {text}", flush=True)

    def finish(self):
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        self.say(f"{self.passed} passed, {self.failed} failed{skipped} ({time.monotonic() - self.started:.0f} s)")
        sys.stdout.flush()
        sys.exit(1 if self.failed else 0)


def resident_kib(pid):
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Rss:"):
            return int(line.split()[1])
    return 0


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def require(program):
    if shutil.which(program) is None:
        raise SystemExit(f"{program} is needed for this")
    return program


class NotAttached(SystemExit):
    """strace does not hold the process, which may have ended."""


def attached(pid, tracer, timeout=10):
    """Returns when strace holds every thread of a process."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline and tracer.poll() is None:
        try:
            states = [pathlib.Path(f"/proc/{pid}/task/{thread}/status").read_text()
                      for thread in os.listdir(f"/proc/{pid}/task")]
        except (FileNotFoundError, ProcessLookupError):
            # The thread ended after one piece of work.
            continue
        if all(f"TracerPid:\t{tracer.pid}\n" in state for state in states):
            return
        time.sleep(0.005)
    raise NotAttached("strace could not attach")


def traced(serve, command):
    """A service and the strace that is to kill it at a call. What the service still does for its start can be that call: then
    another is started."""
    for attempt in range(5):
        service = serve()
        tracer = spawn(command(service.process.pid), stderr=subprocess.PIPE)
        try:
            attached(service.process.pid, tracer)
            return service, tracer
        except NotAttached:
            end(tracer)
            # Any other end is a fault of the service.
            if service.process.poll() != -signal.SIGKILL or attempt == 4:
                raise


# The calls that make, change, flush, rename or remove a file, or open one. Those that come seldom decide what a file is
# afterwards: each of them is always taken.
SELDOM = ("fdatasync", "fsync", "ftruncate", "fallocate", "rename", "renameat", "renameat2", "link", "linkat", "unlink",
          "unlinkat", "mkdir", "mkdirat", "rmdir")
CALLS = ("openat", "pwrite64", "write", *SELDOM)
# With more than so many of one name the short form does not take each.
MANY = 40
LOCKS = ("fcntl",)


class Point:
    """The n-th call of one name in any thread, with `path` the n-th one on that file. strace counts each name in each thread by
    itself: with a set of names it would be the n-th call of whichever name comes first, and what comes seldom and late would
    never be reached."""

    def __init__(self, name, number, path=None, is_idle=False):
        self.name, self.number, self.path, self.is_idle = name, number, path, is_idle
        # Only a call that is made to fail is marked as such.
        self.output = None

    def __str__(self):
        return f"{self.name} {self.number}" + (f" on {self.path}" if self.path else "")

    def strace(self, how, paths, root, more=()):
        self.output = scratch() / "trace"
        paths = [pathlib.Path(root) / self.path] if self.path else paths
        return ["strace", "-f", "-qq", "-o", self.output, *[word for path in paths for word in ("-P", path)],
                "-e", f"trace={self.name}", "-e", f"inject={self.name}:{how}:when={self.number}", *more]

    def failed(self):
        """Whether the call came and was made to fail or wait."""
        text = self.output.read_text(errors="replace")
        return "INJECTED" in text or "DELAYED" in text


class Counting:
    """In place of a point: nothing is done to any call, and all are noted."""

    def __init__(self, calls=CALLS):
        self.names, self.output, self.root = calls, None, None

    def __str__(self):
        return "none"

    def strace(self, _, paths, root, more=()):
        self.output, self.root = scratch() / "trace", str(root)
        return ["strace", "-f", "-qq", "-y", "-o", self.output, *[word for path in paths for word in ("-P", path)],
                "-e", f"trace={','.join(self.names)}", *more]

    def calls(self):
        """(thread, name, file, is_idle) of each call, in the order in which they began; the file as seen from the root, if it is
        there. An idle one was refused, so the disk is the same at the next call."""
        for line in self.output.read_text(errors="replace").splitlines():
            call = re.match(r"(\d+) +(\w+)\((.*)", line)
            if not call or call[2] not in self.names:
                continue
            words = call[3]
            by_number = call[2] in ("pwrite64", "write", "fdatasync", "fsync", "ftruncate", "fallocate", *LOCKS)
            found = re.match(r"\d+<([^>]*)>", words) if by_number else re.search(r'"([^"]*)"', words)
            path = found[1].removesuffix(" (deleted)") if found else ""
            inside = path.startswith(self.root + "/")
            is_idle = re.search(r"\) += -1 E[A-Z]+ ", words) is not None
            yield call[1], call[2], path[len(self.root) + 1:] if inside else None, is_idle

    def points(self):
        """The points that reach these calls, and the number of calls that none reaches: where another thread had made as many of
        that name before, also on that file, strace takes that one's."""
        mine, most, points, hidden = {}, {}, [], 0
        for thread, name, path, is_idle in self.calls():
            keys = [(name, None), *([(name, path)] if path else [])]
            for key in keys:
                mine[thread, key] = mine.get((thread, key), 0) + 1
            first = next((key for key in keys if mine[thread, key] > most.get(key, 0)), None)
            for key in keys:
                most[key] = max(most.get(key, 0), mine[thread, key])
            if first is None:
                hidden += 1
            else:
                points.append(Point(name, mine[thread, first], first[1], is_idle))
        return points, hidden


def sample(points, step):
    """Each point of a call that comes seldom and does something, and of each other name the first, each step-th and the last. Of a
    call that for once comes often, some thirty, the last ten among them."""
    if step == 1:
        return points
    names = {}
    for point in points:
        names.setdefault(point.name, []).append(point)
    taken = set()
    for name, mine in names.items():
        if name not in SELDOM:
            taken |= {*mine[::step], mine[-1]}
            continue
        mine = [point for point in mine if not point.is_idle]
        taken |= set(mine if len(mine) <= MANY else mine[::len(mine) // 20] + mine[-10:])
    return [point for point in points if point in taken]


def spread(points, number):
    """About so many points, as many of each name."""
    names = {}
    for point in points:
        names.setdefault(point.name, []).append(point)
    if number >= len(points):
        return points
    share = max(1, number // len(names))
    taken = {mine[place * len(mine) // min(share, len(mine))] for mine in names.values() for place in range(min(share, len(mine)))}
    return [point for point in points if point in taken]


def walk(run, verdicts, what, step, few=None, calls=CALLS, effects=(FULL, BROKEN)):
    """Does something once undisturbed, and then again for each of its calls, which is the end of the service there; of calls that
    come often for each step-th. Then it makes calls fail: each with each of the effects, or about `few` of all names with one of the
    effects. `run(how, point)` says whether nothing came in the way."""
    began, counting = time.monotonic(), Counting(calls)
    if not verdicts.check(run(KILLED, counting), f"{what}: it is done where nothing disturbs it"):
        return
    points, hidden = counting.points()
    taken, missed = sample(points, step), 0
    for point in taken:
        missed += bool(run(KILLED, point))
    # Another run may have more calls than the one that was counted.
    more = 0
    if step == 1:
        for name in sorted({point.name for point in points}):
            number = max(point.number for point in points if point.name == name and not point.path) + 1
            while number < 4000 and not run(KILLED, Point(name, number)):
                number, more = number + 1, more + 1
    failing = points if few is None else spread(points, few)
    came = made = 0
    for index, point in enumerate(failing if effects else ()):
        for how in effects if few is None else (effects[index % len(effects)],):
            run(how, point)
            came, made = came + point.failed(), made + 1
    names = {}
    for point in taken:
        names[point.name] = names.get(point.name, 0) + 1
    # A helper that disturbs nothing would find nothing.
    verdicts.check(missed <= 2 + len(taken) // 4, f"{what}: the points come again", f"{missed} of {len(taken)} did not")
    verdicts.check(came >= made // 2, f"{what}: calls are made to fail", f"{came} of {made}")
    verdicts.say(f"{what}: {len(points) + hidden} calls, killed at {len(taken) - missed + more} of them"
                 + (f" ({missed} more did not come again)" if missed else "")
                 + (f", {hidden} out of reach" if hidden else "")
                 + (f", {came} made to fail" if made else "") + ": " + ", ".join(f"{name} {count}" for name, count in sorted(names.items()))
                 + f"; {time.monotonic() - began:.0f} s")


def tracing(pid, *expressions, **settings):
    """Attaches strace with the given expressions; `end(…, SIGINT)` lets go of the process."""
    words = [word for expression in expressions for word in ("-e", expression)]
    tracer = spawn(["strace", "-f", "-qq", "-o", settings.pop("output", "/dev/null"), *words, *settings.pop("more", ()),
                    "-p", str(pid)], stderr=subprocess.DEVNULL)
    attached(pid, tracer)
    return tracer


def released(tracer):
    """Lets strace go and waits for it. On a busy machine it may not heed the signal; killed, it lets the process run on, too."""
    try:
        return end(tracer, signal.SIGINT)
    except subprocess.TimeoutExpired:
        return end(tracer)


def encode_call(connection, member, key):
    """The bytes of an action's call, to be sent in part or whole."""
    connection.serial += 1
    fields = {1: PATH, 2: SESSION, 3: member, 6: NAME}
    return wire.encode(wire.METHOD_CALL, connection.serial, fields, "a{sv}", (variants({"key": key}),))
