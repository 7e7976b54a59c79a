internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `regimen`: the prescribed medicine and its amounts.
struct RegimenVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "regimen", abstract: "The prescribed regimen: show it, set it, list earlier ones.",
        discussion: "Example: dosetap regimen set xyrem 4.5g",
        subcommands: [Show.self, Set.self, History.self], defaultSubcommand: Show.self)

    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the regimen of tonight and the amount of each dose.",
            discussion: "Example: dosetap regimen show")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let (answer, status) = try ServiceLink.ask(context) { client in
                (try await client.regimen(), try await client.status())
            }
            .answer
            let hasBegun = status.dose1 != nil && status.sessionDate?.text == answer["date"]?.stringValue
            context.report(
                ["date": answer["date"] ?? .null, "active": answer["active"] ?? .null],
                text: RegimenText.active(answer, hasBegun: hasBegun))
        }
    }

    struct History: Verb {
        static let configuration = CommandConfiguration(
            commandName: "history", abstract: "List all regimens, the most recently set first.",
            discussion: "Example: dosetap regimen history")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let answer = try ServiceLink.ask(context) { client in try await client.regimen() }.answer
            context.report(["history": answer["history"] ?? .array([])], text: RegimenText.history(answer))
        }
    }

    struct Set: Verb {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set the prescribed regimen.",
            discussion: """
                ID is xywav, xyrem or lumryz. TOTAL is the amount of a whole night. From
                its first date on, the regimen replaces regimens that were set earlier. A
                dose logged without an amount gets the amount of the regimen. Steps that
                raise the total faster than the labels say are recorded with a caution. A
                night keeps the regimen that was in force at its dose 1: a regimen set
                after dose 1 applies from the next night. Follow your prescriber.

                Example: dosetap regimen set xyrem 4.5g --step 2026-02-01=6g
                Example: dosetap regimen set xywav 15mL --split 0.6,0.4 --from 2026-01-14
                """)

        @Argument(help: ArgumentHelp("The medicine.", valueName: "id")) var id: String
        @Argument(help: ArgumentHelp("The amount of a whole night: 4.5g, 9mL.", valueName: "total")) var total: String
        @Option(
            help: ArgumentHelp(
                "The first night; default: tonight, or the next night if dose 1 is recorded.", valueName: "date"))
        var from: String?
        @Option(help: ArgumentHelp("The last night.", valueName: "date")) var until: String?
        @Option(help: ArgumentHelp("How to divide the total: none, equal, or parts, e.g. 0.6,0.4.", valueName: "split"))
        var split: String?
        @Flag(name: .customLong("once-nightly"), help: "One dose a night.") var onceNightly = false
        @Option(help: ArgumentHelp("The concentration, e.g. 500mg/mL.", valueName: "strength")) var concentration:
            String?
        @Option(
            help: ArgumentHelp("Another total from this date on, e.g. 2026-02-01=6g; repeatable.", valueName: "step"))
        var step: [String] = []
        @Option(help: ArgumentHelp("A note in your own words.", valueName: "text")) var note: String?
        @OptionGroup(title: "Recording") var correction: CorrectionOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            var request = try correction.request(context)
            request.note = note
            // A night has the names that it has everywhere (R23.12).
            let first = try from.map { try NightName.resolved($0, context) }
            let last = try until.map { try NightName.resolved($0, context) }
            try Recorder(context: context).record(.setRegimen(draft(from: first, until: last)), request)
        }

        private func draft(from: String?, until: String?) -> JSONObject {
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
