#!/usr/bin/env python3
"""Another program owns the service's name first (FAULTS G5): the service does not queue behind it but ends with its
reason, and the store is as it was."""

import subprocess
import time

import lib


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
    service.start()
    with bus.connect_closing() as connection:
        again = lib.act(connection, "LogDose1", key="mine")
    verdicts.check(again["event_id"] == event, "with the name free it serves again", again)
    service.stop()
    verdicts.finish()


main()
