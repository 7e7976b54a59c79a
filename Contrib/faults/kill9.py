#!/usr/bin/env python3
"""SIGKILL at random moments while several people log all kinds of things and all plugins are on (a notification server shows
the reminders, a player rings, hooks run, a login manager takes the locks of sleep): every acknowledged event is there exactly
once afterwards, a retry by the same key returns the first receipt, and a reply that was lost does not double a dose (faults
A1, D1)."""

import os
import pathlib
import random
import shlex
import subprocess
import threading
import time

import lib
from wire import Variant

CLIENTS = 4
DIARY, MEDICATIONS, INVENTORY = lib.NAME + ".Diary", lib.NAME + ".Medications", lib.NAME + ".Inventory"
# The entries to record: interface, member, arguments before the options, confirmations, frequency.
ALL_OF_IT = ["early", "late", "after_skip", "after_wake", "extra", "extra_understood", "window_unresolved", "night_begun"]
VERBS = (
    (lib.SESSION, "LogDose1", (), ["night_begun", "after_wake"], 6),
    (lib.SESSION, "LogDose2", (), ["early", "late", "after_skip", "after_wake"], 4),
    (lib.SESSION, "LogExtraDose", (), ALL_OF_IT, 1),
    (lib.SESSION, "SkipDose2", (), [], 2),
    (lib.SESSION, "Snooze", (), [], 3),
    (lib.SESSION, "LogFinalWake", (), ["window_unresolved"], 1),
    (lib.SESSION, "Undo", (), ["undo_dose"], 12),
    (lib.SESSION, "Amend", ("dose1",), ["early", "late", "long_ago"], 2),
    (lib.SESSION, "Delete", ("last bathroom",), [], 1),
    (DIARY, "LogSleepEvent", ("bathroom",), [], 4),
    (DIARY, "LogSleepEvent", ("water",), [], 2),
    (DIARY, "SaveCheckIn", ({},), ["window_unresolved"], 1),
    (DIARY, "SavePreSleep", ({},), [], 1),
    (MEDICATIONS, "Take", ("modafinil",), ["duplicate"], 2),
    (INVENTORY, "AddBottle", ({"medication_id": Variant("s", "xyrem"), "amount": Variant("s", "180mL")},), [], 1),
)
# These errors are neither a receipt nor a fault: the night, as others left it, does not allow the entry, or a question
# is asked.
DECLINED = {"Refused", "NothingToDo", "RequiresConfirmation", "NotFound", "Busy"}


def is_declined(error):
    """Whether a refusal is the rules' word: others record at the same time, and may have begun a night meanwhile. A long run
    also comes to the hour at which a night's date changes."""
    words = ("Another night had begun", "That time belongs to another night")
    return error.short in DECLINED or any(word in str(error) for word in words)


class Writer:
    """One person, who records this and that for ever, each action under a key of its own."""

    def __init__(self, name, seed):
        self.name, self.source, self.count = name, random.Random(f"{seed}-{name}"), 0
        self.acknowledged, self.members = {}, {}
        self.open, self.last, self.refused = None, None, None

    def next(self):
        self.count += 1
        interface, member, words, confirm, _ = self.source.choices(VERBS, [verb[4] for verb in VERBS])[0]
        options = {"key": f"{self.name}-{self.count}"}
        if confirm:
            options["confirm"] = confirm
        if member == "LogDose1" and self.source.random() < 0.8:
            # The window of such a dose is open, so reminders are shown or the alarm rings while the service is killed.
            options["at"] = lib.microseconds(-self.source.randrange(9060, 10_700))
        if member == "Amend":
            options["at"] = lib.microseconds(-self.source.randrange(9060, 9900))
        kinds = "".join("s" if isinstance(word, str) else "a{sv}" for word in words) + "a{sv}"
        self.open = (interface, member, kinds, (*words, lib.variants(options)), options["key"])
        return self.open

    def ask(self, connection, action, timeout=30):
        interface, member, kinds, words, _ = action
        return connection.wait(connection.send(lib.NAME, lib.PATH, interface, member, kinds, words), timeout)

    def took(self, receipt):
        """It was acknowledged."""
        action, self.open = self.open, None
        self.acknowledged[action[4]] = (receipt["event_id"], receipt["duplicate"])
        self.members[action[1]] = self.members.get(action[1], 0) + 1
        if not receipt["duplicate"]:
            self.last = action

    def hammer(self, bus):
        """Records until the service is gone."""
        connection = bus.connect()
        try:
            while True:
                action = self.next()
                try:
                    self.took(self.ask(connection, action))
                except lib.BusError as error:
                    if error.name.startswith("org.freedesktop.DBus.Error."):
                        return
                    self.open = None
                    if not is_declined(error):
                        self.refused = f"{action[1]}: {error}"
        except lib.Gone:
            pass
        finally:
            connection.close()


