#!/usr/bin/env python3
"""Another user (FAULTS G1): the bus refuses it, and where a bus lets it in the service refuses it; nothing is recorded.
The store, its folder and its companions are for nobody else."""

import os
import stat
import subprocess

import lib

OTHER = 65534


def as_other(bus, member="LogDose1"):
    """Calls as another user; returns what came of it."""
    program = (f"import sys; sys.path.insert(0, {str(lib.ROOT / 'Contrib/faults')!r}); import wire\n"
               f"try:\n  c = wire.Connection({bus.address!r})\n"
               f"except (OSError, wire.Gone, wire.Unanswered) as e:\n  print('refused-by-bus', e); sys.exit()\n"
               f"try:\n  print('answered', c.call({lib.NAME!r}, {lib.PATH!r}, {lib.SESSION!r}, {member!r}, 'a{{sv}}', ({{}},), 10))\n"
               f"except wire.BusError as e:\n  print('error', e.name)\n"
               f"except (wire.Gone, wire.Unanswered) as e:\n  print('nothing', e)\n")
    run = subprocess.run(["setpriv", f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups", "/usr/bin/python3", "-c", program],
                         capture_output=True, text=True, timeout=60)
    return (run.stdout + run.stderr).strip()[:160]


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
        told = as_other(bus)
        verdicts.check(told.startswith("refused-by-bus"), "a session bus refuses another user", told)
        service.stop()
        bus = lib.Bus(everyone=True)
        service = lib.Service(bus, arguments.daemon)
        for member in ("LogDose1", "Status", "Undo"):
            told = as_other(bus, member)
            verdicts.check(told.startswith("error"), f"the service refuses another user's {member}", told)
    service.stop()
    log = service.log_rows()
    verdicts.check(not log.rows, "nothing was recorded", len(log.rows))
    verdicts.finish()


main()
