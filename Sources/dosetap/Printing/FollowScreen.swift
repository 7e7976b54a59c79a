internal import DoseTapDomain
internal import DoseTapText
internal import Synchronization

/// Prints a line per change, and on a terminal a countdown below.
final class FollowScreen: Sendable {
    private let context: Context
    private let format: StatusFormat?
    private let isBig: Bool

    private struct State {
        var status: NightStatus?
        /// The time in microseconds since boot when that status came.
        var since: Int64 = 0
        /// The last line that was printed with a format.
        var line: String?
        /// Rows of the countdown on the screen.
        var rows = 0
    }
    private let state = Mutex(State())

    init(context: Context, format: StatusFormat?, isBig: Bool) {
        self.context = context
        self.format = format
        self.isBig = isBig
    }

    private var hasBar: Bool { context.terminal.isOutput && !context.plain && !context.json && format == nil }

    /// Shows a status.
    ///
    /// - Parameter now: microseconds since boot.
    /// - Returns: false when nobody reads any more.
    func show(_ status: NightStatus, now: Int64) -> Bool {
        let moments = context.moments(of: status)
        let old = state.withLock { state in
            defer { (state.status, state.since) = (status, now) }
            return state.status
        }
        let lines = lines(from: old, to: status, moments)
        let change = lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
        let isSaid = hasBar ? draw(after: change, at: now) : change.isEmpty || Output.put(change)
        let warnings = status.warnings.filter { old?.warnings.contains($0) != true }
        if warnings.contains(where: { !$0.isSilence }), !context.json, format == nil {
            end()
            context.notice(warnings)
            if hasBar { _ = draw(after: "", at: now) }
        }
        return isSaid
    }

    /// Draws the countdown anew from the last status.
    ///
    /// - Returns: false if the service has to be asked for the status of the night.
    func tick(_ now: Int64) -> Bool {
        let isDue = state.withLock { state in Self.wait(state, now).map { $0 <= .zero } ?? true }
        guard isBig, hasBar, !isDue else { return false }
        return draw(after: "", at: now)
    }

    /// Returns the time for which the screen stays true, if nothing happens; nil if time alone changes nothing.
    func lasts(at now: Int64) -> Duration? {
        state.withLock { state in
            guard let status = state.status, status.window.isCertain, status.window.phase.isRunning,
                let elapsed = status.window.elapsed
            else {
                return nil
            }
            let gone = Duration.microseconds(now - state.since)
            var waits = [Self.wait(state, now)].compactMap(\.self)
            if hasBar, isBig { waits.append(.seconds(1) - Self.fraction(elapsed + gone)) }
            // The answer cuts off parts of a second: with the rest of a whole second the minute has passed for certain.
            if hasBar || format?.counts == true { waits.append(.seconds(60 - elapsed.wholeSeconds % 60) - gone) }
            return waits.min().map { max(.milliseconds(1), $0) }
        }
    }

    private static func fraction(_ duration: Duration) -> Duration { duration - .seconds(duration.wholeSeconds) }

    /// Returns the wait until the window opens, nears its close or closes, or the alarm rings, whichever comes first.
    private static func wait(_ state: State, _ now: Int64) -> Duration? {
        guard let status = state.status, status.window.phase.isRunning, let elapsed = status.window.elapsed else {
            return nil
        }
        let facts = [DoseWindow.opens, DoseWindow.nearsClose, DoseWindow.closes].map { $0 - elapsed }
        let alarm = status.alarm.map { $0 - status.at }
        let next = (facts + [alarm].compactMap(\.self)).filter { $0 > .zero }.min()
        // One second more makes the change certain: the answer tells whole seconds.
        return next.map { $0 + .seconds(1) - .microseconds(now - state.since) }
    }

    /// Clears the countdown from the terminal.
    func end() {
        guard hasBar else { return }
        Output.put(
            clear(
                state.withLock { state in
                    defer { state.rows = 0 }
                    return state.rows
                }))
    }

    // MARK: Lines

