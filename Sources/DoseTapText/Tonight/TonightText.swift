package import DoseTapDomain

/// The text of bare `dosetap`. The first line answers "did I have it?". After the window has closed, no line asks for a dose.
package struct TonightText {
    package let lines: [String]

    /// - Parameter supply: the lines about the supply.
    package init(_ status: NightStatus, _ moments: Moments, _ page: Page, supply: [String] = []) {
        // A record can have a supply before the first night.
        if status.isFirst, supply.isEmpty {
            lines = [Self.doses(status, moments)] + FirstPage.lines(page)
            return
        }
        var lines = Self.alarm(status, moments, page) + [Self.doses(status, moments)]
        let colour = StatusText.colour(status.window)
        lines += Self.countdown(status, moments, page).map { page.paint($0, colour) }
        if let since = status.napOpenSince {
            lines.append(tr("A nap began at \(moments.clock(since, near: status.at)) and has not ended."))
        }
        if let next = status.nextReminder {
            // The opening is told above in whole minutes that have to pass (R23.3).
            let rest = next.due - status.at
            let left =
                Self.shortest(rest)
                ?? (next.id == .windowOpen ? LocalTimeFormat.wait(rest) : LocalTimeFormat.interval(rest))
            let what = tr(
                "\(ReminderText.name(next.id)), at \(ReminderText.time(next.id, next.due, moments)), in \(left)")
            lines.append(
                status.warnings.silence == nil
                    ? tr("Next reminder: \(what).") : tr("You will not hear the next reminder (\(what))."))
        }
        if status.snoozeCount > 0, status.window.phase.isRunning {
            lines.append(tr("Snoozes used: \(Label.snoozes(status))."))
        }
        lines += Self.help(status)
        lines += Dose2Question.lines(status, moments, page) + supply
        self.lines = lines + Self.next(status, page)
    }

    /// Returns the sources of help after a dose too early or too many. The help stays for a person who looks later.
    static func help(_ status: NightStatus) -> [String] {
        status.dose1 != nil && (status.outcome == .early || status.extraDoses > 0) ? [Receipt.help] : []
    }

    /// Returns the line that the alarm rings, and how to stop it. A dose 1 that was logged late has an alarm whose time was before
    /// it rang.
    static func alarm(_ status: NightStatus, _ moments: Moments, _ page: Page) -> [String] {
        guard status.isAlarmOn, let alarm = status.alarm else { return [] }
        return [page.paint(tr("The alarm of \(moments.clock(alarm)) is on. \(stops(status, page))"), .yellow)]
    }

    /// Returns the ways to stop the alarm, the recorded dose first. The command for the dose stands there only where the rules
    /// name that dose as the next step (R20.17).
    static func stops(_ status: NightStatus, _ page: Page) -> String {
        let snooze = status.window.snooze == .on ? tr(" with dosetap snooze for a while,") : ""
        return page.addressed(
            status.next?.code == .logDose2
                ? tr(
                    "It stops with dosetap log dose2 once dose 2 is taken,\(snooze) or with dosetap skip if it will not be taken."
                )
                : tr("It stops once dose 2 is on record,\(snooze) or with dosetap skip if it will not be taken."))
    }

    /// Returns the doses, with the date if the night is not the present one.
    static func doses(_ status: NightStatus, _ moments: Moments) -> String {
        let night = status.date == status.presentDate ? "" : tr("Night of \(Moments.date(status.date)): ")
        return night + had(status, moments)
    }

    private static func had(_ status: NightStatus, _ moments: Moments) -> String {
        // If the content of the log is uncertain, a dose may be recorded although the status has none.
        let no = status.isCertain ? tr("no") : tr("unknown")
        guard let dose1 = status.dose1 else {
            guard let night = status.nightJustBefore, let dose1 = night.dose1 else {
                return tr("Dose 1: \(no). Dose 2: \(no).") + removed(status, moments)
            }
            let dose2 =
                night.dose2.map { at in
                    tr("yes, at \(moments.clock(at, near: status.at))") + later(night.intervalMinutes, night.outcome)
                } ?? Label.withoutDose2(isSkipped: night.dose2Skipped, night.outcome) ?? no
            if night.dose2 == nil, night.outcome == .onceNightly {
                let date = Moments.date(night.sessionDate)
                return tr(
                    "In the night of \(date), dose 1: yes, at \(moments.clock(dose1, near: status.at)). One dose a night."
                ) + tr(" No dose since.") + removed(status, moments)
            }
            return tr(
                "In the night of \(Moments.date(night.sessionDate)), dose 1: yes, at \(moments.clock(dose1, near: status.at)). Dose 2: \(dose2)."
            ) + extra(night.extraDoses) + tr(" No dose since.") + removed(status, moments)
        }
        var line = tr("Dose 1: yes, at \(moments.clock(dose1, near: status.at))\(from(status.dose1Surface)). ")
        if let dose2 = status.dose2 {
            line += tr(
                "Dose 2: yes, at \(moments.clock(dose2, near: status.at))\(later(status.intervalMinutes, status.outcome))\(from(status.dose2Surface))."
            )
        } else if let settled = Label.withoutDose2(isSkipped: status.dose2Skipped, status.outcome) {
            line += tr("Dose 2: \(settled).")
        } else if status.windowCloses == nil {
            line += tr("One dose a night.")
        } else {
            line += tr("Dose 2: \(no).")
        }
        return line + extra(status.extraDoses) + removed(status, moments)
    }

    /// The place of a dose 2 after dose 1.
    private static func later(_ minutes: Int64?, _ outcome: NightOutcome?) -> String {
        (minutes.map { tr(", \(Figure.length(minutes: $0)) later") } ?? "")
            + (outcome == .early ? tr(", too early") : "")
    }

    private static func extra(_ doses: Int) -> String { doses > 0 ? tr(" Extra doses: \(doses).") : "" }

    /// The doses that were taken off the record. They may have been taken all the same.
    private static func removed(_ status: NightStatus, _ moments: Moments) -> String {
        status.removedDoses.reversed().map { dose in
            let what = Label.entry(dose.kind.rawValue).capitalised
            return tr(
                " \(what) of \(moments.clock(dose.at, near: status.at)) was taken off the record at \(moments.clock(dose.removedAt, near: status.at))."
            )
        }.joined()
    }

    /// The surface a dose was recorded from.
    private static func from(_ surface: String?) -> String { ", \(Label.from(surface))" }

    static func countdown(_ status: NightStatus, _ moments: Moments, _ page: Page) -> [String] {
        let opens = status.windowOpens.map(moments.clockRoundedUp) ?? "?"
        let closes = status.windowCloses.map(moments.clock) ?? "?"
        let remaining = status.window.remaining ?? .zero
        let left = shortest(remaining) ?? LocalTimeFormat.interval(remaining)
        // The warning has both figures; no countdown may promise a time that is uncertain.
        if !status.window.isCertain, status.isDose2Open {
            return [tr("It is not certain whether the window for dose 2 is open. Reminders go on.")]
        }
        switch status.window.phase {
        case .noDose1:
            // A record whose content is not known may have a dose.
            guard status.isCertain else { return [] }
            let due =
                status.checkInPending
                ? [page.addressed(tr("Its check-in is still to come: dosetap checkin"))] : []
            // The first line has told that night.
            if status.nightJustBefore != nil { return [preSleep(status, moments) ?? tr("That night is over.")] + due }
            let nothing =
                status.sessionID == nil
                ? tr("Nothing is on record for tonight.") : tr("No dose is on record for tonight.")
            let none = preSleep(status, moments) ?? nothing
            guard let night = status.previous else { return [none] }
            let isLastNight = night.sessionDate.civil == status.date.civil.adding(days: -1)
            let name = isLastNight ? tr("Last night") : tr("The last night, of \(Moments.date(night.sessionDate))")
            return [tr("\(none) \(name): \(NightLine.text(night, moments)).")] + due
        case .beforeWindow:
            let wait = Self.wait(status.window.primary.remaining ?? .zero)
            return [tr("Too early for dose 2: opens in \(wait), at \(opens), closes at \(closes).")]
        case .active: return [tr("The window for dose 2 is open: \(left) left, until \(closes).")]
        case .nearClose: return [tr("The window for dose 2 closes in \(left), at \(closes).")]
        case .closed: return [tr("The window for dose 2 closed at \(closes).")]
        case .finalizing where status.isDose2Open, .completed where status.isDose2Open:
            let fact =
                status.window.phase == .finalizing
                ? tr(
                    "The final wake is on record, but dose 2 is neither taken nor skipped. Its window is from \(opens) to \(closes)."
                )
                : tr(
                    "The check-in is on record, but dose 2 is neither taken nor skipped. Its window is from \(opens) to \(closes)."
                )
            return [fact] + mistake(status, page)
        case .finalizing: return [tr("The final wake is on record.")]
        case .completed: return [tr("Done for tonight.")]
        }
    }

    /// Returns how to take back a final wake or check-in before the window has closed, after which no alarm can be put off.
    static func mistake(_ status: NightStatus, _ page: Page) -> [String] {
        guard status.isDose2Open, status.windowCloses.map({ status.at < $0 }) ?? false else { return [] }
        return switch status.window.phase {
        case .finalizing: [page.addressed(tr("If the wake was a mistake: dosetap delete last wake"))]
        case .completed: [page.addressed(tr("If the check-in was a mistake: dosetap delete last checkin"))]
        case .noDose1, .beforeWindow, .active, .nearClose, .closed: []
        }
    }

    /// Returns a time that has to pass first. No time is told as "0 min": it is not over.
    static func wait(_ duration: Duration) -> String { shortest(duration) ?? LocalTimeFormat.wait(duration) }

    /// Returns the words for a time of less than a second; nil for a longer one.
    private static func shortest(_ duration: Duration) -> String? {
        duration < .seconds(1) ? tr("less than a minute") : nil
    }

    private static func preSleep(_ status: NightStatus, _ moments: Moments) -> String? {
        status.shownPreSleep.map { log in
            tr(
                "The pre-sleep log of \(moments.clock(log.at, near: status.at)) is on record (\(Label.completion(log.completion))), no dose yet."
            )
        }
    }

    /// Returns the next safe step by the rules.
    private static func next(_ status: NightStatus, _ page: Page) -> [String] {
        // A skip that may be wrong is no step of its own: the question before this line has both commands.
        guard let next = status.next, next.code != .skip || !status.isCertain else { return [] }
        return [page.addressed("\(CommandLead.of(next.moment))\(AdviceText.command(next))")]
    }
}

