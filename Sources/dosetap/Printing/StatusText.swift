internal import DoseTapDomain
internal import DoseTapText

/// What `status` prints: first whether the doses were had, then everything else it knows, a line each.
struct StatusText {
    let lines: [String]

    init(_ status: NightStatus, _ moments: Moments, _ terminal: Terminal) {
        var rows: [(String, String)] = []
        // In doubt nothing is told as a fact that only one of the two figures says, and nothing looks like "now".
        let isCertain = status.window.isCertain
        rows.append(("Phase", terminal.paint(Self.phase(status), Self.colour(status.window))))
        if let date = status.sessionDate { rows.append(("Night", Moments.date(date))) }
        if let opens = status.windowOpens, let closes = status.windowCloses {
            rows.append(("Window", "\(moments.bareClock(opens)) to \(moments.clock(closes))"))
        }
        if let elapsed = status.window.elapsed {
            let least = LocalTimeFormat.interval(elapsed)
            let most = isCertain ? nil : status.window.time?.longer
            rows.append(("Elapsed", most.map { "\(least) to \(LocalTimeFormat.interval($0))" } ?? least))
        }
        if isCertain, let remaining = status.window.remaining {
            let wait = status.window.phase == .beforeWindow ? status.window.primary.remaining : nil
            if let wait { rows.append(("Opens in", LocalTimeFormat.interval(wait))) }
            rows.append(("Closes in", LocalTimeFormat.interval(remaining)))
        }
        if isCertain, let alarm = status.alarm, status.window.phase.isRunning {
            rows.append(("Alarm", moments.clock(alarm)))
        }
        if status.snoozeCount > 0 { rows.append(("Snoozes", Words.snoozes(status))) }
        if let log = status.preSleep {
            rows.append(("Pre-sleep", "\(moments.clock(log.at, near: status.at)), \(log.completion.rawValue)"))
        }
        if let since = status.napOpenSince { rows.append(("Nap", "since \(moments.clock(since, near: status.at))")) }
        if let next = status.nextReminder {
            let unheard = status.warnings.silence == nil ? "" : "; it will not reach you"
            rows.append(("Next reminder", "\(moments.clock(next.due)), \(ReminderText.name(next.id))\(unheard)"))
        }
        if let state = status.terminalState { rows.append(("State", Words.terminal(state))) }
        if status.checkInPending {
            rows.append(("Check-in", CommandLineWords.addressed("still to come: dosetap checkin")))
        }
        rows += ClearanceText.rows(status, moments)
        if let night = status.previous {
            rows.append(("Last night", "\(Moments.date(night.sessionDate)): \(NightLine.text(night, moments))"))
        }
        for (index, line) in Dose2Question.lines(status, moments).enumerated() {
            rows.append((index == 0 ? "Dose 2" : "", line))
        }
        let width = rows.map(\.0.count).max() ?? 0
        lines =
            TonightText.alarm(status, moments, terminal) + [TonightText.doses(status, moments)]
            + rows.flatMap { label, value in
                let wrapped = SafeText.wrap(value, columns: (terminal.textColumns ?? .max) - width - 2, indent: 0)
                return wrapped.enumerated().map { index, line in
                    (index == 0 ? label : "").padded(to: width + 2) + line
                }
            }
    }

    /// Nothing is done for tonight while dose 2 is neither taken nor skipped.
    private static func phase(_ status: NightStatus) -> String {
        switch status.window.phase {
        case .beforeWindow where !status.window.isCertain, .active where !status.window.isCertain,
            .nearClose where !status.window.isCertain, .closed where !status.window.isCertain:
            "not certain"
        case .completed where status.isDose2Open: "checked in, dose 2 still open"
        case .finalizing where status.isDose2Open: "final wake recorded, dose 2 still open"
        case .noDose1, .beforeWindow, .active, .nearClose, .closed, .completed, .finalizing:
            Words.phase(status.window.phase)
        }
    }

    static func colour(_ window: WindowState) -> Terminal.Colour {
        switch window.phase {
        // Green is "now": nobody knows that in doubt.
        case .active where !window.isCertain: .yellow
        case .active: .green
        case .nearClose: .yellow
        case .closed: .red
        case .noDose1, .beforeWindow, .completed, .finalizing: .bold
        }
    }
}

extension Phase {
    /// Whether a dose window is running and time counts.
    var isRunning: Bool {
        switch self {
        case .beforeWindow, .active, .nearClose: true
        case .closed, .completed, .finalizing, .noDose1: false
        }
    }
}
