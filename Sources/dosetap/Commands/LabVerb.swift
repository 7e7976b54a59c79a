internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `lab`: questions to the record.
struct LabVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab", abstract: "Ask the record what goes with how a day was.",
        discussion: """
            A question is asked before its nights: until they are complete only their number \
            is told. Then the answer is "goes with", "no difference that matters" or, most \
            often, "cannot tell". None of them says what brings about what, and none is \
            advice about a dose.

            Example: dosetap lab
            Example: dosetap lab ask late_meal rested
            """,
        subcommands: [List.self, Ask.self, Explore.self, Plan.self, Kept.self], defaultSubcommand: List.self)

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List questions and plans with their answers, newest first.",
            discussion: "Example: dosetap lab list")

        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let entries = try ServiceLink.ask(context) { client in try await client.lab() }.answer
            let isAsked = entries.contains { !$0.isWithdrawn && ($0.labQuestion != nil || $0.labPlan != nil) }
            let answers = isAsked ? try LabRun(context: context).answers { $0.entries = entries } : []
            context.report(
                ["answers": .array(answers.map { .object($0.json) })],
                text: LabText.list(answers, context.terminal.page))
        }
    }

    struct Ask: Verb {
        static let configuration = CommandConfiguration(
            commandName: "ask", abstract: "Ask whether EXPOSURE goes with OUTCOME in the nights to come.",
            discussion: """
                It begins with the next night and ends when the nights of which both are known \
                are complete.

                Example: dosetap lab ask late_meal rested
                Example: dosetap lab ask interval clarity --nights 90
                """)

        @OptionGroup var words: QuestionArguments
        @Option(help: ArgumentHelp("How many nights, 60 to 730; default: 60.", valueName: "N")) var nights: Int?
        @Option(help: ArgumentHelp("A note in your own words.", valueName: "text")) var note: String?
        @OptionGroup(title: "Recording") var correction: CorrectionOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let question = try words.read()
            if let nights, !LabLimits.nights.contains(nights) {
                throw Failure.usage(
                    tr("--nights goes from \(LabLimits.nights.lowerBound) to \(LabLimits.nights.upperBound)."))
            }
            var request = try correction.request(context)
            request.note = note
            let receipt = try Recorder(context: context).send(
                .askLab(question.exposure, question.outcome, nights: nights), request)
            Recorder(context: context).report(receipt)
            for line in LabText.asked(nights: nights ?? LabLimits.fewestNights) { context.notice(line) }
        }
    }

    struct Explore: Verb {
        static let configuration = CommandConfiguration(
            commandName: "explore", abstract: "Look whether EXPOSURE went with OUTCOME in the nights on record.",
            discussion: """
                What is looked at afterwards is a suggestion of what to ask: who looks at many \
                things finds some that go together by chance. The nights of a question or plan \
                about the same that still waits are left out.

                Example: dosetap lab explore late_meal rested
                """)

        @OptionGroup var words: QuestionArguments
        @Option(help: ArgumentHelp("The first night: YYYY-MM-DD, yesterday, 12 Nov.", valueName: "date")) var from:
            String?
        @Option(help: ArgumentHelp("The last night.", valueName: "date")) var to: String?
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let question = try words.read()
            let span = try NightSpan(from: from, to: to, context)
            let entries = try ServiceLink.run(context, isLast: false) { client in try await client.lab() }
            let answers = try LabRun(context: context).answers { request in
                request.entries = entries
                request.explored = (question.exposure, question.outcome)
                request.span = span
            }
            guard let answer = answers.first else { throw Failure(.internal, tr("The lab gave no answer.")) }
            context.report(answer.json, text: LabText.answer(answer))
        }
    }

    struct Plan: Verb {
        static let configuration = CommandConfiguration(
            commandName: "plan", abstract: "Plan ROUTINE in one night of each pair, and as usual in the other.",
            discussion: """
                \(LabText.routines.joined(separator: "\n"))

                A seed draws the order of each pair; it is on record, so that anybody can draw it \
                again. Only a routine can be planned: no dose, no amount and no interval.

                Example: dosetap lab plan screens rested
                Example: dosetap lab plan room grogginess --pairs 20
                """)

        @Argument(
            help: ArgumentHelp("The routine.", valueName: "routine"), completion: Completions.of(LabRoutine.self))
        var routine: String
        @Argument(
            help: ArgumentHelp("What of the day after.", valueName: "outcome"),
            completion: Completions.of(LabOutcome.self))
        var outcome: String
        @Option(help: ArgumentHelp("How many pairs of nights, 14 to 180; default: 14.", valueName: "N")) var pairs: Int?
        @Option(help: ArgumentHelp("The first night, YYYY-MM-DD; default: the next one.", valueName: "date"))
        var from: String?
        @Option(help: ArgumentHelp("The seed of the order; default: a random one.", valueName: "N")) var seed: Int?
        @Option(help: ArgumentHelp("A note in your own words.", valueName: "text")) var note: String?
        @OptionGroup(title: "Recording") var correction: CorrectionOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            var said: JSONObject = [
                "routine": .string(routine), "outcome": .string(outcome),
                "seed": .integer(Int64(seed ?? Int.random(in: LabLimits.seeds))),
            ]
            if let pairs { said["pairs"] = .integer(Int64(pairs)) }
            if let from { said["from_date"] = .string(from) }
            var request = try correction.request(context)
            request.note = note
            try Recorder(context: context).record(.planLab(said), request)
        }
    }

    struct Kept: Verb {
        static let configuration = CommandConfiguration(
            commandName: "kept", abstract: "Record what was kept of a plan in a night: a, b or neither.",
            discussion: """
                a is the routine, b is as usual. The answer counts each night as it was planned; \
                how many were kept is told beside it.

                Example: dosetap lab kept a
                Example: dosetap lab kept neither --night 2026-11-20
                """)

        @Argument(
            help: ArgumentHelp("a, b or neither.", valueName: "way"), completion: Completions.of(LabKept.self))
        var way: String
        @Option(help: ArgumentHelp("The night, YYYY-MM-DD; default: this one.", valueName: "date")) var night: String?
        @Option(help: ArgumentHelp("The id of the plan; default: the newest with that night.", valueName: "id"))
        var plan: String?
        @Option(help: ArgumentHelp("A note in your own words.", valueName: "text")) var note: String?
        @OptionGroup(title: "Recording") var correction: CorrectionOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            var said: JSONObject = ["kept": .string(way.lowercased())]
            if let night { said["night_date"] = .string(night) }
            if let plan { said["plan_id"] = .string(plan) }
            var request = try correction.request(context)
            request.note = note
            try Recorder(context: context).record(.keptLab(said), request)
        }
    }
}

/// The exposure and the outcome of a question.
struct QuestionArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(LabExposure.words, valueName: "exposure"), completion: Completions.of(LabExposure.self))
    var exposure: String
    @Argument(help: ArgumentHelp(LabOutcome.words, valueName: "outcome"), completion: Completions.of(LabOutcome.self))
    var outcome: String

    func read() throws(Failure) -> (exposure: LabExposure, outcome: LabOutcome) {
        (try word(exposure, tr("exposure")), try word(outcome, tr("outcome")))
    }

    private func word<Word: RawRepresentable & CaseIterable>(
        _ text: String, _ what: String
    ) throws(Failure) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: text.lowercased()) else {
            if Word.self == LabExposure.self, LabRoutine.isAboutDoses(text) {
                throw .usage(LabText.noDoses)
            }
            throw .unknown(
                what, text, known: Word.allCases.map(\.rawValue), command: "dosetap lab ask",
                help: "dosetap lab ask --help")
        }
        return word
    }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
    /// `interval, late_meal, alcohol.`
    fileprivate static var words: String { allCases.map(\.rawValue).joined(separator: ", ") + "." }
}