extension NightStatus {
    /// The zone in whose time the night is told: that of the night before where nothing is on record for tonight.
    package var shownTimeZone: String { sessionID == nil ? previous?.timeZone ?? timeZone : timeZone }

    /// True if the time of the alarm has come and nothing has answered the alarm.
    package var isAlarmOn: Bool {
        guard isDose2Open, let alarm else { return false }
        // Without a permanent service there is no next reminder, and so no alarm.
        return alarm <= at && nextReminder != nil && (window.phase == .active || window.phase == .nearClose)
    }

    /// True if no night was ever recorded.
    var isFirst: Bool {
        sessionID == nil && previous == nil && preSleep == nil && isCertain && next?.moment == .onceTaken
    }

    /// The pre-sleep log of the night that is told; nil for one of the night before, which has its doses and is over.
    var shownPreSleep: PreSleep? {
        guard let log = preSleep, dose1 == nil, let night = previous,
            let over = night.end ?? night.dose2 ?? night.dose1
        else { return preSleep }
        return log.at > over ? log : nil
    }

    /// The previous night, if it has doses, and the same date or a last dose less than 12 hours ago.
    fileprivate var nightJustBefore: NightSummary? {
        guard dose1 == nil, let previous, let last = previous.dose2 ?? previous.dose1,
            previous.sessionDate == date || at - last < .hours(12) && last <= at
        else { return nil }
        return previous
    }
}

