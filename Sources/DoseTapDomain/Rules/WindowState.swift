/// The dose window at one moment (R3).
public struct WindowState: Hashable, Sendable {
    /// Where the night stands.
    public let phase: Phase
    /// What can be done about dose 2.
    public let primary: PrimaryAction
    /// Whether the alarm can be put off.
    public let snooze: SnoozeOffer
    /// Whether dose 2 can be skipped.
    public let skipEnabled: Bool
    /// Time since dose 1; where the clocks leave doubt the least that may have passed.
    public var elapsed: Duration? { time?.shorter }
    /// Time since dose 1: one figure, or two where the clocks leave doubt.
    public let time: ElapsedTime?
    /// Time until the window closes.
    public let remaining: Duration?
    /// What stands in the way.
    public let errors: [WindowError]

    init(
        phase: Phase, primary: PrimaryAction, snooze: SnoozeOffer, skipEnabled: Bool, elapsed: ElapsedTime?,
        remaining: Duration?, errors: [WindowError]
    ) {
        self.phase = phase
        self.primary = primary
        self.snooze = snooze
        self.skipEnabled = skipEnabled
        time = elapsed
        self.remaining = remaining
        self.errors = errors
    }

    /// False where the clocks leave doubt how much time has passed since dose 1.
    public var isCertain: Bool { time?.isCertain ?? true }

    static func over(_ phase: Phase, _ reason: SnoozeOffer.Reason, _ elapsed: ElapsedTime?) -> WindowState {
        WindowState(
            phase: phase, primary: .disabled, snooze: .off(reason), skipEnabled: false, elapsed: elapsed,
            remaining: nil, errors: [])
    }
}

/// What stands in the way of dose 2; the raw value is the wire word.
public enum WindowError: String, Hashable, Sendable, CaseIterable {
    case dose1Required = "dose1_required"
    case windowExceeded = "window_exceeded"
}

/// What can be done about dose 2 now.
public enum PrimaryAction: Hashable, Sendable {
    case takeNow
    case takeBeforeWindowEnds(Duration)
    case waitingUntilEarliest(Duration)
    case takeWithOverride
    case disabled

    /// All wire words.
    static var words: [String] {
        [takeNow, takeBeforeWindowEnds(.zero), waitingUntilEarliest(.zero), takeWithOverride, disabled].map(\.word)
    }

    /// The wire word.
    public var word: String {
        switch self {
        case .takeNow: "take_now"
        case .takeBeforeWindowEnds: "take_before_window_ends"
        case .waitingUntilEarliest: "waiting_until_earliest"
        case .takeWithOverride: "take_with_override"
        case .disabled: "disabled"
        }
    }

    /// The time the action counts down, if it does.
    public var remaining: Duration? {
        switch self {
        case .takeBeforeWindowEnds(let remaining), .waitingUntilEarliest(let remaining): remaining
        case .takeNow, .takeWithOverride, .disabled: nil
        }
    }
}

/// Whether the alarm can be put off, and why not.
public enum SnoozeOffer: Hashable, Sendable {
    case on
    case off(Reason)

    /// Why the alarm cannot be put off; the raw value is the wire word.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case sessionEnding = "session_ending"
        case completed
        case dose1Required = "dose1_required"
        case tooEarly = "too_early"
        case windowClosed = "window_closed"
        case nearClose = "near_close"
        case snoozeLimit = "snooze_limit"
        case snoozeOff = "snooze_off"
    }

    /// The reason, when it is off.
    public var reason: Reason? {
        switch self {
        case .on: nil
        case .off(let reason): reason
        }
    }
}

// MARK: Keys

/// The `window --json` object; `status --json` begins with the same keys.
extension WindowState {
    static let blank = WindowState.over(.noDose1, .completed, nil)

    /// Seconds are truncated. What it reads is `init(_:)`: the action and the doubt have several keys.
    static let description = RecordDescription(
        "window", "window --json", WindowState.blank
    ) { it in
        it.word("phase", get: { $0.phase })
        it.value(
            "primary", .object { Shape([Key("action", .words { PrimaryAction.words }), secondsKey("remaining_s")]) },
            get: { window in
                var primary = JSONObject()
                primary.add("action", .string(window.primary.word))
                primary.add("remaining_s", seconds(window.primary.remaining))
                return .object(primary)
            })
        it.value(
            "snooze",
            .object {
                Shape([
                    Key("enabled", .bool),
                    Key("reason", .words { SnoozeOffer.Reason.allCases.map { $0.rawValue } }, .null),
                ])
            },
            get: { window in
                var snooze = JSONObject()
                snooze.add("enabled", .bool(window.snooze == .on))
                snooze.add("reason", window.snooze.reason.map { .string($0.rawValue) } ?? .null)
                return .object(snooze)
            })
        it.value(
            "skip", .object { Shape([Key("enabled", .bool)]) },
            get: { window in
                var skip = JSONObject()
                skip.add("enabled", .bool(window.skipEnabled))
                return .object(skip)
            })
        it.value(
            "elapsed_s", .integer(.seconds), "since dose 1; where the clocks leave doubt the least", null: .null,
            get: { seconds($0.elapsed) })
        it.value(
            "remaining_s", .integer(.seconds), "until the window closes", null: .null,
            get: { seconds($0.remaining) })
        it.value(
            "errors", .list(.words { WindowError.allCases.map { $0.rawValue } }),
            get: { .array($0.errors.map { .string($0.rawValue) }) })
    }

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    /// The figures, where the clocks leave doubt.
    var doubt: ElapsedTime? { time.flatMap { $0.isCertain ? nil : $0 } }

    private static func secondsKey(_ key: String) -> Key { Key(key, .integer(.seconds), .null) }

    static func seconds(_ duration: Duration?) -> JSONValue {
        duration.map { .integer($0.wholeSeconds) } ?? .null
    }

    private static func time(_ reader: PayloadReader) throws(PayloadError) -> ElapsedTime? {
        guard let shorter = try reader.optionalInteger("elapsed_s").map({ Duration.seconds($0) }) else { return nil }
        guard let longer = try reader.optionalInteger("elapsed_most_s").map({ Duration.seconds($0) }) else {
            return ElapsedTime(certain: shorter)
        }
        let byWall = try reader.optionalInteger("elapsed_by_clock_s").map { Duration.seconds($0) } ?? longer
        return ElapsedTime(
            counted: byWall == shorter ? longer : shorter, byWall: byWall, further: [shorter, longer])
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        let primary = try reader.nested("primary")
        let snooze = try reader.nested("snooze")
        let left: Duration = .seconds(try primary.optionalInteger("remaining_s") ?? 0)
        let action: PrimaryAction
        switch try primary.string("action") {
        case "take_now": action = .takeNow
        case "take_before_window_ends": action = .takeBeforeWindowEnds(left)
        case "waiting_until_earliest": action = .waitingUntilEarliest(left)
        case "take_with_override": action = .takeWithOverride
        default: action = .disabled
        }
        var errors: [WindowError] = []
        for value in try reader.list("errors") {
            if let error = value.stringValue.flatMap(WindowError.init(rawValue:)) { errors.append(error) }
        }
        self.init(
            phase: try reader.word("phase"), primary: action,
            snooze: try snooze.bool("enabled") ? .on : .off(try snooze.optionalWord("reason") ?? .completed),
            skipEnabled: try reader.nested("skip").bool("enabled"),
            elapsed: try Self.time(reader),
            remaining: try reader.optionalInteger("remaining_s").map { .seconds($0) }, errors: errors)
    }
}
