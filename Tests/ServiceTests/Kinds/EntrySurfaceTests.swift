import DoseTapContract
import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// Every sample of every kind of entry on every surface: D-Bus and the command line by a real service, and a plugin.
@Suite(.serialized) struct EntrySurfaceTests {
    @Test(arguments: EntrySample.all)
    func `D-Bus and the command line record, tell, show, explain and correct the same entry`(
        sample: EntrySample
    ) async throws {
        let bench = try await ServiceBench.start(environment: ["TZ": HourZone.night])
        let now = ServiceBench.now
        var entries: [EventID] = []
        for act in sample.before { entries.append(try await bench.submit(act, entries, now, isCertain: true).eventID) }

        let receipt = try await bench.submit(sample.act, entries, now)
        #expect(
            receipt.type == sample.word && receipt.metadata["note"]?.stringValue ?? sample.act.note == sample.act.note)
        if let amount = sample.amount, sample.act.amount != nil { #expect(receipt.metadata[amount] != nil) }
        try await bench.signals.wait { signals in
            signals.contains { signal in
                signal.member == "EventRecorded" && signal.arguments.first?.stringValue == sample.type.rawValue
                    && signal.arguments.contains { $0.stringValue == receipt.eventID.text }
            }
        }
        try await bench.submit(.undo) { $0.confirmations = DoseTapDomain.Confirmation.allCases }

        // The command line records the same entry in text, and answers again with the same key in JSON.
        let line = sample.act.line(entries, now: now) + ["--key", "k"]
        let told = try bench.dosetap(line)
        #expect(told.status == 0 && !told.text.isEmpty, "\(line): \(told.text)\(told.errors)")
        let again = try Receipt(json: try bench.json(line))
        #expect(again.duplicate && again.type == sample.word)
        let taken = try await bench.client.why(receipt.eventID.text)
        let typed = try await bench.client.why(again.eventID.text)
        #expect(taken.state == .undone && typed.state == .active)
        #expect(taken.event.metadata == typed.event.metadata && taken.answers == typed.answers)
        #expect(taken.event.timestamp == typed.event.timestamp || sample.act.ago == nil)

        let entry = again.target ?? again.eventID
        try await bench.expectShown(sample, entry, by: again)
        for act in sample.amendments {
            try bench.expect(act.line(entries + [entry], now: now))
            let explained = try await bench.client.why(entry.text)
            #expect(explained.state == .amended && explained.corrections.last?.type == "entry_amended")
            try bench.expect(["undo", "--confirm", "undo_dose"])
        }
        for act in sample.refusedAmendments {
            let refused = try bench.dosetap(act.line(entries + [entry], now: now))
            #expect(
                refused.status == ServiceError.Kind.invalidInput.exitCode, "\(act): \(refused.text)\(refused.errors)")
        }
        try bench.expect(["delete", entry.text])
        #expect(try await bench.client.why(entry.text).state == .deleted)
        try bench.expect(["undo", "--confirm", "undo_dose"])
        try bench.expect(["undo", "--confirm", "undo_dose"])
        for member in [Client.Examination.check, .verify] {
            #expect(try await bench.client.examine(member)["ok"] == true)
        }
        #expect(try await bench.client.examine(.rebuild)["repairs"] == .array([]))
        try await bench.stop()
    }

    @Test(arguments: EntrySample.all)
    func `a plugin records it like a person, and a service that starts anew knows it`(sample: EntrySample) async throws
    {
        var setup = NightBench.Setup.silent
        setup.start = try Instant(iso8601: "2026-01-15T03:00:00Z")
        let bench = try await NightBench.open(setup)
        var entries: [EventID] = []
        for act in sample.before { entries.append(try await bench.submit(act, entries, isCertain: true).eventID) }
        let first = try await bench.submit(sample.act, entries)
        try await bench.submit(.undo) { $0.confirmations = Set(DoseTapDomain.Confirmation.allCases) }

        let proposer = PluginManifest(id: "proposer", summary: "asks", capabilities: [.proposes])
        var options = CommandOptions(surface: .plugin)
        sample.act.fill(&options, now: bench.clock.now)
        let receipt = try await bench.context(for: proposer).propose(sample.act.ask.command(entries), options)
        await bench.engine.published()
        #expect(receipt.type == sample.word)
        let log = try await bench.log().map(\.event)
        let payloads = [first, receipt].map { receipt in log.first { $0.id == receipt.eventID } }
        #expect(payloads.first??.payload == payloads.last??.payload)
        #expect(payloads.last??.surface == .plugin)
        #expect(bench.observer.recorded.last { $0 != .sessionClosed && $0 != .settingChanged } != nil)

        let (status, shown) = (await bench.engine.status(at: nil), try await bench.shown(receipt))
        await bench.stop()
        setup.start = bench.clock.now
        let later = try await NightBench.open(setup, in: bench.folder, clock: bench.clock)
        #expect(await later.engine.status(at: nil) == status)
        #expect(try await later.shown(receipt) == shown)
        await later.stop()
    }
}

