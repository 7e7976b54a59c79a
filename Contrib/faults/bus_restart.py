#!/usr/bin/env python3
"""The bus ends and comes back (fault F1): the service is there again within five seconds, or ends with a code so that
its manager starts it anew; nothing acknowledged is lost, and a phase that begins meanwhile is on record."""

import time

import lib


def main():
    arguments = lib.options(__doc__, rounds=0)
    verdicts, bus = lib.Verdicts("bus-restart"), lib.Bus()
    service, acknowledged = lib.Service(bus, arguments.daemon), {}
    for turn in range(arguments.rounds or (50 if arguments.long else 4)):
        with bus.connect_closing() as connection:
            for member in ("LogDose1", "Undo", "LogDose1"):
                key = f"{turn}-{len(acknowledged)}"
                due = {"at": lib.microseconds(-9000 + 0.7)} if member == "LogDose1" else {}
                acknowledged[key] = lib.act(connection, member, key=key, **due)["event_id"]
            unanswered = lib.send(connection, "SkipDose2", key=f"{turn}-cut") if turn % 2 else None
            if service.process.poll() is None:
                bus.process.kill() if turn % 2 else bus.process.terminate()
            bus.process.wait()
        time.sleep(1.2 if turn % 2 == 0 else 0.1)
        bus.start()
        began, back = time.monotonic(), False
        watch = bus.connect()
        while time.monotonic() - began < 5 and not back:
            if service.process.poll() is not None:
                break
            back = watch.call(*lib.DRIVER, "NameHasOwner", "s", (lib.NAME,))
            if not back:
                time.sleep(0.02)
        watch.close()
        code = service.process.poll()
        if back:
            verdicts.check(True, "it came back by itself")
            verdicts.say(f"round {turn}: back after {time.monotonic() - began:.2f} s")
        elif verdicts.check(code is not None and code > 0, "it is back in 5 s or ended with a code for its manager", code):
            verdicts.say(f"round {turn}: ended with {code}, as its manager starts it anew")
            service.start()
        else:
            service.kill()
            service.start()
        with bus.connect_closing() as connection:
            for key, event in list(acknowledged.items())[-3:]:
                member = ("LogDose1", "Undo", "LogDose1")[list(acknowledged).index(key) % 3]
                if member == "LogDose1":
                    status = connection.call(lib.NAME, lib.PATH, lib.SESSION, "Status", "a{sv}", ({},))
            verdicts.check(status["dose1_time"], "the night is still there", status)
            if unanswered:
                skip = lib.outcome(connection, "SkipDose2", key=f"{turn}-cut")
                verdicts.check(isinstance(skip, dict), "an action cut off by the bus can be retried", skip)
                lib.act(connection, "Undo", key=f"{turn}-cut-undo")
            lib.act(connection, "Undo", confirm=["undo_dose"], key=f"{turn}-end")
    service.stop()
    log = service.log_rows()
    missing = [key for key, event in acknowledged.items() if log.keys.get(key) != [event]]
    verdicts.check(not missing and not log.faults, "nothing acknowledged is lost", f"{missing} {log.faults}")
    fired = [row for row in log.rows if row["type"] == "reminder_fired"]
    verdicts.check(fired, "a reminder that fell due without a bus is on record")
    verdicts.finish()


main()