/// The question about a dose 2 that nobody recorded until its window closed: whether the person had it, and the commands for both
/// answers. The question does not tell what may still be done.
enum Dose2Question {
    /// - Parameter closed: the close of the window, which is the time of a skip that nobody noted.
    static func lines(closed: Instant?, _ moments: Moments, _ page: Page) -> [String] {
        let at = closed.map { ShellWord.quoted(moments.typedToTheMinute($0)) } ?? "TIME"
        return [
            tr("Did you have dose 2 in the night? Nothing is recorded of it."),
            page.addressed(tr("If you did, with its time: dosetap log dose2 --at TIME")),
            page.addressed(tr("If you did not: dosetap skip --at \(at)")),
        ]
    }

    /// Returns the question for the shown night or the one before; empty if dose 2 is known or its time is not over.
    static func lines(_ status: NightStatus, _ moments: Moments, _ page: Page) -> [String] {
        // A status of another moment has no question: a future moment has not come yet.
        guard status.next != nil, status.isCertain else { return [] }
        // After a final wake or check-in the phase does not tell that the window has closed.
        let isOver = status.window.elapsed.map { $0 >= DoseWindow.closes } ?? false
        let isClosed = isOver && status.window.isCertain && status.isDose2Open
        if status.next?.code == .skip || isClosed {
            return Array(lines(closed: nil, moments, page).prefix(2)) + [
                page.addressed(tr("If you did not: dosetap skip"))
            ]
        }
        if status.outcome == .notRecorded { return lines(closed: status.windowCloses, moments, page) }
        guard status.dose1 == nil, let night = status.previous, night.outcome == .notRecorded,
            night.end.map({ status.at <= $0 + .hours(24) }) ?? true
        else { return [] }
        return lines(closed: night.dose1.map { $0 + DoseWindow.closes }, moments, page)
    }
}

/// The text of bare `dosetap` before the first night.
enum FirstPage {
    static func lines(_ page: Page) -> [String] {
        let address = page.address()
        func heading(_ text: String) -> String { page.paint(text, .bold) }
        return [
            tr("No dose is on record yet."), "",
            heading(tr("DoseTap records the two doses of a night and reminds you of the second.")), "",
            tr(
                "It writes down when each dose was taken, counts the time between them, and calls you while the window for dose 2 is open: 150 to 240 minutes after dose 1."
            ),
            tr(
                "It gives no dose advice and is no medical device: follow your prescriber and the label. No computer is certain to wake you: keep your alarm clock set."
            ), "",
            heading(tr("Before the first night")),
            tr("  dosetap setup               six questions: regimen, times, alarm, privacy"),
            tr("  dosetap doctor              check that reminders can reach you"), "",
            heading(tr("At night")),
            tr("  dosetap log dose1           dose 1 was taken: the time counts from here"),
            tr("  dosetap                     how the night stands, and what to do next"),
            tr("  dosetap log dose2           dose 2 was taken: the reminders end"), "",
            tr("A dose that was taken before it was logged: dosetap log dose1 --ago 20m"),
            tr("All commands: dosetap --help"),
        ]
            + (address.isEmpty ? [] : [tr("Run each command for this record with: \(address)")])
    }
}
