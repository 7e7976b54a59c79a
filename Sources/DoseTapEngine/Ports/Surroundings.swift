public import DoseTapDomain

/// What the engine asks of the machine; handed in, so that tests own the time.
public protocol Surroundings: Sendable {
    /// Both clocks now.
    func clock() -> ClockReading
    /// The zone in force now.
    func zone() -> Zone
    /// How the person reads a clock.
    var clockStyle: ClockStyle { get }
    /// A zone by identifier; nil when this machine does not know it.
    func zone(named identifier: String) -> Zone?
    /// Identity of this machine, as recorded with every event.
    var deviceID: String { get }
}

extension Surroundings {
    /// Twenty-four hours.
    public var clockStyle: ClockStyle { .hours24 }

    /// Shows times in the zone in force.
    public var moments: Moments { Moments(zone: zone(), style: clockStyle) }
}
