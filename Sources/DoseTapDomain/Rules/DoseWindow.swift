/// The dose window (R3): a pure function of a night's content, the moment and the configuration.
public enum DoseWindow {
    /// The time after dose 1 from which dose 2 is on time, inclusive.
    public static let opens: Duration = .minutes(150)
    /// The time after dose 1 from which little time is left, inclusive.
    public static let nearsClose: Duration = .minutes(225)
    /// The time after dose 1 from which dose 2 is late, inclusive.
    public static let closes: Duration = .minutes(240)
    /// The time after dose 1 from which the night counts as slept through, inclusive.
    public static let sleptThrough: Duration = .minutes(270)
    /// The longest optimal interval, inclusive.
    public static let optimalUntil: Duration = .minutes(165)

    /// The facts that decide the state of the window.
    public struct Input: Hashable, Sendable {
        public var dose1: Instant?
        public var dose2: Instant?
        /// True if dose 2 was skipped, also if it was taken later.
        public var skipped = false
        public var snoozes = 0
        /// True if the final wake is recorded.
        public var finalWake = false
        /// True if the check-in is saved or the session closed.
        public var checkedIn = false
        /// The number of snoozes allowed; 0 switches them off.
        public var maximumSnoozes = 3
        /// True if one dose a night is prescribed.
        public var onceNightly = false
        public var now: Instant
        /// The time since dose 1; nil stands for the time from `dose1` to `now`.
        public var elapsed: ElapsedTime?

        /// All other properties have their defaults.
        public init(now: Instant) { self.now = now }
    }

    /// Returns the state at a moment; the first matching row of the table wins.
    public static func state(_ input: Input) -> WindowState {
        let elapsed = input.dose1.map { input.elapsed ?? ElapsedTime(certain: input.now - $0) }
        if input.finalWake && !input.checkedIn { return .over(.finalizing, .sessionEnding, elapsed) }
        if input.checkedIn { return .over(.completed, .completed, elapsed) }
        if input.dose2 != nil || input.skipped { return .over(.completed, .completed, elapsed) }
        guard let elapsed else {
            return WindowState(
                phase: .noDose1, primary: .disabled, snooze: .off(.dose1Required), skipEnabled: false, elapsed: nil,
                remaining: nil, errors: [.dose1Required])
        }
        if input.onceNightly { return .over(.completed, .completed, elapsed) }
        // In doubt no action says "take": dose 2 is a question to another clock then.
        func primary(_ action: PrimaryAction) -> PrimaryAction { elapsed.isCertain ? action : .disabled }
        if elapsed.longer >= closes {
            return WindowState(
                phase: .closed, primary: primary(.takeWithOverride), snooze: .off(.windowClosed), skipEnabled: true,
                elapsed: elapsed, remaining: .zero, errors: [.windowExceeded])
        }
        let remaining = closes - elapsed.longer
        if elapsed.shorter < opens {
            return WindowState(
                phase: .beforeWindow, primary: .waitingUntilEarliest(opens - elapsed.shorter),
                snooze: .off(.tooEarly), skipEnabled: true, elapsed: elapsed, remaining: remaining, errors: [])
        }
        if elapsed.longer >= nearsClose {
            return WindowState(
                phase: .nearClose, primary: primary(.takeBeforeWindowEnds(remaining)), snooze: .off(.nearClose),
                skipEnabled: true, elapsed: elapsed, remaining: remaining, errors: [])
        }
        return WindowState(
            phase: .active, primary: primary(.takeNow), snooze: activeSnooze(input), skipEnabled: true,
            elapsed: elapsed,
            remaining: remaining, errors: [])
    }

    private static func activeSnooze(_ input: Input) -> SnoozeOffer {
        if input.maximumSnoozes == 0 { return .off(.snoozeOff) }
        return input.snoozes >= input.maximumSnoozes ? .off(.snoozeLimit) : .on
    }

    /// Returns true if an interval between the doses was on time: 150:00 ≤ interval < 240:00.
    public static func isOnTime(_ interval: Duration) -> Bool { interval >= opens && interval < closes }

    /// Returns true if an interval between the doses was optimal: 150:00 ≤ interval ≤ 165:00.
    public static func isOptimal(_ interval: Duration) -> Bool { interval >= opens && interval <= optimalUntil }
}

/// The dose window at one moment (R3).
public struct WindowState: Hashable, Sendable {
    public let phase: Phase
    /// The possible action for dose 2.
    public let primary: PrimaryAction
    /// The answer for a snooze: offered, or the reason against it.
    public let snooze: SnoozeOffer
    /// True if dose 2 can be skipped.
    public let skipEnabled: Bool
    /// The time since dose 1; the least one if the clocks leave doubt.
    public var elapsed: Duration? { time?.shorter }
    /// The time since dose 1: one figure, or two if the clocks leave doubt.
    public let time: ElapsedTime?
    /// The time until the window closes.
    public let remaining: Duration?
    /// The obstacles to dose 2.
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

    /// False if the clocks leave doubt about the time since dose 1.
    public var isCertain: Bool { time?.isCertain ?? true }

    static func over(_ phase: Phase, _ reason: SnoozeOffer.Reason, _ elapsed: ElapsedTime?) -> WindowState {
        WindowState(
            phase: phase, primary: .disabled, snooze: .off(reason), skipEnabled: false, elapsed: elapsed,
            remaining: nil, errors: [])
    }
}

/// An obstacle to dose 2; the raw value is the wire word.
public enum WindowError: String, Hashable, Sendable, CaseIterable {
    case dose1Required = "dose1_required"
    case windowExceeded = "window_exceeded"
}

/// The possible action for dose 2 now.
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

    /// The time that the action counts down; nil for an action without one.
    public var remaining: Duration? {
        switch self {
        case .takeBeforeWindowEnds(let remaining), .waitingUntilEarliest(let remaining): remaining
        case .takeNow, .takeWithOverride, .disabled: nil
        }
    }
}

/// The offer to put off the alarm, or the reason against it.
public enum SnoozeOffer: Hashable, Sendable {
    case on
    case off(Reason)

    /// The reason against a snooze; the raw value is the wire word.
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

    /// The reason; nil if a snooze is offered.
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

    /// Seconds are truncated. The reader is `init(_:)`, because the action and the doubt have several keys.
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

    public var json: JSONObject { Self.description.json(self) }

    /// The figures, if the clocks leave doubt; else nil.
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
