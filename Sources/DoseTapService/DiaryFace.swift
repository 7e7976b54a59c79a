internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import SDBus

/// The `Diary` interface: what is written down beside the doses.
struct DiaryFace: Sendable {
    let engine: Engine
    let surroundings: SystemSurroundings
    let queues: CallQueues
    var doctor: Doctor?

    private typealias Options = [String: Variant]
    private var intake: CommandIntake {
        CommandIntake(engine: engine, surroundings: surroundings, queues: queues, doctor: doctor)
    }

    /// - Parameter properties: kept up to date by whoever serves the interface.
    func interface(_ properties: DiaryProperties) -> ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.diary, limits: .contract,
            members: [
                .method("LogSleepEvent", arguments: ["type", "options"], results: ["receipt"]) {
                    (context, type: String, options: Options) in
                    try await intake.submit(.logSleepEvent(type), options, context)
                },
                .method("SaveCheckIn", arguments: ["answers", "options"], results: ["receipt"]) {
                    (context, answers: Options, options: Options) -> WireObject in
                    try await save(options, "night", context) { night in
                        .saveCheckIn(try AnswersOnBus.answers(answers, to: .morning), night: night)
                    }
                },
                .method("SavePreSleep", arguments: ["answers", "options"], results: ["receipt"]) {
                    (context, answers: Options, options: Options) -> WireObject in
                    try await save(options, "completion", context) { word in
                        .savePreSleep(try AnswersOnBus.answers(answers, to: .preSleep), try Self.completion(word))
                    }
                },
                .method("Questions", arguments: ["kind"], results: ["questions"]) {
                    (_: CallContext, kind: String) -> [WireObject] in try Self.questions(kind)
                },
            ] + properties.members)
    }

    /// Saves a questionnaire; one option is its own, the others are those of every call.
    private func save(
        _ options: Options, _ own: String, _ context: CallContext,
        _ command: (String?) throws -> Command
    ) async throws -> WireObject {
        var options = options
        let decoded: Command
        do {
            let variant = options.removeValue(forKey: own)
            guard variant == nil || variant?.stringValue != nil else {
                throw ServiceError(.invalidInput, "Option '\(own)' has the wrong type: expected s.")
            }
            decoded = try command(variant?.stringValue)
        } catch { throw ServiceError(error, nil, moments: surroundings.moments).busError }
        return try await intake.submit(decoded, options, context)
    }

    private static func completion(_ word: String?) throws(ServiceError) -> PreSleepCompletion {
        guard let word else { return .complete }
        guard let completion = PreSleepCompletion(rawValue: word) else {
            let known = PreSleepCompletion.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServiceError(
                .invalidInput, "Option 'completion' has the unknown value '\(word.prefix(40))'.",
                hint: "known: \(known)")
        }
        return completion
    }

    private static func questions(_ word: String) throws -> [WireObject] {
        guard let kind = Questionnaire.Kind(rawValue: word) else {
            let known = Questionnaire.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServiceError(
                .invalidInput, "There is no questionnaire '\(word.prefix(40))'.", hint: "known: \(known)"
            ).busError
        }
        return Questionnaire.of(kind).json.map(WireObject.init)
    }
}

/// The properties of the `Diary` interface, for those who watch a night without asking.
struct DiaryProperties: Sendable {
    private let napOpenSince = ExportedProperty("NapOpenSince", UInt64(0))

    private let checkInPending = ExportedProperty("CheckInPending", false)

    var members: [ExportedMember] { [.property(napOpenSince), .property(checkInPending)] }

    /// Takes over a status; only what changed is told.
    func set(_ status: NightStatus, in batch: inout PropertyBatch) {
        batch.set(napOpenSince, UInt64(max(0, status.napOpenSince?.microseconds ?? 0)))
        batch.set(checkInPending, status.checkInPending)
    }
}
