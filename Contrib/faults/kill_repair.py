#!/usr/bin/env python3
"""SIGKILL, ENOSPC and EIO at the n-th system call while a damaged record is found, or repaired, or its tables are rebuilt: the
record as it was or the repaired one, every acknowledged event is there, and a failure has a name (fault K3)."""

import contextlib
import shutil
import subprocess
import time

import lib
import record
from wire import Variant

CALLS = "openat,pwrite64,write,fdatasync,fsync,ftruncate,rename,unlink"
DATA = lib.NAME + ".Data"
NOTE, CHANGED = "a planted note", "a changed note"
EVENING = lib.microseconds(-12_000)


def strace(store, how, count, more=()):
    names = ["", "-wal", ".head", ".night", ".reserve", ".switch", ".switch-new", ".beside", ".beside-wal", ".beside.head",
             ".beside.night", ".beside.lease", ".repaired", ".repaired-wal", ".repaired-rows", ".repaired.head",
             ".repaired.report"]
    paths = [word for name in names for word in ("-P", f"{store}{name}")]
    return ["strace", "-f", "-qq", "-o", "/dev/null", *paths, "-P", store.parent, "-e", f"trace={CALLS}",
            "-e", f"inject={CALLS}:{how}:when={count}", *more]


def cut_off(store):
    """The end of the file is gone."""
    with open(store, "r+b") as file:
        file.truncate(store.stat().st_size // 2 // 4096 * 4096)


def change(store):
    """An event of the log is not what was recorded: the chain is broken."""
    with contextlib.closing(lib.opened(store)) as database, database:
        if not database.execute("UPDATE events SET payload = replace(payload, ?, ?) WHERE instr(payload, ?)",
                                (NOTE, CHANGED, NOTE)).rowcount:
            raise SystemExit("there is nothing to change in the record")


def falsify(store):
    """The tables do not say what the log says."""
    database = lib.opened(store)
    database.execute("UPDATE dose_events SET timestamp = '2001-01-01T00:00:00.000Z'")
    database.execute("DELETE FROM sleep_events")
    database.execute("INSERT INTO sleep_events(id, event_type, timestamp, session_date) "
                     "VALUES ('foreign', 'water', '2026-01-01T00:00:00.000Z', '2026-01-01')")
    database.commit()
    database.close()


def evening(bus, arguments):
    """A record with an acknowledged dose, and its id."""
    service = lib.Service(bus, arguments.daemon)
    with bus.connect_closing() as connection:
        dose = lib.act(connection, "LogDose1", key="a", at=EVENING)["event_id"]
        connection.call(lib.NAME, lib.PATH, lib.NAME + ".Diary", "LogSleepEvent", "sa{sv}",
                        ("bathroom", lib.variants({"note": NOTE})))
    service.stop()
    return service.store, dose


def damaged(bus, arguments, damage):
    """A folder with a damaged record, and two acknowledged doses: where a fresh log is begun, the second one is in that."""
    store, dose = evening(bus, arguments)
    if damage is not falsify:
        damage(store)
    service = lib.Service(bus, arguments.daemon, store=store)
    with bus.connect_closing() as connection:
        doses = [dose, lib.act(connection, "LogDose2", key="b")["event_id"]]
    service.stop()
    if damage is falsify:
        damage(store)
    return store.parent, doses


def ask(bus, member, *arguments, may_end=True):
    """Whether it was answered, and with what. `may_end`: the service may be killed meanwhile."""
    try:
        with bus.connect_closing() as connection:
            return connection.call(lib.NAME, lib.PATH, DATA, member, *arguments)
    except (lib.Gone, lib.Unanswered):
        if not may_end:
            raise
        return None
    except lib.BusError as error:
        # The service was killed before the call came.
        if may_end and str(error).startswith("org.freedesktop.DBus.Error."):
            return None
        raise


def mend(bus, damage, may_end=True):
    if damage is falsify:
        return ask(bus, "Rebuild", "a{sv}", ({},), may_end=may_end)
    return ask(bus, "Repair", "a{sv}", ({"replace": Variant("b", True)},), may_end=may_end)


def judge_tables(verdicts, log, where):
    doses, others = log.tables["dose_events"], [row[0] for row in log.tables["sleep_events"]]
    holds = len(doses) == 2 and len(others) == 1 and "foreign" not in others and not any("2001" in row[2] for row in doses)
    verdicts.check(holds, f"the tables follow from the log after {where}", f"{doses} {others}")


def judge_files(verdicts, store, damage, before, is_encrypted, where):
    """What lies beside the record that was repaired."""
    if is_encrypted:
        plain = [name for text in (NOTE, CHANGED) for name in lib.files_with(store.parent, text)]
        verdicts.check(record.is_encrypted(store) and not plain, f"it is still encrypted after {where}", plain)
    names = sorted(path.name for path in store.parent.iterdir())
    rest = [name for name in names if ".repaired" in name or ".switch" in name or name.startswith("dosetap.db.beside")]
    verdicts.check(not rest, f"nothing half is left after {where}", rest)
    if damage is falsify:
        return
    kept = [path for path in store.parent.iterdir() if ".damaged-" in path.name and path.name.split("-")[-1].isdigit()]
    # After `change` the record stays in use without a fresh log, and the service adds its own events to it.
    if damage is change:
        holds = len(kept) == 1 and any(CHANGED in row["payload"] for row in lib.Log(kept[0]).rows)
    else:
        holds = len(kept) == 1 and kept[0].read_bytes() == before
    verdicts.check(holds, f"the damaged file is kept after {where}", names)
    lists = [name for name in names if name.endswith(".report")]
    verdicts.check(lists == [path.name + ".report" for path in kept], f"the list of what is missing is beside it after {where}", names)


def at(bus, arguments, verdicts, template, doses, damage, how, count):
    """Disturbs one call; true when nothing was left to disturb."""
    store = lib.scratch() / "data" / "dosetap.db"
    shutil.copytree(template, store.parent)
    before = store.read_bytes()
    service = lib.Service(bus, arguments.daemon, store=store)
    tracer = lib.spawn(strace(store, how, count, ("-p", str(service.process.pid))), stderr=subprocess.PIPE)
    where = f"{how} at call {count} of a repair ({damage.__name__})"
    answer = None
    try:
        lib.attached(service.process.pid, tracer)
        answer = mend(bus, damage, may_end=how == lib.KILLED)
    except (lib.Gone, lib.Unanswered) as error:
        verdicts.check(False, f"there is an answer, {where}", repr(error))
    except lib.BusError as error:
        verdicts.check(how != lib.KILLED and error.short in lib.DISK_ERRORS, f"the failure has a name, {where}", error)
    except (SystemExit, FileNotFoundError):
        # The service may be killed before the call, because it also reads a damaged record by itself.
        if how != lib.KILLED or service.process.wait(20) != -9:
            raise
    if how == lib.KILLED and answer is None:
        service.process.wait(20)
        tracer.wait(20)
    else:
        verdicts.check(answer is None or answer["ok"], f"the repair is done at {where}", answer)
        verdicts.check(service.process.poll() is None, f"the service lives, {where}")
        lib.released(tracer)
        service.stop(30)
        if answer is not None:
            judge_tables(verdicts, lib.Log(store), where + ", before the next start")
    try:
        service = lib.Service(bus, arguments.daemon, store=store)
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after {where}", error)
        return False
    beside = store.with_name("dosetap.db.beside").exists()
    if beside:
        verdicts.check(answer is None and store.read_bytes() == before, f"the damaged record is as it was after {where}")
    verified = ask(bus, "Verify", "", ()) or {"ok": False}
    if beside or not verified["ok"] or damage is falsify:
        verdicts.check(answer is None or damage is falsify, f"the repair lasts after {where}", verified)
        try:
            again = mend(bus, damage)
            verdicts.check(again and again["ok"], f"the repair can be done anew after {where}", again)
        except lib.BusError as error:
            verdicts.check(False, f"the repair can be begun anew after {where}", error)
    for member in ("Check", "Verify"):
        report = ask(bus, member, "", ())
        verdicts.check(report and report["ok"], f"{member} finds nothing after {where}", report)
    with bus.connect_closing() as connection:
        found = [lib.outcome(connection, "LogDose1", key="a", at=EVENING), lib.outcome(connection, "LogDose2", key="b")]
    service.stop()
    same = all(isinstance(one, dict) and one["event_id"] == dose for one, dose in zip(found, doses))
    verdicts.check(same, f"each acknowledged dose is there once after {where}", found)
    log = lib.Log(store)
    verdicts.check(not log.faults, f"the record is whole after {where}", log.faults)
    noted = [row["payload"] for row in log.rows if row["type"] == "sleep_event_recorded"]
    verdicts.check(len(noted) == 1 and NOTE in noted[0], f"the entry is what was recorded after {where}", noted)
    judge_tables(verdicts, log, where)
    judge_files(verdicts, store, damage, before, arguments.encrypted, where)
    return answer is not None


def during_start(bus, arguments, verdicts, template, dose, damage, count):
    """Kills at one call of the first start with a damaged record and of its first entry; true when nothing was left to kill."""
    store = lib.scratch() / "data" / "dosetap.db"
    shutil.copytree(template, store.parent)
    where = f"a kill at call {count} of the start with a damaged record ({damage.__name__})"
    second = None
    try:
        service = lib.Service(bus, arguments.daemon, store=store, wrapper=strace(store, lib.KILLED, count))
        with bus.connect_closing() as connection:
            second = lib.act(connection, "LogDose2", key="b")["event_id"]
            pid = connection.call(*lib.DRIVER, "GetConnectionUnixProcessID", "s", (lib.NAME,))
        subprocess.run(["kill", str(pid)], check=False)
        service.process.wait(20)
    except (lib.NotStarted, lib.Gone, lib.Unanswered, lib.BusError):
        pass
    is_whole = second is not None
    try:
        service = lib.Service(bus, arguments.daemon, store=store)
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after {where}", error)
        return True
    with bus.connect_closing() as connection:
        found = [lib.outcome(connection, "LogDose1", key="a", at=EVENING), lib.outcome(connection, "LogDose2", key="b")]
    same = all(isinstance(one, dict) for one in found) and found[0]["event_id"] == dose
    same = same and second in (None, found[1]["event_id"])
    verdicts.check(same, f"each acknowledged dose is there once after {where}", found)
    report = mend(bus, damage)
    verdicts.check(report and report["ok"], f"the repair is done after {where}", report)
    service.stop()
    log = lib.Log(store)
    doses = [row["id"] for row in log.rows if row["type"] == "dose_recorded"]
    holds = same and not log.faults and sorted(doses) == sorted(one["event_id"] for one in found)
    verdicts.check(holds, f"the repaired record has both doses after {where}", f"{doses} {log.faults}")
    return is_whole


def main():
    arguments = lib.options(__doc__, encrypts=True, step=0)
    lib.require("strace")
    verdicts = lib.Verdicts("kill-repair")
    bus = lib.Bus()
    for damage in (lib.overwrite, cut_off, change, falsify):
        template, doses = damaged(bus, arguments, damage)
        step = arguments.step or (1 if arguments.long else 17)
        count, started = 1, time.monotonic()
        while not at(bus, arguments, verdicts, template, doses, damage, lib.KILLED, count):
            count += step
            if count > 3000:
                verdicts.check(False, "the run ends")
                break
        for how in (lib.FULL, lib.BROKEN):
            for point in range(3, count, step if arguments.long else max(5, count // 5)):
                at(bus, arguments, verdicts, template, doses, damage, how, point)
        verdicts.say(f"{damage.__name__}: points 1 to {count} by {step}, {time.monotonic() - started:.0f} s")
    for damage in (lib.overwrite, cut_off, change):
        store, dose = evening(bus, arguments)
        damage(store)
        count, started = 1, time.monotonic()
        while not during_start(bus, arguments, verdicts, store.parent, dose, damage, count):
            count += step
            if count > 2000:
                verdicts.check(False, "the run ends")
                break
        verdicts.say(f"start, {damage.__name__}: points 1 to {count} by {step}, {time.monotonic() - started:.0f} s")
    bus.stop()
    verdicts.finish()


main()
