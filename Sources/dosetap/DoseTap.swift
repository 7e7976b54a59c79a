internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// The root of all verbs; alone it prints tonight.
struct DoseTap: Verb {
    static let configuration = CommandConfiguration(
        commandName: "dosetap",
        abstract: "Two doses a night, on time, and an honest record of them.",
        discussion: """
            Alone it tells how tonight stands and what to do next.

            T is a time: 22:30, "yesterday 23:05", "20m ago" or
            2026-01-14T22:30:00-05:00. The options for all verbs have variables:
            DOSETAP_JSON=1, DOSETAP_TIME_ZONE=Europe/Berlin, DOSETAP_BUS=none.

            Exit codes: 0 done, 1 failed, 2 nothing to do, 3 not found,
            4 a confirmation is needed, 5 refused by the rules, 6 the service
            cannot be reached, 64 wrong usage.

            Example: dosetap
            """,
        version: "dosetap \(release)",
        subcommands: verbs.map(\.type))

    /// The version of both programs.
    static let release = "0.1.0"

    /// All verbs by their names, in the order of the help.
    static let verbs: [(name: String, type: any ParsableCommand.Type)] = [
        ("status", StatusVerb.self), ("log", LogVerb.self), ("snooze", SnoozeVerb.self), ("skip", SkipVerb.self),
        ("wake", WakeVerb.self), ("checkin", CheckInVerb.self), ("presleep", PreSleepVerb.self),
        ("med", MedicationVerb.self), ("regimen", RegimenVerb.self), ("inventory", InventoryVerb.self),
        ("undo", UndoVerb.self), ("amend", AmendVerb.self), ("delete", DeleteVerb.self),
        ("history", HistoryVerb.self), ("stats", StatsVerb.self), ("show", ShowVerb.self), ("why", WhyVerb.self),
        ("reminders", RemindersVerb.self),
        ("window", WindowVerb.self),
        ("session-key", SessionKeyVerb.self), ("plan-reminders", PlanRemindersVerb.self),
        ("simulate", SimulateVerb.self),
        ("sleep-plan", SleepPlanVerb.self), ("db", DatabaseVerb.self),
        ("config", ConfigVerb.self), ("plugins", PluginsVerb.self), ("metrics", MetricsVerb.self),
        ("doctor", DoctorVerb.self),
    ]

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws { try Tonight.perform(context) }
}

/// Bare `dosetap`, without the other verbs: what is parsed is what is used.
struct Tonight: Verb {
    static let configuration = CommandConfiguration(commandName: "dosetap")

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws { try Self.perform(context) }

    static func perform(_ context: Context) throws {
        let wantsSupply = !context.json
        let (status, supply) = try ServiceLink.run(context) { client in
            let status = try await client.status()
            // Whatever is wrong with the inventory keeps nobody from tonight, and a disk that stalls not for long.
            let stock = wantsSupply ? try? await client.inventory(within: .seconds(2)) : nil
            return (status, stock.map(InventoryText.notice) ?? [])
        }
        context.report(
            status,
            text: TonightText(status, context.moments(zoneNamed: status.timeZone), supply: supply).lines)
    }
}
