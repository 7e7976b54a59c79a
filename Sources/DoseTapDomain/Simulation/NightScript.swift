/// A night that is only imagined, line by line: what a person does and what befalls the machine, and when.
///
/// Its times are those of a clock that nobody ever sets. Read by ``init(_:zone:zoneNamed:)``.
public struct NightScript: Hashable, Sendable {
    /// The zone it begins in.
    public let zone: Zone
    /// When it begins.
    public let start: Instant
    /// When it ends.
    public let end: Instant
    /// The rules it begins with.
    public let rules: NightRules
    /// When the alarm takes its steps, all night.
    public let ladder: AlarmLadder
    /// What happens, in order of time.
    public let steps: [Step]
    /// What is to be said about how the script was understood, a sentence each.
    public let notes: [String]

    /// One thing that happens.
    public struct Step: Hashable, Sendable {
        /// The line it stands in, from 1.
        public let line: Int
        /// When, by a clock that nobody sets.
        public let at: Instant
        /// What.
        public let act: Act

        /// Memberwise.
        public init(line: Int, at: Instant, act: Act) {
            self.line = line
            self.at = at
            self.act = act
        }
    }

    /// What can happen.
    public enum Act: Hashable, Sendable {
        /// A person asks for something at the command line; with `ago` it happened that long before.
        case asks(Command, CommandOptions, ago: Duration?)
        /// The machine sleeps.
        case suspend(Duration)
        /// The service is killed and started anew that much later.
        case crash(Duration)
        /// The machine is switched off and on again that much later.
        case reboot(Duration)
        /// Somebody sets the wall clock, forward or back.
        case clock(Duration)
        /// The machine is in another zone.
        case travel(Zone)
        /// A channel reaches nobody (true), or does again.
        case channel(SimulatedChannel, isDead: Bool)
        /// The rules change.
        case rules(NightRules)

        /// How long the service cannot do anything.
        public var outage: Duration {
            switch self {
            case .suspend(let length), .crash(let length), .reboot(let length): length
            case .asks, .clock, .travel, .channel, .rules: .zero
            }
        }
    }

    /// Most lines.
    public static let lines = 1_000
    /// Most bytes.
    public static let bytes = 64 * 1_024
    /// Longest simulated time.
    public static let longest: Duration = .hours(14 * 24)
    /// How long a script goes on that does not say until when.
    static let usualLength: Duration = .hours(24)

    /// Memberwise; the steps must be in order.
    public init(
        zone: Zone, start: Instant, end: Instant, rules: NightRules = .standard, ladder: AlarmLadder = .standard,
        steps: [Step], notes: [String] = []
    ) {
        self.zone = zone
        self.start = start
        self.end = end
        self.rules = rules
        self.ladder = ladder
        self.steps = steps
        self.notes = notes
    }
}

/// A way by which a reminder reaches a person in a simulation.
public enum SimulatedChannel: String, Hashable, Sendable, CaseIterable {
    /// The notifications of a desktop.
    case notifications
    /// An alarm that is heard.
    case audio
}

/// What is wrong with a script.
public struct NightScriptFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1; 0 for the script as a whole.
    public let line: Int
    /// One sentence.
    public let message: String

    /// Memberwise.
    public init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    /// The sentence with its line.
    public var description: String { line == 0 ? message : "line \(line): \(message)" }
}
