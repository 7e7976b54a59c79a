import DoseTapContract
import DoseTapDomain
import DoseTapEngine
import DoseTapTestSupport

/// The verdict of the rules on an act, the same for every surface.
enum Verdict: Hashable, Sendable {
    case allowed
    case asks([Confirmation])
    case refused(BlockReason)
    case invalid
    case notFound
    case nothingToDo
    /// None of the verdicts above, with a description.
    case other(String)

    /// The verdict in the failure that a plugin gets.
    init(_ failure: EngineFailure) {
        switch failure {
        case .command(.needsConfirmation(let question)): self = .asks(question.confirmations)
        case .command(.refused(let reason, _)): self = .refused(reason)
        case .command(.invalidInput), .command(.unknown): self = .invalid
        case .command(.notFound): self = .notFound
        case .command(.nothingToDo): self = .nothingToDo
        case .store, .busy, .stopping: self = .other("\(failure)")
        }
    }

    /// The verdict in the error that a caller on the bus gets.
    init(_ error: ServiceError) {
        self.init(
            kind: error.kind, confirmations: error.confirmations, reason: error.details["reason"]?.stringValue,
            otherwise: "\(error)")
    }

    /// The verdict that a script reads from the command line, in the exit code and the printed object.
    init(exit code: Int32, output: String) {
        guard let answer = try? JSONValue.parse(output.hasSuffix("\n") ? String(output.dropLast()) : output) else {
            self = .other("exit \(code): \(output)")
            return
        }
        guard let error = answer["error"] else {
            self = code == 0 && answer["dry_run"] == true ? .allowed : .other("exit \(code): \(output)")
            return
        }
        let kind = ServiceError.Kind.allCases.first { $0.word == error["kind"]?.stringValue }
        guard let kind, kind.exitCode == code else {
            self = .other("exit \(code): \(output)")
            return
        }
        let asked = (error["confirmations"]?.arrayValue ?? []).compactMap(\.stringValue)
        self.init(
            kind: kind, confirmations: asked.compactMap(Confirmation.init), reason: error["reason"]?.stringValue,
            otherwise: output)
    }

    private init(
        kind: ServiceError.Kind, confirmations: [Confirmation], reason: String?, otherwise: String
    ) {
        switch kind {
        case .requiresConfirmation: self = .asks(confirmations)
        case .refused: self = reason.flatMap(BlockReason.init).map(Verdict.refused) ?? .other(otherwise)
        case .invalidInput: self = .invalid
        case .notFound: self = .notFound
        case .nothingToDo: self = .nothingToDo
        case .readOnly, .noSpace, .storeUnavailable, .outcomeUnknown, .locked, .busy, .timedOut, .internal:
            self = .other(otherwise)
        }
    }
}

/// A part of a night: acts that are recorded one after the other, with all confirmations given.
enum Situation: String, Sendable, CaseIterable {
    case nothing
    case minutes149, minutes150, minutes152, minutes222, minutes230, minutes239, minutes240, minutes271
    case dose2Just, dose2Before, skipped, undone, awake, awakeUnresolved, checkedIn, checkedInJust, checkedInUnresolved
    case heavyFirst, snoozedThrice, snoozeOff, onceNightly
    case bathroom, napping, medicated, deleted, regimenInMillilitres
    case poured, pouredDrunk, pouredAway
    case sleptByDay

