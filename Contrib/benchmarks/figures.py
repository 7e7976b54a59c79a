"""The figures, one function each; each returns rows of the table."""

import collections
import datetime
import os
import pathlib
import re
import statistics
import subprocess
import time

import encryption as cipher
import lib
from harness import (FIRST, FLOOR_NAME, HERE, MINIMAL_NAME, PINNED, Awake, Floor, alternating, call_once, measured,
                     settled)

Row = collections.namedtuple("Row", "figure unit ours floor peer ratio goal ok", defaults=(None,) * 8)


def row(figure, unit, ours, floor=None, peer=None, limit=None, against="floor", goal=None, ok=None):
    """A row; with a limit the ratio is to the floor or the peer, whichever it is against."""
    base = peer if against == "peer" else floor
    ratio = ours / base if base else None
    if limit is not None and ratio is not None:
        goal, ok = f"≤ {limit:.2f} × {against}", ratio <= limit
    return Row(figure, unit, ours, floor, peer, ratio, goal, ok)


def warm(setup, short):
    """Calls over one kept connection, everything on one CPU."""
    programs, bus = setup.programs, setup.bus
    wrapper = [*setup.journal.wrapper, *PINNED]
    services = [Floor(programs, bus, setup.schema, wrapper=wrapper),
                Floor(programs, bus, setup.schema, minimal=True, wrapper=wrapper)]
    rounds = 5 if short else 15
    with setup.service(PINNED):
        names = {"ours": lib.NAME, "floor": FLOOR_NAME, "minimal": MINIMAL_NAME}
        compare_sizes(setup, names)
        for name in ("ours", "floor"):
            call_once(programs, bus, names[name], "LogDose1", "standing")
        count = 1500 if short else 4000
        status = alternating({key: (lambda name=names[key]: measured([*PINNED, programs.client, "status", name, count], bus))
                              for key in ("ours", "floor")}, rounds)
        for name in ("ours", "floor"):
            call_once(programs, bus, names[name], "Undo", "fallen")
        with Awake(programs):
            count = 200 if short else 600
            dose = alternating({key: (lambda name=name: measured([*PINNED, programs.client, "dose", name, count], bus))
                                for key, name in names.items()}, rounds)
    for one in services:
        one.stop()
    yield row("Status, warm, p50", "µs", status["ours"]["p50"], status["floor"]["p50"], limit=1.20)
    yield row("LogDose1, warm, durable, p50", "µs", dose["ours"]["p50"], dose["floor"]["p50"], limit=1.20)
    yield row("LogDose1, warm, durable, p90", "µs", dose["ours"]["p90"], dose["floor"]["p90"])
    yield row("  against one bare row, no signals", "µs", dose["ours"]["p50"], dose["minimal"]["p50"])


def compare_sizes(setup, names):
    """Says how much each of the two sends, as the floor is one only if it does the same work."""
    told = []
    for key in ("ours", "floor"):
        with setup.bus.connect_closing() as connection:
            owner = connection.call(*lib.DRIVER, "GetNameOwner", "s", (names[key],))
            connection.match(f"type='signal',sender='{owner}'")
            sizes = []
            for member, words in (("LogDose1", {"key": lib.Variant("s", "sizes")}), ("Status", {}),
                                  ("Undo", {"key": lib.Variant("s", "sizes-undo")})):
                serial = connection.send(names[key], lib.PATH, lib.SESSION, member, "a{sv}", (words,))
                while serial not in connection.replies:
                    connection.receive(10)
                sizes.append(connection.replies.pop(serial).size)
            deadline = time.monotonic() + 0.4
            try:
                while True:
                    connection.receive(deadline - time.monotonic())
            except lib.Unanswered:
                pass
            told.append(f"{key}: receipt {sizes[0]} B, status {sizes[1]} B, {len(connection.signals)} signals of "
                        f"{sum(one.size for one in connection.signals)} B for a dose and its undo")
    setup.notes += told


