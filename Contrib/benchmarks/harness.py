"""How the figures are taken: programs built, services started on a private bus, variants alternating in one run."""

import json
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The path comes after this folder, because both have a module nights.
sys.path.append(str(HERE.parent / "faults"))

import lib  # noqa: E402

FLOOR_NAME, MINIMAL_NAME = "org.dosetap.Floor1", "org.dosetap.Minimal1"
PINNED = ["taskset", "-c", "0"]
# Words before the commands of whole processes, which run on any CPU: a wrapper that gives priority on a busy machine.
FIRST = []


def release(name):
    """The release program, built from what is here now; an environment variable, such as DOSETAPD, names another one."""
    given = os.environ.get(name.replace("-", "_").upper())
    if given:
        return given
    print(f"building {name} …", flush=True)
    subprocess.run(["bash", "-c", f". Contrib/lib/release.sh && release {name}"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    return str(ROOT / ".build" / "release" / name)


class Programs:
    """The floors, compiled, and the release programs."""

    def __init__(self):
        self.folder = lib.scratch()
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libsystemd", "sqlite3"], check=True,
                               capture_output=True, text=True).stdout.split()
        for name in ("service", "client", "lookback", "timer", "spawn", "idlespin", "notify"):
            subprocess.run(["gcc", "-std=gnu11", "-O2", "-o", self.folder / name, HERE / f"{name}.c", *flags], check=True)
            setattr(self, name, str(self.folder / name))
        self.daemon = release("dosetapd")
        self.cli = release("dosetap")
        # The command starts this program for exports, imports and the lab.
        self.exchange = release("dosetap-exchange")


class Floor:
    """The C service on a store of the same shape."""

    def __init__(self, programs, bus, schema, minimal=False, wrapper=()):
        self.name = MINIMAL_NAME if minimal else FLOOR_NAME
        self.store = lib.scratch() / "floor.db"
        self.command = [*wrapper, programs.service, "--store", self.store, "--schema", schema, "--name", self.name,
                        "--address", bus.address, *(["--minimal"] if minimal else [])]
        self.bus = bus
        self.start()

    def start(self):
        self.process = lib.spawn(self.command, stdin=subprocess.DEVNULL)
        self.await_name(self.bus, self.name, self.process)

    @staticmethod
    def await_name(bus, name, process):
        with bus.connect_closing() as connection:
            until = time.monotonic() + 10
            while not connection.call(*lib.DRIVER, "NameHasOwner", "s", (name,)):
                if time.monotonic() > until or process.poll() is not None:
                    raise SystemExit("the floor service did not start")
                time.sleep(0.01)

    def stop(self):
        lib.end(self.process, 15)


class Journal:
    """Something that takes journal entries as journald does, where the services look for it; only root can put it there.

    Without it every entry costs both services a vain attempt, and ours a line on standard error.
    """

    def __init__(self):
        self.wrapper = []
        if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode:
            return
        folder = lib.scratch()
        taker = ("import socket, sys; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1])\n"
                 "print(flush=True)\nwhile s.recv(65536): pass")
        self.process = lib.spawn([sys.executable, "-c", taker, folder / "socket"], stdout=subprocess.PIPE)
        self.process.stdout.readline()
        script = ("mount -t tmpfs none /run && mkdir -p /run/systemd/journal && "
                  f"mount --bind {folder} /run/systemd/journal && exec \"$@\"")
        self.wrapper = ["unshare", "--mount", "sh", "-c", script, "sh"]


def schema_of(store):
    """The tables and indexes of a store as SQL, for the floor to have the same."""
    log = lib.scratch() / "schema.sql"
    copy = lib.scratch() / "copy.db"
    for suffix in ("", "-wal"):
        if os.path.exists(f"{store}{suffix}"):
            shutil.copyfile(f"{store}{suffix}", f"{copy}{suffix}")
    rows = sqlite3.connect(copy).execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    log.write_text(";\n".join(row[0] for row in rows) + ";\n")
    return log


def measured(command, bus=None):
    """Runs a program that prints its quantiles."""
    environment = {**os.environ, **({"DBUS_SESSION_BUS_ADDRESS": bus.address} if bus else {})}
    run = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True, timeout=600)
    if run.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {run.stderr[-300:]}")
    return json.loads(run.stdout.splitlines()[-1])


def alternating(variants, rounds):
    """Takes each variant in turn, forwards and backwards; the median of each quantile over the rounds, and the middle
    of each round."""
    taken = {name: [] for name in variants}
    for turn in range(rounds):
        names = list(variants) if turn % 2 == 0 else list(variants)[::-1]
        for name in names:
            taken[name].append(variants[name]())
    return {name: {**{key: statistics.median(one[key] for one in all_) for key in all_[0]},
                   "rounds": [one["p50"] for one in all_]} for name, all_ in taken.items()}


def settled(process, most=120):
    """Returns when a service has done nothing for half a second: after its start it compares its tables with its log."""
    def used():
        words = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(words[11]) + int(words[12])

    until, last = time.monotonic() + most, None
    while time.monotonic() < until and used() != last:
        last = used()
        time.sleep(0.5)


class Awake:
    """Keeps every CPU out of its sleep states, as a flush is bimodal otherwise."""

    def __init__(self, programs):
        self.spinners = [lib.spawn([programs.idlespin, str(cpu), "3600"]) for cpu in sorted(os.sched_getaffinity(0))]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.spinners:
            lib.end(one)


def call_once(programs, bus, name, member, key=None):
    subprocess.run([programs.client, "once", name, member, *([key] if key else [])], check=True,
                   env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus.address}, stdout=subprocess.DEVNULL)
