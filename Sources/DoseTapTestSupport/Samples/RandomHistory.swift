public import DoseTapDomain

/// A person who does all kinds of things at all kinds of times, decided by the real rules.
public struct RandomHistory {
    public private(set) var logState = LogState()
    public private(set) var now = Instant(milliseconds: 1_751_400_000_000)
    private var random: SplitMix64
    private var ids: IdentifierGenerator
    private var boot: Int64 = 1_000_000_000
    private var bootCount = 1

    public static let words = [
        "slept badly", "'; DROP TABLE events; --", "\" OR 1=1 --", "Robert'); DELETE FROM sleep_sessions;--", "%s%n%x",
        "ünïcödé 🌙 \u{202F}narrow", "line one\nline two\ttab", "{\"v\":1}", "NULL", "", "a\u{301}", "\\u0000 \\' \\\"",
    ]

    public init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        ids = IdentifierGenerator(random: SplitMix64(seed: seed &+ 1))
    }

    private var reading: ClockReading {
        ClockReading(
            wall: now, counterMicroseconds: boot, bootID: "boot-\(bootCount)", isSynchronised: bootCount % 3 != 0)
    }

    private var context: DecisionContext {
        var rules = NightRules.standard
        rules.undoWindowSeconds = 600
        return DecisionContext(
            clock: reading, zone: .utc,
            zoneNamed: { _ in nil }, rules: rules, deviceID: "device-1")
    }

    private mutating func chance(_ part: Int, of whole: Int) -> Bool {
        Int.random(in: 0..<whole, using: &random) < part
    }

    private mutating func pass() {
        let milliseconds: Int64 =
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: Int64.random(in: 0...30_000, using: &random)
            case 3...7: Int64.random(in: 60_000...9_000_000, using: &random)
            default: Int64.random(in: 9_000_000...60_000_000, using: &random)
            }
        now += .milliseconds(milliseconds)
        boot += milliseconds * 1_000
        if chance(1, of: 25) {
            bootCount += 1
            boot = 5_000_000
        }
        // Now and then somebody sets the clock.
        if chance(1, of: 30) { now += .seconds(Int64.random(in: -5_000...5_000, using: &random)) }
    }

    /// Returns the next batches; none if the rules refused.
    public mutating func step() -> [CommitBatch] {
        pass()
        var batches: [CommitBatch] = []
        take(CommandHandler.settle(logState, context, ids: &ids), into: &batches)
        remind(into: &batches)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            take(act(), into: &batches)
            if chance(1, of: 2) { now += .milliseconds(Int64.random(in: 0...20_000, using: &random)) }
        }
        return batches
    }

    private mutating func take(_ events: [Event], into batches: inout [CommitBatch]) {
        guard !events.isEmpty else { return }
        let (batch, after) = CommitBatch.of(events, on: logState)
        batches.append(batch)
        logState = after
    }

    private mutating func remind(into batches: inout [CommitBatch]) {
        guard let open = logState.open, let item = open.pendingReminders.first(where: { $0.due <= now }) else { return }
        let payload: EventPayload =
            chance(1, of: 2)
            ? .reminderFired(ReminderFired(reminder: item.id, due: item.due))
            : .reminderDropped(ReminderDropped(reminder: item.id, due: item.due, reason: .tooLate))
        take([event(payload, .reminder, about: item.id.rawValue, open.id, at: item.due)], into: &batches)
    }

    /// Records a payload of the service itself.
    public mutating func record(_ payload: EventPayload) -> CommitBatch {
        let event = event(payload, .store, about: "store", nil, at: now)
        let (batch, after) = CommitBatch.of([event], on: logState)
        logState = after
        return batch
    }

    private mutating func event(
        _ payload: EventPayload, _ type: EntityType, about: String, _ session: SessionID?, at instant: Instant
    ) -> Event {
        let moment = max(now, logState.newest ?? now)
        return Event(
            id: EventID(ids.next(at: moment)), payload: payload, entityType: type, entityID: about, sessionID: session,
            occurredAt: moment, effectiveAt: instant, timeZone: "UTC", localOffsetMinutes: 0, clock: reading,
            deviceID: "device-1", surface: .service, origin: nil, idempotencyKey: nil)
    }

    private mutating func act() -> [Event] {
        var options = CommandOptions(surface: Surface.allCases.randomElement(using: &random) ?? .cli)
        if chance(2, of: 3) { options.confirmations = Set(Confirmation.allCases) }
        if chance(1, of: 3) { options.note = Self.words.randomElement(using: &random) }
        if chance(1, of: 4) { options.reason = Self.words.randomElement(using: &random) }
        if chance(1, of: 3) { options.amountMilligrams = Int.random(in: 1...5_000, using: &random) }
        if chance(1, of: 4) { options.key = "key-\(UInt64.random(in: .min ... .max, using: &random))" }
        if chance(1, of: 3) { options.at = now - .seconds(Int64.random(in: -30...260_000, using: &random)) }
        if chance(1, of: 3) { options.origin = Origin(sender: ":1.7", processID: 4711, command: "ba'sh") }
        let command = command()
        if options.amountMilligrams != nil, case .snooze = command { options.amountMilligrams = nil }
        do {
            return try CommandHandler.decide(command, options, logState: logState, context, ids: &ids).events
        } catch {
            return []
        }
    }

    private mutating func command() -> NightCommand {
        switch Int.random(in: 0..<44, using: &random) {
        case 41...43: sample()
        case 33...40: .inventory(stock())
        case 20...22: .saveCheckIn(answers(), night: nil)
        case 23: .saveCheckIn(answers(), night: logState.sessions.randomElement(using: &random)?.id.text)
        case 24...26: .savePreSleep(["notes": .string(word())], chance(1, of: 2) ? .partial : .complete)
        case 27...30: .takeMedication(["modafinil", "provigil", "xyrem", "sunosi"].randomElement(using: &random) ?? "")
        case 31, 32:
            .setRegimen(["medication_id": "xyrem", "total": .string(chance(1, of: 2) ? "9mL" : "7.5g")])
        case 16...19: .logSleepEvent(SleepEventCatalogue.standard.types.randomElement(using: &random)?.word ?? "")
        case 0...3: .logDose(.dose1)
        case 4...6: .logDose(.dose2)
        case 7: .logDose(.extra)
        case 8...9: .snooze
        case 10: .skipDose2
        case 11: .logFinalWake
        case 12: .undo
        case 13: entry().map { .amend($0) } ?? .undo
        default: entry().map { .delete($0) } ?? .logDose(.dose1)
        }
    }

    /// Returns a command of any kind that is no part of a session's fold, as its sample has it.
    private mutating func sample() -> NightCommand {
        let samples = EntrySample.all.filter { $0.type.entity != nil }
        let entries = logState.standalone.suffix(3).map(\.id)
        return samples.randomElement(using: &random)?.act.ask.command(entries) ?? .undo
    }

    private mutating func word() -> String { Self.words.randomElement(using: &random) ?? "" }

    private mutating func stock() -> InventoryAction {
        let noted = logState.inventory.suffix(5).map(\.id)
        let medicine = JSONValue.string(["xyrem", "xywav", "lumryz"].randomElement(using: &random) ?? "")
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1:
            return .addBottle([
                "medication_id": medicine, "amount": .string(chance(1, of: 2) ? "180mL" : "6g"), "count": 2,
            ])
        case 2...4: return .pour(["medication_id": medicine, "for": .string(chance(1, of: 2) ? "dose1" : "none")])
        case 5: return .discard(noted.randomElement(using: &random) ?? EventID("none"))
        default:
            let of = noted.randomElement(using: &random).map { JSONValue.string($0.text) } ?? medicine
            return .correct(["of": chance(1, of: 2) ? of : medicine, "left": "60g", "packet": "6g"])
        }
    }

    private mutating func answers() -> JSONObject {
        var answers: JSONObject = ["sleep_quality": .integer(Int64.random(in: 1...5, using: &random))]
        if chance(1, of: 2) { answers["mood"] = "great" }
        if chance(1, of: 2) { answers["pain_areas"] = ["neck", "head"] }
        if chance(1, of: 3) { answers["fell_out_of_bed"] = true }
        if chance(1, of: 3) { answers["congestion"] = "stuffyNose" }
        if chance(1, of: 3) { answers["notes"] = .string(word()) }
        return answers
    }

    private mutating func entry() -> EventID? {
        let ids =
            logState.sessions.suffix(3).flatMap(\.entries).map(\.id) + logState.standalone.suffix(8).map(\.id)
        return ids.randomElement(using: &random)
    }
}
