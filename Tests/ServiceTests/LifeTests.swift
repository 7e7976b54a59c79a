import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite(.serialized) struct LifeTests {
    @Test(arguments: [(150, Phase.active, ReminderID.windowOpen), (240, .closed, .windowClosed)])
    func `a deadline comes at its instant, not before`(minutes: Int, phase: Phase, reminder: ReminderID) async throws {
        let bench = try await ServiceBench.start()
        let due = ServiceBench.now + .milliseconds(1_500)
        try await bench.submit(.logDose(.dose1)) { $0.at = due - .minutes(minutes) }
        try await bench.awaitPhase(phase)
        #expect(ServiceBench.now >= due)
        try await bench.awaitRecorded(.reminderFired, count: minutes == 240 ? 2 : 1)
        try await bench.stop()
        let fired = try #require(
            try await StoredLog.read(bench.store).last { stored in
                if case .reminderFired(let payload) = stored.event.payload {
                    payload.reminder == reminder
                } else {
                    false
                }
            })
        let late = fired.event.occurredAt - due
        #expect(late >= .zero && late < .milliseconds(500), "\(late)")
    }

    @Test func `nothing of the service runs on threads of the runtime, which wake the machine for ever`() async throws {
        let bench = try await ServiceBench.start()
        let server = try await ScriptedNotificationServer.start(on: bench.bus.address)
        let due = ServiceBench.now + .milliseconds(800)
        try await bench.submit(.logDose(.dose1)) { $0.at = due - .minutes(165) }
        try await bench.awaitRecorded(.reminderDelivered, count: 4)
        _ = try await bench.client.doctor()
        try await bench.client.test(channel: "notification")
        try await bench.submit(.logDose(.dose2))
        let folder = "/proc/\(bench.daemon.processID)/task"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).map { thread in
            try String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8)
        }
        #expect(Set(names) == ["dosetapd\n", "store\n"])
        await server.stop()
        try await bench.stop()
    }

    @Test func `a night is slept through at its instant`() async throws {
        let bench = try await ServiceBench.start()
        let due = ServiceBench.now + .milliseconds(1_200)
        try await bench.submit(.logDose(.dose1)) { $0.at = due - .minutes(270) }
        try await bench.awaitRecorded(.doseSkipped)
        #expect(ServiceBench.now >= due)
        let status = try await bench.client.status()
        #expect(!status.dose2Skipped && status.terminalState == .incompleteSleptThrough)
        try await bench.stop()
    }

    @Test func `F5: killed before a reminder, restarted, it is told once`() async throws {
        let bench = try await ServiceBench.start()
        let due = ServiceBench.now + .seconds(3)
        try await bench.submit(.logDose(.dose1)) { $0.at = due - .minutes(150) }
        try await bench.kill()
        let later = try await bench.again()
        try await later.awaitRecorded(.reminderFired)
        try await later.stop()
        let fired = try await StoredLog.read(bench.store).filter { $0.event.type == .reminderFired }
        #expect(fired.count == 1)
        let late = try #require(fired.first).event.occurredAt - due
        #expect(late >= .zero && late < .seconds(2), "\(late)")
    }

    @Test func `state survives a kill, the final wake included`() async throws {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(300) }
        let wake = try await bench.submit(.logFinalWake)
        let before = try await bench.client.status()
        try await bench.kill()
        let later = try await bench.again()
        let after = try await later.client.status()
        #expect(after.window.phase == .finalizing && after.terminalState == .finalizingWake)
        #expect(after.sessionID == before.sessionID && after.dose1 == before.dose1)
        #expect(try await later.client.show(wake.eventID.text).first?.entries.last?.type == "wake_final")
        try await later.stop()
    }

    @Test func `the socket of a caller that is none ends the service with a sentence, not with a trap`() throws {
        let folder = try ScratchFolder()
        var datagrams: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &datagrams) == 0)
        defer { close(datagrams[0]) }
        let store = ["--store", folder.path("dosetap.db")]
        for descriptor in [open("/dev/null", O_RDWR | O_CLOEXEC), datagrams[1]] {
            let daemon = try DaemonProcess(arguments: store, peer: descriptor)
            #expect(try daemon.awaitExit() == 1)
            #expect(daemon.errors.contains("use descriptor 8"), "\(daemon.errors)")
        }
        let daemon = try DaemonProcess(arguments: store + ["--peer-fd", "999999"])
        #expect(try daemon.awaitExit() == 1)
        #expect(
            daemon.errors.contains("The bus cannot be used: use descriptor 999999: Bad file descriptor"),
            "\(daemon.errors)")
        #expect(access(folder.path("dosetap.db"), F_OK) != 0)
    }

    @Test func `D5: a second daemon on the same store exits 75, names the holder and touches nothing`() async throws {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1))
        let before = try Data(contentsOf: URL(fileURLWithPath: bench.store))
        let second = try DaemonProcess(arguments: ["--store", bench.store, "--address", bench.bus.address])
        #expect(try second.awaitExit() == 75)
        #expect(second.errors.contains("process \(bench.daemon.processID)"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: bench.store)) == before)
        #expect(try await bench.client.status().window.phase == .beforeWindow)
        try await bench.stop()
    }

    @Test func `G5: a name that another owns ends the daemon with a reason`() async throws {
        let bus = try PrivateBus()
        let folder = try ScratchFolder()
        let loop = try EventLoop.spawn(name: "squatter")
        let squatter = try await Connection.open(.address(bus.address), on: loop)
        try await squatter.requestName(Contract.name)
        let daemon = try DaemonProcess(arguments: ["--store", folder.path("dosetap.db"), "--address", bus.address])
        #expect(try daemon.awaitExit() == 1)
        #expect(daemon.errors.contains("Another program owns the name \(Contract.name)"))
        #expect(daemon.errors.contains("process \(getpid())"))
        await squatter.close()
        loop.stop()
    }

    @Test func `F6: told to stop while it records, it keeps what it answered and is gone within two seconds`()
        async throws
    {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(160) }
        let answered = Recorder<EventID>()
        let storm = Task {
            while true {
                let skip = try await bench.submit(.skipDose2)
                answered.append(skip.eventID)
                let undo = try await bench.submit(.undo)
                answered.append(undo.eventID)
            }
        }
        try await answered.wait(count: 6)
        let told = ContinuousClock.now
        bench.daemon.signal(SIGTERM)
        try bench.daemon.awaitNote("STOPPING=1")
        #expect(try bench.daemon.awaitExit() == 0)
        #expect(ContinuousClock.now - told < .seconds(2))
        _ = await storm.result
        await bench.leave()
        let log = Set(try await StoredLog.read(bench.store).map(\.event.id))
        #expect(log.isSuperset(of: answered.elements))
    }

    @Test func `F3: a client that vanishes in the middle of its call is recorded once`() async throws {
        let bench = try await ServiceBench.start()
        let loop = try EventLoop.spawn(name: "vanishing")
        let vanishing = try await Connection.open(.address(bench.bus.address), on: loop)
        let options: [String: Variant] = ["key": Variant("once")]
        let call = Task(executorPreference: loop) {
            _ = try? await vanishing.call(
                Contract.name, Contract.path, Contract.InterfaceName.session, "LogDose1", options,
                returning: ([String: Variant]).self)
        }
        await vanishing.flush()
        await vanishing.close()
        await call.value
        loop.stop()
        let again = try await bench.submit(.logDose(.dose1)) { $0.key = "once" }
        #expect(again.type == "dose1")
        try await bench.stop()
        #expect(try await StoredLog.read(bench.store).count { $0.event.type == .doseRecorded } == 1)
    }

    @Test(arguments: PrivateBus.Make.installed)
    func `F1: the bus goes and comes back, the service with it, and no deadline waits for that`(
        make: PrivateBus.Make
    ) async throws {
        let bench = try await ServiceBench.start(on: PrivateBus(make))
        let due = ServiceBench.now + .seconds(2)
        try await bench.submit(.logDose(.dose1)) { $0.at = due - .minutes(150) }
        let store = try FileChange(in: bench.folder.path(""))
        bench.bus.stop()
        await bench.connection.waitUntilClosed()
        bench.loop.stop()
        // The outage lasts longer than the deadline, so the reminder is recorded without the bus.
        repeat { try store.next() } while ServiceBench.now < due
        try bench.bus.start()
        let back = ContinuousClock.now
        let loop = try EventLoop.spawn(name: "client 2")
        let connection = try await Connection.open(.address(bench.bus.address), on: loop)
        let owners = Recorder<Signal>()
        try await connection.subscribe(
            SignalMatch(interface: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: Contract.name)
        ) { owners.append($0) }
        if (try? await connection.owner(of: Contract.name)) == nil {
            try await owners.wait(count: 1, within: .seconds(8))
        }
        #expect(ContinuousClock.now - back < .seconds(6))
        #expect(try await Client(connection).status().window.phase == .active)
        await connection.close()
        loop.stop()
        bench.daemon.signal(SIGTERM)
        #expect(try bench.daemon.awaitExit() == 0)
        let fired = try #require(
            try await StoredLog.read(bench.store).first { $0.event.type == .reminderFired })
        let late = fired.event.occurredAt - due
        #expect(late >= .zero && late < .milliseconds(500), "\(late)")
    }

    @Test func `a peer over a socket pair speaks the same contract, and the service ends with it`() async throws {
        let folder = try ScratchFolder()
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        let daemon = try DaemonProcess(arguments: ["--store", folder.path("dosetap.db")], peer: ends[1])
        let loop = try EventLoop.spawn(name: "peer")
        let connection = try await Connection.open(.peer(fd: ends[0], server: false), on: loop)
        let signals = Recorder<Signal>()
        try await connection.subscribe(SignalMatch(path: Contract.path)) { signals.append($0) }
        let client = Client(connection)
        let receipt = try await client.submit(.logDose(.dose1), RequestOptions())
        #expect(receipt.phase == .beforeWindow)
        #expect(try await client.status().window.phase == .beforeWindow)
        try await signals.wait { $0.contains { $0.member == "PhaseChanged" } }
        await connection.close()
        loop.stop()
        #expect(try daemon.awaitExit() == 0)
        #expect(try await StoredLog.read(folder.path("dosetap.db")).count == 2)
    }

    /// Policies of a bus: connections of its own user only, or of every user.
    static let policies = ["", #"<policy context="mandatory"><allow user="*"/></policy>"#]

    @Test(.enabled(if: getuid() == 0, "needs root"), arguments: policies)
    func `G1: another user neither records nor reads, whatever the bus lets in`(policy: String) async throws {
        let bench = try await ServiceBench.start(on: PrivateBus(policy: policy))
        func other(_ arguments: String...) throws -> TestProgram.Outcome {
            try TestProgram.run(
                [
                    "timeout", "20", "setpriv", "--reuid=5", "--regid=60", "--clear-groups", "busctl",
                    "--address=\(bench.bus.address)", "call",
                ] + arguments)
        }
        let name = "org.freedesktop.DBus"
        #expect((try other(name, "/org/freedesktop/DBus", name, "GetId").status == 0) == !policy.isEmpty)
        for member in ["LogDose1", "Status"] {
            let path = "/org/dosetap/DoseTap1"
            let outcome = try other(Contract.name, path, Contract.InterfaceName.session, member, "a{sv}", "0")
            #expect(outcome.status != 0)
            if !policy.isEmpty { #expect(outcome.errors.contains("Access denied"), "\(outcome.errors)") }
        }
        try await bench.stop()
        #expect(try await StoredLog.read(bench.store).isEmpty)
    }
}
