internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `checkin`: the morning's questions, which end the night.
struct CheckInVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "checkin", abstract: "Answer the questions of the morning, and end the night.",
        discussion: """
            At a terminal one key answers a question, Enter accepts the answer in
            brackets, b goes back, s skips the question, and Ctrl-C stops. The
            answers so far are kept, also if recording fails; the next checkin
            continues there. A second check-in of the same night changes the first.
            The questions were written for this program; they are not a validated
            questionnaire.

            Example: dosetap checkin
            Example: dosetap checkin --set sleep_quality=4 --set mood=good
            """)

    @Option(
        help: ArgumentHelp(
            "The night: a date, today, yesterday, last or an id; default: the last night.", valueName: "night"))
    var night: String?

    @OptionGroup(title: "Answers") var answering: AnswerOptions
    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        if answering.questions { return AnswerOptions.list(.morning, context) }
        let request = try recording.choices.request(context)
        if let given = try answering.given(context, .morning) {
            let name = try night.map { try NightName.resolved($0, context) }
            let recorder = Recorder(context: context)
            let receipt = try recorder.send(.saveCheckIn(given, night: name), request)
            recorder.report(receipt)
            if !receipt.dryRun, let session = receipt.sessionID {
                let named = self.night.map { " --night \(CommandLineWords.quoted($0))" } ?? ""
                let next = context.line.addressed("dosetap checkin") + named
                Draft.leave(.morning, for: session.text, beside: given, context, goingOnBy: next)
            }
            return
        }
        guard context.canAsk else { throw Self.cannotAsk("checkin --questions") }
        // The question about an open dose 2 comes before the others, not after them: nobody answers for nothing.
        let (found, confirmed) = try ServiceLink.run(context, isLast: false) { client in
            let found = try await target(client, request, context)
            let command = Command.saveCheckIn(JSONObject(), night: found.summary.sessionID.text)
            return (found, try await Recorder(context: context).confirmed(command, request, by: client))
        }
        try ask(found, context, confirmed)
    }

    /// Returns the night that is meant, with its earlier check-in.
    private func target(
        _ client: Client, _ request: RequestOptions, _ context: Context
    ) async throws -> NightRecord {
        var name: String?
        if let night {
            name = try await NightName.resolved(night, client, context)
        } else {
            let status = try await client.status(at: request.at)
            name = status.sessionID?.text ?? status.previous?.sessionID.text
        }
        guard let name, let record = try await client.show(name).last else {
            throw Failure(.notFound, tr("There is no night to check in for."), hint: "dosetap history")
        }
        return record
    }

    private func ask(_ record: NightRecord, _ context: Context, _ request: RequestOptions) throws {
        let session = record.summary.sessionID.text
        let active = record.entries.last { $0.type == EntityType.checkin.rawValue }?.metadata["answers"]
        let earlier = Questionnaire.morning.restored(active?.objectValue ?? JSONObject())
        let draft = Draft.load(.morning, for: session, context)
        let opening = InterviewText.opening(
            checkInOf: record.summary.sessionDate, resumes: draft != nil, byLines: context.asksByLines)
        Output.ask(context.terminal.fittedErrors(opening))
        var interview = Interview(.morning, continuing: earlier, given: draft?.given ?? JSONObject(), context)
        let (end, at) = interview.run(from: draft?.at)
        let kept = Draft(kind: .morning, session: session, given: interview.given, at: at ?? "", context)
        guard end == .complete else { throw Self.stopped(kept, context) }
        let recorder = Recorder(context: context)
        let receipt = try kept.recorded(context) {
            try recorder.send(.saveCheckIn(interview.counting, night: session), request)
        }
        recorder.report(receipt)
        // The answers are on record.
        if !receipt.dryRun { Draft.remove(.morning, for: session, context) }
    }

    /// Keeps the answers of a check-in that was stopped in the middle. The night goes on.
    private static func stopped(_ draft: Draft, _ context: Context) -> Failure {
        let next = context.line.again(adding: [])
        do {
            try draft.save(now: context.now)
            return Failure(
                exitCode: Failure.Code.failed, kind: "stopped",
                message: tr("The check-in is not recorded; your answers so far are kept."), hint: next)
        } catch {
            return Failure(
                exitCode: Failure.Code.failed, kind: "stopped",
                message: tr("The check-in is not recorded, and your answers could not be kept: \(Draft.words(error))"),
                hint: next)
        }
    }

    /// The failure without a terminal. Answers have to be given there: a night does not end by a slip.
    static func cannotAsk(_ next: String) -> Failure {
        .usage(tr("There is no terminal to ask at: give answers with --set or --answers."), hint: "dosetap \(next)")
    }
}
