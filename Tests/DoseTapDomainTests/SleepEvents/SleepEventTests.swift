import DoseTapDomain
import Testing

/// R8.3–R8.9: the times at which sleep events may be logged, and naps.
struct SleepEventTests {
    @Test(arguments: [
        ("bathroom", Duration.seconds(10, milliseconds: 1), Int64?.some(50)), ("Water", .seconds(30), 30),
        ("snack", .seconds(59, milliseconds: 1), 1), ("snack", .seconds(60), nil), ("dream", .seconds(11), nil),
        ("nap_end", .seconds(11), nil),
    ])
    func `R8.3 a live repeat within the cooldown is refused with the seconds left`(
        type: String, wait: Duration, left: Int64?
    ) throws {
        var machine = SimulatedMachine.evening()
        let first = try machine.perform(.logSleepEvent(type))
        machine.pass(wait)
        let failure = machine.failure(.logSleepEvent(type))
        guard let left else {
            #expect(failure == nil)
            return
        }
        var refusal = Refusal(existing: first.primary.id, existingAt: first.primary.effectiveAt, secondsLeft: left)
        refusal.zone = machine.zone
        #expect(failure == .refused(.cooldown, refusal))
        let before = machine.wall - .milliseconds(1)
        #expect(machine.failure(.logSleepEvent(type)) { $0.at = before } == nil)
    }

    @Test func `R8.3 a time not before now meets the cooldown; R8.4 the same tap by any surface does not`() throws {
        var machine = SimulatedMachine.evening()
        let first = try machine.perform(.logSleepEvent("water"))
        let now = machine.wall
        #expect(machine.refusal(.logSleepEvent("water")) { $0.at = now } == .cooldown)
        #expect(try machine.perform(.logSleepEvent("💧")).primary == first.primary)
        #expect(try machine.perform(.logSleepEvent("water")) { $0.surface = .notification }.primary == first.primary)
        machine.pass(.milliseconds(10_001))
        for surface in Surface.allCases {
            #expect(machine.refusal(.logSleepEvent("water")) { $0.surface = surface } == .cooldown)
        }
        try machine.perform(.undo)
        #expect(machine.failure(.logSleepEvent("water")) { $0.surface = .notification } == nil)
    }

