import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite(.serialized) struct FindingsTests {
    private func health(_ bench: ServiceBench) throws -> String {
        try bench.busctl(
            "get-property", Contract.name, "/org/dosetap/DoseTap1", Contract.InterfaceName.service, "Health"
        ).text
    }

    @Test func `A9, C5, R21.5: an older copy of the store is noticed, shown, journaled and recorded`() async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(20) }
        #expect(try health(first) == "s \"ok\"\n")
        try await first.stop()
        let files = FileManager.default
        try files.copyItem(atPath: first.store, toPath: first.folder.path("copy"))
        let second = try await first.again()
        try await second.submit(.skipDose2)
        try await second.stop()
        for suffix in ["", "-wal", "-shm"] where files.fileExists(atPath: first.store + suffix) {
            try files.removeItem(atPath: first.store + suffix)
        }
        try files.moveItem(atPath: first.folder.path("copy"), toPath: first.store)

        let third = try await first.again()
        #expect(try health(third) == "s \"warning\"\n")
        let status = try await third.client.status()
        // The copy of the last nights has the skip (R21.20).
        #expect(status.window.phase == .completed)
        #expect(
            status.faults.count == 2 && status.faults.contains { $0.contains("has them again: ") }, "\(status.faults)")
        // A later commit does not make the past of the store whole.
        try await third.submit(.logSleepEvent("bathroom"))
        #expect(try health(third) == "s \"warning\"\n")
        if Testbed.isActive {
            let entries = try Journal.entries(matching: [
                "_PID": "\(third.daemon.processID)", "MESSAGE_ID": "019b28053b4d4a6d918ed21a527b2fdf",
            ])
            #expect(!entries.isEmpty)
            #expect(entries.allSatisfy { $0["DOSETAP_EXPECTED_SEQ"] != nil && $0["DOSETAP_FOUND_SEQ"] != nil })
        }
        try await third.stop()
        #expect(try await StoredLog.read(first.store).count { $0.event.type == .storeRestored } == 1)

        let fourth = try await first.again()
        #expect(try health(fourth) == "s \"ok\"\n")
        // The findings are gone, but the report still says what was found, and when.
        let report = try await fourth.client.examine(.verify)
        #expect(report["ok"] == true && report["findings"]?.arrayValue ?? [] == [])
        let notes = report["notes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(notes.count == 1 && notes[0].contains("\(ServiceBench.now.iso8601.prefix(10))T"), "\(notes)")
        try await fourth.stop()
    }

    @Test func `what was found and recorded once is told at each start, but not recorded again`() async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(20) }
        try await first.stop()
        #expect(
            try Command.run(["sqlite3", first.store, "UPDATE events SET surface = 'hook' WHERE seq = 1"]).status == 0)
        for _ in 0..<3 {
            let later = try await first.again()
            #expect(try await later.client.status().faults.count == 1)
            try await later.stop()
        }
        let mended = "UPDATE events SET surface = 'cli' WHERE seq = 1"
        #expect(try Command.run(["sqlite3", first.store, mended]).status == 0)
        #expect(try await StoredLog.read(first.store).count { $0.event.type == .storeRestored } == 1)
    }

    @Test(arguments: [nil, "", "dosetap-head 1 torn"])
    func `R21.5 a head file that is missing or torn is told once, and nothing is in doubt for it`(
        text: String?
    ) async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(20) }
        try await first.stop()
        let head = URL(fileURLWithPath: first.store + ".head")
        try FileManager.default.removeItem(at: head)
        if let text { try Data(text.utf8).write(to: head) }
        let second = try await first.again()
        let told = try await second.client.status().faults
        #expect(told.count == 1 && told[0].contains("missing or torn"), "\(told)")
        try await second.stop()
        #expect(try await StoredLog.read(first.store).contains { $0.event.type == .storeRestored } == false)
        let third = try await first.again()
        #expect(try await third.client.status().faults.isEmpty)
        try await third.stop()
    }

    @Test(arguments: ["Nowhere/Land", "../../../etc/passwd", ":"])
    func `E8: a zone that cannot be found is UTC, and that is said`(variable: String) async throws {
        let bench = try await ServiceBench.start(environment: ["TZ": variable])
        let status = try await bench.client.status()
        #expect(status.timeZone == "UTC")
        let isUnknown = variable != ":"
        #expect(status.faults == (isUnknown ? ["the time zone is unknown, times are UTC"] : []))
        if Testbed.isActive, isUnknown {
            let entries = try Journal.entries(matching: [
                "_PID": "\(bench.daemon.processID)", "MESSAGE_ID": "1454e6f756a94fde89f72e8544548ebd",
            ])
            #expect(entries.count == 1)
            #expect(entries.first?["MESSAGE"]?.hasPrefix("UTC, zone unknown") == true)
        }
        try await bench.stop()
    }

    @Test func `SIGHUP reads the settings again, and ends no service that can only say why it is none`() async throws {
        let config = try ScratchFolder()
        let file = config.url.appending(path: "dosetap/config.yaml")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("dose:\n  target_minutes: 165\n".utf8).write(to: file)
        let environment = ["XDG_CONFIG_HOME": config.path("")]
        let bench = try await ServiceBench.start(environment: environment)
        func target(_ bench: ServiceBench) async throws -> JSONValue? {
            try await bench.client.config().first { $0["key"] == "dose.target_minutes" }?["value"]
        }
        let before = try await target(bench)
        try Data("dose:\n  target_minutes: 195\n".utf8).write(to: file)
        bench.daemon.signal(SIGHUP)
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(20)
        while try await target(bench) == before, clock.now < limit {}
        #expect(try await target(bench) != before)
        try await bench.submit(.logDose(.dose1))
        try await bench.stop()

        #expect(try Command.run(["sqlite3", bench.store, "PRAGMA user_version = 999"]).status == 0)
        let bus = try PrivateBus()
        let loop = try EventLoop.spawn(name: "asking")
        let connection = try await Connection.open(.address(bus.address), on: loop)
        let client = Client(connection)
        let none = try DaemonProcess(
            arguments: ["--store", bench.store, "--address", bus.address], environment: environment)
        func saysWhy() async -> Bool {
            do { _ = try await client.status() } catch { return "\(error)".contains("newer version of DoseTap") }
            return false
        }
        let up = clock.now + .seconds(20)
        while await !saysWhy(), clock.now < up {}
        none.signal(SIGHUP)
        // The signal comes to the same loop, and each answer takes a turn of it.
        for _ in 0..<50 { #expect(await saysWhy()) }
        none.signal(SIGTERM)
        _ = try none.awaitExit()
        await connection.close()
        loop.stop()
    }

    @Test func `a setting that is not in force is told with every status until it is put right`() async throws {
        let config = try ScratchFolder()
        let file = config.url.appending(path: "dosetap/config.yaml")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        func write(_ text: String) throws { try Data(text.utf8).write(to: file) }
        try write("dose:\n  target_minutes: 170\n")
        let bench = try await ServiceBench.start(environment: ["XDG_CONFIG_HOME": config.path("")])
        let lost = "Not in force: dose.target_minutes. The defaults hold instead."
        let warning = [lost]
        #expect(try await bench.client.status().faults == warning)
        #expect(try await bench.client.status(at: ServiceBench.now - .hours(100)).faults == warning)
        try write("dose:\n  target_minutes: 180\n")
        try await bench.client.reload()
        #expect(try await bench.client.status().faults.isEmpty)
        try write("dose: [\n")
        await #expect(throws: ServiceError.self) { try await bench.client.reload() }
        func isWholeFile(_ faults: [String]) -> Bool {
            faults.count == 1 && faults[0].hasPrefix("No setting of ")
                && faults[0].contains("The settings that were last in order stay in force.")
        }
        let held = try await bench.client.status().faults
        #expect(isWholeFile(held), "\(held)")
        let row = try await bench.client.doctor().map { try Finding(json: $0) }.first { $0.id == "settings" }
        #expect(row?.level == .amber && row?.remedy == .checkSettings)
        #expect(try health(bench) == "s \"ok\"\n")
        try await bench.stop()
        // A new start does not lose the last valid settings.
        let again = try await bench.again(environment: ["XDG_CONFIG_HOME": config.path("")])
        let kept = try await again.client.status().faults
        #expect(isWholeFile(kept), "\(kept)")
        let target = try await again.client.config().first { $0["key"] == "dose.target_minutes" }
        #expect(target?["value"] == "180")
        try await again.stop()
    }

    /// Nights over a change of the clocks: the zone, dose 1 and the session date.
    static let changes = [
        ("Europe/Berlin", "2026-03-29T00:30:00+01:00", "2026-03-28"),
        ("Europe/Berlin", "2026-10-25T01:15:00+02:00", "2026-10-24"),
        ("America/New_York", "2026-03-07T23:30:00-05:00", "2026-03-07"),
        ("Australia/Lord_Howe", "2026-04-05T00:30:00+11:00", "2026-04-04"),
    ]

    @Test(arguments: changes)
    func `E1, E2: over a change of the clocks the real service counts elapsed time`(
        zone: String, dose: String, date: String
    ) async throws {
        let bench = try await ServiceBench.start(environment: ["TZ": zone])
        let dose1 = try Instant(iso8601: dose)
        let receipt = try await bench.submit(.logDose(.dose1)) {
            $0.at = dose1
            $0.confirmations = [.longAgo]
        }
        #expect(receipt.sessionDate?.text == date)
        for (minutes, phase) in [(149, Phase.beforeWindow), (150, .active), (225, .nearClose), (240, .closed)] {
            let status = try await bench.client.status(at: dose1 + .minutes(minutes))
            #expect(status.window.phase == phase && status.windowOpens == dose1 + .minutes(150))
            #expect(status.timeZone == zone)
        }
        try await bench.stop()
    }

    @Test func `E3: after a journey the night keeps its date and zone`() async throws {
        let first = try await ServiceBench.start(environment: ["TZ": "America/New_York"])
        let receipt = try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(100) }
        let before = try await first.client.status()
        try await first.stop()
        let second = try await first.again(environment: ["TZ": "Asia/Tokyo"])
        let after = try await second.client.status()
        #expect(after.sessionDate == receipt.sessionDate && after.timeZone == "America/New_York")
        #expect(before.zoneInForce == "America/New_York" && after.zoneInForce == "Asia/Tokyo")
        #expect(after.windowOpens == before.windowOpens)
        let skip = try await second.submit(.skipDose2)
        #expect(skip.timeZone == "Asia/Tokyo")
        #expect(skip.metadata["local_offset_minutes"] == .integer(540))
        try await second.stop()
    }
}
