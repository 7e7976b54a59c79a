#!/usr/bin/env python3
"""A full disk (fault B3): doses are kept and told as not yet safe, reminders still come, and all is written when there is
space again; also when the service is stopped, or the machine started anew, while the disk is still full. A backup, a
restore and a migration that find no room change nothing, and the night goes on (fault K3). An export into a full disk
leaves no file (fault K6)."""

import json
import os
import shutil
import subprocess
import sys
import time

import lib


def fill(folder):
    """Takes all the space there is, also what was given back since the last time."""
    with open(folder / "filler", "ab", buffering=0) as filler:
        for size in (65536, 4096, 1):
            try:
                while True:
                    filler.write(b"x" * size)
            except OSError:
                continue
    return folder / "filler"


def main():
    arguments = lib.options(__doc__, encrypts=True)
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
    folder = lib.scratch()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=0700", "none", folder], check=True)
    try:
        care(lib.Bus(), arguments, verdicts, folder)
    finally:
        subprocess.run(["umount", "-l", folder], check=False)
    verdicts.finish()


def care(bus, arguments, verdicts, folder):
    """A store of an earlier schema on a disk with too little room for a backup of it."""
    store = folder / "dosetap.db"
    shutil.copyfile(lib.ROOT / "Tests/DoseTapStoreTests/Fixtures/v4.db", store)
    os.chmod(store, 0o600)
    before = store.read_bytes()
    service = lib.Service(bus, arguments.daemon, store=store)

    def run(*words):
        done = subprocess.run([arguments.cli, *[str(word) for word in words], "--json"], capture_output=True, text=True,
                              env=service.environment, timeout=60, check=False)
        return done.returncode, json.loads(done.stdout or "{}")

    code, answer = run("log", "bathroom", "--key", "k")
    verdicts.check(code == 1 and answer["error"]["kind"] == "no_space" and answer["error"].get("kept"),
                   "an entry is told as not yet safe, and kept", answer)
    verdicts.check(run("status")[0] == 0 and run("history")[1].get("nights"),
                   "the night goes on without space for the backup")
    verdicts.check(store.read_bytes() == before, "the schema waits for the backup")
    subprocess.run(["mount", "-o", "remount,size=128m", folder], check=True)
    code, answer = run("log", "bathroom", "--key", "k")
    verdicts.check(code == 0, "with space it is recorded", answer)
    made = run("db", "backups")[1].get("backups", [])
    verdicts.check([backup["kind"] for backup in made] == ["migration"], "a backup preceded the migration", made)
    copy = lib.scratch() / "copy.db"
    verdicts.check(run("db", "backup", copy)[0] == 0, "a backup is made with space")
    fill(folder)
    names = sorted(os.listdir(folder))
    for words in (("export", "log", "-o", folder / "log.jsonl"), ("export", "csv", "nights", "-o", folder / "nights.csv"),
                  ("db", "backup"), ("db", "backup", lib.scratch() / "other.db"),
                  ("db", "restore", copy, "--confirm", "restore", "--confirm", "window_unresolved")):
        code, answer = run(*words)
        verdicts.check(code == 1 and answer["error"]["kind"] == "no_space", f"no space is told: {words[1]}", answer)
    verdicts.check(sorted(os.listdir(folder)) == names, "nothing is left of what was not done", os.listdir(folder))
    service.stop()
    log = lib.Log(store)
    verdicts.check(not log.faults and len(log.keys.get("k", [])) == 1, "the record is whole", log.faults)