    var acts: [Act] {
        switch self {
        case .nothing: []
        case .minutes149: [Act(.dose1, 149)]
        case .minutes150: [Act(.dose1, 150)]
        case .minutes152, .snoozeOff, .onceNightly: [Act(.dose1, 152)]
        case .minutes222: [Act(.dose1, 222)]
        case .minutes230: [Act(.dose1, 230)]
        case .minutes239: [Act(.dose1, 239)]
        case .minutes240: [Act(.dose1, 240)]
        case .minutes271: [Act(.dose1, 271)]
        case .dose2Just: [Act(.dose1, 180), Act(.dose2, 20)]
        case .dose2Before: [Act(.dose1, 312), Act(.dose2, 152)]
        case .skipped: [Act(.dose1, 200), Act(.skip, 50)]
        case .undone: [Act(.dose1, 160), Act(.dose2), Act(.event("noise")), Act(.undo)]
        case .awake: [Act(.dose1, 312), Act(.dose2, 152), Act(.wake, 5)]
        case .awakeUnresolved: [Act(.dose1, 160), Act(.wake, 5)]
        case .checkedIn: [Act(.dose1, 312), Act(.dose2, 152), Act(.wake, 20), Act(.checkIn(["mood": "good"]), 10)]
        case .checkedInJust: [Act(.dose1, 180), Act(.dose2, 20), Act(.wake, 10), Act(.checkIn(["mood": "good"]), 5)]
        case .checkedInUnresolved: [Act(.dose1, 160), Act(.checkIn(["mood": "good"]), 5)]
        case .heavyFirst: [Act(.dose1, 160, amount: "6g")]
        case .snoozedThrice: [Act(.dose1, 180), Act(.snooze, 27), Act(.snooze, 20), Act(.snooze, 10)]
        case .bathroom: [Act(.event("bathroom"), ago: .seconds(5))]
        case .napping: [Act(.event("nap_start"), 40)]
        case .medicated: [Act(.medicine("adderall_ir"), 3)]
        case .deleted: [Act(.dose1, 100), Act(.event("water"), 30), Act(.delete(1))]
        case .regimenInMillilitres: [Act(.regimen("xyrem", total: "9mL"))]
        case .poured: [Act(.bottle("180mL", of: "xyrem"), 90), Act(.pour("dose1", of: "xyrem"), 60, amount: "3g")]
        case .pouredDrunk: Self.poured.acts + [Act(.dose1, 30)]
        case .pouredAway: Self.poured.acts + [Act(.discard(1), 20)]
        case .sleptByDay: [Act(.dose1, 660), Act(.dose2, 480), Act(.checkIn(["mood": "good"]), 240)]
        }
    }

    /// The hour at which the acts of the table are tried. In the evening another session date has begun.
    var hour: Int { self == .sleptByDay ? 19 : 3 }

    var rules: NightRules {
        var rules = NightRules.standard
        if self == .snoozeOff { rules.maximumSnoozes = 0 }
        if self == .onceNightly { rules.onceNightly = true }
        return rules
    }

    /// The same rules as environment variables of the service.
    var environment: [String: String] {
        switch self {
        case .snoozeOff: ["DOSETAP_SNOOZE_MAX": "0"]
        case .onceNightly: ["DOSETAP_REGIMEN_ONCE_NIGHTLY": "true"]
        default: [:]
        }
    }
}

/// A row: an act in a situation, the rule that it tests, and the verdict on every surface.
struct VerdictRow: Sendable {
    let situation: Situation
    let act: Act
    let rule: String
    let verdict: Verdict

    init(_ situation: Situation, _ act: Act, _ rule: String, _ verdict: Verdict) {
        self.situation = situation
        self.act = act
        self.rule = rule
        self.verdict = verdict
    }
}

extension VerdictRow {
    static let all = doses + limits + snoozesAndSkips + diary + medicines + inventory + corrections

