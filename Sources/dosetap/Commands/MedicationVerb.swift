internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `med`: medicines beside the doses.
struct MedicationVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "med", abstract: "Record medicines, list them, and look them up.",
        discussion: "Example: dosetap med take modafinil 200mg",
        subcommands: [Take.self, List.self, Catalogue.self], defaultSubcommand: List.self)

    struct Take: Verb {
        static let configuration = CommandConfiguration(
            commandName: "take", abstract: "Record a medicine that was taken.",
            discussion: """
                ID is a medicine that 'dosetap med catalogue' lists, or one of your
                own (setting medications.custom). The default of DOSE is the usual
                dose. Millilitres and tablets are accepted if their content is known.
                An oxybate is recorded as a dose of the night, with the same questions
                as 'dosetap log'.

                Example: dosetap med take modafinil
                Example: dosetap med take adderall_ir 10mg --ago 20m
                """)

        @Argument(help: ArgumentHelp("The medicine.", valueName: "id")) var id: String
        @Argument(help: ArgumentHelp("The amount: 20mg, 0.2g, 2 tablets, 5mL.", valueName: "dose")) var dose: [String] =
            []
        @OptionGroup(title: "Recording") var recording: RecordingOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let command = Command.takeMedication(id)
            var request = try recording.choices.request(context, isOfNight: command.isOfNight)
            try request.take(
                amount: dose.isEmpty ? nil : dose.joined(separator: " "), hint: "dosetap med take --help")
            try Recorder(context: context).record(command, request)
        }
    }

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the recorded medicines, newest first.",
            discussion: """
                Doses of an oxybate are not listed here: 'dosetap show' prints them.

                Example: dosetap med list --limit 20
                """)

        @Option(help: ArgumentHelp("At most this many, 1 to 1000.", valueName: "N")) var limit = 14
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let newest = try NewestEntries(limit: limit, of: "medication_events", context) {
                try await $0.medications(limit: $1)
            }
            newest.report(context) { MedicationText.list($0, $1, $2) }
        }
    }

    struct Catalogue: Verb {
        static let configuration = CommandConfiguration(
            commandName: "catalogue", abstract: "List the medicines that can be recorded, with cautions.",
            discussion: """
                With ID, print this medicine with the cautions of its label and their
                sources. A caution is information only: it never prevents a record.
                Follow your prescriber.

                Example: dosetap med catalogue sunosi
                """)

        @Argument(help: ArgumentHelp("One medicine.", valueName: "id")) var id: String?
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let all = try ServiceLink.run(context) { client in try await client.medicationCatalogue() }
            guard let id else {
                return context.report(
                    ["medications": .array(all.map(JSONValue.object))],
                    text: MedicationText.catalogue(all, context.terminal.columns))
            }
            let word = SleepEventWord.normalised(id)
            guard let one = all.first(where: { $0["medication_id"]?.stringValue == word }) else {
                let known = all.compactMap { $0["medication_id"]?.stringValue }
                throw Failure.unknown(
                    tr("medication"), id, known: known, command: "dosetap med catalogue", help: "dosetap med catalogue")
            }
            context.report(one, text: MedicationText.one(one, context.terminal.columns))
        }
    }
}
