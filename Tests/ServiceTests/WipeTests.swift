import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite(.serialized) struct WipeTests {
    private func wipe(
        _ bench: ServiceBench, _ confirmations: [DoseTapDomain.Confirmation] = [.wipe, .windowUnresolved],
        dryRun: Bool = false
    ) async throws -> WipeReport {
        var options = WipeOptions()
        options.confirmations = confirmations
        options.dryRun = dryRun
        return try WipeReport(json: try await bench.client.call(Contract.Data.wipe, options.variants).object)
    }

    private func names(_ bench: ServiceBench) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.folder.path("")).sorted()
    }

    @Test func `R26.4 in an open window both questions are asked, and nothing goes before they are answered`()
        async throws
    {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(160) }
        for (given, missing) in [
            ([], ["window_unresolved", "wipe"]), ([.wipe], ["window_unresolved"]), ([.windowUnresolved], ["wipe"]),
        ] as [([DoseTapDomain.Confirmation], [String])] {
            do {
                _ = try await wipe(bench, given)
                Issue.record("it was not asked")
            } catch let error as ServiceError {
                #expect(error.kind == .requiresConfirmation && error.confirmations.map(\.rawValue) == missing)
                #expect(!error.message.contains("?") && !error.message.contains("!"))
            }
        }
        let ahead = try await wipe(bench, [], dryRun: true)
        #expect(!ahead.isWiped && ahead.isWindowOpen && ahead.events > 0)
        #expect(try await bench.client.status().window.phase == .active)
        let report = try await wipe(bench)
        #expect(report.isWiped && report.isFinished && report.files.contains("dosetap.db"))
        #expect(try bench.daemon.awaitExit() == 0, "the service ends, and its manager starts it anew")
        await bench.leave()
        #expect(try names(bench) == ["dosetap.db.lease"])
        let again = try await bench.again()
        let status = try await again.client.status()
        #expect(status.dose1 == nil && status.window.phase == .noDose1)
        #expect(try await again.submit(.logDose(.dose1)).phase == .beforeWindow)
        try await again.stop()
        #expect(try await StoredLog.read(bench.store).count == 2)
    }

    @Test func `R26.6 what stands on the screen is taken from it, and no reminder is kept for a later start`()
        async throws
    {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let screen = try await ScriptedNotificationServer.start(on: bus.address)
        let runtime = folder.path("run")
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
        chmod(runtime, 0o700)
        let bench = try await ServiceBench.start(on: bus, in: folder, environment: ["XDG_RUNTIME_DIR": runtime])
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(170) }
        let id = try await screen.heard.wait { heard in
            heard.contains { if case .shown(let shown) = $0 { shown.summary == "Dose 2 is still open" } else { false } }
        }.count
        #expect(id > 0)
        #expect(try await wipe(bench).isFinished)
        #expect(try await !screen.awaitClosed(1).isEmpty)
        #expect(try bench.daemon.awaitExit() == 0)
        await bench.leave()
        let left = try FileManager.default.subpathsOfDirectory(atPath: runtime).filter { $0.hasPrefix("dosetap/") }
        #expect(left.isEmpty, "\(left)")
        #expect(try names(bench) == ["dosetap.db.lease", "run"])
    }

    @Test func `R26.4 a dose that is being logged is answered first, and one after it is not lost in silence`()
        async throws
    {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(160) }
        async let dose2 = bench.submit(.logDose(.dose2))
        async let events = [0, 1, 2, 3].concurrent { number in
            await bench.refusal(.logSleepEvent("water")) { $0.key = "water-\(number)" }
        }
        async let one = try? wipe(bench)
        async let other = try? wipe(bench)
        let reports = await [one, other].compactMap(\.self)
        #expect(reports.count == 1 && reports.first?.isFinished == true, "two removals at once: one is done")
        #expect((try? await dose2) != nil, "it came first")
        _ = await events
        #expect(try bench.daemon.awaitExit() == 0)
        await bench.leave()
        #expect(try names(bench) == ["dosetap.db.lease"])
    }

    @Test(arguments: 0...3)
    func `R26.4 a restore and a removal at once: the record is gone, or the restored one is whole`(turn: Int)
        async throws
    {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(160) }
        try await bench.submit(.skipDose2)
        let backup = try await bench.client.backUp()
        try await bench.submit(.logSleepEvent("water"))
        let file = UnixFD(owning: open(backup.path, O_RDONLY | O_CLOEXEC))
        async let restored = try? bench.client.restore(from: file, confirmed: [.restore, .windowUnresolved])
        // Each turn places the removal at another point of the restore.
        for _ in 0..<turn { _ = try? await bench.client.status() }
        async let removed = try? wipe(bench)
        let (restore, report) = await (restored, removed)
        if report?.isFinished == true {
            _ = try bench.daemon.awaitExit()
            await bench.leave()
            #expect(try names(bench) == ["backups", "dosetap.db.lease"], "restored: \(restore != nil)")
        } else {
            #expect(restore != nil, "one of both is done")
            #expect(try await bench.client.examine(.verify)["ok"] == true)
            try await bench.stop()
        }
    }

    @Test func `R26.6 a record that cannot be opened is removed by the service that says so`() async throws {
        let folder = try ScratchFolder()
        let first = try await ServiceBench.start(in: folder)
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(170) }
        try await first.stop()
        #expect(try Command.run(["sqlite3", first.store, "PRAGMA user_version=999"]).status == 0)
        let bench = try await ServiceBench.startUnable(in: folder)
        await #expect(throws: ServiceError.self) { try await bench.client.status() }
        do {
            _ = try await wipe(bench, [])
            Issue.record("it was not asked")
        } catch let error as ServiceError {
            #expect(error.confirmations == [DoseTapDomain.Confirmation.windowUnresolved, .wipe], "\(error)")
        }
        #expect(try await wipe(bench).isFinished)
        _ = try bench.daemon.awaitExit()
        await bench.leave()
        #expect(try names(bench) == ["dosetap.db.lease"])
        let again = try await ServiceBench.start(in: folder)
        #expect(try await again.client.status().dose1 == nil)
        try await again.stop()
    }

    @Test func `R26.4 without a record there is nothing to do`() async throws {
        let bench = try await ServiceBench.start()
        do {
            _ = try await wipe(bench)
            Issue.record("there was something")
        } catch let error as ServiceError { #expect(error.kind == .nothingToDo) }
        try await bench.stop()
    }
}

extension Array where Element: Sendable {
    fileprivate func concurrent<Value: Sendable>(_ body: @escaping @Sendable (Element) async -> Value) async -> [Value]
    {
        await withTaskGroup(of: Value.self) { group in
            for element in self { group.addTask { await body(element) } }
            var values: [Value] = []
            for await value in group { values.append(value) }
            return values
        }
    }
}
