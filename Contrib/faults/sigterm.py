#!/usr/bin/env python3
"""SIGTERM during LogDose (fault F6): it finishes or refuses, leaves no caller without an answer, ends within two seconds
with 0, and the record is consistent."""

import random
import threading
import time

import lib


def caller(bus, prefix, results, start):
    """Logs until the service is gone; a key is acknowledged or refused by name."""
    connection, turn = bus.connect(), 0
    start.wait()
    try:
        while True:
            key = f"{prefix}-{turn}"
            results.append((key, None))
            answer = lib.outcome(connection, ("LogDose1", "Undo")[turn % 2], key=key, timeout=5)
            if isinstance(answer, lib.BusError):
                results[-1] = (key, answer)
                return
            results[-1] = (key, answer["event_id"])
            turn += 1
    except (lib.Gone, lib.Unanswered) as error:
        results[-1] = (key, error)


def main():
    arguments = lib.options(__doc__, rounds=0)
    verdicts, bus = lib.Verdicts("sigterm"), lib.Bus()
    service, source = lib.Service(bus, arguments.daemon), random.Random(arguments.seed)
    acknowledged, slowest, endings = {}, 0.0, {}
    for turn in range(arguments.rounds or (300 if arguments.long else 15)):
        if turn:
            service.start()
        results, start = [], threading.Event()
        thread = threading.Thread(target=caller, args=(bus, f"t{turn}", results, start))
        thread.start()
        start.set()
        time.sleep(source.uniform(0.005, 0.08))
        began = time.monotonic()
        try:
            code = service.stop(timeout=8)
        except lib.subprocess.TimeoutExpired:
            code = service.kill()
            verdicts.check(False, "it ends when told to")
        slowest = max(slowest, time.monotonic() - began)
        thread.join()
        verdicts.check(code == 0, "it ends with 0", code)
        for key, answer in results:
            if isinstance(answer, str):
                acknowledged[key] = answer
            else:
                word = answer.short if isinstance(answer, lib.BusError) else type(answer).__name__
                endings[word] = endings.get(word, 0) + 1
                verdicts.check(word in ("ServiceUnknown", "Busy", "StoreUnavailable"),
                               "the last caller is told that nothing was recorded", answer)
        log = service.log_rows()
        missing = [key for key, event in acknowledged.items() if log.keys.get(key) != [event]]
        verdicts.check(not missing and not log.faults, "the record is consistent", f"{missing[:3]} {log.faults}")
        if log.tables.get("current_session"):
            service.start()
            with bus.connect_closing() as connection:
                lib.outcome(connection, "Undo", key=f"t{turn}-clean")
            service.stop()
    verdicts.check(slowest <= 2, "it ends within two seconds", f"{slowest:.2f} s")
    verdicts.say(f"slowest stop {slowest * 1e3:.0f} ms, {len(acknowledged)} acknowledged, last answers {endings}")
    verdicts.finish()


main()
