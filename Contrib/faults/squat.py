#!/usr/bin/env python3
"""Another program owns the service's name first (fault G5): the service does not queue behind it but ends with its
reason, and the store is as it was; the command believes nothing that program says, also when it says what the service
would."""

import os
import shutil
import subprocess
import threading
import time

import lib
import wire
from wire import Variant


class Impostor:
    """Owns the name and answers every call with a receipt, as if a dose had been recorded."""

    def __init__(self, bus):
        self.connection, self.asked = bus.connect(), []
        self.connection.call(*lib.DRIVER, "RequestName", "su", (lib.NAME, 0))
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        now = lib.microseconds()
        receipt = {
            "event_id": Variant("s", "01a201c0-41ff-7715-9f6d-d413f3182d2e"), "type": Variant("s", "dose1"),
            "session_id": Variant("s", "01a201c0-41ff-7715-9f6d-d413f3182d2f"),
            "session_date": Variant("s", time.strftime("%Y-%m-%d")), "timestamp": Variant("t", now),
            "time_zone": Variant("s", "Europe/Vienna"), "phase": Variant("s", "before_window"),
            "surface": Variant("s", "cli"), "dose_index": Variant("u", 1), "duplicate": Variant("b", False),
            "dry_run": Variant("b", False), "window_opens": Variant("t", now + 9_000_000_000),
            "window_closes": Variant("t", now + 14_400_000_000), "local_offset_minutes": Variant("i", 60)}
        while True:
            try:
                message = self.connection.receive(0.5)
            except lib.Unanswered:
                continue
            except (lib.Gone, OSError, ValueError):
                return
            if message.kind != wire.METHOD_CALL:
                continue
            self.asked.append(message.member)
            self.connection.serial += 1
            self.connection.socket.sendall(wire.encode(
                wire.METHOD_RETURN, self.connection.serial, {5: message.serial, 6: message.sender}, "a{sv}", (receipt,)))

    def end(self):
        self.connection.socket.shutdown(2)
        self.thread.join(5)
        self.connection.close()


def command(arguments, service, *words, program=None):
    return subprocess.run([program or arguments.cli, *words], env=service.environment, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=60)


def believed(arguments, service, bus, verdicts):
    """What the command takes an answer from: only from its own service."""
    impostor = Impostor(bus)
    for words in (("log", "dose1"), ("log", "dose1", "--json"), ("status",), ("undo",)):
        run = command(arguments, service, *words)
        told = (run.stdout + run.stderr).strip()
        verdicts.check(run.returncode == 6 and "recorded at" not in told.lower(), f"an impostor's {' '.join(words)} is not believed",
                       f"{run.returncode} {told}")
    verdicts.check("LogDose1" not in impostor.asked, "an impostor is not even told of a dose", impostor.asked)
    impostor.end()
    service.start()
    run = command(arguments, service, "status")
    verdicts.check(run.returncode == 0 and "cannot be" not in run.stderr, "its own service is believed", run.stderr)
    # After an upgrade the program on disk differs from the one that runs.
    folder = lib.scratch()
    for program in (arguments.cli, arguments.daemon):
        shutil.copy2(program, folder)
    service.stop()
    theirs, service.daemon = service.daemon, folder / os.path.basename(arguments.daemon)
    service.start()
    os.unlink(service.daemon)
    shutil.copy2(arguments.daemon, service.daemon)
    run = command(arguments, service, "status", program=folder / os.path.basename(arguments.cli))
    verdicts.check(run.returncode == 0, "a service whose program was replaced is believed", f"{run.returncode} {run.stderr}")
    service.stop()
    service.daemon = theirs


def main():
    arguments = lib.options(__doc__)
    verdicts, bus = lib.Verdicts("squat"), lib.Bus()
    service = lib.Service(bus, arguments.daemon)
    with bus.connect_closing() as connection:
        event = lib.act(connection, "LogDose1", key="mine")["event_id"]
    service.stop()
    squatter = bus.connect()
    squatter.call(*lib.DRIVER, "RequestName", "su", (lib.NAME, 0))
    began = time.monotonic()
    service.start(wait=False)
    try:
        code = service.process.wait(5)
    except subprocess.TimeoutExpired:
        code = None
    verdicts.check(code is not None and code > 0, "it ends when its name is taken", code)
    verdicts.check(lib.NAME in service.errors() or "name" in service.errors().lower(), "with the reason", service.errors()[-300:])
    verdicts.say(f"exit {code} after {time.monotonic() - began:.2f} s")
    log = service.log_rows()
    verdicts.check(log.keys.get("mine") == [event] and not log.faults, "the store is as it was", log.faults)
    squatter.close()
    believed(arguments, service, bus, verdicts)
    service.start()
    with bus.connect_closing() as connection:
        again = lib.act(connection, "LogDose1", key="mine")
    verdicts.check(again["event_id"] == event, "with the name free it serves again", again)
    service.stop()
    verdicts.finish()


main()
