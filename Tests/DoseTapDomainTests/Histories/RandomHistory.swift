import DoseTapDomain
import DoseTapTestSupport
import Testing

/// A machine that lives through random days. Every invariant is checked after each step.
struct RandomHistory {
    let seed: UInt64
    var random: SplitMix64
    var machine: SimulatedMachine
    private let zones: [Zone]
    var checked = 0
    var begun: [SessionID: (SessionDate, Instant)] = [:]
    private var keyed: [(event: Event, command: NightCommand, options: CommandOptions)] = []
    private(set) var recorded = 0
    private(set) var trail: [String] = []

    init(seed: UInt64, zones: [Zone]) {
        self.seed = seed
        self.zones = zones
        random = SplitMix64(seed: seed)
        let day = Int64.random(in: 0..<5_000, using: &random)
        let start = utc("2015-01-01T20:00:00Z") + .seconds(day * 86_400 + Int64.random(in: 0..<36_000, using: &random))
        machine = SimulatedMachine(at: start, zone: zones[Int.random(in: 0..<zones.count, using: &random)], seed: seed)
        machine.knownZones = zones
        machine.rules = Self.rules(&random)
    }

    mutating func live(steps: Int) {
        for _ in 0..<steps {
            passTime()
            if chance(0.6) { meetDeadline() }
            act()
            check()
        }
        replay()
    }

