#!/usr/bin/env python3
"""SIGKILL at random moments while a client logs: every acknowledged event is there exactly once afterwards, a retry by
the same key returns the first receipt, and a reply that was lost does not double a dose (FAULTS A1, D1)."""

import random
import time

import lib


class Writer:
    """Logs and undoes dose 1 for ever, each action under a key of its own."""

    def __init__(self, run):
        self.run, self.count, self.acknowledged, self.open = run, 0, {}, None

    def next(self):
        self.open = ("LogDose1" if self.count % 2 == 0 else "Undo", f"{self.run}-{self.count}")
        return self.open

    def took(self, receipt):
        self.acknowledged[self.open[1]] = receipt["event_id"]
        self.count += 1
        self.open = None


def hammer(service, writer, seconds, random_source):
    """Logs until the service is killed; the killing happens after a random time, in the middle of whatever runs."""
    connection = service.bus.connect()
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline:
            member, key = writer.next()
            serial = lib.send(connection, member, key=key)
            if deadline - time.monotonic() < 0.002:
                # The last one is left to its fate: killed while it is being sent, decided, written, flushed, answered.
                time.sleep(random_source.uniform(0, 0.002))
                service.kill()
            writer.took(connection.wait(serial, 20))
    except lib.Gone:
        pass
    except lib.BusError as error:
        if "Error.NoReply" not in error.name and "ServiceUnknown" not in error.name and "Disconnected" not in error.name:
            raise
    finally:
        service.kill()
        connection.close()


def settle(service, writer, verdicts, last):
    """Retries what was not answered, and asks again for what was."""
    with service.bus.connect_closing() as connection:
        if writer.open:
            member, key = writer.open
            first = lib.outcome(connection, member, key=key)
            if not verdicts.check(isinstance(first, dict), "an unanswered action can be retried by its key", first):
                return False
            again = lib.act(connection, member, key=key)
            verdicts.check(again["duplicate"] and again["event_id"] == first["event_id"],
                           "a retry by the same key returns the first receipt", again)
            writer.took(first)
            landed = first["duplicate"]
        else:
            landed = False
        for key in last:
            member = "LogDose1" if int(key.rsplit("-", 1)[1]) % 2 == 0 else "Undo"
            again = lib.outcome(connection, member, key=key)
            verdicts.check(isinstance(again, dict) and again["duplicate"]
                           and again["event_id"] == writer.acknowledged[key],
                           "an acknowledged action is found by its key", f"{key} {again}")
        return landed


def audit(service, writer, verdicts):
    """Compares the whole log with all that was acknowledged."""
    log = service.log_rows()
    verdicts.check(not log.faults, "the store is whole", log.faults)
    missing = [key for key, event in writer.acknowledged.items() if log.keys.get(key) != [event]]
    verdicts.check(not missing, "every acknowledged event is there exactly once", missing[:5])
    strangers = [key for key in log.keys if key not in writer.acknowledged]
    verdicts.check(len(strangers) <= 1, "at most one unacknowledged event", strangers[:5])


def kills(arguments, bus, verdicts):
    source = random.Random(arguments.seed)
    writer = Writer(f"w{arguments.seed}")
    service = lib.Service(bus, arguments.daemon)
    landed, rounds = 0, arguments.kills or (1000 if arguments.long else 30)
    for turn in range(rounds):
        hammer(service, writer, source.uniform(0.002, 0.08), source)
        if turn % 50 == 49 or turn == rounds - 1:
            audit(service, writer, verdicts)
        service.start()
        landed += settle(service, writer, verdicts, list(writer.acknowledged)[-2:])
    service.stop()
    audit(service, writer, verdicts)
    verdicts.say(f"{rounds} kills, {len(writer.acknowledged)} acknowledged, {landed} landed without an answer, 0 lost"
                 if not verdicts.failed else "see above")


def lost_replies(arguments, bus, verdicts):
    """The caller ends before its answer comes, and asks again from a new connection."""
    service = lib.Service(bus, arguments.daemon)
    rounds = arguments.retries or (10_000 if arguments.long else 200)
    source, keys, landed = random.Random(arguments.seed + 1), [], 0
    for turn in range(rounds):
        member, key = ("LogDose1", "Undo")[turn % 2], f"lost-{arguments.seed}-{turn}"
        caller = bus.connect()
        lib.send(caller, member, key=key)
        if turn % 3:
            time.sleep(source.uniform(0, 0.001))
        caller.close()
        with bus.connect_closing() as connection:
            receipt = lib.outcome(connection, member, key=key)
        if not verdicts.check(isinstance(receipt, dict), "a retry after a lost reply is answered", receipt):
            break
        landed += receipt["duplicate"]
        keys.append(key)
    service.stop()
    log = service.log_rows()
    doubled = [key for key in keys if len(log.keys.get(key, [])) != 1]
    verdicts.check(not doubled, "one event for each key", doubled[:5])
    doses = sum(row["type"] == "dose_recorded" for row in log.rows)
    verdicts.check(doses == (len(keys) + 1) // 2, "no dose twice", f"{doses} doses for {len(keys)} actions")
    verdicts.say(f"{len(keys)} lost replies retried, {landed} had been recorded already, {len(doubled)} doubled")


def main():
    arguments = lib.options(__doc__, kills=0, retries=0)
    verdicts = lib.Verdicts("kill9")
    verdicts.say(f"seed {arguments.seed}")
    bus = lib.Bus()
    kills(arguments, bus, verdicts)
    lost_replies(arguments, bus, verdicts)
    verdicts.finish()


main()