def flushes(setup, short):
    """fdatasync calls for each acknowledged action."""
    with setup.service() as service:
        trace = lib.scratch() / "trace"
        with setup.bus.connect_closing() as connection:
            lib.act(connection, "LogDose1", key="warm")
            lib.act(connection, "Undo", key="warm-undo")
            tracer = lib.tracing(service.process.pid, "trace=fdatasync,fsync,sync_file_range,msync,sync,syncfs", output=trace)
            actions = 40
            for turn in range(actions):
                lib.act(connection, ("LogDose1", "Undo")[turn % 2], key=f"flush-{turn}")
            time.sleep(0.2)
            lib.released(tracer)
        seen = collections.Counter(re.findall(r"\d+\s+(\w+)\(", trace.read_text()))
    others = sum(seen.values()) - seen["fdatasync"]
    yield Row("fdatasync per acknowledged event", "", seen["fdatasync"] / actions, 1.0, None, seen["fdatasync"] / actions,
              "1, and no other flush", seen["fdatasync"] == actions and others == 0)


def process(setup, short):
    """Whole processes: start, one call, end."""
    programs, bus = setup.programs, setup.bus
    spawn, count, rounds = programs.spawn, 40 if short else 150, 5 if short else 9
    busctl = ["busctl", f"--address={bus.address}", "call", lib.NAME, lib.PATH, lib.SESSION]
    undo = ["--", programs.client, "once", lib.NAME, "Undo", "undo-%n"]
    with setup.service():
        call_once(programs, bus, lib.NAME, "LogDose1", "standing")
        status = alternating({
            "ours": lambda: measured([spawn, count, programs.cli, "status"], bus),
            "floor": lambda: measured([spawn, count, programs.client, "once", lib.NAME, "Status"], bus),
            "peer": lambda: measured([spawn, count, *busctl, "Status", "a{sv}", 0], bus)}, rounds)
        call_once(programs, bus, lib.NAME, "Undo", "fallen")
        dose = alternating({
            "ours": lambda: measured([spawn, count, programs.cli, "log", "dose1", "--key", "cli-%n", *undo], bus),
            "floor": lambda: measured([spawn, count, programs.client, "once", lib.NAME, "LogDose1", "c-%n", *undo], bus),
            "peer": lambda: measured([spawn, count, *busctl, "LogDose1", "a{sv}", 1, "key", "s", "b-%n", *undo], bus)},
            rounds)
    for name, taken, against_peer in (("status", status, 0.70), ("durable dose", dose, 0.75)):
        ours, floor, peer = (taken[key]["p50"] / 1000 for key in ("ours", "floor", "peer"))
        yield row(f"dosetap {name}, process, vs busctl", "ms", ours, floor, peer, limit=against_peer, against="peer")
        yield row(f"dosetap {name}, process, vs C", "ms", ours, floor, peer, limit=2.0 if name == "status" else None)


def switches(pid):
    total = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        text = pathlib.Path(f"/proc/{pid}/task/{thread}/status").read_text()
        total[thread] = int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.M)[1])
    return total


def memory(pid):
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    kib = {name: int(value) for name, value in re.findall(r"^(\w+):\s+(\d+) kB", text, re.M)}
    return kib["Rss"] / 1024, kib["Private_Dirty"] / 1024


def idle(setup, short):
    """A night with its next deadline armed, left alone."""
    programs, bus = setup.programs, setup.bus
    floor, seconds = Floor(programs, bus, setup.schema), 30 if short else 300
    with setup.service() as service:
        for name in (lib.NAME, FLOOR_NAME):
            call_once(programs, bus, name, "LogDose1", "idle")
        time.sleep(3)
        pids = {"ours": service.process.pid, "floor": floor.process.pid}
        before = {key: switches(pid) for key, pid in pids.items()}
        time.sleep(seconds)
        woken = {}
        for key, pid in pids.items():
            after = switches(pid)
            woken[key] = sum(count - before[key].get(thread, 0) for thread, count in after.items())
        used = {key: memory(pid) for key, pid in pids.items()}
        threads = len(os.listdir(f"/proc/{pids['ours']}/task"))
    floor.stop()
    setup.notes.append(f"idle: {threads} threads")
    yield Row(f"wake-ups in {seconds} s, deadline armed", "", woken["ours"], woken["floor"], None, None, "0", woken["ours"] == 0)
    yield Row("resident memory", "MiB", used["ours"][0], used["floor"][0], None, used["ours"][0] / used["floor"][0],
              "≤ 24 MiB", used["ours"][0] <= 24)
    yield Row("private dirty memory", "MiB", used["ours"][1], used["floor"][1], None, used["ours"][1] / used["floor"][1],
              "≤ 4 MiB", used["ours"][1] <= 4)