def settle(service, writers, verdicts):
    """Retries what was not answered, and asks again for what was."""
    landed = 0
    with service.bus.connect_closing() as connection:
        for writer in writers:
            verdicts.check(writer.refused is None, "what is refused is refused for a reason", writer.refused)
            writer.refused = None
            if writer.open:
                action = writer.open
                try:
                    first = writer.ask(connection, action)
                except lib.BusError as error:
                    # Another person's entry may have come before. The action was then not recorded.
                    verdicts.check(is_declined(error), "an unanswered action can be retried by its key", error)
                    writer.open = None
                else:
                    writer.took(first)
                    landed += first["duplicate"]
                    try:
                        again = writer.ask(connection, action)
                    except lib.BusError as error:
                        # The same tap as another person's (R5.5) has no record under its own key, and other entries may
                        # have come before it.
                        verdicts.check(first["duplicate"] and is_declined(error),
                                       "a retry by the same key is refused for a reason", error)
                        continue
                    if first["duplicate"] and not again["duplicate"]:
                        # The first answer was for the same tap as another person's (R5.5). The ten seconds of that tap
                        # are over (R5.8).
                        writer.open = action
                        writer.took(again)
                    else:
                        verdicts.check(again["duplicate"] and again["event_id"] == first["event_id"],
                                       "a retry by the same key returns the first receipt", again)
            if writer.last:
                again = writer.ask(connection, writer.last)
                key = writer.last[4]
                verdicts.check(again["duplicate"] and again["event_id"] == writer.acknowledged[key][0],
                               "an acknowledged action is found by its key", f"{key} {again}")
    return landed


def audit(service, writers, verdicts):
    """Compares the whole log with all that was acknowledged."""
    log = service.log_rows()
    verdicts.check(not log.faults, "the store is whole", log.faults)
    known = {key: answer for writer in writers for key, answer in writer.acknowledged.items()}
    missing, lost = [], []
    for key, (event, is_repeat) in known.items():
        if log.keys.get(key) == [event]:
            continue
        # The receipt of a tap that counts as another person's (R5.5) names that person's event.
        if not is_repeat:
            missing.append(key)
        elif event not in log.ids or key in log.keys:
            lost.append(key)
    verdicts.check(not missing, "every acknowledged event is there exactly once", missing[:5])
    verdicts.check(not lost, "the same tap is the event it was said to be", lost[:5])
    strangers = [key for key in log.keys if key not in known]
    verdicts.check(len(strangers) <= len(writers), "at most one unacknowledged event of each client", strangers[:9])
    return log