    /// The seed and the last steps, for the message of a failed check.
    var note: Comment {
        "DOSETAP_SEED=\(seed), step \(trail.count): \(trail.suffix(12).joined(separator: "\n"))"
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

    // MARK: The world

    private static func rules(_ random: inout SplitMix64) -> NightRules {
        .standard { rules in
            rules.targetMinutes = NightRules.targets.randomElement(using: &random) ?? 165
            rules.snoozeStepMinutes = Int.random(in: 1...30, using: &random)
            rules.maximumSnoozes = Int.random(in: 0...5, using: &random)
            rules.checkInCutoffHours = Int.random(in: 1...12, using: &random)
            rules.prep = ClockTime(hour: Int.random(in: 12...23, using: &random))
            rules.rolloverHour = Int.random(in: 0...23, using: &random)
            rules.undoWindowSeconds = [3, 60, 600].randomElement(using: &random) ?? 60
            rules.onceNightly = Int.random(in: 0..<8, using: &random) == 0
        }
    }

    private mutating func passTime() {
        let milliseconds: Int64
        switch Int.random(in: 0..<12, using: &random) {
        case 0: milliseconds = 0
        case 1...3: milliseconds = Int64.random(in: 0...15_000, using: &random)
        case 4...6: milliseconds = Int64.random(in: 0...3_600_000, using: &random)
        case 7, 8: milliseconds = Int64.random(in: 0...14_400_000, using: &random)
        case 9: milliseconds = Int64.random(in: 0...200_000_000, using: &random)
        default:
            let next = CommandHandler.nextDeadline(machine.logState, machine.context) ?? machine.wall
            let wobble = Int64.random(in: -1...1, using: &random)
            milliseconds = max(0, (next - machine.wall).wholeMilliseconds + wobble)
        }
        machine.pass(.milliseconds(milliseconds))
        if chance(0.02) {
            let step = Int64.random(in: -14_400_000...14_400_000, using: &random)
            machine.setClock(by: .milliseconds(chance(0.5) ? step : step / 1_000))
            trail.append("clock set by \(step) or less")
        }
        if chance(0.02) { machine.reboot() }
        if chance(0.03), let zone = pick(zones) { machine.zone = zone }
        if chance(0.02) {
            let rules = Self.rules(&random)
            machine.settle()
            machine.setRules(rules)
        }
    }

    private mutating func meetDeadline() {
        let due = machine.meetDeadline()
        guard let open = machine.logState.open else { return }
        if let due, open.dose1 != nil {
            let fired = due.fire.map(\.id).filter(\.isOfWindow)
            // Reminders follow the longer figure. The alarm repeats until the shorter figure is over, too.
            if let time = open.elapsed(now: machine.clock) {
                if time.shorter >= .minutes(240) { #expect(fired.allSatisfy { $0 == .windowClosed }, note) }
                if time.longer < .minutes(150) { #expect(fired.isEmpty, note) }
            }
            if open.dose2 != nil || !open.skips.isEmpty { #expect(fired.isEmpty, note) }
        }
        if let next = CommandHandler.nextDeadline(machine.logState, machine.context) {
            #expect(next > machine.wall, note)
        }
    }

    // MARK: The person

    private mutating func act() {
        let command = command()
        var options = options(for: command)
        if chance(0.05), let known = pick(keyed) { return repeatKey(known) }
        for attempt in 0..<2 {
            machine.settle()
            let before = machine
            do {
                let recording = try machine.perform(command) { $0 = options }
                trail.append("\(machine.wall) \(command) \(options.at?.iso8601 ?? "now") -> \(recording.primary.id)")
                recorded += recording.events.isEmpty ? 0 : 1
                verify(recording, command, options, before: before)
                return
            } catch {
                #expect(machine.logState == before.logState && machine.log == before.log, note)
                guard attempt == 0, case .needsConfirmation(let question) = error else { return }
                // A clock set forward since dose 1 also shortens the time to a named moment.
                let isSkewed = machine.wasSet
                if question.confirmations.contains(.early), !isSkewed {
                    let judged = amended(command).map { options.at ?? $0 } ?? options.at
                    #expect(
                        HistoryOracle(machine.log).isNear(
                            judged, now: machine.clock, apart: target(command), slack: .seconds(1)), note)
                }
                guard chance(0.7) else { return }
                options.confirmations.formUnion(question.confirmations)
            }
        }
    }

    private mutating func command() -> NightCommand {
        switch Int.random(in: 0..<58, using: &random) {
        case 54...57: sample()
        case 44...53: .inventory(stock())
        case 26...30: .saveCheckIn(checkInAnswers(), night: night())
        case 31...33: preSleep()
        case 34...40: .takeMedication(medication())
        case 41...43: .setRegimen(regimen())
        case 20...25: .logSleepEvent(sleepEvent())
        case 0...4: .logDose(.dose1)
        case 5...8: .logDose(.dose2)
        case 9: .logDose(.extra)
        case 10, 11: .snooze
        case 12: .skipDose2
        case 13: .logFinalWake
        case 14, 15: .undo
        case 16, 17: .amend(entry())
        default: .delete(entry())
        }
    }

    /// A command of any kind outside the session's fold, taken from its sample.
    private mutating func sample() -> NightCommand {
        let samples = EntrySample.all.filter { $0.type.entity != nil }
        return pick(samples)?.act.ask.command(machine.logState.standalone.suffix(3).map(\.id)) ?? .undo
    }

    /// A medicine, mostly of a shared ingredient, sometimes an oxybate.
    private mutating func medication() -> String {
        pick(["modafinil", "Provigil", "provigil", "adderall_ir", "Adderall XR", "sunosi", "xyrem", "lumryz", "none"])
            ?? ""
    }

    private mutating func regimen() -> JSONObject {
        var draft: JSONObject = ["medication_id": .string(pick(["xyrem", "xywav", "lumryz", "wakix"]) ?? "")]
        draft["total"] = .string(pick(["4.5g", "9mL", "7501mg", "9g", "5 tablets"]) ?? "")
        if chance(0.3) { draft["ratios"] = [0.6, 0.4] }
        if chance(0.3) { draft["once_nightly"] = .bool(chance(0.5)) }
        if chance(0.3) { draft["until"] = .string(machine.status().sessionDate?.text ?? "2030-01-01") }
        return draft
    }

    private mutating func stock() -> InventoryAction {
        let noted = machine.logState.inventory.suffix(6).map(\.id)
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1:
            var bottle: JSONObject = ["amount": .string(pick(["180mL", "4.5g", "90g", "0mL", "6g"]) ?? "")]
            if chance(0.8) { bottle["medication_id"] = .string(pick(["xyrem", "Xyrem", "lumryz", "wakix"]) ?? "") }
            if chance(0.3) { bottle["count"] = .integer(Int64.random(in: 0...3, using: &random)) }
            return .addBottle(bottle)
        case 2...5:
            var cup = JSONObject()
            if chance(0.8) { cup["medication_id"] = .string(pick(["xyrem", "lumryz", "xywav"]) ?? "") }
            if chance(0.5) { cup["for"] = .string(pick(["dose1", "dose2", "none"]) ?? "") }
            return .pour(cup)
        case 6, 7: return .discard(pick(noted) ?? entry())
        default:
            let of = chance(0.5) ? pick(noted)?.text ?? "xyrem" : pick(["xyrem", "lumryz"]) ?? ""
            return .correct(["of": .string(of), "left": .string(pick(["60mL", "9g", "0g"]) ?? ""), "packet": "6g"])
        }
    }

    private mutating func checkInAnswers() -> JSONObject {
        var answers = JSONObject()
        if chance(0.5) { answers["sleep_quality"] = .integer(Int64.random(in: 1...5, using: &random)) }
        if chance(0.3) { answers["mood"] = .string(pick(["veryLow", "great", "none such"]) ?? "") }
        if chance(0.2) { answers["had_hallucinations"] = true }
        if chance(0.2) { answers["pain_areas"] = ["neck"] }
        if chance(0.1) { answers["has_physical_symptoms"] = false }
        if chance(0.2) { answers["notes"] = .string(pick(["", "heavy", "light"]) ?? "") }
        return answers
    }

    private mutating func night() -> String? {
        guard chance(0.3) else { return nil }
        let night = pick(machine.logState.sessions.suffix(4))
        return chance(0.5) ? night?.id.text : night?.date.text
    }

    private mutating func preSleep() -> NightCommand {
        if chance(0.1) { return .savePreSleep([:], .skipped) }
        var answers = JSONObject()
        if chance(0.5) { answers["alcohol"] = .string(pick(["none", "1", "4+"]) ?? "") }
        if chance(0.3) { answers["alcohol_total_drinks"] = 2.5 }
        if chance(0.3) { answers["stress_level"] = .integer(Int64.random(in: -1...5, using: &random)) }
        return .savePreSleep(answers, chance(0.5) ? .partial : .complete)
    }

    /// A sleep event, mostly of a nap, since naps depend on each other.
    private mutating func sleepEvent() -> String {
        if chance(0.5) { return pick([SleepEventWord.napStart, SleepEventWord.napEnd]) ?? "" }
        return pick(machine.sleepEvents.types.map(\.displayName) + ["bathroom", "Water", "none such"]) ?? ""
    }

    private mutating func entry() -> EventID {
        let entries =
            machine.logState.sessions.suffix(3).flatMap(\.entries).map(\.id)
            + machine.logState.standalone.suffix(8).map(\.id)
        if chance(0.9), let id = pick(entries) { return id }
        return pick(machine.log.map(\.id)) ?? EventID("none")
    }

    private mutating func options(for command: NightCommand) -> CommandOptions {
        var options = CommandOptions(surface: pick([.cli, .dbus, .notification, .importer]) ?? .cli)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: options.at = machine.wall - .milliseconds(Int64.random(in: -70_000...3_600_000, using: &random))
        case 2: options.at = machine.wall - .minutes(Int.random(in: 0...1_500, using: &random))
        case 3: options.at = machine.wall - .minutes(Int.random(in: 0...14_000, using: &random))
        case 4:
            // The time lies near a bound of a question.
            guard let dose = pick(machine.logState.sessions.suffix(2).flatMap(\.doses)) else { break }
            let bound = pick([150, 165, 225, 240, 270, -150]) ?? 150
            options.at = dose.at + .minutes(bound, milliseconds: pick([-30_000, -1, 0, 1]) ?? 0)
        default: break
        }
        if chance(0.4) { options.amountMilligrams = Int.random(in: 1...9_000, using: &random) }
        if chance(0.2) { options.note = pick(["", "a", "half a glass"]) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: options.confirmations = Set(Confirmation.allCases)
        case 1: options.confirmations = Set(Confirmation.allCases.filter { _ in Bool.random(using: &random) })
        default: break
        }
        if chance(0.1) { options.key = "key \(seed) \(trail.count)" }
        return options
    }

    private func target(_ command: NightCommand) -> EventID? {
        if case .amend(let id) = command { id } else { nil }
    }

    private func amended(_ command: NightCommand) -> Instant? {
        target(command).flatMap { id in HistoryOracle(machine.log).taken.first { $0.event.id == id }?.at }
    }

    private mutating func repeatKey(_ known: (event: Event, command: NightCommand, options: CommandOptions)) {
        machine.settle()
        let before = machine.logState
        let again = try? machine.perform(known.command, keyed: known.event) { $0 = known.options }
        #expect(again?.primary == known.event && again?.isDuplicate == true, note)
        let other = machine.failure(known.command, keyed: known.event) { options in
            options = known.options
            // The second call has neither the first call's time nor its time ago.
            options.at = (options.at ?? Self.longAgo) - .minutes(10_000_000)
        }
        guard case .invalidInput? = other else {
            Issue.record(note)
            return
        }
        #expect(machine.logState == before, note)
    }

    private static let longAgo = utc("2014-01-01T00:00:00Z")

    // MARK: Checks of an action

    private mutating func verify(
        _ recording: CommandHandler.Recording, _ command: NightCommand, _ options: CommandOptions,
        before: SimulatedMachine
    ) {
        let night = recording.primary.sessionID.flatMap { machine.logState.session($0) }
        _ = Receipt(recording.primary, session: night, duplicate: recording.isDuplicate, clock: machine.clock)
        if recording.isDuplicate {
            #expect(machine.log == before.log, note)
            return
        }
        if options.key != nil { keyed.append((recording.primary, command, options)) }
        verifyDose(recording, command, options, before: before)
        verifySleepEvent(recording, options, before: before)
        verifyRepeat(recording, command, options)
        if command != .undo, chance(0.5) { verifyUndo(before: before) }
    }

    private func verifyDose(
        _ recording: CommandHandler.Recording, _ command: NightCommand, _ options: CommandOptions,
        before: SimulatedMachine
    ) {
        let oracle = HistoryOracle(before.log)
        let isNear: Bool
        switch recording.primary.payload {
        case .doseRecorded(let dose):
            isNear = oracle.isNear(options.at, now: before.clock)
            if dose.kind == .extra {
                #expect(options.confirmations.isSuperset(of: [.extra, .extraUnderstood]), note)
            }
            let active = before.logState.session(for: recording.primary)
            #expect((dose.kind == .extra) == (active?.dose2 != nil && command != .logDose(.dose1)), note)
        case .entryAmended(let amendment) where amendment.at != nil && recording.primary.entityType == .dose:
            isNear = oracle.isNear(
                options.at.map { min($0, before.wall - .milliseconds(1)) }, now: before.clock, apart: amendment.target)
        default: return
        }
        // At the bound, within the noise of the two clocks, nothing is expected.
        let isSurelyNear =
            isNear && oracle.isNear(options.at, now: before.clock, apart: target(command), slack: .seconds(-1))
        // With the clocks in doubt the one question about time is clock_suspect.
        let isAsked = !options.confirmations.isDisjoint(with: [.early, .clockSuspect])
        if isSurelyNear, !before.wasSet || before.boots == 1 { #expect(isAsked, note) }
    }

    /// A live sleep event keeps its distance to the last one of its type, and no nap begins in another.
    private func verifySleepEvent(
        _ recording: CommandHandler.Recording, _ options: CommandOptions, before: SimulatedMachine
    ) {
        guard case .sleepEventRecorded(let payload) = recording.primary.payload else { return }
        let at = recording.primary.effectiveAt
        let night = recording.primary.sessionID.flatMap { before.logState.session($0) }
        if ["bathroom", "water", "snack"].contains(payload.type), options.at.map({ $0 >= before.wall }) ?? true {
            let same = before.logState.sessions.flatMap(\.sleepEvents).filter { $0.type == payload.type }
            #expect(same.allSatisfy { $0.at > at || at - $0.at >= .seconds(60) }, note)
        }
        if payload.type == SleepEventWord.napStart {
            var open = 0
            // The time counts on the night's own scale, which no set clock moves.
            let after = before.logState.appending(recording.events).sessions.flatMap(\.sleepEvents)
            let counted = after.first { $0.id == recording.primary.id }?.at ?? at
            for event in night?.sleepEvents ?? [] where event.at <= counted {
                if event.type == SleepEventWord.napStart { open += 1 }
                if event.type == SleepEventWord.napEnd { open = max(0, open - 1) }
            }
            #expect(open == 0, note)
        }
    }

    private mutating func verifyRepeat(
        _ recording: CommandHandler.Recording, _ command: NightCommand, _ options: CommandOptions
    ) {
        guard options.at == nil, options.key == nil else { return }
        switch command {
        case .logDose, .snooze, .skipDose2, .logFinalWake, .logSleepEvent, .saveCheckIn, .record:
            break
        case .undo, .amend, .delete: return
        }
        var twin = machine
        twin.pass(.milliseconds(Int64.random(in: 0...10_000, using: &random)))
        var options = options
        options.surface = pick(Surface.allCases) ?? .cli
        let again = try? twin.perform(command) { $0 = options }
        // A discard among several bottles may mean another bottle, so the repeat asks and records nothing.
        if case .discard(let id) = InventoryAction(command), again == nil,
            case .bottles(let bottles)? = machine.logState.inventory.first(where: { $0.id == id })?.item,
            bottles.count > 1
        {
            return
        }
        // An answer about a plan is of the present night unless it names one, and another night may have begun
        // meanwhile.
        if let kept: LabAnswered = recording.primary.payload.recorded(),
            twin.logState.presentDate(twin.context) != kept.night
        {
            return
        }
        #expect(again?.isDuplicate == true && again?.primary == recording.primary, note)
    }

    /// After an undo in time the action leaves only its lines in the log.
    private mutating func verifyUndo(before: SimulatedMachine) {
        // An undo does not mean an entry that a program recorded by itself (R30.1).
        guard machine.logState.recentActions.last == machine.logState.newestAction else { return }
        var (undone, never) = (machine, before)
        let wait = Duration.milliseconds(Int64.random(in: 0...3_000, using: &random))
        undone.pass(wait)
        never.pass(wait)
        never.settle()
        if chance(0.5) { undone.settle() }
        let failure = undone.failure(.undo)
        // An undo right after a dose may mean the dose. The undo then names both entries and undoes nothing (R34.11).
        if case .nothingToDo? = failure, machine.logState.newestAction?.isOfLab == true { return }
        #expect(failure == nil, note)
        // The clock readings of the undone action stay known, and may lessen the doubt about a set clock.
        let isClear = !undone.wasSet && undone.logState.sessions.allSatisfy(\.clockSteps.isEmpty)
        if isClear { #expect(undone.facts == never.facts, note) }
    }
}

extension LogState {
    /// The session an event was recorded in, as it was before; nil when the event opened it.
    fileprivate func session(for event: Event) -> Session? { event.sessionID.flatMap { session($0) } }
}
