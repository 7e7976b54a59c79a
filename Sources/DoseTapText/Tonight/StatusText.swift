package import DoseTapDomain

/// The text of `status`: first the doses, then all other known facts, one on each line.
package struct StatusText {
    package let lines: [String]

    package init(_ status: NightStatus, _ moments: Moments, _ page: Page) {
        var rows: [(String, String)] = []
        // In doubt, no fact depends on one of the two figures alone, and no colour means "now".
        let isCertain = status.window.isCertain
        rows.append((tr("Phase"), page.paint(Self.phase(status), Self.colour(status.window))))
        for line in TonightText.mistake(status, page) { rows.append(("", line)) }
        if let date = status.sessionDate { rows.append((tr("Night"), Moments.date(date))) }
        if let opens = status.windowOpens, let closes = status.windowCloses {
            let start = moments.clock(Moments.roundedUp(opens), beside: closes)
            rows.append((tr("Window"), tr("\(start) to \(moments.clock(closes))")))
        }
        if let elapsed = status.window.elapsed {
            let least = LocalTimeFormat.interval(elapsed)
            let most = isCertain ? nil : status.window.time?.longer
            rows.append((tr("Elapsed"), most.map { tr("\(least) to \(LocalTimeFormat.interval($0))") } ?? least))
        }
        if isCertain, let remaining = status.window.remaining {
            let wait = status.window.phase == .beforeWindow ? status.window.primary.remaining : nil
            if let wait { rows.append((tr("Opens in"), TonightText.wait(wait))) }
            if status.window.phase != .closed { rows.append((tr("Closes in"), LocalTimeFormat.interval(remaining))) }
        }
        if isCertain, let alarm = status.alarm, status.window.phase.isRunning {
            rows.append((tr("Alarm"), moments.clock(alarm)))
        }
        if status.snoozeCount > 0 { rows.append((tr("Snoozes used"), Label.snoozes(status))) }
        if let log = status.shownPreSleep {
            rows.append(
                (tr("Pre-sleep"), "\(moments.clock(log.at, near: status.at)), \(Label.completion(log.completion))"))
        }
        if let since = status.napOpenSince {
            rows.append((tr("Nap"), tr("since \(moments.clock(since, near: status.at))")))
        }
        if let next = status.nextReminder {
            let unheard = status.warnings.silence == nil ? "" : tr("; it will not reach you")
            rows.append(
                (
                    tr("Next reminder"),
                    "\(ReminderText.time(next.id, next.due, moments)), \(ReminderText.name(next.id))\(unheard)"
                ))
        }
        if let state = status.terminalState { rows.append((tr("State"), Label.terminal(state))) }
        if status.checkInPending {
            rows.append((tr("Check-in"), page.addressed(tr("still to come: dosetap checkin"))))
        }
        rows += ClearanceText.rows(status, moments)
        if let night = status.previous {
            rows.append((tr("Night before"), "\(Moments.date(night.sessionDate)): \(NightLine.text(night, moments))"))
        }
        for (index, line) in Dose2Question.lines(status, moments, page).enumerated() {
            rows.append((index == 0 ? tr("Dose 2") : "", line))
        }
        lines =
            TonightText.alarm(status, moments, page) + [TonightText.doses(status, moments)] + TonightText.help(status)
            + Page.rows(rows, columns: page.textColumns ?? .max)
    }

    /// Returns the phase in words. The words say so if dose 2 is still open after a check-in or a final wake.
    private static func phase(_ status: NightStatus) -> String {
        switch status.window.phase {
        case .beforeWindow where !status.window.isCertain, .active where !status.window.isCertain,
            .nearClose where !status.window.isCertain, .closed where !status.window.isCertain:
            tr("not certain")
        case .completed where status.isDose2Open: tr("checked in, dose 2 still open")
        case .finalizing where status.isDose2Open: tr("final wake recorded, dose 2 still open")
        case .noDose1, .beforeWindow, .active, .nearClose, .closed, .completed, .finalizing:
            Label.phase(status.window.phase)
        }
    }

    package static func colour(_ window: WindowState) -> Page.Colour {
        switch window.phase {
        // Green means "now", and in doubt nobody knows that.
        case .active where !window.isCertain: .yellow
        case .active: .green
        case .nearClose: .yellow
        case .closed: .red
        case .noDose1, .beforeWindow, .completed, .finalizing: .bold
        }
    }
}

extension Phase {
    /// True if a dose window is running and time counts.
    package var isRunning: Bool {
        switch self {
        case .beforeWindow, .active, .nearClose: true
        case .closed, .completed, .finalizing, .noDose1: false
        }
    }
}

/// The text of `status` about waiting times: facts that still matter, each with its source.
enum ClearanceText {
    static func rows(_ status: NightStatus, _ moments: Moments) -> [(String, String)] {
        status.clearance.filter { $0.isRunning(at: status.at) }.map { fact in
            (label(fact.kind), "\(text(fact, status, moments)) (\(Wire.told(fact.source)))")
        }
    }

    private static func label(_ kind: Clearance.Kind) -> String {
        switch kind {
        case .earliestDrive: tr("Earliest drive")
        case .meal: tr("Meal")
        case .alcohol: tr("Alcohol")
        case .lateStimulant: tr("Stimulant")
        case .preparedCup: tr("Prepared cup")
        }
    }

    private static func text(_ fact: Clearance, _ status: NightStatus, _ moments: Moments) -> String {
        func clock(_ instant: Instant) -> String { moments.clock(instant, near: status.at) }
        let detail = fact.detail.map { Words.answer(SafeText.line(String($0.map { $0 == "_" ? " " : $0 }))) } ?? ""
        let at = fact.at.map(clock) ?? tr("an unknown time")
        switch fact.kind {
        case .earliestDrive:
            let time = fact.until.map(clock) ?? tr("unknown")
            guard fact.detail == Clearance.atLeast else { return time }
            return tr("not before \(time); after a dose 2 later")
        case .meal: return tr("\(detail), over at \(at)") + (fact.until.map { tr(": 2 h until \(clock($0))") } ?? "")
        case .alcohol: return tr("drinks today: \(detail), the last at \(at)")
        case .lateStimulant: return tr("\(detail) at \(at)")
        case .preparedCup:
            let dose = fact.detail.map { "\(Label.entry($0)), " } ?? ""
            guard let poured = fact.at, let until = fact.until else { return tr("\(dose)poured at \(at)") }
            let span = LocalTimeFormat.interval(until - poured)
            return until > status.at
                ? tr("\(dose)poured at \(at): \(span) until \(clock(until))")
                : tr("\(dose)poured at \(at): the \(span) were over at \(clock(until))")
        }
    }
}
