internal import ArgumentParser
internal import DoseTapDomain
internal import DoseTapText

/// `sleep-plan`: the time to go to bed, worked back from the wake time.
struct SleepPlanVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "sleep-plan", abstract: "Calculate when to be in bed for a wake time. Needs no service.",
        discussion: """
            The plan is calculated backwards from the wake time of the morning after the
            night; default: 07:30. A wake time for one day of the week wins over the wake
            time for all days.

            Example: dosetap sleep-plan --wake 06:45 --wake sat=09:00 --sleep 480
            """)

    @Option(help: ArgumentHelp("The night, YYYY-MM-DD; default: the present or coming night.", valueName: "date"))
    var night: String?
    @Option(help: ArgumentHelp("The time to get up, HH:MM or DAY=HH:MM; repeatable.", valueName: "time"))
    var wake: [String] = []
    @Option(help: ArgumentHelp("Planned minutes of sleep, 0 to 1440.", valueName: "minutes"))
    var sleep = SleepPlan.Schedule().targetMinutes
    @Option(help: ArgumentHelp("Minutes from lights out to sleep, 0 to 1440.", valueName: "minutes"))
    var latency = SleepPlan.Schedule().latencyMinutes
    @Option(
        name: .customLong("wind-down"), help: ArgumentHelp("Minutes to wind down, 0 to 1440.", valueName: "minutes"))
    var windDown = SleepPlan.Schedule().windDownMinutes

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let zone = context.zone()
        let schedule = try schedule()
        var date =
            try night.map(Self.date)
            ?? .key(of: context.now, in: zone, rolloverHour: NightRules.standard.rolloverHour)
        var plan = SleepPlan(of: date, schedule, in: zone)
        if night == nil, plan.wakeBy <= context.now {
            date = SessionDate(date.civil.adding(days: 1))
            plan = SleepPlan(of: date, schedule, in: zone)
        }
        let isTonight = plan.windDownStart <= context.now && context.now < plan.wakeBy
        let left = isTonight ? plan.expectedSleepMinutes(from: context.now) : nil
        context.report(
            plan.json(of: date, expectedSleepMinutes: left),
            text: PlanText.lines(plan, left, context.moments(in: zone)))
    }

    private static func date(_ text: String) throws(Failure) -> SessionDate {
        do { return try SessionDate(text: text) } catch {
            throw .usage(tr("--night takes a date, YYYY-MM-DD, not '\(text.prefix(40))'."))
        }
    }

    private func schedule() throws(Failure) -> SleepPlan.Schedule {
        var schedule = SleepPlan.Schedule()
        for (name, minutes) in [("--sleep", sleep), ("--latency", latency), ("--wind-down", windDown)] {
            guard SleepPlan.Schedule.minutes.contains(minutes) else { throw .usage(tr("\(name) goes from 0 to 1440.")) }
        }
        (schedule.targetMinutes, schedule.latencyMinutes, schedule.windDownMinutes) = (sleep, latency, windDown)
        for text in wake {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let clock = parts.last ?? ""
            // People write 7:00.
            guard let time = try? ClockTime(text: clock.count == 4 ? "0" + clock : clock) else {
                throw .usage(tr("--wake takes HH:MM or DAY=HH:MM, not '\(text.prefix(40))'."))
            }
            if parts.count == 1 {
                schedule.usualWake = time
            } else if let day = Weekday(abbreviation: parts[0].lowercased()) {
                schedule.wakeTimes[day] = time
            } else {
                throw .usage(tr("There is no day '\(parts[0].prefix(40))': use mon, tue, wed, thu, fri, sat or sun."))
            }
        }
        return schedule
    }
}