    private func lines(from old: NightStatus?, to status: NightStatus, _ moments: Moments) -> [String] {
        if context.json {
            let isSame = old.map { Self.active($0.json) == Self.active(status.json) } ?? false
            return isSame ? [] : [JSONValue.object(AdviceText.complete(status).json).serialized()]
        }
        if let format {
            let line = SafeText.line(format.text(status, moments))
            let isSame = state.withLock { state in
                defer { state.line = line }
                return state.line == line
            }
            return isSame ? [] : [line]
        }
        // The present is told by the person's own clock.
        let time = context.moments(in: context.zone(inForce: status)).clock(status.at)
        let facts =
            old.map { FollowText.changes(from: $0, to: status, moments, context.terminal.page) }
            ?? [(FollowText.first(status, moments, context.terminal.page), nil)]
        var silence: [String] = []
        if context.silenceLines(status.warnings) != old.map({ context.silenceLines($0.warnings) }) ?? [] {
            silence = context.silenceLines(status.warnings)
            if status.warnings.silence == nil, old?.warnings.silence != nil {
                silence.append("\(time) \(FollowText.heard)")
            }
        }
        return context.terminal.fitted(
            silence
                + facts.map { text, colour in
                    "\(time) " + (colour.map { context.terminal.paint(text, $0) } ?? text)
                })
    }

    /// Returns the object without the values that time alone changes.
    private static func active(_ object: JSONObject) -> JSONObject {
        var object = object
        for key in ["at", "elapsed_s", "remaining_s"] { object[key] = nil }
        if var primary = object["primary"]?.objectValue {
            primary["remaining_s"] = nil
            object["primary"] = .object(primary)
        }
        return object
    }

    // MARK: The countdown

    private func draw(after text: String, at now: Int64) -> Bool {
        let (rows, gone) = state.withLock { state in
            let rows = countdown(state, now)
            defer { state.rows = rows.count }
            return (rows, state.rows)
        }
        return Output.put(clear(gone) + text + rows.joined(separator: "\n"))
    }

    /// Clears the rows of a countdown; the cursor is in the last of them.
    private func clear(_ rows: Int) -> String { rows > 1 ? "\r\u{1B}[\(rows - 1)A\u{1B}[J" : "\r\u{1B}[K" }

    /// Returns the rows of the countdown. The bar shows the part of the way to the opening, or to the close, that is
    /// over.
    private func countdown(_ state: State, _ now: Int64) -> [String] {
        let terminal = context.terminal
        guard let status = state.status, status.window.phase.isRunning, let elapsed = status.window.elapsed else {
            return []
        }
        let isWaiting = status.window.phase == .beforeWindow
        let from: Duration = isWaiting ? .zero : DoseWindow.opens
        let until: Duration = isWaiting ? DoseWindow.opens : DoseWindow.closes
        let gone = Duration.microseconds(now - state.since)
        let left = max(.zero, ((isWaiting ? status.window.primary.remaining : status.window.remaining) ?? .zero) - gone)
        let colour = StatusText.colour(status.window)
        let what = FollowText.goal(status.window.phase)
        let big = BigDigits.rows(BigDigits.clock(seconds: left.wholeSeconds), terminal)
        let isBig = isBig && (big.map(\.count).max() ?? 0) <= terminal.columns
        let label = isBig ? " \(what)" : " \(LocalTimeFormat.interval(left)) \(what)"
        let width = min(40, terminal.columns - label.count - 3)
        let alarm = status.isAlarmOn && isBig ? [terminal.paint(FollowText.alarm, .yellow), ""] : []
        let rows = isBig ? [""] + alarm + big.map { terminal.paint($0, colour) } + [""] : []
        guard width >= 5 else { return rows + [label] }
        let share = (elapsed + gone - from) / (until - from)
        let filled = min(width, max(0, Int(share * Double(width))))
        let (done, todo) = terminal.page.usesUnicode ? ("█", "░") : ("#", "-")
        let bar = String(repeating: done, count: filled) + String(repeating: todo, count: width - filled)
        return rows + ["[" + terminal.paint(bar, colour) + "]" + label]
    }
}

/// Writes a time in letters five rows high, to be read from the pillow.
enum BigDigits {
    private static let shapes: [Character: [String]] = [
        "0": ["###", "# #", "# #", "# #", "###"], "1": ["  #", "  #", "  #", "  #", "  #"],
        "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
        "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
        "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
        "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
        ":": [" ", "#", " ", "#", " "],
    ]

    /// Returns the rows. Each dot of a digit is two columns wide, because letters are twice as high as wide.
    static func rows(_ text: String, _ terminal: Terminal) -> [String] {
        let dot = terminal.page.usesUnicode ? "██" : "##"
        return (0..<5).map { row in
            text.map { letter in
                (shapes[letter]?[row] ?? "").map { $0 == "#" ? dot : "  " }.joined()
            }.joined(separator: "  ")
        }
    }

    /// `1:23:45`.
    static func clock(seconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let seconds = max(0, seconds)
        return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
