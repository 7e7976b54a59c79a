#!/usr/bin/env python3
"""A full disk (FAULTS B3): doses are kept in memory and told as not yet safe, reminders still come, and all is written
when there is space again."""

import os
import subprocess
import sys
import time

import lib


def fill(folder):
    """Takes all the space there is."""
    filler = open(folder / "filler", "wb", buffering=0)
    for size in (65536, 4096, 1):
        try:
            while True:
                filler.write(b"x" * size)
        except OSError:
            continue
    return folder / "filler"


def main():
    arguments = lib.options(__doc__)
    verdicts = lib.Verdicts("diskfull")
    if not os.environ.get("DOSETAP_IN_NAMESPACE"):
        own = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
        os.environ["DOSETAP_IN_NAMESPACE"] = "1"
        if subprocess.run([*own, "true"]).returncode:
            verdicts.skip("no mount namespace may be made here")
            verdicts.finish()
        os.execvp(own[0], [*own, sys.executable, __file__, *sys.argv[1:]])
    folder = lib.scratch()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "none", folder], check=True)
    try:
        scenario(lib.Bus(), arguments, verdicts, folder)
    finally:
        subprocess.run(["umount", "-l", folder], check=False)
    verdicts.finish()


def scenario(bus, arguments, verdicts, folder):
    service = lib.Service(bus, arguments.daemon, store=folder / "dosetap.db")
    connection = bus.connect()
    connection.match(f"type='signal',path='{lib.PATH}'")
    lib.act(connection, "LogDose1", key="a")
    lib.act(connection, "Undo", key="b")
    filler = fill(folder)
    # The log of SQLite has room for some more commits in the blocks it has already.
    answers = {}
    for turn in range(2 if not arguments.long else 200):
        due = lib.microseconds(-9000 + 3)
        answers[f"full-{turn}"] = lib.outcome(connection, "LogDose1", key=f"full-{turn}", at=due)
        if isinstance(answers[f"full-{turn}"], lib.BusError):
            break
        lib.act(connection, "Undo", key=f"undo-{turn}")
    failed = answers[f"full-{turn}"]
    verdicts.check(isinstance(failed, lib.BusError) and failed.short == "NoSpace", "a full disk is told by name", failed)
    verdicts.check(isinstance(failed, lib.BusError) and failed.details.get("hint"), "with a next step", getattr(failed, "details", failed))
    shown = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
    verdicts.check(shown["dose1_time"] == due // 1000 * 1000, "the dose is kept in memory", shown)
    verdicts.check(any("safe" in text for text in shown["warnings"]), "status says that it is not yet safe", shown["warnings"])
    try:
        signal = connection.await_signal("PhaseChanged", 6, lambda words: words[1] == "active")
        late = signal.received - (due / 1e6 + 9000)
        verdicts.check(0 <= late < 0.25, "the window opens on time all the same", f"{late * 1e3:.1f} ms")
    except lib.Unanswered:
        verdicts.check(False, "the window opens although the disk is full")
    time.sleep(0.2)
    verdicts.check(service.process.poll() is None, "the service lives")
    filler.unlink()
    again = lib.outcome(connection, "LogDose1", key=f"full-{turn}", at=due)
    verdicts.check(isinstance(again, dict), "with space again it is recorded", again)
    shown = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
    verdicts.check(not shown["warnings"], "and nothing is unsafe any more", shown["warnings"])
    connection.close()
    service.stop()
    log = service.log_rows()
    verdicts.check(not log.faults, "the store is whole", log.faults)
    verdicts.check(len(log.keys.get(f"full-{turn}", [])) == 1, "the dose is there exactly once")
    opened = [row for row in log.rows if row["type"] == "reminder_fired"]
    verdicts.check(len(opened) == 1, "the reminder is on record exactly once", len(opened))
    start_without_space(bus, arguments, verdicts, folder)


def start_without_space(bus, arguments, verdicts, folder):
    """A first start on a full disk: whatever is asked is answered with the reason, and there is no half-made store."""
    (folder / "new").mkdir(mode=0o700)
    filler = fill(folder)
    service = lib.Service(bus, arguments.daemon, store=folder / "new" / "dosetap.db")
    with bus.connect_closing() as connection:
        refused = lib.outcome(connection, "LogDose1", key="first")
        verdicts.check(isinstance(refused, lib.BusError), "a dose is refused when there was no space to start", refused)
        verdicts.check("space" in str(refused), "with the reason", refused)
    service.stop()
    filler.unlink()
    lib.Service(bus, arguments.daemon, store=folder / "new" / "dosetap.db").stop()
    verdicts.check(not lib.Log(folder / "new" / "dosetap.db").faults, "and later it starts")


main()
