#!/usr/bin/env python3
"""SIGKILL, ENOSPC and EIO at each system call while a damaged record is found, or repaired, or its tables are rebuilt: the record as
it was or the repaired one, every acknowledged event is there, and a failure has a name (fault K3). In the short form a kill at each
call that comes seldom and at some of the others, and a failure at some calls of each name."""

import contextlib
import shutil
import subprocess
import time

import lib
import record
from wire import Variant

DATA = lib.NAME + ".Data"
NOTE, CHANGED, FOREIGN = "a planted note", "a changed note", "a foreign note"
EVENING = lib.microseconds(-12_000)


def paths(store):
    names = ["", "-wal", "-journal", ".head", ".night", ".reserve", ".key-id", ".switch", ".switch-new", ".beside", ".beside-wal",
             ".beside.head", ".beside.night", ".beside.lease", ".repaired", ".repaired-wal", ".repaired-rows", ".repaired.head",
             ".repaired.report"]
    return [*(f"{store}{name}" for name in names), store.parent]


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


def insert(store):
    """Another program added an entry to the log, and its row to a table."""
    with contextlib.closing(lib.opened(store)) as database, database:
        row = dict(zip(record.COLUMNS, database.execute(
            f"SELECT {','.join(record.COLUMNS)} FROM events WHERE instr(payload, ?)", (NOTE,)).fetchone()))
        row.update(seq=database.execute("SELECT max(seq) + 1 FROM events").fetchone()[0], id=FOREIGN, entity_id=FOREIGN,
                   idempotency_key=None, payload=row["payload"].replace(NOTE, FOREIGN), prev_hash=row["hash"], hash="f" * 64)
        database.execute(f"INSERT INTO events({','.join(row)}) VALUES ({','.join('?' * len(row))})", tuple(row.values()))
        database.execute("INSERT INTO sleep_events(id, event_type, timestamp, session_date) "
                         "VALUES ('foreign', 'water', '2026-01-01T00:00:00.000Z', '2026-01-01')")


def falsify(store):
    """The tables do not say what the log says."""
    database = lib.opened(store)
    database.execute("UPDATE dose_events SET timestamp = '2001-01-01T00:00:00.000Z'")
    database.execute("DELETE FROM sleep_events")
    database.execute("INSERT INTO sleep_events(id, event_type, timestamp, session_date) "
                     "VALUES ('foreign', 'water', '2026-01-01T00:00:00.000Z', '2026-01-01')")
    database.commit()
    database.close()


# What the file that is kept has of these.
PLANTED = {change: CHANGED, insert: FOREIGN}


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


def rolled_back(bus, arguments):
    """A folder with an older copy of the record in its place, and two acknowledged doses, of which that copy has one (R21.20)."""
    store, dose = evening(bus, arguments)
    older = store.read_bytes()
    service = lib.Service(bus, arguments.daemon, store=store)
    with bus.connect_closing() as connection:
        doses = [dose, lib.act(connection, "LogDose2", key="b")["event_id"]]
    service.stop()
    for suffix in ("-wal", "-shm"):
        store.with_name(store.name + suffix).unlink(missing_ok=True)
    store.write_bytes(older)
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
        plain = [name for text in (NOTE, CHANGED, FOREIGN) for name in lib.files_with(store.parent, text)]
        verdicts.check(record.is_encrypted(store) and not plain, f"it is still encrypted after {where}", plain)
    names = sorted(path.name for path in store.parent.iterdir())
    rest = [name for name in names if ".repaired" in name or ".switch" in name or name.startswith("dosetap.db.beside")]
    verdicts.check(not rest, f"nothing half is left after {where}", rest)
    if damage is falsify:
        return
    kept = [path for path in store.parent.iterdir() if ".damaged-" in path.name and path.name.split("-")[-1].isdigit()]
    # After `change` and `insert` the record stays in use without a fresh log, and the service adds its own events to it.
    if damage in PLANTED:
        holds = len(kept) == 1 and any(PLANTED[damage] in row["payload"] for row in lib.Log(kept[0]).rows)
    else:
        holds = len(kept) == 1 and kept[0].read_bytes() == before
    verdicts.check(holds, f"the damaged file is kept after {where}", names)
    lists = [name for name in names if name.endswith(".report")]
    verdicts.check(lists == [path.name + ".report" for path in kept], f"the list of what is missing is beside it after {where}", names)


def at(bus, arguments, verdicts, template, doses, damage, how, point):
    """Disturbs one call; true when nothing was left to disturb."""
    store = lib.scratch() / "data" / "dosetap.db"
    shutil.copytree(template, store.parent)
    before = store.read_bytes()
    service = lib.Service(bus, arguments.daemon, store=store)
    tracer = lib.spawn(point.strace(how, paths(store), store.parent.parent, ("-p", str(service.process.pid))),
                       stderr=subprocess.PIPE)
    where = f"{how} at {point} of a repair ({damage.__name__})"
    answer = code = None
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
        code = service.stop(30)
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
    return answer is not None and code == 0


