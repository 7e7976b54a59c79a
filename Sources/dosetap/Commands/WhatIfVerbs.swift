internal import ArgumentParser
internal import DoseTapDomain
internal import DoseTapText

/// `window`: the dose window of an imagined night.
struct WindowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "window", abstract: "Calculate the dose window for given times. Needs no service.",
        discussion: "Example: dosetap window --dose1 22:30 --now 01:15")

    @Option(help: ArgumentHelp("Time of dose 1.", valueName: "T")) var dose1: String?
    @Option(help: ArgumentHelp("The time for which the window is calculated; default: now.", valueName: "T")) var now:
        String?
    @Option(help: ArgumentHelp("Time of dose 2.", valueName: "T")) var dose2: String?
    @Flag(help: "Dose 2 was skipped.") var skipped = false
    @Option(help: ArgumentHelp("The number of snoozes so far.", valueName: "N")) var snoozes = 0
    @Option(help: ArgumentHelp("Time of the final wake.", valueName: "T")) var wake: String?
    @Flag(name: .customLong("checked-in"), help: "The morning check-in is saved.") var checkedIn = false
    @Option(
        name: .customLong("max-snoozes"), help: ArgumentHelp("The number of snoozes allowed, 0 to 10.", valueName: "N"))
    var maximumSnoozes = NightRules.standard.maximumSnoozes

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let state = DoseWindow.state(try input(context))
        context.report(state.json, text: WindowText(state).lines)
    }

    private func input(_ context: Context) throws(Failure) -> DoseWindow.Input {
        guard (0...10).contains(maximumSnoozes) else { throw .usage(tr("--max-snoozes goes from 0 to 10.")) }
        guard snoozes >= 0 else { throw .usage(tr("--snoozes cannot be negative.")) }
        let moment = try TimeReading(context, asksService: false).instant(now, "--now") ?? context.now
        let times = TimeReading(context, now: moment, asksService: false)
        var input = DoseWindow.Input(now: moment)
        input.dose1 = try times.instant(dose1, "--dose1")
        input.dose2 = try times.instant(dose2, "--dose2")
        input.finalWake = try times.instant(wake, "--wake") != nil
        input.skipped = skipped
        input.snoozes = snoozes
        input.checkedIn = checkedIn
        input.maximumSnoozes = maximumSnoozes
        return input
    }
}

/// `session-key`: the night an instant belongs to.
struct SessionKeyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "session-key", abstract: "Print the date of the night of a time. Needs no service.",
        discussion: "Example: dosetap session-key 22:30 --time-zone America/New_York")

    @Argument(help: ArgumentHelp("The time.", valueName: "T")) var time: String

    @Option(
        name: .customLong("rollover-hour"),
        help: ArgumentHelp("The hour at which a new session date begins.", valueName: "H"))
    var rolloverHour = NightRules.standard.rolloverHour

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        guard (0...23).contains(rolloverHour) else { throw Failure.usage(tr("--rollover-hour goes from 0 to 23.")) }
        let times = TimeReading(context, asksService: false)
        let key = SessionDate.key(of: try times.instant(time, "T"), in: context.zone(), rolloverHour: rolloverHour)
        context.report(["session_date": .string(key.text)], text: [key.text])
    }
}

/// `plan-reminders`: the reminders still to come.
struct PlanRemindersVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "plan-reminders", abstract: "List the reminders that follow from given times. Needs no service.",
        discussion: "Example: dosetap plan-reminders --dose1 22:30 --now 01:15 --target 180")

    @Option(help: ArgumentHelp("Time of dose 1.", valueName: "T")) var dose1: String
    @Option(help: ArgumentHelp("List the reminders after this time; default: now.", valueName: "T"))
    var now: String?
    @Option(help: ArgumentHelp("Minutes from dose 1 to the alarm: 165, 180, 195, 210 or 225.", valueName: "M"))
    var target = NightRules.standard.targetMinutes
    @Option(
        name: .customLong("snoozed-to"),
        help: ArgumentHelp("Minutes from dose 1 to the alarm after a snooze, at most 225.", valueName: "M"))
    var snoozedTo: Int?
    @Option(
        help: ArgumentHelp("The usual wake time; with it the check-in reminder is listed, too.", valueName: "HH:MM"))
    var wake: String?

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        guard NightRules.targets.contains(target) else {
            let known = NightRules.targets.map(String.init).joined(separator: ", ")
            throw Failure.usage(tr("--target is one of \(known)."))
        }
        if let snoozedTo, !(target...225).contains(snoozedTo) {
            throw Failure.usage(tr("--snoozed-to goes from the target, \(target), to 225."))
        }
        let moment = try TimeReading(context, asksService: false).instant(now, "--now") ?? context.now
        let times = TimeReading(context, now: moment, asksService: false)
        let dose1 = try times.instant(dose1, "--dose1") as Instant
        var items = ReminderPlan.items(dose1: dose1, alarm: .minutes(snoozedTo ?? target))
        if let wake {
            guard let time = try? ClockTime(text: wake) else {
                throw Failure.usage(tr("--wake is a time of day, like 07:00."))
            }
            let due = context.zone().next(time, strictlyAfter: dose1)
            items = ReminderPlan.items(items, with: .init(id: .checkIn, due: due))
        }
        items.removeAll { $0.due <= moment }
        context.report(
            ["reminders": .array(items.map { .object(Self.json($0, dose1)) })],
            text: PlanText.lines(items, dose1, context.moments(in: context.zone())))
    }

    private static func json(_ item: ReminderPlan.Item, _ dose1: Instant) -> JSONObject {
        [
            "id": .string(item.id.rawValue), "at": .instant(item.due),
            "offset_min": .integer((item.due - dose1).wholeMinutes), "urgency": .string(item.id.urgency.rawValue),
        ]
    }
}
