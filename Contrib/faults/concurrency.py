#!/usr/bin/env python3
"""Many callers at once (faults D2, D3, D4): of many that log dose 1 at the same moment exactly one is accepted; a double
tap is one dose; every history of concurrent actions equals some serial order, which the log shows. The receipt leaves before
the signals of its act, which a person does not wait for."""

import json
import os
import random
import subprocess
import threading
import time

import lib


def many_programs(bus, arguments, service, verdicts):
    """D2: fifty CLIs at once: the same tap, and each with a time of its own, which is no repeat (R5.5, R5.6)."""
    if not os.access(arguments.cli, os.X_OK):
        verdicts.skip("the CLI is not built: set DOSETAP")
        return
    environment = {**service.environment, "DBUS_SESSION_BUS_ADDRESS": bus.address}
    rounds = 200 if arguments.long else 5
    for turn in range(rounds):
        named = turn % 2
        runs = [subprocess.Popen([arguments.cli, "log", "dose1", "--json", "--key", f"cli-{turn}-{one}",
                                  *(["--ago", "1m"] if named else [])],
                                 env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                for one in range(50)]
        answers = [(run.communicate(timeout=60), run.returncode) for run in runs]
        accepted = [json.loads(out) for (out, _), code in answers if code == 0]
        refused = [json.loads(out) for (out, _), code in answers if code == 5]
        verdicts.check(len(accepted) + len(refused) == 50, "every CLI is answered", [code for _, code in answers])
        first = [one for one in accepted if not one["duplicate"]]
        verdicts.check(len(first) == 1, "exactly one of fifty is accepted", f"{len(first)} of {len(accepted)}")
        if named:
            verdicts.check(len(accepted) == 1 and all(one["error"]["reason"] == "dose1_already_taken" for one in refused),
                           "the others are refused", len(accepted))
            verdicts.check(all(first[0]["event_id"] in json.dumps(one) or "standing" in json.dumps(one) for one in refused),
                           "a refusal names what stands", refused[:1])
        else:
            verdicts.check({one["event_id"] for one in accepted} == {first[0]["event_id"]} and len(accepted) == 50,
                           "the same tap again returns the first event", len(accepted))
        with bus.connect_closing() as connection:
            lib.act(connection, "Undo", key=f"cli-undo-{turn}", **KINDS["Undo"])


def many_callers(bus, arguments, verdicts):
    """D2: the same over fifty connections, sent in one breath."""
    service = lib.Service(bus, arguments.daemon)
    callers = [bus.connect() for _ in range(50)]
    rounds = 2000 if arguments.long else 40
    for turn in range(rounds):
        serials = [lib.send(one, "LogDose1", key=f"{turn}-{index}", at=lib.microseconds(-60))
                   for index, one in enumerate(callers)]
        accepted, reasons = [], []
        for one, serial in zip(callers, serials):
            try:
                accepted.append(one.wait(serial, 60))
            except lib.BusError as error:
                reasons.append((error.short, error.reason))
        good = len(accepted) == 1 and set(reasons) <= {("Refused", "dose1_already_taken"), ("Busy", None)}
        verdicts.check(good, "one of fifty callers is accepted", f"{len(accepted)} {set(reasons)}")
        lib.act(callers[0], "Undo", key=f"undo-{turn}", **KINDS["Undo"])
    # D3: a double tap from two connections, without keys and with a key for each.
    for turn in range(rounds):
        serials = [lib.send(one, "LogDose1", **({"key": f"tap-{turn}-{hand}"} if turn % 2 else {}))
                   for hand, one in enumerate(callers[:2])]
        pair = [one.wait(serial) for one, serial in zip(callers, serials)]
        verdicts.check(pair[0]["event_id"] == pair[1]["event_id"] and sorted(one["duplicate"] for one in pair) == [False, True],
                       "a double tap is one dose", pair)
        lib.act(callers[0], "Undo", key=f"tap-{turn}", **KINDS["Undo"])
    for one in callers:
        one.close()
    service.stop()
    log = service.log_rows()
    doses = sum(row["type"] == "dose_recorded" for row in log.rows)
    verdicts.check(doses == 2 * rounds and not log.faults, "as many doses as rounds", f"{doses} {log.faults}")


class Night:
    """The rules of the four actions used here, as far as they depend on the order of actions."""

    def __init__(self):
        self.actions = []

    def standing(self, kind):
        return any(one == kind for one, _ in self.actions)

    def accepts(self, kind):
        """Whether a night before the window takes this action, given with the confirmation `early`."""
        if kind == "LogDose1":
            return not self.standing("LogDose1")
        if kind == "LogDose2":
            return self.standing("LogDose1") and not self.standing("LogDose2") and not self.standing("SkipDose2")
        if kind == "SkipDose2":
            return self.standing("LogDose1") and not self.standing("LogDose2") and not self.standing("SkipDose2")
        return bool(self.actions)

    def take(self, kind, event):
        if kind == "Undo":
            self.actions.pop()
        else:
            self.actions.append((kind, event))

    def copy(self):
        other = Night()
        other.actions = list(self.actions)
        return other


KINDS = {"LogDose1": {}, "LogDose2": {"confirm": ["early"]}, "SkipDose2": {}, "Undo": {"confirm": ["undo_dose"]}}


def receipts_first(bus, service, verdicts):
    """The answer to an act is on its way before the signals about it."""
    with bus.connect_closing() as connection:
        connection.match(f"type='signal',path='{lib.PATH}',interface='{lib.SESSION}'")
        for turn in range(100):
            for member in ("LogDose1", "Undo"):
                connection.signals.clear()
                receipt = lib.act(connection, member, key=f"first-{turn}-{member}")
                early = [signal.body[0] for signal in connection.signals if signal.member == "EventRecorded"]
                verdicts.check(not early, "the receipt comes before the signals of its act", f"{member} {early}")
                connection.await_signal("EventRecorded", 10, lambda body: body[1] == receipt["event_id"])


def history(bus, service, seed, clients, actions):
    """What a few clients asked at once, when, and what they were told."""
    operations, lock = [], threading.Lock()

    def client(number):
        source, connection = random.Random(f"{seed}-{number}"), bus.connect()
        for turn in range(actions):
            kind, key = source.choice(list(KINDS)), f"h{seed}-{number}-{turn}"
            asked = time.monotonic()
            answer = lib.outcome(connection, kind, key=key, **KINDS[kind])
            with lock:
                operations.append((kind, key, asked, time.monotonic(), answer))
        connection.close()

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with bus.connect_closing() as connection:
        turn = 0
        while isinstance(lib.outcome(connection, "Undo", key=f"h{seed}-end-{turn}", **KINDS["Undo"]), dict):
            operations.append(("Undo", f"h{seed}-end-{turn}", time.monotonic(), float("inf"), None))
            turn += 1
    return operations


def judge(operations, log, verdicts):
    """The log's order must be one in which every answer makes sense, and agree with the order of the clock."""
    place = {events[0]: key for key, events in log.keys.items()}
    order = [place[row["id"]] for row in log.rows if row["id"] in place]
    by_key = {one[1]: one for one in operations}
    order = [key for key in order if key in by_key]
    nights, night = [Night()], Night()
    for key in order:
        kind = by_key[key][0]
        if not verdicts.check(night.accepts(kind), "the log's order is one the rules allow", f"{key} {kind} {night.actions}"):
            return
        night.take(kind, log.keys[key][0])
        nights.append(night.copy())
    latest = 0.0
    for key in order:
        if not verdicts.check(by_key[key][3] >= latest, "no answer came before what precedes it was asked", key):
            return
        latest = max(latest, by_key[key][2])
    index = {key: number for number, key in enumerate(order)}
    for kind, key, asked, answered, answer in operations:
        first = max((index[one[1]] + 1 for one in operations if one[3] < asked and one[1] in index), default=0)
        last = max((index[one[1]] + 1 for one in operations if one[2] < answered and one[1] in index), default=0)
        moments = nights[first:last + 1]
        if isinstance(answer, lib.BusError):
            if answer.short == "Busy":
                continue
            verdicts.check(key not in index, "what is refused is not in the log", f"{key} {answer}")
            verdicts.check(any(not night.accepts(kind) for night in moments),
                           "a refusal had a moment at which it was right", f"{key} {kind} {answer}")
        elif answer is not None and answer["duplicate"]:
            verdicts.check(key not in index, "the same tap is not in the log twice", key)
            verdicts.check(any(night.actions[-1:] == [(kind, answer["event_id"])] for night in moments),
                           "the first of two taps stood last", f"{key} {kind} {answer}")
        elif answer is not None:
            verdicts.check(key in index, "what is acknowledged is in the log", key)


def interleavings(bus, arguments, verdicts):
    """D4: histories against the model."""
    rounds = arguments.histories or (10_000 if arguments.long else 40)
    operations_seen = 0
    for turn in range(0, rounds, 20):
        service = lib.Service(bus, arguments.daemon)
        batch = [history(bus, service, f"{arguments.seed}-{turn}-{one}", 4, 6) for one in range(min(20, rounds - turn))]
        service.stop()
        log = service.log_rows()
        verdicts.check(not log.faults, "the chain holds", log.faults)
        for operations in batch:
            operations_seen += len(operations)
            judge(operations, log, verdicts)
        if verdicts.failed:
            break
    verdicts.say(f"D4: {rounds} histories, {operations_seen} actions")


def main():
    arguments = lib.options(__doc__, encrypts=True, histories=0)
    verdicts, bus = lib.Verdicts("concurrency"), lib.Bus()
    verdicts.say(f"seed {arguments.seed}")
    service = lib.Service(bus, arguments.daemon)
    many_programs(bus, arguments, service, verdicts)
    receipts_first(bus, service, verdicts)
    service.stop()
    many_callers(bus, arguments, verdicts)
    interleavings(bus, arguments, verdicts)
    verdicts.finish()


main()