def boot_offset():
    """The wall clock less the counter, in µs: the largest of a few, as a pause between the two makes it smaller."""
    asleep = min(time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                 for _ in range(5)) // 1000
    return max(time.clock_gettime_ns(time.CLOCK_REALTIME) // 1000
               - time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) // 1000 for _ in range(5)) - asleep


def notified(setup):
    """A notification server that writes down when it is called, and where; it has its name when this returns."""
    arrivals = lib.scratch() / "arrivals"
    with open(arrivals, "w") as file:
        server = lib.spawn([*FIRST, setup.programs.notify], env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": setup.bus.address},
                           stdin=subprocess.DEVNULL, stdout=file)
    Floor.await_name(setup.bus, "org.freedesktop.Notifications", server)
    return server, arrivals


def lateness(setup, short):
    """From the instant a window opens to the moment the service reads its clock for it, after the log; and to the moment
    the notification server has the reminder. A bare timer is armed at each of the same instants: what holds up the machine
    holds up both."""
    programs, bus, count = setup.programs, setup.bus, 40 if short else 500
    bare, offsets, held_up = [], {}, set()
    server, arrivals = notified(setup)
    timer = lib.spawn([*FIRST, programs.timer], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with setup.service(FIRST) as service, bus.connect_closing() as connection:
        connection.match(f"type='signal',interface='{lib.SESSION}',member='PhaseChanged'")
        for turn in range(count):
            due = lib.microseconds(0.15) // 1000 * 1000
            lib.act(connection, "LogDose1", at=due - 9_000_000_000, key=f"late-{turn}")
            print(due, file=timer.stdin, flush=True)
            # If the disk took too long for the dose, the deadline was already past.
            if lib.microseconds() > due - 5_000:
                held_up.add(due)
            connection.await_signal("PhaseChanged", 5, lambda words: words[1] == "active")
            time.sleep(0.02)
            offsets[due] = boot_offset()
            lib.act(connection, "Undo", key=f"late-undo-{turn}")
            connection.signals.clear()
            bare.append((due, int(timer.stdout.readline()) / 1000))
    lib.end(server)
    timer.stdin.close()
    timer.wait(5)
    opened = lib.Log(service.store)
    late = []
    fired = [one for one in opened.rows if one["type"] == "reminder_fired" and "window_open" in str(one["payload"])]
    for one, (due, offset) in zip(fired, offsets.items()):
        if due not in held_up:
            late.append(one["boot_time_us"] + offset - due)
    late.sort()
    early = sum(one < -1 for one in late)
    p99 = late[int((len(late) - 1) * 0.99)]
    bare = sorted(one for due, one in bare if due not in held_up)
    floor, half = bare[int((len(bare) - 1) * 0.99)], bare[len(bare) // 2]
    yield row("deadline lateness, p50", "µs", late[len(late) // 2], half)
    yield Row("deadline lateness, p99", "µs", p99, floor, None, p99 / floor, "≤ 2.00 × floor, 0 early",
              p99 <= 2 * floor and early == 0 and len(late) == count - len(held_up))
    came = [int(line) / 1000 for line in arrivals.read_text().split()]
    # The first call of each turn counts. An early call would show, because a turn begins before its deadline.
    begins = [due - 80_000 for due in offsets] + [float("inf")]
    turns = zip(offsets, ([one for one in came if begin <= one < end] for begin, end in zip(begins, begins[1:])))
    waits = sorted(calls[0] - due for due, calls in turns if calls and due not in held_up)
    if len(waits) < count - len(held_up):
        raise RuntimeError(f"lateness: {len(waits)} of {count - len(held_up)} reminders reached the notification server")
    p99, early = waits[int((len(waits) - 1) * 0.99)] / 1000, sum(one < 0 for one in waits)
    setup.notes.append(f"due until Notify: {waits[0] / 1000:.2f} to {waits[-1] / 1000:.2f} ms in {len(waits)}, {early} early; "
                       f"{len(held_up)} doses were recorded too late to count; reading the clock {late[-1]} µs at most")
    yield row("due until Notify is there, p50", "ms", waits[len(waits) // 2] / 1000, half / 1000)
    yield Row("due until Notify is there, p99", "ms", p99, floor / 1000, None, p99 * 1000 / floor, "≤ 10 ms, 0 early",
              p99 <= 10 and early == 0)


def start(setup, short):
    """From the start of the process until the name is owned."""
    programs, bus = setup.programs, setup.bus

    def timed(name, command, environment):
        def once():
            with bus.connect_closing() as watch:
                watch.match(f"type='signal',member='NameOwnerChanged',arg0='{name}'")
                began = time.monotonic()
                one = lib.spawn(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
                watch.await_signal("NameOwnerChanged", 20, lambda words: words[0] == name and words[2])
                took = (time.monotonic() - began) * 1000
                lib.end(one, 15)
            return {"p50": took}
        return once

    with setup.service() as empty:
        pass
    with setup.service(store=setup.long_store()) as long:
        pass
    floor = Floor(programs, bus, setup.schema)
    floor.stop()

    def ours(service):
        return timed(lib.NAME, [programs.daemon, "--store", service.store, "--address", bus.address], service.environment)

    taken = alternating({"empty": ours(empty), "long": ours(long),
                         "floor": timed(FLOOR_NAME, floor.command, None)}, 9 if short else 25)
    empty_ms, long_ms = taken["empty"]["p50"], taken["long"]["p50"]
    yield row("start until the name is owned", "ms", empty_ms, taken["floor"]["p50"])
    yield row("  the same, ten years against empty", "ms", long_ms, empty_ms, limit=1.15)


def spread(taken, ours, floor):
    """How the ratio lay round by round."""
    ratios = [one / other for one, other in zip(taken[ours]["rounds"], taken[floor]["rounds"])]
    return f"{min(ratios):.2f} to {max(ratios):.2f} in {len(ratios)} rounds"


def nights(setup, short):
    """Looking back on ten years: the newest nights, and what each month was like."""
    programs, rounds, count = setup.programs, 7 if short else 15, 200 if short else 500
    bus = setup.bus
    store, floor_store, tool_store = (setup.long_store() for _ in range(3))
    # The tool reads a file that no other process has open, in the mode that is fastest for it.
    subprocess.run(["sqlite3", tool_store, "PRAGMA journal_mode=DELETE"], check=True, stdout=subprocess.DEVNULL)
    queries = {"nights": HERE / "nights.sql", "months": HERE / "months.sql"}
    floor = lib.spawn([*PINNED, programs.lookback, "--store", floor_store, "--name", FLOOR_NAME,
                       "--nights", queries["nights"], "--months", queries["months"]],
                      env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus.address})
    service = lib.Service(bus, programs.daemon, store=store, wrapper=[*setup.journal.wrapper, *PINNED])
    Floor.await_name(bus, FLOOR_NAME, floor)
    settled(service.process)
    names = {"ours": lib.NAME, "floor": FLOOR_NAME}
    for kind, label, limit in (("nights", "newest 30 nights, warm", 1.50), ("months", "intervals by month, warm", None)):
        taken = alternating({key: (lambda name=name: measured([*PINNED, programs.client, kind, name, count], bus))
                             for key, name in names.items()}, rounds)
        setup.notes.append(f"{label}: {spread(taken, 'ours', 'floor')}")
        yield row(label, "µs", taken["ours"]["p50"], taken["floor"]["p50"], limit=limit)
    lib.end(floor)
    # The command has the zone of the service, as on a person's machine.
    home = [*FIRST, "env", "TZ=Europe/Vienna"]
    lines = {"nights": ("dosetap history", ["history"], "LIMIT 15", 1.30),
             "months": ("dosetap stats --intervals", ["stats", "--intervals"], "", 1.20)}
    for kind, (label, words, limited, limit) in lines.items():
        sql = queries[kind].read_text().replace("LIMIT 31", limited)
        taken = alternating({
            "ours": lambda: measured([*home, programs.spawn, 60, programs.cli, *words], bus),
            "tool": lambda: measured([*home, programs.spawn, 60, "sqlite3", tool_store, sql], bus)}, rounds)
        setup.notes.append(f"{label}: {spread(taken, 'ours', 'tool')}")
        yield row(f"{label}, process, vs sqlite3", "ms", taken["ours"]["p50"] / 1000, None, taken["tool"]["p50"] / 1000,
                  limit=limit, against="peer")
    service.stop()


def export(setup, short):
    """Ten years as CSV against the sqlite3 tool on the same rows, and a dose while the log is exported."""
    programs, bus, rounds, count = setup.programs, setup.bus, 5 if short else 11, 5 if short else 10
    store, tool_store = setup.long_store(), setup.long_store()
    subprocess.run(["sqlite3", tool_store, "PRAGMA journal_mode=DELETE"], check=True, stdout=subprocess.DEVNULL)
    service = lib.Service(bus, programs.daemon, store=store, wrapper=setup.journal.wrapper)
    settled(service.process)
    used = memory(service.process.pid)[0]
    for name in ("sleep_events", "dose_events", "morning_checkins"):
        taken = alternating({
            "ours": lambda: measured([programs.spawn, count, programs.cli, "export", "csv", name], bus),
            "tool": lambda: measured([programs.spawn, count, "sqlite3", "-csv", "-header", tool_store,
                                      f"SELECT * FROM {name}"], bus)}, rounds)
        setup.notes.append(f"export csv {name}: {spread(taken, 'ours', 'tool')}")
        yield row(f"export csv {name}, process, vs sqlite3", "ms", taken["ours"]["p50"] / 1000, None,
                  taken["tool"]["p50"] / 1000, limit=1.50, against="peer")
    for words in (["log"], ["csv", "nights"]):
        began = time.monotonic()
        subprocess.run([programs.cli, "export", *words], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus.address})
        yield row(f"export {' '.join(words)}, once", "ms", (time.monotonic() - began) * 1000)
    last = subprocess.run(["sqlite3", tool_store, "SELECT max(session_date) FROM sleep_sessions"], check=True,
                          capture_output=True, text=True).stdout.strip()
    first = str(datetime.date.fromisoformat(last) - datetime.timedelta(days=364))
    page = lib.scratch() / "report.html"
    taken = []
    for _ in range(rounds):
        began = time.monotonic()
        subprocess.run([programs.cli, "report", "--from", first, "-o", page, "--force"], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus.address})
        taken.append((time.monotonic() - began) * 1000)
    size, taken = os.path.getsize(page) / 1e6, statistics.median(taken)
    yield Row("report of a year, process, p50", "ms", taken, None, None, None, "≤ 300 ms", taken <= 300)
    yield Row("report of a year, its page", "MB", size, None, None, None, "≤ 1 MB", size <= 1)
    yield Row("resident memory an export leaves", "MiB", memory(service.process.pid)[0] - used)
    # Exports run one after the other, for as long as the doses take.
    exporting = lib.spawn(["sh", "-c", f"while :; do '{programs.cli}' export log > /dev/null || exit; done"],
                          env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus.address})
    time.sleep(0.2)
    dose = measured([programs.client, "dose", lib.NAME, 200 if short else 500], bus)
    lib.end(exporting)
    yield Row("LogDose1 while the log is exported, p99", "ms", dose["p99"] / 1000, None, None, None, "≤ 250 ms",
              dose["p99"] / 1000 <= 250)
    service.stop()


def lab(setup, short):
    """A question to all nights of ten years: the command, and of that the filter with the nights it was streamed."""
    programs, bus = setup.programs, setup.bus
    service = lib.Service(bus, programs.daemon, store=setup.long_store(), wrapper=setup.journal.wrapper)
    settled(service.process)
    words = [programs.cli, "lab", "explore", "interval", "rested"]
    taken = []
    for _ in range(3 if short else 7):
        began = time.monotonic()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus.address})
        taken.append((time.monotonic() - began) * 1000)
    whole = statistics.median(taken)
    yield Row("lab explore over ten years, process", "ms", whole, None, None, None, "≤ 200 ms", whole <= 200)
    service.stop()


# The number of sleeps in the large file: 3 a day from 2001 on, before the ten years of the store.
SLEEPS = 10_000


def imports(setup, short):
    """A large file into ten years, and what a dose waits for it; a log into an empty record; an export of Apple Health."""
    import importing
    import importlog
    programs, bus = setup.programs, setup.bus
    service = lib.Service(bus, programs.daemon, store=setup.long_store(), wrapper=setup.journal.wrapper)
    settled(service.process)
    path = pathlib.Path(service.store).with_suffix(".plees.csv")
    with open(path, "w") as file:
        file.write("sid,start,stop,rating\n")
        for number in range(SLEEPS):
            start = (978_307_200 + number // 3 * 86_400 + number % 3 * 25_000) * 1_000
            file.write(f"{number},{start},{start + 20_000_000},4\n")
    began = time.monotonic()
    importer = lib.spawn([programs.cli, "import", "plees", str(path), "--quiet"],
                         env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": bus.address})
    waits = []
    with bus.connect_closing() as connection:
        # A dry dose waits in the queue as a real one does, and leaves the import's plan as it is.
        while importer.poll() is None:
            asked = time.monotonic()
            connection.call(lib.NAME, lib.PATH, lib.SESSION, "LogDose1", "a{sv}", ({"dry_run": lib.Variant("b", True)},))
            waits.append((time.monotonic() - asked) * 1000)
    whole = (time.monotonic() - began) * 1000
    if importer.returncode != 0:
        raise RuntimeError(f"the import ended with {importer.returncode}")
    yield Row(f"import of {SLEEPS} sleeps into ten years, process", "ms", whole)
    yield Row("LogDose1 (dry) during it, longest: the commit", "ms", max(waits), None, None, None, "≤ 1200 ms",
              max(waits) <= 1200)
    yield Row("LogDose1 (dry) during it, p50", "ms", statistics.median(waits))
    service.stop()
    path.unlink()
    log = importlog.measure(programs, 2 if short else 5)
    yield row(f"import log of ten years, {log.megabytes:.0f} MB, processors", "s", log.ours, None, log.floor, limit=1.5,
              against="peer")
    health = importing.measure(0.1 if short else 1, 2 if short else 5)
    yield row(f"Apple Health, {health.megabytes:.0f} MB, processors", "s", health.ours, health.floor, limit=2)
    speed = health.megabytes / health.ours
    yield Row("Apple Health, a second", "MB", speed, None, None, None, "≥ 50 MB", speed >= 50)
    yield Row("Apple Health, most memory", "MiB", health.memory, health.floor_memory, None, None, "≤ 100 MiB",
              health.memory <= 100)


def history(setup, short):
    """The same work on an empty store and on one of ten years, each on its own bus."""
    programs, rounds = setup.programs, 5 if short else 11
    other = lib.Bus(wrapper=PINNED)
    long = lib.Service(other, programs.daemon, store=setup.long_store(), wrapper=[*setup.journal.wrapper, *PINNED])
    settled(long.process)
    with setup.service(PINNED):
        buses = {"empty": setup.bus, "long": other}
        for one in buses.values():
            call_once(programs, one, lib.NAME, "LogDose1", "standing")

        def taken(kind, count):
            return alternating({key: (lambda one=one: measured([*PINNED, programs.client, kind, lib.NAME, count], one))
                                for key, one in buses.items()}, rounds)

        status = taken("status", 1500)
        for one in buses.values():
            call_once(programs, one, lib.NAME, "Undo", "fallen")
        with Awake(programs):
            dose = taken("dose", 200)
        used = memory(long.process.pid)[0]
    long.stop()
    other.stop()
    yield row("Status, ten years against empty", "µs", status["long"]["p50"], status["empty"]["p50"], limit=1.15)
    yield row("LogDose1, ten years against empty", "µs", dose["long"]["p50"], dose["empty"]["p50"], limit=1.15)
    yield Row("resident memory with ten years", "MiB", used, None, None, None, "≤ 24 MiB", used <= 24)


def encryption(setup, short):
    """What an encrypted record costs, against one of the same service that is not."""
    if not lib.can_encrypt(setup.programs.daemon):
        setup.notes.append("no row for encryption: this service is linked with plain SQLite")
        return
    plain, encrypted = cipher.measured(setup.bus, setup.programs.daemon, 3 if short else 10).values()
    for name, taken in encrypted.figures.items():
        what, unit = name.split(", ")
        yield row(f"{what}, encrypted, p50", unit, statistics.median(taken), statistics.median(plain.figures[name]))
