import DoseTapDomain
import Testing

/// R30: sleep records from other sources.
struct SleepRecordTests {
    static let evening = utc("2026-01-14T22:00:00Z")

    /// A sleep by its minutes from an instant.
    static func sleep(
        _ start: Instant, _ minutes: Int, _ stages: [(ImportedSleep.Stage, Int, Int)] = [],
        part: ImportedSleep.Part = .main, grade: ImportedSleep.Grade = .measured, device: String? = nil,
        offset: Int? = nil
    ) -> ImportedSleep {
        let course: ImportedSleep.Course =
            stages.isEmpty
            ? .durations([.asleep: minutes * 60])
            : .stages(stages.map { .init($0.0, start + .minutes($0.1), start + .minutes($0.2)) })
        return ImportedSleep(
            row: "row 1", device: device, start: start, end: start + .minutes(minutes), offsetMinutes: offset,
            part: part, grade: grade, course: course)
    }

    @Test func `R30.1 with a recorded sleep or without one the night, its window, reminders and diary are the same`()
        throws
    {
        var without = SimulatedMachine.evening()
        var with = without
        func both(_ change: (inout SimulatedMachine) throws -> Void) throws {
            try change(&without)
            try change(&with)
        }
        func add(_ start: Instant, _ minutes: Int, _ part: ImportedSleep.Part = .main) throws {
            let recorded = try with.perform(.recordSleep(Self.sleep(start, minutes, part: part), source: "oura"))
            #expect(recorded.events.count == 1 && recorded.primary.sessionID == nil)
            #expect(recorded.primary.effectiveAt == start)
        }
        func expectSame() {
            #expect(with.logState.sessions.map(\.date) == without.logState.sessions.map(\.date))
            #expect(with.status().window == without.status().window)
            #expect(with.status().nextReminder == without.status().nextReminder)
            #expect(with.status().terminalState == without.status().terminalState)
            #expect(with.status().checkInPending == without.status().checkInPending)
            #expect(
                CommandHandler.nextDeadline(with.logState, with.context)
                    == CommandHandler.nextDeadline(without.logState, without.context))
            for (night, other) in zip(with.logState.sessions, without.logState.sessions) {
                let measured = (MeasuredNight(night), MeasuredNight(other))
                #expect(measured.0.sleep == measured.1.sleep && measured.0.night.outcome == measured.1.night.outcome)
                #expect(night.terminalState == other.terminalState && night.end == other.end)
            }
        }
        try add(with.wall - .hours(9), 40, .nap)
        #expect(with.logState.sessions.isEmpty)
        expectSame()
        try both { try $0.perform(.logDose(.dose1)) }
        for _ in 0..<30 {
            try both {
                $0.pass(.minutes(30))
                $0.meetDeadline()
            }
            try add(with.wall - .minutes(30), 30)
            expectSame()
        }
        try both { try $0.performConfirmed(.logFinalWake) }
        try add(utc("2026-01-14T22:10:00Z"), 480)
        try both {
            $0.pass(.hours(20))
            $0.settle()
        }
        expectSame()
        #expect(with.logState.sleepRecords.count == 32)
    }

    @Test func `R30.2 what is recorded stands as it was told, and out of bounds nothing is recorded`() throws {
        var machine = SimulatedMachine(at: Self.evening)
        let start = utc("2026-01-13T22:30:00Z")
        let told = Self.sleep(
            start, 480, [(.inBed, 0, 480), (.light, 10, 60), (.deep, 60, 120), (.awake, 120, 125), (.rem, 125, 470)],
            device: "Ring 4", offset: -300)
        let recorded = try machine.perform(.recordSleep(told, source: "oura")) { $0.note = "n" }
        let entry = try #require(machine.logState.sleepRecords.first)
        #expect(entry.id == recorded.primary.id && entry.at == start && entry.note == "n")
        #expect(entry.now.course == told.course && entry.now.device == "Ring 4" && entry.now.offsetMinutes == -300)
        #expect(entry.now.start == start && entry.now.end == told.end)
        #expect(entry.now.part == .main && entry.now.grade == .measured)
        // By the clock of its own place the middle of the sleep is 21:30 of the same evening.
        #expect(entry.now.date.text == "2026-01-13")

        func refused(_ sleep: ImportedSleep, source: String = "oura", _ place: Int = #line) {
            let log = machine.log
            guard case .invalidInput? = machine.failure(.recordSleep(sleep, source: source)) else {
                Issue.record("line \(place) was taken")
                return
            }
            #expect(machine.log == log)
        }
        refused(Self.sleep(start, 0))
        refused(Self.sleep(start, -5))
        refused(Self.sleep(start - .hours(3), 1_441))
        refused(Self.sleep(start, 60, [(.light, 0, 61)]))
        refused(Self.sleep(start, 60, [(.light, -1, 30)]))
        refused(Self.sleep(start, 60, [(.light, 30, 30)]))
        refused(Self.sleep(start, 60, [(.light, 0, 30), (.deep, 29, 40)]))
        refused(Self.sleep(start, 60, [(.light, 30, 40), (.deep, 0, 10)]))
        refused(Self.sleep(start, 60, [(.inBed, 0, 30), (.inBed, 20, 40)]))
        var many = Self.sleep(start, 600)
        many.course = .stages(
            (0...Int64(SleepRecorded.mostStages)).map { second in
                let from = start + .seconds(second)
                return .init(.light, from, from + .seconds(1))
            })
        refused(many)
        refused(Self.sleep(start, 60, device: String(repeating: "x", count: 65)))
        refused(Self.sleep(start, 60), source: "")
        refused(Self.sleep(start, 60), source: "a\nb")
        refused(Self.sleep(start, 60, offset: 1_441))
        var long = Self.sleep(start, 60)
        long.course = .durations([.asleep: 3_700])
        refused(long)
        long.course = .durations([.asleep: -1])
        refused(long)
        #expect(machine.refusal(.recordSleep(Self.sleep(machine.wall - .minutes(10), 20), source: "oura")) == .future)
        #expect(
            machine.failure(.recordSleep(Self.sleep(start, 60), source: "oura")) { $0.at = start + .minutes(1) } != nil)
        #expect(machine.failure(.record(.sleepRecorded, ["source": "x"])) != nil)
        #expect(machine.failure(.record(.sleepRecorded, ["sauce": "x"])) != nil)
    }

    @Test(arguments: [Int64.min, .max, 1_441]) func `R30.2 an offset that no zone has is refused`(offset: Int64) throws
    {
        var machine = SimulatedMachine(at: Self.evening)
        let start = utc("2026-01-13T22:30:00Z")
        let said: JSONObject = [
            "source": "x", "start": .instant(start), "end": .instant(start + .hours(8)), "part": "main",
            "grade": "estimated", "durations": ["light": 100], "offset_minutes": .integer(offset),
        ]
        #expect(machine.failure(.record(.sleepRecorded, said)) != nil)
    }

    @Test func `R30.1 undo and last mean what the person did, not what a program recorded since`() throws {
        var machine = SimulatedMachine(at: Self.evening)
        let dose1 = try machine.perform(.logDose(.dose1)).primary.id
        let start = utc("2026-01-13T22:30:00Z")
        let sleep = ImportedSleep(
            row: "", start: start, end: start + .hours(8), part: .main, grade: .estimated,
            course: .durations([.light: 100]))
        machine.pass(.seconds(5))
        try machine.perform(.recordSleep(sleep, source: "dose1")) { $0.surface = .dbus }
        #expect(machine.logState.entries(.last(nil)).map(\.id) == [dose1])
        #expect(machine.logState.entries(.last("dose1")).map(\.id) == [dose1])
        machine.pass(.seconds(5))
        try machine.perform(.undo)
        #expect(machine.night?.dose1 == nil && machine.logState.sleepRecords.count { $0.isActive } == 1)
    }

    @Test func `R30.2 the most stages that a record may have are kept in their order`() throws {
        var machine = SimulatedMachine(at: Self.evening)
        let start = utc("2026-01-13T22:30:00Z")
        let stages: [ImportedSleep.Stage] = [.light, .deep, .rem, .awake]
        var spans: [ImportedSleep.Span] = []
        var place = start
        for number in 0..<SleepRecorded.mostStages {
            spans.append(.init(stages[number % 4], place, place + .seconds(10)))
            place += .seconds(10)
        }
        let sleep = ImportedSleep(
            row: "", start: start, end: start + .hours(8), part: .main, grade: .estimated, course: .stages(spans))
        let event = try machine.perform(.recordSleep(sleep, source: "x")).primary
        let text = event.payload.json(origin: nil).serialized()
        let read = try EventPayload(type: .sleepRecorded, json: try JSONValue.parse(text))
        #expect(read == event.payload && machine.logState.sleepRecords.first?.now.course == sleep.course)
        #expect(text.utf8.count < 80_000)
    }

    private static func night(_ id: String, _ date: String, _ start: String, _ end: String?) throws -> SleepNight {
        var night = SleepNight(id: SessionID(id), date: try SessionDate(text: date), start: utc(start), end: nil)
        if let end { night.end = utc(end) }
        return night
    }

    @Test func `R30.3 a sleep belongs to the night it shares most time with, else to that of its date, else to none`()
        throws
    {
        let nights = [
            try Self.night("a", "2026-01-13", "2026-01-13T22:00:00Z", "2026-01-14T07:00:00Z"),
            try Self.night("b", "2026-01-14", "2026-01-14T06:00:00Z", "2026-01-14T23:00:00Z"),
            try Self.night("c", "2026-01-14", "2026-01-14T23:30:00Z", nil),
        ]
        func owner(_ start: String, _ end: String, _ date: String = "2026-01-14") throws -> String? {
            SleepNight.of(
                start: utc(start), end: utc(end), date: try SessionDate(text: date), among: nights.shuffled())?.text
        }
        #expect(try owner("2026-01-13T21:00:00Z", "2026-01-14T06:00:00Z") == "a")
        #expect(try owner("2026-01-14T05:00:00Z", "2026-01-14T08:00:00Z") == "a", "of equal shares the earlier night")
        #expect(try owner("2026-01-14T05:00:00Z", "2026-01-14T08:01:00Z") == "b")
        #expect(try owner("2026-01-14T23:45:00Z", "2026-01-15T05:00:00Z") == "c", "an open night has no end yet")
        #expect(try owner("2026-01-14T23:00:00Z", "2026-01-14T23:30:00Z") == "b", "to touch is not to share")
        #expect(try owner("2026-01-12T23:00:00Z", "2026-01-13T05:00:00Z", "2026-01-13") == "a")
        #expect(try owner("2026-01-12T23:00:00Z", "2026-01-13T05:00:00Z", "2026-01-12") == nil)
    }

    @Test(arguments: [
        // Berlin has the hour from 2 twice on 25 October 2026, and lacks it on 29 March.
        ("2026-10-24T20:00:00Z", 600, "2026-10-24"), ("2026-03-28T21:00:00Z", 540, "2026-03-28"),
        ("2026-01-14T16:30:00Z", 30, "2026-01-13"), ("2026-01-14T16:30:00Z", 90, "2026-01-14"),
    ])
    func `R30.3 the date is that of its middle by the rollover hour, also where the clocks change`(
        start: String, minutes: Int, date: String
    ) throws {
        let berlin = try SystemZones.zone("Europe/Berlin")
        var machine = SimulatedMachine(at: utc("2026-12-01T12:00:00Z"), zone: berlin)
        try machine.perform(.recordSleep(Self.sleep(utc(start), minutes), source: "oura"))
        #expect(machine.logState.sleepRecords.first?.now.date.text == date)
    }
}
