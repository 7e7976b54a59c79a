/// An imagined night, line by line: the acts of a person and the mishaps of the machine, with their times.
///
/// The times are those of a clock that nobody ever sets. ``init(_:zone:zoneNamed:)`` reads a script.
public struct NightScript: Hashable, Sendable {
    /// The zone in which the night begins.
    public let zone: Zone
    public let start: Instant
    public let end: Instant
    /// The rules with which the night begins.
    public let rules: NightRules
    /// The delays of the alarm's steps, for the whole night.
    public let ladder: AlarmLadder
    /// The steps in order of time.
    public let steps: [Step]
    /// Notes on how the script was understood, a sentence each.
    public let notes: [String]

    /// An act with its time.
    public struct Step: Hashable, Sendable {
        /// The line of the step, from 1.
        public let line: Int
        /// The time by a clock that nobody sets.
        public let at: Instant
        public let act: Act

        public init(line: Int, at: Instant, act: Act) {
            self.line = line
            self.at = at
            self.act = act
        }
    }

    /// The acts that a script can have.
    public enum Act: Hashable, Sendable {
        /// A person asks for something at the command line; with `ago` the entry happened that long before.
        case asks(Command, CommandOptions, ago: Duration?)
        /// The machine sleeps.
        case suspend(Duration)
        /// The service is killed and started anew that much later.
        case crash(Duration)
        /// The machine is switched off and on again that much later. A wall clock that was kept right before is right
        /// again from the start, unless `synchronised` is false.
        case reboot(Duration, synchronised: Bool = true)
        /// The wall clock is set, forward or back: by hand, or by a service that keeps the clock right from then on.
        case clock(Duration, synchronised: Bool = false)
        /// A virtual machine does not run for so long, and none of its clocks notices.
        case pause(Duration)
        /// The clock that runs while the machine is off will be wrong by this at the next start.
        case rtc(Duration)
        /// The service that keeps the wall clock right makes it run fast or slow until it has shifted by this.
        case slew(Duration)
        /// The machine is in another zone.
        case travel(Zone)
        /// A channel reaches nobody (true), or reaches the person again.
        case channel(SimulatedChannel, isDead: Bool)
        /// The rules change.
        case rules(NightRules)

        /// The time for which the service cannot do anything.
        public var outage: Duration {
            switch self {
            case .suspend(let length), .crash(let length), .reboot(let length, _), .pause(let length): length
            case .asks, .clock, .rtc, .slew, .travel, .channel, .rules: .zero
            }
        }
    }

    /// The largest number of lines.
    public static let lines = 1_000
    /// The largest number of bytes.
    public static let bytes = 64 * 1_024
    /// The rate at which a wall clock is slewed: 80 milliseconds a second, about the most that chrony does.
    public static let slewRate: Int64 = 80_000
    /// Longest simulated time.
    public static let longest: Duration = .hours(14 * 24)
    /// The length of a script that names no end.
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

/// A fault in a script.
public struct NightScriptFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1; 0 for the script as a whole.
    public let line: Int
    /// The fault in one sentence.
    public let message: String

    public init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    /// The sentence with its line.
    public var description: String { line == 0 ? message : "line \(line): \(message)" }
}
