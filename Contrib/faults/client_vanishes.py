#!/usr/bin/env python3
"""A caller that ends in the middle of its call (fault F3): the call completes once, or not at all."""

import random
import socket
import time

import lib


def main():
    arguments = lib.options(__doc__, rounds=0)
    verdicts, bus = lib.Verdicts("client-vanishes"), lib.Bus()
    service, source = lib.Service(bus, arguments.daemon), random.Random(arguments.seed)
    pid, steady = service.process.pid, bus.connect()
    rounds = arguments.rounds or (10_000 if arguments.long else 300)
    keys, open_files, memory = [], 0, 0
    for turn in range(rounds):
        if turn == min(100, rounds // 2):
            open_files, memory = lib.descriptors(pid), lib.resident_kib(pid)
        caller, key = bus.connect(), f"gone-{turn}"
        raw = lib.encode_call(caller, ("LogDose1", "Undo")[turn % 2], key)
        cut = turn % 4 == 3
        caller.socket.sendall(raw[: source.randrange(1, len(raw))] if cut else raw)
        if turn % 4 == 1:
            caller.socket.shutdown(socket.SHUT_RD)
        if turn % 4 == 2:
            time.sleep(source.uniform(0, 0.002))
        caller.close()
        # The bus keeps the order, so a whole message is handled before the next call of the patient caller.
        if cut:
            lib.outcome(steady, ("LogDose1", "Undo")[turn % 2], key=key)
        else:
            receipt = lib.outcome(steady, ("LogDose1", "Undo")[turn % 2], key=key)
            verdicts.check(isinstance(receipt, dict), "the caller's successor is answered", receipt)
        keys.append(key)
    verdicts.check(service.process.poll() is None, "the service lives")
    time.sleep(0.2)
    verdicts.check(lib.descriptors(pid) <= open_files, "descriptors stay", f"{open_files} → {lib.descriptors(pid)}")
    grown = lib.resident_kib(pid) - memory
    # All calls are about one night, whose events are kept in memory.
    night = rounds * 256 // 1024
    verdicts.check(grown <= 2048 + night, "memory stays", f"{grown} KiB more after {rounds} callers")
    steady.close()
    service.stop()
    log = service.log_rows()
    wrong = [key for key in keys if len(log.keys.get(key, [])) != 1]
    verdicts.check(not wrong and not log.faults, "each call completed exactly once", f"{wrong[:5]} {log.faults}")
    doses = sum(row["type"] == "dose_recorded" for row in log.rows)
    verdicts.check(doses == (rounds + 1) // 2, "no dose twice", doses)
    verdicts.finish()


main()
