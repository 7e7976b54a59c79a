public import DoseTapDomain

/// What keeps the machine awake and what would wake it, for people.
public struct AwakeState: Hashable, Sendable {
    /// How sleep is held off now: `block`, `delay`, or nil when it is not.
    public var sleepMode: String?
    /// Whether the lid is held off, too.
    public var holdsLid: Bool
    /// Why sleep cannot be held off; nil while nothing is known against it.
    public var sleepTrouble: String?
    /// The wake timer.
    public var wake: Wake

    /// A timer that wakes the machine.
    public enum Wake: Hashable, Sendable {
        /// None is wanted.
        case none
        /// Asked for, not confirmed yet.
        case asked(Instant)
        /// Set, and read back.
        case set(Instant)
        /// It cannot be had.
        case refused(String)
    }
}
