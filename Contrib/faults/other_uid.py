#!/usr/bin/env python3
"""Another user (fault G1): the bus refuses it, and where a bus lets it in the service refuses it, methods and
properties alike, also when it is gone before the service could ask who it was; nothing is recorded. What the service
broadcasts names no medicine and no amount. The store, its folder and its companions are for nobody else."""

import os
import re
import signal
import stat
import subprocess
import time

import lib
from wire import Variant

OTHER = 65534
PROPERTIES = "org.freedesktop.DBus.Properties"
HEAD = f"""import sys, os, time
sys.path.insert(0, {str(lib.ROOT / 'Contrib/faults')!r})
import lib, wire
def say(*words):
    print(*words, flush=True)
def attempt(address, interface, member, signature, arguments):
    try:
        c = wire.Connection(address)
    except (OSError, wire.Gone, wire.Unanswered) as e:
        return say('refused-by-bus', e)
    try:
        say('answered', c.call(lib.NAME, lib.PATH, interface, member, signature, arguments, 10))
    except wire.BusError as e:
        say('error', e.name)
    except (wire.Gone, wire.Unanswered) as e:
        say('nothing', e)
"""


def as_other(program, timeout=120):
    run = subprocess.run(
        ["setpriv", f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups", "/usr/bin/python3", "-c", HEAD + program],
        capture_output=True, text=True, timeout=timeout)
    return (run.stdout + run.stderr).strip()


def call(bus, interface, member, signature, arguments):
    """Calls as another user and waits; what came of it."""
    return as_other(f"attempt({bus.address!r}, {interface!r}, {member!r}, {signature!r}, {arguments!r})")[:160]


def refuses(bus, verdicts):
    """Whoever waits is told that it is not let in."""
    for member in ("LogDose1", "Status", "Undo"):
        told = call(bus, lib.SESSION, member, "a{sv}", ({},))
        verdicts.check(told == "error org.freedesktop.DBus.Error.AccessDenied", f"another user's {member}", told)
    medications = lib.NAME + ".Medications"
    for member, signature, arguments in (
            ("Get", "ss", (lib.SESSION, "Phase")), ("Get", "ss", (medications, "ActiveRegimen")),
            ("GetAll", "s", (medications,)), ("GetAll", "s", ("",)), ("GetAll", "s", (lib.NAME + ".Service",))):
        told = call(bus, PROPERTIES, member, signature, arguments)
        what = f"another user's {member}({', '.join(arguments)})"
        verdicts.check(told == "error org.freedesktop.DBus.Error.AccessDenied", what, told)
    told = as_other(f"attempt({bus.address!r}, {PROPERTIES!r}, 'Set', 'ssv',"
                    f" ({lib.SESSION!r}, 'Phase', wire.Variant('s', 'active')))")
    verdicts.check(told == "error org.freedesktop.DBus.Error.AccessDenied", "another user's Set", told)


def leaves_at_once(bus, service, verdicts, rounds):
    """A caller that sends and is gone: nobody can say any more who it was."""
    as_other(f"""
for turn in range({rounds}):
    c = wire.Connection({bus.address!r})
    member = ('LogDose1', 'SkipDose2')[turn % 2]
    c.send(lib.NAME, lib.PATH, lib.SESSION, member, 'a{{sv}}', ({{'key': wire.Variant('s', f'foreign-{{turn}}')}},), flags=turn // 2 % 2)
    c.close()
    time.sleep(0.01 * (turn % 3))
""")
    time.sleep(0.5)
    with bus.connect_closing() as connection:
        status = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
    recorded = plain(status).get("dose1_time")
    verdicts.check(not recorded, "nobody's dose is not recorded", recorded)


def silent_bus(bus, service, verdicts):
    """A call that lies there when the bus stops answering: who called cannot be known."""
    with bus.connect_closing() as connection:
        os.kill(service.process.pid, signal.SIGSTOP)
        connection.send(lib.NAME, lib.PATH, lib.SESSION, "LogDose1", "a{sv}", (lib.variants({"key": "unasked"}),))
        time.sleep(0.3)
        os.kill(bus.process.pid, signal.SIGSTOP)
        os.kill(service.process.pid, signal.SIGCONT)
        time.sleep(28)
        os.kill(bus.process.pid, signal.SIGCONT)
        time.sleep(0.5)


def plain(value):
    if isinstance(value, Variant):
        return plain(value[1])
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and not isinstance(value[1], str):
        return plain(value[1])
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def broadcasts(bus, verdicts):
    """What everyone hears who listens: phases and times, no medicine, no amount, no note."""
    listener = bus.connect()
    listener.match(f"type='signal',path='{lib.PATH}'")
    with bus.connect_closing() as owner:
        owner.call(lib.NAME, lib.PATH, lib.NAME + ".Medications", "SetRegimen", "a{sv}a{sv}", (
            {"medication_id": Variant("s", "xyrem"), "total": Variant("s", "7654mg")}, {}))
        lib.act(owner, "LogDose1", key="told", amount_mg=4321, note="a quiet word", at=lib.microseconds(-3600))
        lib.act(owner, "LogDose2", key="told-2", amount_mg=3456, confirm=["early"])
    heard = []
    try:
        while True:
            listener.receive(1)
    except lib.Unanswered:
        pass
    for one in listener.signals:
        if one.path == lib.PATH:
            heard.append((one.member, one.body))
    # An amount counts as a whole word, because a time or an id may have the same digits by chance.
    def told(secret, value):
        return re.search(rf"(?<![0-9a-f-]){secret}(?![0-9a-f-])" if secret.isdigit() else secret, repr(value), re.I)

    verdicts.check(any(member == "EventRecorded" for member, _ in heard), "events are broadcast", [m for m, _ in heard])
    for secret in ("4321", "3456", "7654", "xyrem", "quiet", "amount", "dosetap-faults"):
        verdicts.check(not told(secret, heard), f"no broadcast holds '{secret}'",
                       next((one for one in heard if told(secret, one)), ""))
    details = [set(body[2]) for member, body in heard if member == "EventRecorded"]
    verdicts.check(all(keys == {"at"} for keys in details), "EventRecorded tells when, no more", details)
    listener.close()


def main():
    arguments = lib.options(__doc__)
    verdicts = lib.Verdicts("other-uid")
    os.umask(0)
    bus = lib.Bus()
    os.chmod(bus.folder, 0o755)
    service = lib.Service(bus, arguments.daemon)
    for path in (service.store.parent, *service.store.parent.iterdir()):
        mode = stat.S_IMODE(path.stat().st_mode)
        verdicts.check(mode & 0o077 == 0, "nothing of the store is for others", f"{path.name} {mode:o}")
    if os.geteuid() != 0 or not os.access("/usr/bin/python3", os.X_OK) or subprocess.run(
            ["setpriv", f"--reuid={OTHER}", "true"]).returncode:
        verdicts.skip("only root can be another user")
    else:
        told = call(bus, lib.SESSION, "LogDose1", "a{sv}", ({},))
        verdicts.check(told.startswith("refused-by-bus"), "a session bus refuses another user", told)
        service.stop()
        bus = lib.Bus(everyone=True)
        service = lib.Service(bus, arguments.daemon)
        refuses(bus, verdicts)
        leaves_at_once(bus, service, verdicts, 400 if arguments.long else 40)
    if arguments.long:
        silent_bus(bus, service, verdicts)
    service.stop()
    log = service.log_rows()
    verdicts.check(not log.rows, "nothing was recorded", f"{len(log.rows)}: {sorted(log.keys)[:6]}")
    service = lib.Service(bus, arguments.daemon)
    broadcasts(bus, verdicts)
    service.stop()
    verdicts.finish()


main()
