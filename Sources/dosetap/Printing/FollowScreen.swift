internal import DoseTapDomain
internal import Synchronization

/// Prints a line per change, and on a terminal a bar below that counts down.
final class FollowScreen: Sendable {
    private let context: Context
    private let format: StatusFormat?
    /// What was printed last, times that only count left out.
    private let last = Mutex<String?>(nil)

    init(context: Context, format: StatusFormat?) {
        self.context = context
        self.format = format
    }

    private var hasBar: Bool { context.terminal.isOutput && !context.plain && !context.json && format == nil }

    /// Whether what is shown changes with time alone.
    var counts: Bool { hasBar || format?.counts == true }

    /// Shows a status.
    ///
    /// - Returns: false when nobody reads any more.
    func show(_ status: NightStatus) -> Bool {
        let moments = context.moments(zoneNamed: status.timeZone)
        let line: String
        let sameness: String
        if context.json {
            line = JSONValue.object(status.json).serialized()
            sameness = JSONValue.object(Self.standing(status.json)).serialized()
        } else if let format {
            line = SafeText.line(format.text(status, moments))
            sameness = line
        } else {
            line = Self.line(status, moments)
            sameness = JSONValue.object(Self.standing(status.json)).serialized()
        }
        let isNew = last.withLock { last in
            defer { last = sameness }
            return last != sameness
        }
        let clear = hasBar ? "\r\u{1B}[K" : ""
        let change = isNew ? "\(line)\n" : ""
        let bar = hasBar ? Self.bar(status, context.terminal) : ""
        guard isNew || hasBar else { return true }
        let said = Output.put(clear + change + bar)
        if isNew { for warning in status.warnings where !context.json { context.notice(warning) } }
        return said
    }

    /// Leaves the terminal tidy.
    func end() { if hasBar { Output.put("\r\u{1B}[K") } }

    private static func line(_ status: NightStatus, _ moments: Moments) -> String {
        let doses = TonightText.doses(status, moments)
        let next = status.nextReminder.map { " Next: \(Words.reminder($0.id)) at \(moments.clock($0.due))." } ?? ""
        return "\(moments.cell(status.at))  \(Words.phase(status.window.phase)). \(doses)\(next)"
    }

    /// The object without what only counts.
    private static func standing(_ object: JSONObject) -> JSONObject {
        var object = object
        for key in ["at", "elapsed_s", "remaining_s"] { object[key] = nil }
        if var primary = object["primary"]?.objectValue {
            primary["remaining_s"] = nil
            object["primary"] = .object(primary)
        }
        return object
    }

    /// How much of the way to the opening, or to the close, is behind.
    private static func bar(_ status: NightStatus, _ terminal: Terminal) -> String {
        guard status.window.phase.isRunning, let elapsed = status.window.elapsed else { return "" }
        let isWaiting = status.window.phase == .beforeWindow
        let from: Duration = isWaiting ? .zero : DoseWindow.opens
        let until: Duration = isWaiting ? DoseWindow.opens : DoseWindow.closes
        let left = isWaiting ? status.window.primary.remaining : status.window.remaining
        let label = " \(LocalTimeFormat.interval(left ?? .zero)) to \(isWaiting ? "the opening" : "the close")"
        let width = min(40, terminal.columns - label.count - 3)
        guard width >= 5 else { return label }
        let share = (elapsed - from) / (until - from)
        let filled = min(width, max(0, Int(share * Double(width))))
        let (done, todo) = terminal.usesUnicode ? ("█", "░") : ("#", "-")
        let bar = String(repeating: done, count: filled) + String(repeating: todo, count: width - filled)
        return "[" + terminal.paint(bar, StatusText.colour(status.window.phase)) + "]" + label
    }
}
