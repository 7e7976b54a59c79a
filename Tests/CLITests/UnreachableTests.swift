import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct UnreachableTests {
    static let verbs = [
        [], ["status"], ["log", "dose1"], ["undo"], ["history"], ["show", "today"], ["db", "check"], ["plugins"],
        ["config", "show"], ["status", "--follow"],
    ]

    /// Returns true where systemd runs; a container has its programs only.
    static let isBooted = FileManager.default.fileExists(atPath: "/run/systemd/system")

    @Test(arguments: verbs)
    func `a dead bus is one line and 6, never a second store`(verb: [String]) async throws {
        let scratch = try Scratch()
        let dead = [
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(scratch.path)/bus", "XDG_DATA_HOME": scratch.path + "/data",
        ]
        let outcome = try await Tool.run(verb, dead)
        #expect(outcome.code == 6)
        #expect(outcome.out.isEmpty)
        #expect(outcome.err.split(separator: "\n").count == 1)
        #expect(outcome.err.hasPrefix("dosetap: Nothing was recorded; no reminders will come: "))
        #expect(outcome.err.contains("Try: \(Self.isBooted ? "systemctl --user start" : "start") dosetapd"))
        #expect(outcome.err.contains("--bus none"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/data"))
        let json = try await Tool.run(verb + ["--json"], dead)
        #expect(json.code == 6)
        #expect(try json.json["error"]?["kind"] == "unreachable")
    }

    @Test(arguments: [
        ("activating", UInt32(9), true), ("failed", 0, true), ("active", 9, false), ("inactive", 0, false),
    ])
    func `a service that crashes again and again is told as such`(
        unit: (state: String, restarts: UInt32, isCrash: Bool)
    ) async throws {
        let bus = try PrivateBus()
        let manager = try await ScriptedUnit.start(
            on: bus.address, state: unit.state, result: "core-dump", restarts: unit.restarts)
        let outcome = try await Tool.run(["log", "dose1"], ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        #expect(outcome.code == 6 && outcome.err.split(separator: "\n").count == 1)
        #expect(outcome.err.lowercased().contains("nothing was recorded; no reminders will come"), "\(outcome.err)")
        #expect(
            outcome.err.contains("crashes again and again (\(unit.restarts) restarts, result core-dump)")
                == unit.isCrash)
        #expect(outcome.err.contains("systemctl --user \(unit.isCrash ? "restart" : "start") dosetapd"))
        let json = try await Tool.run(["status", "--json"], ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        #expect(try json.json["error"]?["kind"] == "unreachable")
        #expect(try json.json["error"]?["result"]?.stringValue == (unit.isCrash ? "core-dump" : nil))
        await manager.stop()
    }

    @Test(.enabled(if: Testbed.isActive, "needs a journald of its own: run Contrib/test"))
    func `what a crashing service wrote last is told with it`() async throws {
        let bus = try PrivateBus()
        let manager = try await ScriptedUnit.start(on: bus.address, state: "failed", result: "exit-code", restarts: 3)
        let said = try Command.run(
            ["sh", "-c", "echo 'DoseTap cannot start: a test says so' | systemd-cat -t dosetapd; journalctl --sync"])
        #expect(said.status == 0)
        let outcome = try await Tool.run(["status"], ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        #expect(
            outcome.err.contains("Its last line in the journal: DoseTap cannot start: a test says so"), "\(outcome.err)"
        )
        await manager.stop()
    }

    @Test(arguments: [false, true])
    func `the doctor tells what can be known without a service`(hasBus: Bool) async throws {
        let bus = try PrivateBus()
        let address = hasBus ? bus.address : "unix:path=/nonexistent/bus"
        let outcome = try await Tool.run(["doctor"], ["DBUS_SESSION_BUS_ADDRESS": address])
        #expect(outcome.code == 6 && outcome.err.isEmpty)
        let lines = outcome.out.split(separator: "\n")
        #expect(lines.first?.hasPrefix(hasBus ? "green    bus " : "red      bus ") == true, "\(outcome.out)")
        #expect(outcome.out.contains("red      service  dosetapd does not run or cannot be reached\n"))
        #expect(outcome.out.contains("Do: systemctl --user enable --now dosetapd\n"))
        let json = try await Tool.run(["doctor", "--json"], ["DBUS_SESSION_BUS_ADDRESS": address])
        #expect(json.code == 6)
        #expect(try SchemaTests.Validator().faults(try json.json, "doctor") == [])
        #expect(try json.json["ok"] == false)
    }

    @Test func `a local time is not read where nobody says in which zone`() async throws {
        let dead = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
        for (words, code) in [(["--at", "04:00"], Int32(6)), (["--at", "soon"], 64), (["--at", "25:00"], 64)] {
            #expect(try await Tool.run(["log", "dose1"] + words, dead).code == code, "\(words)")
        }
    }

    @Test func `a dead address is told at once`() async throws {
        // The bound is relative to the program's own start, since the machine may be busy.
        var fastest = [Duration.seconds(60), .seconds(60)]
        for _ in 0..<10 {
            for (index, arguments) in [["--version"], ["status"]].enumerated() {
                let start = ContinuousClock.now
                let outcome = try await Tool.run(
                    arguments, ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
                #expect(outcome.code == (index == 0 ? 0 : 6))
                fastest[index] = min(fastest[index], ContinuousClock.now - start)
            }
        }
        #expect(fastest[1] - fastest[0] < .milliseconds(50))
    }

    @Test func `a service that hangs is told within seconds to who asks, and to who records that it is waited for`()
        async throws
    {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let daemon = try DaemonProcess(arguments: ["--store", folder.path("dosetap.db"), "--address", bus.address])
        try daemon.awaitReady()
        try daemon.freeze()
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
        let start = ContinuousClock.now
        let outcome = try await Tool.run(["status"], environment)
        #expect((.seconds(5)..<(.seconds(12))).contains(ContinuousClock.now - start))
        #expect(outcome.code == 6 && outcome.err.contains("did not answer within 5 s"), "\(outcome)")
        #expect(outcome.err.contains("systemctl --user status dosetapd") && !outcome.err.contains("recorded"))
        #expect(try await Tool.run(["doctor"], environment).out.contains("dosetapd is there, but does not answer"))
        let session = try TerminalSession(["log", "dose1"], environment)
        // The service goes on only after the person has been told.
        let (code, screen) = try await session.run([("waiting for the service", "")]) { daemon.signal(SIGCONT) }
        #expect(code == 0 && screen.contains("Recorded: dose 1"), "\(screen)")
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
    }

    @Test func `a missing service program is named`() async throws {
        let outcome = try await Tool.run(["--bus", "none", "status"], ["DOSETAP_DAEMON": "/nonexistent/dosetapd"])
        #expect(outcome.code == 6)
        #expect(outcome.err.contains("/nonexistent/dosetapd"))
    }

    @Test(arguments: [(code: Int32(75), kind: "locked"), (code: 1, kind: "store_unavailable")])
    func `a child that dies before it answers is told by its exit code`(code: Int32, kind: String) async throws {
        let scratch = try Scratch()
        let daemon = try scratch.script("daemon", "exit \(code)")
        let outcome = try await Tool.run(["--bus", "none", "log", "dose1", "--json"], ["DOSETAP_DAEMON": daemon])
        #expect(outcome.code == 1)
        #expect(try outcome.json["error"]?["kind"]?.stringValue == kind)
        let text = try await Tool.run(["--bus", "none", "log", "dose1"], ["DOSETAP_DAEMON": daemon])
        #expect(text.code == 1)
        if code == 75 { #expect(text.err.contains("Another service holds the store")) }
    }

    @Test func `the child is given its socket, the store and nothing to read`() async throws {
        let scratch = try Scratch()
        let daemon = try scratch.script(
            "daemon",
            "echo \"$@\" > '\(scratch.path)/arguments'; readlink /proc/self/fd/3 >> '\(scratch.path)/arguments'; "
                + "readlink /proc/self/fd/0 >> '\(scratch.path)/arguments'; exit 1")
        let store = scratch.path + "/a store.db"
        _ = try await Tool.run(["--bus", "none", "--store", store, "status"], ["DOSETAP_DAEMON": daemon])
        let lines = try scratch.text("arguments").split(separator: "\n").map(String.init)
        #expect(lines.first == "--peer-fd 3 --store \(store)")
        #expect(lines.dropFirst().first?.hasPrefix("socket:") == true)
        #expect(lines.last == "/dev/null")
    }
}