    private static let doses: [VerdictRow] = [
        .init(.nothing, Act(.dose1), "R4.22", .allowed),
        .init(.nothing, Act(.dose2), "R4.4", .refused(.dose1Required)),
        .init(.nothing, Act(.dose2, confirm: Confirmation.allCases), "R4.4", .refused(.dose1Required)),
        .init(.nothing, Act(.extra), "R4.4", .refused(.dose1Required)),
        .init(.nothing, Act(.dose1, ago: .seconds(-120)), "R4.18", .refused(.future)),
        .init(.nothing, Act(.dose1, ago: .seconds(-30)), "R4.18", .allowed),
        .init(.nothing, Act(.dose1, ago: .hours(7 * 24 + 1)), "R4.19", .asks([.longAgo])),
        .init(.nothing, Act(.dose1, ago: .hours(7 * 24 + 1), confirm: [.longAgo]), "R4.19", .allowed),
        .init(.nothing, Act(.dose1, ago: .hours(7 * 24 - 1)), "R4.19", .allowed),
        .init(.minutes149, Act(.dose1), "R4.1", .refused(.dose1AlreadyTaken)),
        .init(.minutes149, Act(.dose1, confirm: Confirmation.allCases), "R4.1", .refused(.dose1AlreadyTaken)),
        .init(.minutes149, Act(.dose2), "R4.2", .asks([.early])),
        .init(.minutes149, Act(.dose2, confirm: [.late]), "R4.3", .asks([.early])),
        .init(.minutes149, Act(.dose2, confirm: [.early]), "R4.2", .allowed),
        .init(.minutes149, Act(.extra), "R4.6", .refused(.order)),
        .init(.minutes149, Act(.dose2, 150), "R4.21", .refused(.order)),
        .init(.minutes149, Act(.dose1, ago: .hours(20)), "R2.5", .allowed),
        .init(.checkedInJust, Act(.dose1), "R4.13", .asks([.early, .extra, .extraUnderstood])),
        .init(.checkedIn, Act(.dose1), "R4.23", .asks([.extra, .extraUnderstood])),
        .init(.checkedIn, Act(.dose1, confirm: [.extra]), "R4.23", .asks([.extraUnderstood])),
        .init(.checkedIn, Act(.dose1, confirm: [.extra, .extraUnderstood]), "R4.23", .allowed),
        .init(.sleptByDay, Act(.dose1), "R4.23", .asks([.extra, .extraUnderstood])),
        .init(.sleptByDay, Act(.dose1, confirm: [.extra]), "R4.23", .asks([.extraUnderstood])),
        .init(.sleptByDay, Act(.dose1, confirm: [.extra, .extraUnderstood]), "R4.23", .allowed),
        .init(.dose2Before, Act(.extra, 160), "R4.14", .asks([.early, .extra, .extraUnderstood])),
        .init(.minutes149, Act(.medicine("xyrem"), amount: "2g"), "R11.6", .asks([.early])),
        .init(.minutes150, Act(.dose2), "R4.2", .allowed),
        .init(.minutes150, Act(.dose2, 2), "R4.20", .asks([.early])),
        .init(.minutes239, Act(.dose2), "R4.2", .allowed),
        .init(.minutes240, Act(.dose2), "R4.2", .asks([.late])),
        .init(.minutes240, Act(.dose2, 60), "R4.20", .allowed),
        .init(.minutes240, Act(.dose2, confirm: [.late]), "R4.8", .allowed),
        .init(.minutes271, Act(.dose2), "R2.12", .asks([.late])),
        .init(.minutes271, Act(.dose2, 60), "R2.12", .allowed),
        .init(.dose2Just, Act(.dose2), "R4.8", .asks([.early, .extra, .extraUnderstood])),
        .init(.dose2Just, Act(.dose2, confirm: [.early]), "R4.7", .asks([.extra, .extraUnderstood])),
        .init(
            .dose2Just, Act(.dose2, confirm: [.extra, .extraUnderstood]), "R4.7", .asks([.early])),
        .init(.dose2Before, Act(.dose2), "R4.5", .asks([.extra, .extraUnderstood])),
        .init(.dose2Before, Act(.extra, confirm: [.extra]), "R4.5", .asks([.extraUnderstood])),
        .init(.dose2Before, Act(.extra, confirm: [.extra, .extraUnderstood]), "R4.5", .allowed),
        .init(.skipped, Act(.dose2), "R4.9", .asks([.afterSkip])),
        .init(.skipped, Act(.dose2, confirm: [.afterSkip]), "R4.9", .allowed),
        .init(.awake, Act(.extra), "R4.10", .asks([.afterWake, .extra, .extraUnderstood])),
        .init(.awakeUnresolved, Act(.dose2), "R4.10", .asks([.afterWake])),
        .init(.checkedInUnresolved, Act(.dose2), "R4.10", .asks([.afterWake])),
        .init(.checkedIn, Act(.dose2), "R4.4", .refused(.dose1Required)),
        .init(.onceNightly, Act(.dose2), "R4.11", .asks([.onceNightly])),
    ]