extension NightBench {
    fileprivate func submit(_ act: Act, _ entries: [EventID], isCertain: Bool = false) async throws -> Receipt {
        let now = clock.now
        return try await submit(act.ask.command(entries)) { options in
            act.fill(&options, now: now)
            if isCertain { options.confirmations = Set(DoseTapDomain.Confirmation.allCases) }
        }
    }

    /// The entries that an entry's id shows.
    fileprivate func shown(_ receipt: Receipt) async throws -> ShownNights {
        try await engine.records(named: (receipt.target ?? receipt.eventID).text)
    }
}

extension ServiceBench {
    fileprivate func submit(
        _ act: Act, _ entries: [EventID], _ now: Instant, isCertain: Bool = false
    ) async throws -> Receipt {
        try await submit(act.ask.command(entries)) { options in
            options.confirmations = isCertain ? DoseTapDomain.Confirmation.allCases : act.confirm
            options.at = act.ago.map { now - $0 }
            options.amount = act.amount
            options.note = act.note
        }
    }

    /// Runs the program dosetap against this service.
    fileprivate func dosetap(_ line: [String]) throws -> TestProgram.Outcome {
        let program = URL(fileURLWithPath: DaemonProcess.program).deletingLastPathComponent().path() + "dosetap"
        return try TestProgram.run(
            [program] + line,
            environment: [
                "HOME": folder.path("home"), "PATH": "/usr/bin:/bin", "TZ": HourZone.night, "LC_ALL": "C.UTF-8",
                "DBUS_SESSION_BUS_ADDRESS": bus.address,
            ])
    }

    /// Runs a command line that must succeed and print text.
    @discardableResult
    fileprivate func expect(_ line: [String]) throws -> String {
        let outcome = try dosetap(line)
        #expect(outcome.status == 0 && !outcome.text.isEmpty, "\(line): \(outcome.text)\(outcome.errors)")
        return outcome.text
    }

    /// The JSON object that a command line prints.
    fileprivate func json(_ line: [String]) throws -> JSONObject {
        let text = try expect(line + ["--json"])
        return try #require(try JSONValue.parse(String(text.dropLast())).objectValue)
    }

    /// Checks that an entry is shown, exported and explained, in text and in JSON.
    fileprivate func expectShown(_ sample: EntrySample, _ entry: EventID, by receipt: Receipt) async throws {
        let why = try Explanation(json: try json(["why", entry.text]))
        #expect(why.event.id == entry && !why.rules.isEmpty && why.entityType != "")
        try expect(["why", entry.text])
        guard sample.type != .regimenSet else {
            let history = try #require(try json(["regimen", "history"])["history"]?.arrayValue)
            #expect(history.contains { $0["id"]?.stringValue == entry.text })
            try expect(["regimen", "history"])
            return
        }
        let shown = try ShownNights(json: try json(["show", entry.text]))
        let found = shown.nights.flatMap(\.entries) + shown.entries()
        let record = try #require(found.first { $0.id == entry })
        #expect(record.type == sample.word)
        if let amount = sample.amount { #expect(record.metadata[amount] == receipt.metadata[amount]) }
        try expect(["show", entry.text])
        if let night = shown.nights.first?.summary {
            let nights = try #require(try json(["history"])["nights"]?.arrayValue)
            #expect(nights.contains { $0["session_id"]?.stringValue == night.sessionID.text })
            try expect(["history"])
            try expect(["show", night.sessionID.text])
        }
    }
}