class Surroundings:
    """What the plugins work with: for each of them a file that gets what it was asked."""

    def __init__(self, bus, verdicts):
        folder = lib.scratch()
        self.asked = {"notifications": folder / "shown", "awake": folder / "locks", "alarm": folder / "rings", "hooks": folder / "hooks"}
        system = lib.Bus()
        if pathlib.Path("/usr/lib/python3/dist-packages/dbusmock").exists():
            self.stand_in(bus, "--session", "notification_daemon", "org.freedesktop.Notifications", self.asked["notifications"])
            self.stand_in(system, "--system", "logind", "org.freedesktop.login1", self.asked["awake"])
        else:
            verdicts.skip("a notification server and a login manager beside it: python3-dbusmock is not here")
            del self.asked["notifications"], self.asked["awake"]
        # The hooks are in the machine's folder, because the person's own folder has the keys of encrypted records.
        player = self.program(folder / "player", f"cat /dev/stdin >/dev/null; echo rung >>{shlex.quote(str(self.asked['alarm']))}")
        self.program(folder / "xdg/dosetap/hooks.d/dose_recorded/keep", f"cat >>{shlex.quote(str(self.asked['hooks']))}")
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": system.address, "XDG_CONFIG_DIRS": str(folder / "xdg"),
                            "DOSETAP_LADDER_PLAYER": str(player)}

    @staticmethod
    def program(path, line):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o700)
        return path

    @staticmethod
    def stand_in(bus, kind, template, name, asked):
        with open(asked, "w") as file:
            lib.spawn(["/usr/bin/python3", "-u", "-m", "dbusmock", kind, "--template", template],
                      stdout=file, stderr=subprocess.STDOUT, env={
                          **os.environ, "DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address})
        deadline = time.monotonic() + 20
        with bus.connect_closing() as connection:
            while not connection.call(*lib.DRIVER, "NameHasOwner", "s", (name,)):
                if time.monotonic() > deadline:
                    raise SystemExit(f"the stand-in for {name} did not start")
                time.sleep(0.02)

    def counts(self):
        """How often each was asked."""
        words = {"notifications": "Notify", "awake": "Inhibit", "alarm": "rung", "hooks": '"event"'}
        return {plugin: path.read_text(errors="replace").count(words[plugin]) if path.exists() else 0
                for plugin, path in self.asked.items()}


def kills(arguments, bus, verdicts):
    source = random.Random(arguments.seed)
    surroundings = Surroundings(bus, verdicts)
    writers = [Writer(f"w{arguments.seed}-{number}", arguments.seed) for number in range(CLIENTS)]
    service = lib.Service(bus, arguments.daemon, environment=surroundings.environment)
    # The alarm of this dose is due, so it rings when the service is killed for the first time.
    with bus.connect_closing() as connection:
        connection.call(lib.NAME, lib.PATH, lib.SESSION, "LogDose1", "a{sv}", (lib.variants({"at": lib.microseconds(-10_000)}),))
    until = time.monotonic() + 30
    while not all(surroundings.counts().values()) and time.monotonic() < until:
        time.sleep(0.05)
    landed, rounds = 0, arguments.kills or (10_000 if arguments.long else 30)
    for turn in range(rounds):
        threads = [threading.Thread(target=writer.hammer, args=(bus,)) for writer in writers]
        for thread in threads:
            thread.start()
        # The kill must also come while a call is sent, decided, written or flushed.
        time.sleep(source.uniform(0.002, 0.25))
        service.kill()
        for thread in threads:
            thread.join()
        if turn % 50 == 49 or turn == rounds - 1:
            audit(service, writers, verdicts)
        service.start()
        landed += settle(service, writers, verdicts)
    service.stop()
    log = audit(service, writers, verdicts)
    recorded = {}
    for writer in writers:
        for member, count in writer.members.items():
            recorded[member] = recorded.get(member, 0) + count
    missing = {verb[1] for verb in VERBS} - set(recorded)
    if rounds >= 1000:
        verdicts.check(not missing, "every verb was acknowledged at least once", missing)
    # On a busy machine fewer calls are answered between two kills, and the night seldom allows a snooze.
    verdicts.check(rounds < 30 or len(missing) <= 5, "many verbs were acknowledged", missing)
    told = sum(row["type"] == "reminder_delivered" and "notification" in row["payload"] for row in log.rows)
    counts = surroundings.counts()
    for plugin, times in counts.items():
        verdicts.check(times > 0, f"the plugin {plugin} worked", counts)
    count = sum(len(writer.acknowledged) for writer in writers)
    verdicts.say(f"{rounds} kills, {count} acknowledged to {CLIENTS} clients, {landed} landed without an answer, "
                 f"{told} reminders delivered, asked of the plugins: {counts}, 0 lost" if not verdicts.failed else "see above")
    verdicts.say(", ".join(f"{member} {count}" for member, count in sorted(recorded.items())))


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
    arguments = lib.options(__doc__, encrypts=True, kills=0, retries=0)
    verdicts = lib.Verdicts("kill9")
    verdicts.say(f"seed {arguments.seed}")
    bus = lib.Bus()
    kills(arguments, bus, verdicts)
    lost_replies(arguments, bus, verdicts)
    verdicts.finish()


if __name__ == "__main__":
    main()