    private static let limits: [VerdictRow] = [
        .init(.nothing, Act(.dose1, amount: "4500mg"), "R4.12", .allowed),
        .init(.nothing, Act(.dose1, amount: "4501mg"), "R4.12", .asks([.overLimit])),
        .init(.nothing, Act(.dose1, amount: "4.501g", confirm: [.overLimit]), "R4.12", .allowed),
        .init(.nothing, Act(.dose1, amount: "21g"), "R5.9", .invalid),
        .init(.nothing, Act(.dose1, amount: "heaps"), "R11.7", .invalid),
        .init(.nothing, Act(.dose1, amount: "4.5mL"), "R11.7", .invalid),
        .init(.onceNightly, Act(.dose2, amount: "9001mg"), "R4.12", .asks([.overLimit, .onceNightly])),
        .init(.onceNightly, Act(.dose2, amount: "9g"), "R4.12", .asks([.onceNightly])),
        .init(.heavyFirst, Act(.dose2, amount: "3g"), "R4.12", .allowed),
        .init(.heavyFirst, Act(.dose2, amount: "3001mg"), "R4.12", .asks([.overLimit])),
        .init(.regimenInMillilitres, Act(.dose1, amount: "9mL"), "R4.12", .allowed),
        .init(.regimenInMillilitres, Act(.dose1, amount: "9.1mL"), "R4.12", .asks([.overLimit])),
    ]

    private static let snoozesAndSkips: [VerdictRow] = [
        .init(.nothing, Act(.snooze), "R4.4", .refused(.dose1Required)),
        .init(.minutes149, Act(.snooze), "R4.15", .refused(.phase)),
        .init(.minutes152, Act(.snooze), "R4.15", .allowed),
        .init(.minutes222, Act(.snooze), "R4.15", .refused(.nearClose)),
        .init(.minutes230, Act(.snooze), "R4.15", .refused(.nearClose)),
        .init(.minutes240, Act(.snooze), "R4.15", .refused(.phase)),
        .init(.dose2Just, Act(.snooze), "R4.15", .refused(.dose2TakenOrSkipped)),
        .init(.skipped, Act(.snooze), "R4.15", .refused(.dose2TakenOrSkipped)),
        .init(.snoozedThrice, Act(.snooze), "R4.16", .refused(.snoozeLimit)),
        .init(.snoozeOff, Act(.snooze), "R3.6", .refused(.snoozeOff)),
        .init(.onceNightly, Act(.snooze), "R4.11", .refused(.phase)),
        .init(.nothing, Act(.skip), "R4.4", .refused(.dose1Required)),
        .init(.minutes149, Act(.skip), "R4.17", .allowed),
        .init(.minutes149, Act(.skip, 200), "R4.17", .refused(.order)),
        .init(.minutes240, Act(.skip), "R4.17", .allowed),
        .init(.dose2Just, Act(.skip), "R4.17", .refused(.dose2AlreadyTaken)),
        .init(.skipped, Act(.skip), "R4.17", .refused(.alreadySkipped)),
        .init(.minutes271, Act(.skip), "R4.17", .refused(.alreadySkipped)),
        .init(.onceNightly, Act(.skip), "R4.11", .refused(.phase)),
    ]

