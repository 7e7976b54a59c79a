internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `inventory`: what there is of the medicines of the night.
struct InventoryVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inventory", abstract: "Bottles, poured cups, and how long the supply lasts.",
        discussion: """
            How much there is follows from what came in and what was taken. An amount
            nobody knows stays unknown: then at most so much is left.

            Example: dosetap inventory
            Example: dosetap inventory add 180mL --medicine xyrem --count 2
            """,
        subcommands: [Show.self, Add.self, Pour.self, Discard.self, Correct.self], defaultSubcommand: Show.self)

    /// `inventory show`.
    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "What is left, for how many nights, and which cups stand ready.",
            discussion: """
                A night takes what the regimen says, else the mean of the last two weeks.
                Low is 10 nights or fewer, critical 3.

                Example: dosetap inventory show
                """)
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let answer = try ServiceLink.run(context) { client in try await client.inventory() }
            context.report(InventoryText.complete(answer), text: InventoryText.lines(answer, context))
        }
    }

    /// `inventory add`.
    struct Add: Verb {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Record new bottles or packets.",
            discussion: """
                AMOUNT is what one bottle or packet holds. Without --medicine it is that
                of the regimen.

                Example: dosetap inventory add 180mL --medicine xyrem --count 2
                Example: dosetap inventory add 4.5g --medicine lumryz --count 30
                """)

        @Argument(help: ArgumentHelp("The content of one: 180mL, 4.5g.", valueName: "amount")) var amount: String
        @Option(help: ArgumentHelp("Of which medicine.", valueName: "id"), completion: Completions.oxybates)
        var medicine: String?
        @Option(help: ArgumentHelp("How many, 1 to 100.", valueName: "N")) var count: Int?
        @Option(help: ArgumentHelp("The concentration, if not 500mg/mL.", valueName: "strength"))
        var concentration: String?
        @OptionGroup(title: "Recording") var recording: RecordingOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            var bottle: JSONObject = ["amount": .string(amount)]
            bottle["medication_id"] = medicine.map(JSONValue.string)
            bottle["concentration"] = concentration.map(JSONValue.string)
            bottle["count"] = count.map { .integer(Int64($0)) }
            let request = try recording.choices.request(context)
            try Recorder(context: context).record(.inventory(.addBottle(bottle)), request)
        }
    }

    /// `inventory pour`.
    struct Pour: Verb {
        static let configuration = CommandConfiguration(
            commandName: "pour", abstract: "Record a dose that was poured into a cup.",
            discussion: """
                The dose drunk from it takes no more. Without AMOUNT it is what the
                regimen has for that dose, else unknown. 'dosetap status' tells until when
                labels let it be drunk.

                Example: dosetap inventory pour 2.25g --for dose1
                """)

        @Argument(help: ArgumentHelp("How much: 2.25g, 4.5mL.", valueName: "amount")) var amount: String?
        @Option(
            name: .customLong("for"), help: ArgumentHelp("dose1, dose2 or none.", valueName: "dose"),
            completion: .list(["dose1", "dose2", "none"]))
        var dose: String?
        @Option(help: ArgumentHelp("Of which medicine.", valueName: "id"), completion: Completions.oxybates)
        var medicine: String?
        @OptionGroup(title: "Recording") var recording: RecordingOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            var cup = JSONObject()
            cup["medication_id"] = medicine.map(JSONValue.string)
            cup["for"] = dose.map(JSONValue.string)
            var request = try recording.choices.request(context)
            try request.take(amount: amount, hint: "dosetap inventory pour --help")
            try Recorder(context: context).record(.inventory(.pour(cup)), request)
        }
    }

    /// `inventory discard`.
    struct Discard: Verb {
        static let configuration = CommandConfiguration(
            commandName: "discard", abstract: "Record a cup or a bottle that was thrown away.",
            discussion: """
                ID is one of 'dosetap inventory', its last four or more characters, or
                "last cup", the last one that stands. What was in a cup stays lost; with
                a bottle goes what was left in it. Another one within seconds asks
                'duplicate'.

                Example: dosetap inventory discard last cup
                """)

        @Argument(help: ArgumentHelp("The cup or the bottles.", valueName: "id"), completion: Completions.stock)
        var id: [String]
        @Option(help: ArgumentHelp("Why, in your own words.", valueName: "text")) var reason: String?
        @OptionGroup(title: "Recording") var recording: RecordingOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            var request = try recording.choices.request(context)
            request.reason = reason
            let name = EventID(try EntryName.text(id, "inventory discard"))
            try Recorder(context: context).record(.inventory(.discard(name)), request)
        }
    }

    /// `inventory correct`.
    struct Correct: Verb {
        static let configuration = CommandConfiguration(
            commandName: "correct", abstract: "Record how much there really is.",
            discussion: """
                OF is a medicine, for all there is of it, or the id of bottles, for what
                is left of them. What was noted before says nothing any more then.

                Example: dosetap inventory correct xyrem 240mL --reason spilled
                Example: dosetap inventory correct lumryz 90g --packet 4.5g
                """)

        @Argument(help: ArgumentHelp("A medicine, or the id of bottles.", valueName: "of")) var of: String
        @Argument(help: ArgumentHelp("What is left: 240mL, 90g, 0mL.", valueName: "left")) var left: String
        @Option(help: ArgumentHelp("Which packets, by what one holds.", valueName: "amount")) var packet: String?
        @Option(help: ArgumentHelp("Why, in your own words.", valueName: "text")) var reason: String?
        @OptionGroup(title: "Recording") var recording: RecordingOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            var stock: JSONObject = ["of": .string(of), "left": .string(left)]
            stock["packet"] = packet.map(JSONValue.string)
            var request = try recording.choices.request(context)
            request.reason = reason
            try Recorder(context: context).record(.inventory(.correct(stock)), request)
        }
    }
}
