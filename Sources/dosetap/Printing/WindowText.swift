internal import DoseTapDomain

/// What `window` prints.
struct WindowText {
    let lines: [String]

    init(_ state: WindowState) {
        var lines = ["Phase: \(Words.phase(state.phase))"]
        if let elapsed = state.elapsed { lines.append("Elapsed: \(LocalTimeFormat.interval(elapsed))") }
        if let remaining = state.remaining { lines.append("Closes in: \(LocalTimeFormat.interval(remaining))") }
        switch state.primary {
        case .takeNow: lines.append("Dose 2: in time now")
        case .takeBeforeWindowEnds(let left): lines.append("Dose 2: within \(LocalTimeFormat.interval(left))")
        case .waitingUntilEarliest(let wait): lines.append("Dose 2: not before \(LocalTimeFormat.interval(wait))")
        case .takeWithOverride: lines.append("Dose 2: the window has closed, skip it")
        case .disabled: lines.append("Dose 2: nothing to do")
        }
        lines.append("Snooze: \(state.snooze.reason.map(Self.reason) ?? "possible")")
        lines.append("Skip: \(state.skipEnabled ? "possible" : "not possible")")
        self.lines = lines
    }

    private static func reason(_ reason: SnoozeOffer.Reason) -> String {
        switch reason {
        case .sessionEnding: "off, the night is ending"
        case .completed: "off, done for tonight"
        case .dose1Required: "off, no dose 1"
        case .tooEarly: "off, the window is not open"
        case .windowClosed: "off, the window has closed"
        case .nearClose: "off, too little time is left"
        case .snoozeLimit: "off, none is left"
        case .snoozeOff: "switched off"
        }
    }
}
