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
        /// The machine is switched off and on again that much later. A wall clock that was kept right before is so again
        /// from the start, unless that is denied.
        case reboot(Duration, synchronised: Bool = true)
        /// The wall clock is set, forward or back: by hand, or by what keeps it right from then on.
        case clock(Duration, synchronised: Bool = false)
        /// A virtual machine does not run for so long, and none of its clocks notices.
        case pause(Duration)
        /// The clock that runs while the machine is off will be off by this at the next start.
        case rtc(Duration)
        /// What keeps the wall clock right makes it run fast or slow until it has shifted by this.
        case slew(Duration)
        /// The machine is in another zone.
        case travel(Zone)
        /// A channel reaches nobody (true), or does again.
        case channel(SimulatedChannel, isDead: Bool)
        /// The rules change.
        case rules(NightRules)

        /// How long the service cannot do anything.
        public var outage: Duration {
            switch self {
            case .suspend(let length), .crash(let length), .reboot(let length, _), .pause(let length): length
            case .asks, .clock, .rtc, .slew, .travel, .channel, .rules: .zero
            }
        }
    }

    /// Most lines.
    public static let lines = 1_000
    /// Most bytes.
    public static let bytes = 64 * 1_024
    /// How fast a wall clock is slewed: 80 milliseconds a second, about the most that chrony does.
    public static let slewRate: Int64 = 80_000
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

    public init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    /// The sentence with its line.
    public var description: String { line == 0 ? message : "line \(line): \(message)" }
}
