internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapText
internal import SDBus

/// The `Diary` interface: sleep events, questionnaires and corrections.
struct DiaryAdapter: Sendable {
    let endpoint: CommandEndpoint

    /// - Parameter properties: kept up to date by the server.
    func interface(_ properties: DiaryProperties) -> ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.diary, limits: .contract,
            members: [
                Contract.Diary.logSleepEvent.serve { context, said in
                    try await endpoint.submit(.logSleepEvent(said.0), said.1, context)
                },
                Contract.Diary.saveCheckIn.serve { context, said in
                    try await save(said.1, "night", context) { night in
                        .saveCheckIn(try AnswersOnBus.answers(said.0, to: .morning), night: night)
                    }
                },
                Contract.Diary.savePreSleep.serve { context, said in
                    try await save(said.1, "completion", context) { word in
                        .savePreSleep(try AnswersOnBus.answers(said.0, to: .preSleep), try Self.completion(word))
                    }
                },
                Contract.Diary.questions.serve { _, kind in try Self.questions(kind) },
            ] + endpoint.members(Contract.Diary.recordings) + properties.members)
    }

    /// Saves a questionnaire. One option belongs to the questionnaire, the others to every call.
    private func save(
        _ options: VariantEntries, _ own: String, _ context: CallContext,
        _ command: (String?) throws -> Command
    ) async throws -> WireObject {
        var options = options
        let decoded: Command
        do {
            let variant = options[own]
            options[own] = nil
            guard variant == nil || variant?.stringValue != nil else {
                throw ServiceError.wrongType(option: own, expected: "s")
            }
            decoded = try command(variant?.stringValue)
        } catch { throw ServiceError(error, nil, moments: endpoint.systemEnvironment.moments).busError }
        return try await endpoint.submit(decoded, options, context)
    }

    private static func completion(_ word: String?) throws(ServiceError) -> PreSleepCompletion {
        guard let word else { return .complete }
        guard let completion = PreSleepCompletion(rawValue: word) else {
            throw ServiceError(
                "Option 'completion' has the unknown value '\(word.prefix(40))'.", option: "completion",
                known: PreSleepCompletion.allCases.map(\.rawValue))
        }
        return completion
    }

    private static func questions(_ word: String) throws -> [WireObject] {
        guard let kind = Questionnaire.Kind(rawValue: word) else {
            throw ServiceError(
                "There is no questionnaire '\(word.prefix(40))'.", option: "kind",
                known: Questionnaire.Kind.allCases.map(\.rawValue)
            ).busError
        }
        return QuestionText.json(.of(kind)).map { WireObject($0, .unknown) }
    }
}

/// The properties of the `Diary` interface.
struct DiaryProperties: Sendable {
    private let napOpenSince = Contract.Diary.napOpenSince.make()
    private let checkInPending = Contract.Diary.checkInPending.make()

    var members: [ExportedMember] { [.property(napOpenSince), .property(checkInPending)] }

    func set(_ status: NightStatus, in batch: inout PropertyBatch) {
        batch.set(napOpenSince, UInt64(max(0, status.napOpenSince?.microseconds ?? 0)))
        batch.set(checkInPending, status.checkInPending)
    }
}
