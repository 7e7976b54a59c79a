internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText

/// The root of all verbs. Without a verb it prints tonight.
struct DoseTap: Verb {
    static let configuration = CommandConfiguration(
        commandName: "dosetap",
        abstract: "Record the two doses of a night and be reminded of the second.",
        discussion: """
            Without a verb it prints the state of tonight and the next safe command.

            T is a time: 22:30, "yesterday 23:05", "20m ago" or
            2026-01-14T22:30:00-05:00. Environment variables set the options for
            all verbs: DOSETAP_JSON=1, DOSETAP_TIME_ZONE=Europe/Berlin,
            DOSETAP_BUS=none.

            Exit codes: 0 success, 1 failure, 2 nothing to do, 3 not found,
            4 a confirmation is needed, 5 refused by the rules, 6 the service
            cannot be reached, 64 wrong usage.

            Example: dosetap
            """,
        version: "dosetap \(Release.name)",
        groupedSubcommands: groups.map { group in
            CommandGroup(name: group.heading, subcommands: group.verbs.map(\.type))
        })

    /// All verbs by their names, under the headings of the help.
    static let groups: [(heading: String, verbs: [(name: String, type: any ParsableCommand.Type)])] = [
        (
            "Tonight",
            [
                ("status", StatusVerb.self), ("tonight", TonightVerb.self), ("log", LogVerb.self),
                ("snooze", SnoozeVerb.self), ("skip", SkipVerb.self), ("undo", UndoVerb.self),
                ("reminders", RemindersVerb.self), ("presleep", PreSleepVerb.self),
            ]
        ),
        ("Morning", [("wake", WakeVerb.self), ("checkin", CheckInVerb.self)]),
        (
            "Looking back",
            [
                ("history", HistoryVerb.self), ("show", ShowVerb.self), ("stats", StatsVerb.self),
                ("usual", UsualVerb.self), ("report", ReportVerb.self), ("web", WebVerb.self), ("lab", LabVerb.self),
                ("why", WhyVerb.self), ("amend", AmendVerb.self), ("delete", DeleteVerb.self),
                ("sleep", SleepVerb.self), ("export", ExportVerb.self), ("import", ImportVerb.self),
                ("packet", PacketVerb.self),
            ]
        ),
        (
            "Supplies",
            [("med", MedicationVerb.self), ("regimen", RegimenVerb.self), ("inventory", InventoryVerb.self)]
        ),
        (
            "Care",
            [
                ("setup", SetupVerb.self), ("doctor", DoctorVerb.self), ("config", ConfigVerb.self),
                ("plugins", PluginsVerb.self),
                ("db", DatabaseVerb.self), ("metrics", MetricsVerb.self),
                ("support-bundle", SupportBundleVerb.self),
            ]
        ),
        (
            "What if",
            [
                ("window", WindowVerb.self), ("plan-reminders", PlanRemindersVerb.self),
                ("session-key", SessionKeyVerb.self), ("sleep-plan", SleepPlanVerb.self),
                ("simulate", SimulateVerb.self),
            ]
        ),
    ]

    /// All verbs by their names.
    static let verbs = groups.flatMap(\.verbs)

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws { try Tonight.perform(context) }
}

/// Bare `dosetap`, without the other verbs: the parser builds only what is used.
struct Tonight: Verb {
    static let configuration = CommandConfiguration(commandName: "dosetap")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws { try Self.perform(context) }

    static func perform(_ context: Context) throws {
        let wantsSupply = !context.json
        let (status, supply) = try ServiceLink.run(context) { client in
            let status = try await client.status()
            // A fault of the inventory keeps nobody from tonight. A slow disk delays the answer by two seconds at most.
            let stock = wantsSupply ? try? await client.inventory(within: .seconds(2)) : nil
            return (status, stock.map(InventoryText.notice) ?? [])
        }
        context.report(
            status,
            text: TonightText(
                status, context.moments(of: status), context.terminal.page, supply: supply
            ).lines)
    }
}

/// The completions that a shell offers for a word. Names are part of the script. The service is asked for ids when they
/// are wanted; nothing is offered if it does not answer.
enum Completions {
    /// The events that `log` takes.
    static let events = CompletionKind.list(["dose1", "dose2", "extra"] + words)

    static let sleepEvents = CompletionKind.list(words)

    /// The words that `--confirm` takes.
    static let confirmations = of(Confirmation.self)

    /// The kinds that `history --only` takes.
    static let nightKinds = CompletionKind.list(NightKind.allCases.map(\.spelling))

    /// Ids of the entries of the open night, or of the last one.
    static let entries = CompletionKind.shellCommand(
        "{ echo dose1; echo dose2; echo last; dosetap show today --quiet || dosetap show last --quiet; } 2>/dev/null | sed '/^  id /d' | grep -Eo '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'"
    )

    /// Ids of bottles and cups.
    static let stock = CompletionKind.shellCommand(
        "dosetap inventory --quiet 2>/dev/null | grep -Eo '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'")

    /// The medicines that have an inventory.
    static let oxybates = CompletionKind.list(
        MedicationCatalogue.standard.medications.filter(\.isOxybate).map(\.id))

    /// Dates of the nights on record.
    static let nights = CompletionKind.shellCommand(
        "{ echo tonight; echo yesterday; echo last; dosetap history --nights 60 --quiet 2>/dev/null | grep -Eo '[0-9]{4}-[0-9]{2}-[0-9]{2}'; }"
    )

    /// The words of a closed set.
    static func of<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> CompletionKind
    where Word.RawValue == String {
        .list(type.allCases.map(\.rawValue))
    }

    private static var words: [String] { SleepEventCatalogue.standard.types.map(\.word) }
}
