internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `presleep`: the questions of the evening, which are optional.
struct PreSleepVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "presleep", abstract: "Answer the optional questions about the evening.",
        discussion: """
            At a terminal one key answers a question, Enter leaves it unanswered,
            b goes back, s skips the question, and Ctrl-C saves the answers so far
            as a partial log. A pre-sleep log saved within two hours after another
            one continues that log. A pre-sleep log belongs to the night that
            begins within two hours after it.

            Example: dosetap presleep
            Example: dosetap presleep --set stimulants=coffee --set alcohol=none
            """)

    @Flag(name: .customLong("skip"), help: "Record that you do not answer tonight. Answers on record stay.") var skip =
        false
    @Flag(name: .customLong("partial"), help: "Record the log as not complete.") var partial = false
    @Flag(name: .customLong("lights-out"), help: "Also record the sleep event lights_out.") var lightsOut = false

    @OptionGroup(title: "Answers") var answering: AnswerOptions
    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        if answering.questions { return AnswerOptions.list(.preSleep, context) }
        let request = try recording.choices.request(context)
        guard !lightsOut || request.at == nil else {
            throw Failure.usage(
                tr("--lights-out is now: with a time, log it by itself."), hint: "dosetap log lights_out --at TIME")
        }
        if let given = try answering.given(context, .preSleep) {
            guard !skip else { throw Failure.usage(tr("--skip and answers exclude each other.")) }
            return try save(given, partial ? .partial : .complete, context, request)
        }
        if skip { return try save(JSONObject(), .skipped, context, request) }
        guard context.canAsk else { throw CheckInVerb.cannotAsk("presleep --questions") }
        Output.ask(context.terminal.fittedErrors(InterviewText.openingOfPreSleep(byLines: context.asksByLines)))
        let draft = Draft.load(.preSleep, context)
        if draft != nil { Output.ask(context.terminal.fittedErrors(InterviewText.resumingPreSleep)) }
        var interview = Interview(.preSleep, continuing: .none, given: draft?.given ?? JSONObject(), context)
        let (end, at) = interview.run(from: draft?.at)
        let kept = Draft(kind: .preSleep, session: "", given: interview.given, at: at ?? "", context)
        switch end {
        case .complete: try save(interview.counting, .complete, context, request, orKeep: kept)
        case .stopped:
            guard interview.isTouched || draft != nil else {
                throw Failure(
                    .nothingToDo, tr("Nothing was answered, so nothing was recorded."), hint: "dosetap presleep")
            }
            try save(interview.counting, .partial, context, request, orKeep: kept)
        }
    }

    private func save(
        _ given: JSONObject, _ completion: PreSleepCompletion, _ context: Context, _ request: RequestOptions,
        orKeep draft: Draft? = nil
    ) throws {
        let recorder = Recorder(context: context)
        let send = {
            try recorder.send(.savePreSleep(given, completion), request, isLast: !lightsOut || request.dryRun)
        }
        let saved = try draft?.recorded(context, by: send) ?? send()
        defer {
            // An interview goes on with the draft, so the draft is on record.
            if draft != nil, !request.dryRun { Draft.remove(.preSleep, context) }
            if draft == nil, !request.dryRun {
                let next = context.line.addressed("dosetap presleep")
                Draft.leave(.preSleep, beside: given, context, goingOnBy: next)
            }
        }
        let isSkip = completion == .skipped
        guard lightsOut, !request.dryRun else { return recorder.report(saved, isSkip: isSkip) }
        if !context.json { recorder.report(saved, isSkip: isSkip) }
        var light = RequestOptions()
        light.surface = .cli
        light.timeZone = request.timeZone
        let logged = try recorder.send(.logSleepEvent(SleepEventWord.lightsOut), light)
        if context.json {
            recorder.report(saved, adding: ["lights_out": .object(logged.json)])
        } else {
            recorder.report(logged)
        }
    }
}
