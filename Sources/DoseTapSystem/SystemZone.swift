public import DoseTapDomain

/// The time zone in force on this machine, and how it was found.
public struct SystemZone: Sendable, Hashable {
    /// Where the zone's name came from.
    public enum Origin: Sendable, Hashable, CaseIterable {
        /// The environment variable `TZ`.
        case environment
        /// `/etc/localtime`.
        case localtime
    }

    /// The zone. UTC where it is unknown.
    public let zone: Zone
    /// Where it came from.
    public let origin: Origin
    /// Why the zone is unknown, or nil where it is known.
    public let fault: SystemFault?

    /// Whether UTC stands in for a zone that could not be found. Say so wherever a local time is shown; it is never
    /// taken in silence.
    public var isUnknown: Bool { fault != nil }

    /// The zone for people: its identifier, or `UTC, zone unknown`.
    public var description: String { isUnknown ? "UTC, zone unknown" : zone.identifier }
}