def during_start(bus, arguments, verdicts, template, doses, damage, point):
    """Kills at one call of the first start with a record that is damaged or an older copy, and of its first entry; true when nothing
    was left to kill. `doses`: those that were acknowledged before."""
    store = lib.scratch() / "data" / "dosetap.db"
    shutil.copytree(template, store.parent)
    where = f"a kill at {point} of the start with a damaged record ({damage.__name__})"
    known = dict(zip("ab", doses))
    second = code = None
    try:
        service = lib.Service(bus, arguments.daemon, store=store, wrapper=point.strace(lib.KILLED, paths(store), store.parent.parent))
        with bus.connect_closing() as connection:
            second = lib.act(connection, "LogDose2", key="b")["event_id"]
            pid = connection.call(*lib.DRIVER, "GetConnectionUnixProcessID", "s", (lib.NAME,))
        subprocess.run(["kill", str(pid)], check=False)
        code = service.process.wait(20)
    except (lib.NotStarted, lib.Gone, lib.Unanswered, lib.BusError):
        # Where the service lives on, as after an answer that came too late, it would keep the next one from the record.
        with contextlib.suppress(lib.BusError), bus.connect_closing() as connection:
            while pid := connection.call(*lib.DRIVER, "GetConnectionUnixProcessID", "s", (lib.NAME,)):
                subprocess.run(["kill", "-KILL", str(pid)], check=False)
                time.sleep(0.05)
    is_whole = second is not None and code == 0
    try:
        service = lib.Service(bus, arguments.daemon, store=store)
    except lib.NotStarted as error:
        verdicts.check(False, f"the service starts after {where}", error)
        return False
    with bus.connect_closing() as connection:
        found = [lib.outcome(connection, "LogDose1", key="a", at=EVENING), lib.outcome(connection, "LogDose2", key="b")]
    told = {key: {known.get(key), second if key == "b" else None} - {None} for key in "ab"}
    same = all(isinstance(one, dict) and told[key] <= {one["event_id"]} for key, one in zip("ab", found))
    verdicts.check(same, f"each acknowledged dose is there once after {where}", found)
    if damage is not rolled_back:
        report = mend(bus, damage)
        verdicts.check(report and report["ok"], f"the repair is done after {where}", report)
    service.stop()
    if damage is rolled_back:
        # What was found when the record was opened is told in that run.
        service = lib.Service(bus, arguments.daemon, store=store)
        for member in ("Check", "Verify"):
            report = ask(bus, member, "", ())
            verdicts.check(report and report["ok"], f"{member} finds nothing later, after {where}", report)
        service.stop()
    log = lib.Log(store)
    if damage is rolled_back:
        verdicts.check(sum(row["type"] == "store_restored" for row in log.rows) == 1, f"that is recorded once, after {where}",
                       [row["type"] for row in log.rows])
        judge_tables(verdicts, log, where)
    doses = [row["id"] for row in log.rows if row["type"] == "dose_recorded"]
    holds = same and not log.faults and sorted(doses) == sorted(one["event_id"] for one in found)
    verdicts.check(holds, f"the repaired record has both doses after {where}", f"{doses} {log.faults}")
    return is_whole


def main():
    arguments = lib.options(__doc__, encrypts=True, step=0, only="")
    lib.require("strace")
    verdicts = lib.Verdicts("kill-repair")
    bus = lib.Bus()
    step, few = arguments.step or (1 if arguments.long else 60), None if arguments.long else 10
    for damage in (lib.overwrite, cut_off, change, insert, falsify):
        if arguments.only not in damage.__name__:
            continue
        template, doses = damaged(bus, arguments, damage)
        lib.walk(lambda how, point: at(bus, arguments, verdicts, template, doses, damage, how, point), verdicts, damage.__name__,
                 step, few)
        # What the damaged log lacks is in the copy of the last nights only.
        for how in (lib.FULL, lib.BROKEN):
            at(bus, arguments, verdicts, template, doses, damage, how, lib.Point("openat", 1, "data/dosetap.db.night"))
    for damage in (lib.overwrite, cut_off, change, insert, rolled_back):
        if arguments.only not in damage.__name__:
            continue
        if damage is rolled_back:
            template, doses = rolled_back(bus, arguments)
        else:
            store, *doses = evening(bus, arguments)
            damage(store)
            template = store.parent
        lib.walk(lambda _, point: during_start(bus, arguments, verdicts, template, doses, damage, point), verdicts,
                 f"start, {damage.__name__}", step, effects=())
    bus.stop()
    verdicts.finish()


main()
