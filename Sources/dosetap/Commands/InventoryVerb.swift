internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `inventory`: the stock of the medicines of the night.
struct InventoryVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inventory", abstract: "Bottles, poured cups, and how long the supply lasts.",
        discussion: """
            The stock is calculated from the recorded bottles, doses, discards and
            counts. If the amount of a dose is unknown, the calculated stock is an
            upper limit.

            Example: dosetap inventory
            Example: dosetap inventory add 180mL --medicine xyrem --count 2
            """,
        subcommands: [Show.self, Add.self, Pour.self, Discard.self, Correct.self], defaultSubcommand: Show.self)

    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the stock, the nights it lasts, and the poured cups.",
            discussion: """
                The consumption of a night is the total of the regimen, else the mean of
                the last two weeks. The level is low at 10 nights or fewer and critical
                at 3 or fewer.

                Example: dosetap inventory show
                """)
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let (answer, zone) = try ServiceLink.ask(context) { client in try await client.inventory() }
            context.report(
                answer,
                text: InventoryText.lines(
                    answer, context.moments(in: zone), now: context.now, context.terminal.page))
        }
    }

    struct Add: Verb {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Record new bottles or packets.",
            discussion: """
                AMOUNT is the content of one bottle or packet. The default of --medicine
                is the medicine of the regimen.

                Example: dosetap inventory add 180mL --medicine xyrem --count 2
                Example: dosetap inventory add 4.5g --medicine lumryz --count 30
                """)

        @Argument(help: ArgumentHelp("The content of one bottle or packet: 180mL, 4.5g.", valueName: "amount"))
        var amount: String
        @Option(help: ArgumentHelp("Of which medicine.", valueName: "id"), completion: Completions.oxybates)
        var medicine: String?
        @Option(help: ArgumentHelp("The number of bottles or packets, 1 to 100.", valueName: "N")) var count: Int?
        @Option(help: ArgumentHelp("The concentration, if it is not 500mg/mL.", valueName: "strength"))
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

    struct Pour: Verb {
        static let configuration = CommandConfiguration(
            commandName: "pour", abstract: "Record a dose that was poured into a cup.",
            discussion: """
                The stock is reduced when the cup is poured, and not again when the dose
                is taken. The default of AMOUNT is the amount of that dose in the regimen,
                else unknown. 'dosetap status' prints the time until which the label
                allows the cup to be used.

                Example: dosetap inventory pour 2.25g --for dose1
                """)

        @Argument(help: ArgumentHelp("The amount: 2.25g, 4.5mL.", valueName: "amount")) var amount: String?
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

    struct Discard: Verb {
        static let configuration = CommandConfiguration(
            commandName: "discard", abstract: "Record a cup or a bottle that was thrown away.",
            discussion: """
                ID is an id that 'dosetap inventory' prints, the last four or more
                characters of that id, or "last cup" for the most recently poured cup.
                The content of a discarded cup or bottle is subtracted from the stock. A
                second discard within seconds needs the confirmation 'duplicate'.

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

    struct Correct: Verb {
        static let configuration = CommandConfiguration(
            commandName: "correct", abstract: "Record a counted stock.",
            discussion: """
                OF is a medicine, for its whole stock, or the id of bottles, for their
                stock. The count replaces the stock calculated from earlier entries.

                Example: dosetap inventory correct xyrem 240mL --reason spilled
                Example: dosetap inventory correct lumryz 90g --packet 4.5g
                """)

        @Argument(help: ArgumentHelp("A medicine, or the id of bottles.", valueName: "of")) var of: String
        @Argument(help: ArgumentHelp("The amount that is left: 240mL, 90g, 0mL.", valueName: "left")) var left: String
        @Option(help: ArgumentHelp("The packets that were counted, by the content of one.", valueName: "amount"))
        var packet: String?
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
