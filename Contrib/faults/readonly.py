#!/usr/bin/env python3
"""A file system that turns read-only (fault B4): status works, a dose is refused as ReadOnly but kept in memory, and
nothing acknowledged is lost. With a read-only place at the start the record is shown, an action is refused with its reason,
and recorded as soon as the place can be written, also when the run before was killed. The same for a person who has no right to
write the record or its folder."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import lib


def in_namespace(verdicts):
    if os.geteuid() != 0:
        verdicts.skip("a loop device needs root")
        verdicts.finish()
    if not os.environ.get("DOSETAP_IN_NAMESPACE"):
        os.environ["DOSETAP_IN_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, __file__, *sys.argv[1:]])


def at_start(bus, arguments, verdicts):
    folder = lib.scratch()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "none", folder], check=True)
    service = lib.Service(bus, arguments.daemon, store=folder / "dosetap.db")
    with bus.connect_closing() as connection:
        receipt = lib.act(connection, "LogDose1", key="a")
    # The entry is in the write-ahead log only.
    lib.end(service.process)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    service = lib.Service(bus, arguments.daemon, store=folder / "dosetap.db")
    with bus.connect_closing() as connection:
        shown = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
        verdicts.check(shown["dose1_time"] == receipt["timestamp"], "status is answered", shown)
        verdicts.check(any("cannot be written" in warning["message"] for warning in shown["warnings"]),
                       "and says that nothing is recorded", shown["warnings"])
        nights = connection.call(lib.NAME, lib.PATH, lib.NAME + ".History", "FindSessions", "a{sv}", ({},))[0]
        verdicts.check(len(nights) == 1, "history is answered", nights)
        refused = lib.outcome(connection, "SkipDose2", key="b")
        verdicts.check(isinstance(refused, lib.BusError) and refused.short == "ReadOnly", "a skip is refused", refused)
        verdicts.check(getattr(refused, "details", {}).get("kept") is True, "and says that the entry is kept", refused)
        verdicts.check({path.name: path.read_bytes() for path in folder.iterdir()} == before, "nothing there changes")
        subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
        skip = lib.outcome(connection, "SkipDose2", key="b")
        verdicts.check(not isinstance(skip, lib.BusError), "it is recorded once the place can be written", skip)
    service.stop()
    verdicts.check(lib.Log(folder / "dosetap.db").keys.get("a") == [receipt["event_id"]], "the store is as it was")
    subprocess.run(["umount", "-l", folder], check=False)


def mid_flight(bus, arguments, verdicts):
    """A real file system that gives up writing while the service holds its files open."""
    image, folder = lib.scratch() / "image", lib.scratch()
    subprocess.run(["truncate", "-s", "24M", image], check=True)
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    if subprocess.run(["mount", "-o", "loop", image, folder], stderr=subprocess.DEVNULL).returncode:
        verdicts.skip("no loop device")
        return
    try:
        service = lib.Service(bus, arguments.daemon, store=folder / "data" / "dosetap.db")
        connection = bus.connect()
        first = lib.act(connection, "LogDose1", key="a")
        if subprocess.run(["mount", "-o", "remount,abort", folder], stderr=subprocess.DEVNULL).returncode:
            subprocess.run(["mount", "-o", "remount,ro,abort", folder], check=False)
        refused = lib.outcome(connection, "SkipDose2", key="b")
        verdicts.check(isinstance(refused, lib.BusError) and refused.short in ("ReadOnly", "OutcomeUnknown"),
                       "an action is answered by name", refused)
        verdicts.say(f"mid-flight: {refused}")
        shown = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
        verdicts.check(shown["dose1_time"] == first["timestamp"], "status is answered", shown)
        verdicts.check(lib.warnings(shown), "with a warning", shown["warnings"])
        verdicts.check(service.process.poll() is None, "the service lives")
        connection.close()
        code = service.stop()
        verdicts.check(code >= 0, "it stops without a crash", code)
        subprocess.run(["umount", folder], check=True)
        subprocess.run(["mount", "-o", "loop", image, folder], check=True)
        log = lib.Log(folder / "data" / "dosetap.db")
        verdicts.check(not log.faults and log.keys.get("a") == [first["event_id"]], "what was acknowledged is there",
                       f"{log.faults} {log.keys}")
    finally:
        subprocess.run(["umount", "-l", folder], check=False)


OTHER = 65534


def without_rights(arguments, verdicts):
    """A record, or its folder, that its owner may only read."""
    home = lib.scratch()
    programs = [pathlib.Path(shutil.copy(program, home)) for program in (arguments.cli, arguments.daemon)]
    os.chown(home, OTHER, OTHER)
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "DOSETAP_BUS": "none", "DOSETAP_JSON": "1"}

    def dosetap(*words):
        run = subprocess.run(
            ["setpriv", f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups", programs[0], *words],
            capture_output=True, text=True, env=environment, check=False)
        return run.returncode, json.loads(run.stdout or "{}"), run.stderr

    code, receipt, errors = dosetap("log", "dose1", "--ago", "2h")
    if code != 0 and not receipt:
        verdicts.skip(f"another user cannot run the programs: {errors.strip()[:200]}")
        return
    folder = home / ".local/share/dosetap"
    for path, mode in ((folder, 0o500), (folder / "dosetap.db", 0o400)):
        before = path.stat().st_mode & 0o777
        path.chmod(mode)
        code, shown, errors = dosetap("status")
        verdicts.check(code == 0 and shown.get("dose1_time") == receipt["timestamp"],
                       f"{path.name} may only be read: status is answered", (code, shown, errors))
        verdicts.check(any("cannot be written" in warning["message"] for warning in shown.get("warnings", [])),
                       "and says that nothing is recorded", shown.get("warnings"))
        code, asked, _ = dosetap("log", "dose2")
        verdicts.check(code == 4, "a dose 2 that is early is asked about", asked)
        code, refused, _ = dosetap("log", "bathroom")
        verdicts.check(code != 0 and refused.get("error", {}).get("kind") == "read_only",
                       "an entry is refused by name", refused)
        path.chmod(before)
    code, recorded, errors = dosetap("log", "bathroom")
    verdicts.check(code == 0, "it is recorded once the record may be written", (recorded, errors))


def main():
    arguments = lib.options(__doc__, encrypts=True)
    verdicts = lib.Verdicts("readonly")
    in_namespace(verdicts)
    bus = lib.Bus()
    at_start(bus, arguments, verdicts)
    mid_flight(bus, arguments, verdicts)
    if not arguments.encrypted:
        without_rights(arguments, verdicts)
    verdicts.finish()


main()
