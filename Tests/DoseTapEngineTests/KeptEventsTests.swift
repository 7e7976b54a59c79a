import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite struct KeptEventsTests {
    /// Stops a bench whose store refuses all writes, after a dose that was acknowledged.
    private func stopped(_ bench: NightBench) async throws {
        bench.store.fail(.refused(.noSpace))
        let answer = await failure {
            try await bench.submit(.logDose(.dose2)) {
                $0.amountMilligrams = 2_250
                $0.note = "kept"
            }
        }
        #expect(answer?.store?.kept == true)
        #expect(await bench.engine.stop() == false)
        let left = bench.observer.changes.elements.compactMap { change -> [EventType]? in
            if case .left(let events, .reserve) = change { events.map(\.type) } else { nil }
        }
        #expect(left == [[.doseRecorded, .reminderAcknowledged]])
        bench.loop.stop()
    }

    @Test func `R21.6 what the log did not take before a stop is in it after the next start`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(170))
        let before = try await bench.log().count
        try await stopped(bench)
        // The machine was off for five minutes.
        bench.clock.advance(by: .minutes(5))
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        let status = await later.engine.status(at: nil)
        #expect(status.dose2 == dose1 + .minutes(170))
        #expect(status.warnings.count == 1 && status.warnings[0].message.contains("dose 2 at Thu 2026-01-15 01:20"))
        let added = try await later.log().dropFirst(before)
        #expect(added.map(\.event.type) == [.doseRecorded, .reminderAcknowledged])
        guard case .doseRecorded(let dose)? = added.first?.event.payload else { return }
        #expect(dose.amountMilligrams == 2_250 && dose.note == "kept")
        #expect(await failure { try await later.submit(.logDose(.dose2)) }?.confirmations.isEmpty == false)
        #expect(try await later.store.verify().isSound)
        #expect(try await later.store.check().isSound)
        #expect(await later.engine.stop())
        later.loop.stop()
        // A second start does not record the kept events again.
        let third = try await NightBench.open(in: bench.folder, clock: bench.clock)
        #expect(await third.engine.status(at: nil).warnings.isEmpty)
        await third.stop()
    }

    @Test func `R21.6 what was kept survives a crash, too`() async throws {
        let bench = try await NightBench.open()
        bench.store.fail(.refused(.readOnly))
        _ = await failure { try await bench.submit(.logDose(.dose1)) }
        try await bench.crash()
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        #expect(await later.phase() == .beforeWindow)
        #expect(try await later.types() == [.sessionOpened, .doseRecorded])
        await later.stop()
    }

    @Test func `R21.7 what the journal alone has comes back without details, and is asked about`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(170))
        try await stopped(bench)
        let kept = await bench.store.kept().events
        #expect(await bench.store.keep([], lastSequence: 0) == nil)
        let told = kept.compactMap(\.withoutDetails).map { $0.json.serialized() }
        #expect(told.count == 2 && !told.contains { stands("2250", in: $0) || $0.contains("kept\"") })
        let remembered = try told.compactMap { Event(json: try JSONValue.parse($0)) }
        var setup = NightBench.Setup()
        setup.starts = false
        let later = try await NightBench.open(setup, in: bench.folder, clock: bench.clock)
        try await later.engine.start(remembered: remembered)
        let status = await later.engine.status(at: nil)
        #expect(status.dose2 == dose1 + .minutes(170))
        #expect(status.warnings.contains { $0.message.contains("without amount and note: dose 2") })
        await later.stop()
    }

    @Test func `R21.20 what a log lacks that is opened anew in use is recorded again`() async throws {
        let evening = try await NightBench.open()
        let dose1 = try await evening.submit(.logDose(.dose1)).timestamp
        await evening.stop()
        let (path, older) = (evening.folder.path("dosetap.db"), evening.folder.path("older"))
        try FileManager.default.copyItem(atPath: path, toPath: older)
        let bench = try await NightBench.open(in: evening.folder, clock: evening.clock)
        try await bench.advance(to: dose1 + .minutes(170))
        try await bench.submit(.logDose(.dose2))
        // The older file takes the name of the log. The service still has the replaced file open.
        #expect(rename(older, path) == 0)
        bench.store.fail(.unknownAndLost)
        #expect(await failure { try await bench.submit(.logSleepEvent("water")) }?.store?.code == .outcomeUnknown)
        #expect(await bench.engine.status(at: nil).dose2 == dose1 + .minutes(170))
        bench.store.fail(nil)
        try await bench.submit(.logSleepEvent("bathroom"))
        #expect(try await bench.log().count { $0.event.payload.entryWords == "dose 2" } == 1)
        #expect(await bench.engine.status(at: nil).dose2 == dose1 + .minutes(170))
        await bench.stop()
    }

    @Test func `R21.8 where something else was recorded since, a kept dose is asked about`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(170))
        try await stopped(bench)
        let kept = await bench.store.kept()
        _ = await bench.store.keep([], lastSequence: 0)
        let between = try await NightBench.open(in: bench.folder, clock: bench.clock)
        try await between.advance(by: .minutes(2))
        try await between.submit(.logDose(.dose2))
        _ = await between.store.keep(kept.events, lastSequence: kept.lastSequence)
        #expect(await between.engine.stop())
        between.loop.stop()
        for _ in 0..<2 {
            let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
            let warnings = await later.engine.status(at: nil).warnings
            #expect(
                warnings.count == 1 && warnings[0].message.contains("something else was recorded since: dose 2 at"),
                "\(warnings)")
            #expect(try await later.log().count { $0.event.payload.entryWords == "dose 2" } == 1)
            await later.stop()
        }
    }

    @Test func `a commit that fails keeps how far plugins have read for the next one`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.plugin.received.wait(count: 2)
        await bench.awaitCursor(2)
        let before = bench.store.commits.count
        bench.store.fail(.refused(.noSpace))
        _ = await failure { try await bench.submit(.logSleepEvent("dream")) }
        #expect(bench.store.commits.count == before)
        bench.store.fail(nil)
        try await bench.submit(.logSleepEvent("noise"))
        // The kept events are committed first, with the cursors.
        let next = try #require(bench.store.commits.dropFirst(before).first)
        #expect(next.cursors.values.contains { $0 >= 2 }, "\(next.cursors)")
        await bench.stop()
    }

    @Test func `an event as JSON is read back the same`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1)) {
            $0.key = "k"
            $0.note = "a “note”\n"
        }
        try await bench.advance(by: .minutes(400))
        for stored in try await bench.log() {
            #expect(Event(json: try JSONValue.parse(stored.event.json.serialized())) == stored.event)
        }
        await bench.stop()
    }
}