def scenario(bus, arguments, verdicts, folder):
    service = lib.Service(bus, arguments.daemon, store=folder / "dosetap.db")
    connection = bus.connect()
    connection.match(f"type='signal',path='{lib.PATH}'")
    lib.act(connection, "LogDose1", key="a")
    lib.act(connection, "Undo", key="b")
    filler = fill(folder)
    # The write-ahead log has room for some more commits in the blocks that it already has.
    answers = {}
    for turn in range(2 if not arguments.long else 200):
        due = lib.microseconds(-9000 + 3)
        answers[f"full-{turn}"] = lib.outcome(connection, "LogDose1", key=f"full-{turn}", at=due)
        if isinstance(answers[f"full-{turn}"], lib.BusError):
            break
        lib.act(connection, "Undo", key=f"undo-{turn}")
    failed = answers[f"full-{turn}"]
    verdicts.check(isinstance(failed, lib.BusError) and failed.short == "NoSpace", "a full disk is told by name", failed)
    verdicts.check(isinstance(failed, lib.BusError) and failed.details.get("kept"), "and says that the dose is kept", getattr(failed, "details", failed))
    shown = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
    verdicts.check(shown["dose1_time"] == due // 1000 * 1000, "the dose is kept in memory", shown)
    verdicts.check(any("safe" in warning["message"] for warning in lib.warnings(shown)), "status says that it is not yet safe", shown["warnings"])
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
    verdicts.check(not lib.warnings(shown), "and nothing is unsafe any more", shown["warnings"])
    connection.close()
    service.stop()
    log = service.log_rows()
    verdicts.check(not log.faults, "the store is whole", log.faults)
    verdicts.check(len(log.keys.get(f"full-{turn}", [])) == 1, "the dose is there exactly once")
    opened = [row for row in log.rows if row["type"] == "reminder_fired" and "window_open" in row["payload"]]
    verdicts.check(len(opened) == 1, "the reminder is on record exactly once", [row["payload"] for row in opened])
    stop_without_space(bus, arguments, verdicts, folder, "stop")
    stop_without_space(bus, arguments, verdicts, folder, "reboot")
    stop_without_space(bus, arguments, verdicts, folder, "crash")
    start_without_space(bus, arguments, verdicts, folder)


def stop_without_space(bus, arguments, verdicts, folder, how):
    """What was acknowledged on a full disk is there after the service ended while the disk was still full."""
    (folder / how).mkdir(mode=0o700)
    store = folder / how / "dosetap.db"
    service = lib.Service(bus, arguments.daemon, store=store)
    with bus.connect_closing() as connection:
        lib.act(connection, "LogDose1", at=lib.microseconds(-10_200))
        filler = fill(folder)
        for turn in range(200):
            taken = lib.outcome(connection, "LogDose2", key=f"{how}-{turn}")
            if isinstance(taken, lib.BusError):
                break
            lib.act(connection, "Undo", key=f"{how}-undo-{turn}")
        verdicts.check(isinstance(taken, lib.BusError) and taken.details.get("kept") is True,
                       f"{how}: the error says that the entry is kept", getattr(taken, "details", taken))
    code = service.kill() if how == "crash" else service.stop()
    verdicts.check(code != 0, f"{how}: the exit status is not 0", code)
    if how == "stop":
        # A checkpoint at the stop may have freed space, so the disk is filled again. The dose must still be known.
        fill(folder)
        between = lib.Service(bus, arguments.daemon, store=store)
        with bus.connect_closing() as connection:
            shown = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
            verdicts.check(shown["dose2_time"], f"{how}: dose 2 is known after a start on the full disk", shown)
            verdicts.check(any("dose 2" in warning["message"] for warning in lib.warnings(shown)), f"{how}: it is told", shown["warnings"])
        verdicts.check(between.stop() != 0, f"{how}: the second stop says so, too")
    filler.unlink()
    # A new home and a new runtime directory stand for a log-out or a reboot.
    later = lib.Service(bus, arguments.daemon, store=store)
    with bus.connect_closing() as connection:
        shown = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
        verdicts.check(shown["dose2_time"], f"{how}: dose 2 is on record after the next start", shown)
        verdicts.check(any("dose 2" in warning["message"] for warning in lib.warnings(shown)), f"{how}: it is told", shown["warnings"])
        again = lib.outcome(connection, "LogDose2")
        verdicts.check(isinstance(again, lib.BusError) or again["duplicate"], f"{how}: a second dose 2 is not taken unasked", again)
    verdicts.check(later.stop() == 0, f"{how}: and then the stop is a clean one")
    log = later.log_rows()
    doses = [row for row in log.rows if row["type"] == "dose_recorded" and '"dose2"' in row["payload"]]
    verdicts.check(not log.faults, f"{how}: the store is whole", log.faults)
    verdicts.check(len(log.keys.get(f"{how}-{turn}", [])) == 1, f"{how}: the dose is there once", len(doses))
    verdicts.check(len(doses) == 1 + turn, f"{how}: and no other", len(doses))


def start_without_space(bus, arguments, verdicts, folder):
    """A first start on a full disk: whatever is asked is answered with the reason, and there is no half-made store."""
    (folder / "new").mkdir(mode=0o700)
    filler = fill(folder)
    service = lib.Service(bus, arguments.daemon, store=folder / "new" / "dosetap.db", encrypts=False)
    with bus.connect_closing() as connection:
        refused = lib.outcome(connection, "LogDose1", key="first")
        verdicts.check(isinstance(refused, lib.BusError), "a dose is refused when there was no space to start", refused)
        verdicts.check("space" in str(refused), "with the reason", refused)
    service.stop()
    filler.unlink()
    lib.Service(bus, arguments.daemon, store=folder / "new" / "dosetap.db").stop()
    verdicts.check(not lib.Log(folder / "new" / "dosetap.db").faults, "and later it starts")


main()