    private static let diary: [VerdictRow] = [
        .init(.nothing, Act(.wake), "R2.1", .allowed),
        .init(.minutes152, Act(.wake), "R2.14", .asks([.windowUnresolved])),
        .init(.minutes152, Act(.wake, confirm: [.windowUnresolved]), "R2.14", .allowed),
        .init(.dose2Before, Act(.wake), "R2.14", .allowed),
        .init(.awake, Act(.wake), "R2.14", .refused(.phase)),
        .init(.nothing, Act(.event("Lights Out")), "R8.1", .allowed),
        .init(.nothing, Act(.event("blob")), "R8.1", .invalid),
        .init(.bathroom, Act(.event("bathroom")), "R8.3", .refused(.cooldown)),
        .init(.bathroom, Act(.event("bathroom"), 2), "R8.3", .allowed),
        .init(.bathroom, Act(.event("noise")), "R8.3", .allowed),
        .init(.napping, Act(.event("nap_start")), "R8.7", .refused(.napOpen)),
        .init(.napping, Act(.event("nap_end")), "R8.7", .allowed),
        .init(.nothing, Act(.checkIn(["mood": "good"])), "R9.8", .notFound),
        .init(.dose2Before, Act(.checkIn(["mood": "good"])), "R9.6", .allowed),
        .init(.dose2Before, Act(.checkIn(["mood": "good"], night: "2020-01-01")), "R9.8", .notFound),
        .init(.dose2Before, Act(.checkIn(["mood": "wild"])), "R9.4", .invalid),
        .init(.dose2Before, Act(.checkIn(["sleep_quality": 9])), "R9.4", .invalid),
        .init(.dose2Before, Act(.checkIn(["colour": "red"])), "R9.4", .invalid),
        .init(.minutes152, Act(.checkIn(["mood": "good"])), "R9.7", .asks([.windowUnresolved])),
        .init(.checkedIn, Act(.checkIn(["mood": "low"])), "R9.5", .allowed),
        .init(.nothing, Act(.preSleep(["stress_level": 2])), "R10.1", .allowed),
        .init(.nothing, Act(.preSleep(["stress_level": 9])), "R10.1", .invalid),
        .init(.minutes152, Act(.preSleep(["alcohol": "1"])), "R10.1", .allowed),
    ]

    private static let medicines: [VerdictRow] = [
        .init(.nothing, Act(.medicine("modafinil")), "R11.1", .allowed),
        .init(.nothing, Act(.medicine("modafinile")), "R11.2", .invalid),
        .init(.nothing, Act(.medicine("modafinil"), amount: "5mL"), "R11.7", .invalid),
        .init(.medicated, Act(.medicine("adderall_ir")), "R11.3", .asks([.duplicate])),
        .init(.medicated, Act(.medicine("adderall_xr")), "R11.3", .asks([.duplicate])),
        .init(.medicated, Act(.medicine("adderall_ir"), confirm: [.duplicate]), "R11.3", .allowed),
        .init(.medicated, Act(.medicine("adderall_ir"), 9), "R11.3", .allowed),
        .init(.medicated, Act(.medicine("modafinil")), "R11.3", .allowed),
        .init(.nothing, Act(.medicine("xyrem"), amount: "5g"), "R11.6", .asks([.overLimit])),
        .init(.nothing, Act(.regimen("xyrem", total: "9g")), "R12.1", .allowed),
        .init(.nothing, Act(.regimen("xyrem", total: "9g", ratios: ["0.6", "0.4"])), "R12.2", .allowed),
        .init(.nothing, Act(.regimen("xyrem", total: "9g", ratios: ["0.6", "0.5"])), "R12.2", .invalid),
        .init(.nothing, Act(.regimen("modafinil", total: "9g")), "R12.1", .invalid),
        .init(.nothing, Act(.regimen("lumryz", total: "9mL")), "R12.1", .invalid),
        .init(
            .minutes152, Act(.regimen("lumryz", total: "6g", onceNightly: true)), "R12.4", .allowed),
        .init(
            .minutes152, Act(.regimen("lumryz", total: "6g", onceNightly: true, from: "2020-01-01")), "R12.4",
            .asks([.nightBegun])),
        .init(.onceNightly, Act(.regimen("xyrem", total: "9g", from: "2020-01-01")), "R12.4", .asks([.nightBegun])),
    ]

