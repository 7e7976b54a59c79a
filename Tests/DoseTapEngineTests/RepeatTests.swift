import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@Suite struct RepeatTests {
    @Test func `a key used again gives the first receipt, also after a restart`() async throws {
        let bench = try await NightBench.open()
        let first = try await bench.submit(.logDose(.dose1)) { $0.key = "k1" }
        try await bench.advance(by: .minutes(30))
        let second = try await bench.submit(.logDose(.dose1)) { $0.key = "k1" }
        await bench.stop()

        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        let third = try await later.submit(.logDose(.dose1)) { $0.key = "k1" }
        #expect(first.duplicate == false && second.duplicate && third.duplicate)
        for repeated in [second, third] {
            var expected = first
            expected.duplicate = true
            #expect(repeated == expected)
        }
        #expect(try await later.types() == [.sessionOpened, .doseRecorded])
        await later.stop()
    }

    @Test func `R23.13 a handle asked again under its key names what it named at first`() async throws {
        let bench = try await NightBench.open()
        let kept = try await bench.submit(.logSleepEvent("bathroom"))
        try await bench.advance(by: .minutes(30))
        let last = try await bench.submit(.logSleepEvent("bathroom"))
        for (name, id) in [("last bathroom", last), (String(kept.eventID.text.suffix(6)), kept)] {
            let first = try await bench.submit(.delete(EventID(name))) { $0.key = name }
            let again = try await bench.submit(.delete(EventID(name))) { $0.key = name }
            #expect(again.duplicate && again.eventID == first.eventID)
            let deleted = try #require(try await bench.log().last)
            guard case .entryDeleted(let payload) = deleted.event.payload else { throw CancellationError() }
            #expect(payload.target == id.eventID)
        }
        // Another id is another argument, so the key may not be used for it.
        await #expect(throws: EngineFailure.self) {
            try await bench.submit(.delete(EventID("0000"))) { $0.key = "last bathroom" }
        }
        await bench.stop()
    }

    @Test func `R14.12 the same bottle within ten seconds is the same tap, and after them another bottle`() async throws
    {
        let bench = try await NightBench.open()
        let bottle = NightCommand.inventory(.addBottle(["medication_id": "xyrem", "amount": "180mL"]))
        let first = try await bench.submit(bottle)
        try await bench.advance(by: .seconds(9))
        let second = try await bench.submit(bottle)
        #expect(second.duplicate && second.eventID == first.eventID)
        let other = try await bench.submit(.inventory(.addBottle(["medication_id": "xyrem", "amount": "90mL"])))
        #expect(!other.duplicate && other.eventID != first.eventID)
        try await bench.advance(by: .seconds(11))
        #expect(try await bench.submit(bottle).duplicate == false)
        await bench.stop()
    }

    @Test func `a repeated receipt promises only the alarm that still rings`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(160))
        let first = try await bench.submit(.snooze) { $0.key = "s" }
        #expect(first.dueTimes?.alarm == dose1.timestamp + .minutes(175))
        try await bench.advance(by: .minutes(1))
        try await bench.submit(.snooze)
        let moved = try await bench.submit(.snooze) { $0.key = "s" }
        #expect(moved.eventID == first.eventID && moved.dueTimes?.alarm == dose1.timestamp + .minutes(185))
        try await bench.submit(.logDose(.dose2))
        let over = try await bench.submit(.snooze) { $0.key = "s" }
        #expect(over.duplicate && over.eventID == first.eventID && over.dueTimes == nil)
        #expect(await failure { try await bench.submit(.snooze) }?.reason == .dose2TakenOrSkipped)
        await bench.stop()
    }

    @Test(arguments: ["amount", "note", "time", "action"])
    func `a key used again with another`(difference: String) async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1)) { $0.key = "k1" }
        let command: NightCommand = difference == "action" ? .skipDose2 : .logDose(.dose1)
        let answer = await failure {
            try await bench.submit(command) { options in
                options.key = "k1"
                if difference == "amount" { options.amountMilligrams = 2_250 }
                if difference == "note" { options.note = "another" }
                if difference == "time" { options.at = bench.clock.now - .minutes(1) }
            }
        }
        #expect(answer?.isInvalidInput == true)
        #expect(try await bench.types() == [.sessionOpened, .doseRecorded])
        await bench.stop()
    }

    @Test func `a key of another night is found in the log`() async throws {
        let bench = try await NightBench.open()
        let first = try await bench.submit(.logDose(.dose1)) { $0.key = "night-1" }
        try await bench.advance(by: .hours(24 * 5))
        let again = try await bench.submit(.logDose(.dose1)) { $0.key = "night-1" }
        #expect(again.duplicate && again.eventID == first.eventID && again.sessionID == first.sessionID)
        #expect(try await bench.types().count { $0 == .doseRecorded } == 1)
        await bench.stop()
    }

    @Test func `the same tap within ten seconds is one dose, later it is refused`() async throws {
        let bench = try await NightBench.open()
        let first = try await bench.submit(.logDose(.dose1))
        bench.clock.advance(by: .seconds(10))
        let again = try await bench.submit(.logDose(.dose1))
        #expect(again.duplicate && again.eventID == first.eventID)
        bench.clock.advance(by: .milliseconds(1))
        #expect(await failure { try await bench.submit(.logDose(.dose1)) }?.reason == .dose1AlreadyTaken)
        await bench.stop()
    }

    @Test func `fifty callers at once record one dose`() async throws {
        let bench = try await NightBench.open()
        let results = Recorder<Receipt?>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    var options = CommandOptions(surface: .dbus)
                    options.key = "caller-\(number)"
                    results.append(try? await bench.engine.submit(.logDose(.dose1), options))
                }
            }
        }
        #expect(results.elements.compactMap(\.self).count { !$0.duplicate } == 1)
        #expect(try await bench.types() == [.sessionOpened, .doseRecorded])
        await bench.stop()
    }
}
