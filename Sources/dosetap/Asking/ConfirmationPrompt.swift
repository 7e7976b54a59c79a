internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// Asks the person at the terminal for confirmations.
struct ConfirmationPrompt: Sendable {
    let context: Context

    /// Asks for the confirmations that a refused call lacks, and adds them to its options: then it can be made again.
    ///
    /// - Parameters:
    ///   - client: the service, which is asked for the zone of the times shown.
    ///   - declined: the sentence for a person who declined. No way around the question is shown then.
    /// - Throws: ``Failure`` if nobody can be asked or the person declined.
    func answer(
        _ error: ServiceError, by client: Client, ifDeclined declined: String, _ request: inout RequestOptions
    ) async throws(Failure) {
        let missing = error.confirmations.filter { !request.confirmations.contains($0) }
        guard context.canAsk, !missing.isEmpty else {
            // The command that confirms is the person's own command with the missing confirmations.
            var failure = Failure(error)
            failure.confirmWith = context.line.again(adding: missing.flatMap { ["--confirm", $0.rawValue] })
            throw failure
        }
        let inForce = await context.serviceZone(client)
        let night = error.details["time_zone"]?.stringValue ?? inForce.identifier
        let moments = context.moments(zoneNamed: night, inForce: inForce)
        guard confirms(error, moments, clock: &request.isClockRight) else {
            throw Failure(error.kind, declined, hint: Failure(error).hint)
        }
        request.confirmations += missing
    }

    /// Asks every open question of a refused command, in plain words.
    ///
    /// - Parameter isClockRight: takes the person's answer on the computer's clock, if the clocks leave doubt.
    /// - Returns: true if each question was answered with its word or y.
    private func confirms(_ error: ServiceError, _ moments: Moments, clock isClockRight: inout Bool?) -> Bool {
        guard !error.confirmations.isEmpty else { return false }
        let what = error.details["would_record"]?.stringValue.map(Label.entry)
        let at = error.details["at"]?.stringValue.flatMap { try? Instant(iso8601: $0) }
        if let what {
            Output.complain(InterviewText.wouldRecord(what, at: at.map { moments.entryTime($0, now: context.now) }))
        }
        let told = Wire.told(ErrorText.typed(error.message))
        Output.complain(context.terminal.fittedErrors(SafeText.line(context.line.addressed(told))))
        for question in error.confirmations {
            if question == .clockSuspect, error.details["elapsed_s"] != nil {
                ask(InterviewText.isClockRight)
                switch readLine().map(Self.word) {
                case "right": isClockRight = true
                case "wrong": isClockRight = false
                default: return false
                }
                continue
            }
            // A dose too early or too many needs a whole word.
            let typed = Self.needsWord(question)
            let asked = question == .extraUnderstood ? "understood" : question.rawValue
            ask(InterviewText.asked(question, word: asked, needsWord: typed))
            let answer = readLine()
            let word = answer.map(Self.word)
            guard word == asked || word == question.rawValue || !typed && ["y", "yes", "j", "ja"].contains(word) else {
                if answer == nil { Output.complain("") }
                return false
            }
        }
        return true
    }

    private func ask(_ asked: InterviewText.Asked) {
        Output.ask(context.terminal.fittedQuestion(asked.question, asked.how, orLast: asked.how) + " ")
    }

    /// Asks which of two passes of the same local time is meant; nil when neither is chosen.
    func chooses(_ text: String, earlier: Instant, later: Instant, _ moments: Moments) -> Instant? {
        InterviewText.passes(text, earlier, later, moments).forEach(Output.complain)
        Output.ask(InterviewText.whichPass)
        switch readLine().map(Self.word) {
        case "1": return earlier
        case "2": return later
        default: return nil
        }
    }

    private static func needsWord(_ confirmation: Confirmation) -> Bool {
        switch confirmation {
        case .early, .extra, .extraUnderstood, .restore, .otherRecord, .wipe: true
        case .late, .afterSkip, .afterWake, .overLimit, .onceNightly, .longAgo, .duplicate, .windowUnresolved,
            .clockSuspect, .nightBegun, .undoDose:
            false
        }
    }

    private static func word(_ answer: String) -> String {
        String(answer.filter { !$0.isWhitespace }).lowercased()
    }
}