    private static let inventory: [VerdictRow] = [
        .init(.nothing, Act(.bottle("180mL", of: "xyrem")), "R14.1", .allowed),
        .init(.nothing, Act(.bottle("11L", of: "xyrem")), "R14.1", .invalid),
        .init(.nothing, Act(.bottle("0mL", of: "xyrem")), "R14.1", .invalid),
        .init(.nothing, Act(.bottle("180mL", of: "xyrme")), "R14.1", .invalid),
        .init(.nothing, Act(.pour("dose1", of: "xyrem"), amount: "3g"), "R14.3", .allowed),
        .init(.nothing, Act(.pour("dose7", of: "xyrem")), "R14.3", .invalid),
        .init(.nothing, Act(.discard(0)), "R14.4", .notFound),
        .init(.poured, Act(.discard(1)), "R14.4", .allowed),
        .init(.poured, Act(.discard(1), 70), "R14.4", .refused(.order)),
        .init(.poured, Act(.delete(1)), "R14.11", .allowed),
        .init(.pouredDrunk, Act(.discard(1)), "R14.4", .refused(.alreadyUsed)),
        .init(.pouredAway, Act(.discard(1)), "R14.4", .refused(.alreadyDiscarded)),
    ]

    private static let corrections: [VerdictRow] = [
        .init(.nothing, Act(.undo), "R6.3", .nothingToDo),
        .init(.skipped, Act(.undo), "R6.1", .allowed),
        .init(.undone, Act(.undo), "R6.13", .asks([.undoDose])),
        .init(.undone, Act(.undo, confirm: [.undoDose]), "R6.13", .allowed),
        .init(.nothing, Act(.amend(0), amount: "3g"), "R6.9", .notFound),
        .init(.minutes152, Act(.amend(0)), "R6.7", .invalid),
        .init(.minutes152, Act(.amend(0), 140), "R6.6", .allowed),
        .init(.minutes152, Act(.amend(0), amount: "4.5g"), "R6.9", .allowed),
        .init(.minutes152, Act(.amend(0), amount: "5g"), "R6.9", .asks([.overLimit])),
        .init(.minutes152, Act(.amend(0), ago: .seconds(-120)), "R4.18", .refused(.future)),
        .init(.dose2Just, Act(.amend(0), 10), "R6.10", .refused(.order)),
        .init(.dose2Just, Act(.amend(1), 60), "R6.9", .asks([.early])),
        .init(.awake, Act(.amend(2), amount: "3g"), "R6.7", .invalid),
        .init(.nothing, Act(.delete(0)), "R6.11", .notFound),
        .init(.dose2Just, Act(.delete(0)), "R6.11", .refused(.order)),
        .init(.dose2Just, Act(.delete(1)), "R6.12", .allowed),
        .init(.deleted, Act(.delete(1)), "R6.11", .notFound),
        .init(.deleted, Act(.delete(0)), "R6.11", .allowed),
    ]

    /// Verdicts that no act can bring about on all surfaces here, with the reason.
    static let elsewhere: [String: String] = [
        Confirmation.clockSuspect.rawValue:
            "needs a wall clock that was set back under a running service; the engine's own tests set theirs",
        Confirmation.restore.rawValue: "asked by a restore, which records no entry of a person",
        Confirmation.otherRecord.rawValue: "asked by a restore, which records no entry of a person",
        Confirmation.wipe.rawValue: "asked by a deletion of all data, which records nothing",
        BlockReason.windowOpen.rawValue: "refuses an import, which is no act of a person",
    ]
}
