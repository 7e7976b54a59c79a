internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `regimen`: what is prescribed.
struct RegimenVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "regimen", abstract: "What is prescribed: show it, set it, look back.",
        discussion: "Example: dosetap regimen set xyrem 4.5g",
        subcommands: [Show.self, Set.self, History.self], defaultSubcommand: Show.self)

    /// `regimen show`.
    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "The regimen of tonight and the doses it makes.",
            discussion: "Example: dosetap regimen show")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let (answer, status) = try ServiceLink.run(context) { client in
                (try await client.regimen(), try await client.status())
            }
            let hasBegun = status.dose1 != nil && status.sessionDate?.text == answer["date"]?.stringValue
            context.report(
                ["date": answer["date"] ?? .null, "active": answer["active"] ?? .null],
                text: RegimenText.active(answer, hasBegun: hasBegun))
        }
    }

    /// `regimen history`.
    struct History: Verb {
        static let configuration = CommandConfiguration(
            commandName: "history", abstract: "The regimens so far, the one set last first.",
            discussion: "Example: dosetap regimen history")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let answer = try ServiceLink.run(context) { client in try await client.regimen() }
            context.report(["history": answer["history"] ?? .array([])], text: RegimenText.history(answer))
        }
    }

    /// `regimen set`.
    struct Set: Verb {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set what is prescribed for a night.",
            discussion: """
                ID is xywav, xyrem or lumryz, TOTAL the amount of a whole night. From its
                first date on it goes before those set earlier, and a dose logged
                without an amount has the regimen's. Steps that go up faster than labels
                do are cautioned, never refused. A night keeps the regimen it began
                with: set after dose 1, it holds from the next night. Follow your
                prescriber.

                Example: dosetap regimen set xyrem 4.5g --step 2026-02-01=6g
                Example: dosetap regimen set xywav 15mL --split 0.6,0.4 --from 2026-01-14
                """)

        @Argument(help: ArgumentHelp("The medicine.", valueName: "id")) var id: String
        @Argument(help: ArgumentHelp("How much a night: 4.5g, 9mL.", valueName: "total")) var total: String
        @Option(
            help: ArgumentHelp(
                "The first night; if left out tonight, or the next one once dose 1 is on record.", valueName: "date"))
        var from: String?
        @Option(help: ArgumentHelp("The last night.", valueName: "date")) var until: String?
        @Option(help: ArgumentHelp("none, equal, or the parts, e.g. 0.6,0.4.", valueName: "split")) var split: String?
        @Flag(name: .customLong("once-nightly"), help: "One dose a night.") var onceNightly = false
        @Option(help: ArgumentHelp("The concentration, e.g. 500mg/mL.", valueName: "strength")) var concentration:
            String?
        @Option(help: ArgumentHelp("Another total from a date on, e.g. 2026-02-01=6g; repeatable.", valueName: "step"))
        var step: [String] = []
        @Option(help: ArgumentHelp("Your own words about it.", valueName: "text")) var note: String?
        @OptionGroup(title: "Recording") var correction: CorrectionOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            var request = try correction.request(context)
            request.note = note
            try Recorder(context: context).record(.setRegimen(draft), request)
        }

        private var draft: JSONObject {
            var draft: JSONObject = ["medication_id": .string(id), "total": .string(total)]
            draft["from"] = from.map(JSONValue.string)
            draft["until"] = until.map(JSONValue.string)
            draft["concentration"] = concentration.map(JSONValue.string)
            if onceNightly { draft["once_nightly"] = true }
            if !step.isEmpty { draft["steps"] = .array(step.map(JSONValue.string)) }
            guard let split else { return draft }
            if split.contains(where: \.isNumber) {
                draft["ratios"] = .array(
                    split.split(separator: ",", omittingEmptySubsequences: false).map { .string(String($0)) })
            } else {
                draft["split"] = .string(split)
            }
            return draft
        }
    }
}
