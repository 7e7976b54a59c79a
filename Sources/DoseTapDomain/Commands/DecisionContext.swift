/// Everything a decision needs from outside, handed in.
public struct DecisionContext: Sendable {
    /// Both clocks.
    public var clock: ClockReading
    /// The zone in force for what is recorded now.
    public var zone: Zone
    /// Finds the zone a session was opened in; nil if this machine does not know the zone.
    public var zoneNamed: @Sendable (String) -> Zone?
    /// The rules for a session opened now.
    public var rules: NightRules
    /// The types of sleep events that can be logged.
    public var sleepEvents: SleepEventCatalogue
    /// The medicines that can be recorded.
    public var medications: MedicationCatalogue
    /// The id of this machine.
    public var deviceID: String
    /// The newest action at the time when an entry was declined; nil if no entry was declined (R6.13).
    public var declinedAfter: EventID?

    public init(
        clock: ClockReading, zone: Zone, zoneNamed: @escaping @Sendable (String) -> Zone?, rules: NightRules,
        sleepEvents: SleepEventCatalogue = .standard, medications: MedicationCatalogue = .standard, deviceID: String
    ) {
        self.clock = clock
        self.zone = zone
        self.zoneNamed = zoneNamed
        self.rules = rules
        self.sleepEvents = sleepEvents
        self.medications = medications
        self.deviceID = deviceID
    }

    /// The wall clock.
    public var now: Instant { clock.wall }

    /// Returns the zone of a session, or the zone in force if this machine does not know the session's.
    public func zone(of session: Session) -> Zone {
        session.timeZone == zone.identifier ? zone : zoneNamed(session.timeZone) ?? zone
    }

    /// Returns the moments for times of a session (R23.15).
    func moments(of session: Session) -> Moments { Moments(zone: zone(of: session), inForce: zone) }
}