    @Test func `R8.3 the cooldown counts from the time of the entry, also across nights`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-15T17:59:30Z"))
        try machine.perform(.logSleepEvent("snack")) { $0.at = utc("2026-01-15T17:59:10Z") }
        machine.pass(until: utc("2026-01-15T18:00:05Z"))
        #expect(machine.refusal(.logSleepEvent("snack")) == .cooldown)
        machine.pass(until: utc("2026-01-15T18:00:10Z"))
        #expect(machine.failure(.logSleepEvent("snack")) == nil)
        #expect(machine.logState.sessions.count == 2)
    }

    @Test(arguments: ["wake_final", "wake", "☀️", "Final Wake"])
    func `R8.5 the final wake by any of its words is the final wake`(word: String) throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        #expect(machine.questions(.logSleepEvent(word)) == [.windowUnresolved])
        let wake = try machine.performConfirmed(.logSleepEvent(word))
        #expect(wake.primary.type == .finalWakeRecorded && machine.night?.terminalState == .finalizingWake)
        #expect(try machine.perform(.logFinalWake).isDuplicate)
        #expect(machine.night?.sleepEvents.isEmpty == true)
    }

    // MARK: Naps

    /// Starts and ends at these minutes past 12:00, and the naps that follow: complete, open, unmatched.
    static let logs: [(String, String, String, String)] = [
        ("", "", "", ""), ("s0", "", "0", ""), ("e0", "", "", "0"), ("s0 e40", "0-40", "", ""),
        ("s0 e40 e50", "0-40", "", "50"), ("e0 s10", "", "10", "0"), ("s0 e5 s5 e9", "0-5 5-9", "", ""),
        ("s30 e60 s0 e10", "0-10 30-60", "", ""), ("s30 e60 s0", "0-60", "30", ""), ("s30 s0 e60", "0-60", "30", ""),
        ("e60 s0", "0-60", "", ""), ("s0 e0", "0-0", "", ""),
    ]

    @Test(arguments: logs)
    func `R8.6 each end belongs to the first start without one`(
        entries: String, complete: String, open: String, unmatched: String
    ) throws {
        let machine = try Self.machine(entries)
        let naps = machine.night?.naps
        func minute(_ instant: Instant?) -> String { instant.map { "\(($0 - Self.noon).wholeMinutes)" } ?? "?" }
        let pairs = (naps?.complete ?? []).map { "\(minute($0.start))-\(minute($0.end))" }
        #expect(pairs.joined(separator: " ") == complete)
        #expect((naps?.open ?? []).map { minute($0.start) }.joined(separator: " ") == open)
        #expect((naps?.unmatched ?? []).map { minute($0.end) }.joined(separator: " ") == unmatched)
        #expect(machine.status().napOpenSince == naps?.open.last?.start)
    }

    @Test(arguments: [
        ("s0", "s10", BlockReason?.some(.napOpen)), ("s0", "e10", nil), ("s0 e20", "s10", .napOpen),
        ("s0 e20", "s0", .napOpen),
        ("s0 e20", "s20", nil), ("s0 e20", "s30", nil), ("s10 e20", "s0", nil), ("e20", "s10", nil),
        ("s0 e20", "e30", nil),
    ])
    func `R8.7 a start is refused where a nap is open, an end never`(
        entries: String, entry: String, refused: BlockReason?
    ) throws {
        var machine = try Self.machine(entries)
        let (command, at) = Self.entry(entry)
        let first = machine.night?.sleepEvents.first
        let failure = machine.failure(command) { $0.at = at }
        var refusal = Refusal(existing: first?.id, existingAt: first?.at)
        refusal.isNapOpen = !entries.contains("e")
        refusal.zone = machine.zone
        #expect(failure == refused.map { .refused($0, refusal) })
    }

    @Test(arguments: [
        // entries, place of the amended one in order of time, new minute, refusal
        ("s10 e20", 0, 0, BlockReason?.none), ("s10 e20", 0, 20, nil), ("s10 e20", 0, 21, .order),
        ("s10 e20", 1, 10, nil),
        ("s10 e20", 1, 9, .order), ("s10 e20 s30 e40", 1, 30, nil), ("s10 e20 s30 e40", 1, 31, .napOpen),
        ("s10 e20 s30 e40", 2, 20, nil), ("s10 e20 s30 e40", 2, 19, .napOpen), ("s10 e20 s30", 1, 35, .napOpen),
        ("s10 e20 s30", 2, 15, .napOpen), ("s10 e20 s30", 2, 50, nil), ("s10", 0, 5, nil), ("e10", 0, 5, nil),
    ])
    func `R8.8 an amended time keeps naps whole and apart`(
        entries: String, place: Int, minute: Int, refused: BlockReason?
    ) throws {
        var machine = try Self.machine(entries)
        let entry = try #require(machine.night?.sleepEvents[place])
        let before = machine.facts
        let reason = machine.refusal(.amend(entry.id)) { $0.at = Self.noon + .minutes(minute) }
        #expect(reason == refused)
        #expect((machine.facts == before) == (refused != nil))
    }

    @Test func `R8.8 a deletion may leave an open nap or an end alone`() throws {
        for (place, state) in [(0, Nap.State.unmatched), (1, .open)] {
            var machine = try Self.machine("s10 e20")
            let entry = try #require(machine.night?.sleepEvents[place])
            try machine.perform(.delete(entry.id))
            let night = try #require(machine.night)
            #expect(NightRecord(night).naps.map(\.state) == [state])
        }
    }

    @Test func `R8.6 the next night begins without an open nap`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-15T17:30:00Z"))
        try machine.perform(.logSleepEvent("nap_start"))
        machine.pass(.hours(1))
        try machine.perform(.logSleepEvent("nap_end"))
        #expect(machine.logState.sessions.map { $0.naps.open.count } == [1, 0])
        #expect(machine.night?.naps.unmatched.count == 1)
        #expect(machine.status().napOpenSince == nil)
    }

    @Test func `R8.9 a sleep event is amended, shown and told like every entry`() throws {
        var machine = try Self.machine("s0 e40")
        let end = try #require(machine.night?.sleepEvents.last)
        try machine.perform(.amend(end.id)) { options in
            options.at = Self.noon + .minutes(50)
            options.note = "on the sofa"
        }
        #expect(machine.isInvalid(.amend(end.id)) { $0.amountMilligrams = 5 })
        let night = try #require(machine.night)
        let record = NightRecord(night)
        #expect(record.entries.map(\.type) == ["nap_start", "nap_end"] && record.corrections.count == 1)
        #expect(
            record.entries.last?.metadata["note"] == "on the sofa" && record.entries.last?.metadata["nap_min"] == 50)
        let json = record.json
        #expect(try NightRecord(json: json) == record)
        let receipt = Receipt(end.event, session: night, duplicate: false, clock: machine.clock)
        #expect(receipt.type == "nap_end" && receipt.metadata["nap_min"] == 50 && receipt.doseIndex == nil)
    }

    @Test func `R33.7 naps that a source recorded count beside those that are told, and none counts twice`() throws {
        let machine = try Self.machine("s0 e40")
        var night = NightRecord(try #require(machine.night))
        #expect(night.napSpans.count == 1 && night.napSpans.first?.upperBound == Self.noon + .minutes(40))
        let template = try #require(night.entries.last)
        func nap(_ from: Int, _ to: Int, part: String) -> NightRecord.Entry {
            var entry = template
            (entry.id, entry.type, entry.timestamp) = (EventID("n\(from)"), "sleep_record", Self.noon + .minutes(from))
            entry.metadata = ["part": .string(part), "end_utc": .instant(Self.noon + .minutes(to))]
            return entry
        }
        night.entries += [
            nap(180, 210, part: "nap"), nap(5, 35, part: "nap"), nap(185, 205, part: "nap"), nap(60, 90, part: "main"),
            nap(-60, -30, part: "nap"),
        ]
        #expect(night.napSpans.map { ($0.lowerBound - Self.noon).wholeMinutes } == [-60, 0, 180])
        #expect(night.napSpans.map { ($0.upperBound - Self.noon).wholeMinutes } == [-30, 40, 210])
    }

    // MARK: Scenes

    static let noon = utc("2026-01-15T12:00:00Z")

    /// The machine at 14:00 after some entries, each named by `s` or `e` and its minute past 12:00.
    static func machine(_ entries: String) throws -> SimulatedMachine {
        var machine = SimulatedMachine(at: noon + .hours(2))
        for text in entries.split(separator: " ") {
            let (command, at) = entry(String(text))
            try machine.perform(command) { $0.at = at }
        }
        return machine
    }

    static func entry(_ text: String) -> (Command, Instant) {
        let word = text.hasPrefix("s") ? SleepEventWord.napStart : SleepEventWord.napEnd
        return (.logSleepEvent(word), noon + .minutes(Int(text.dropFirst()) ?? 0))
    }
}

extension Duration {
    fileprivate static func seconds(_ seconds: Int, milliseconds: Int) -> Duration {
        .seconds(seconds) + .milliseconds(milliseconds)
    }
}
