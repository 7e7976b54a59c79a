public import DoseTapDomain

/// Who is told, after the reply, what the engine did; in the order of the log.
public protocol EngineObserver: Sendable {
    /// Something changed.
    func changed(_ change: EngineChange) async
}

/// What the engine did.
public enum EngineChange: Sendable {
    /// Events stand in the log.
    case recorded([Event], NightStatus)
    /// The phase of the night changed.
    case phase(old: Phase, new: Phase, NightStatus)
    /// A command was refused or asks something; nothing was recorded.
    case declined(Command, CommandFailure, Surface, SessionDate?)
    /// Events could not be made durable: they are kept in memory until they can.
    case unsafe([Event], StoreError)
    /// Events kept in memory are durable now.
    case recovered(Int)
    /// The service stops while events are not in the log; they lie in a place where the next start finds them.
    case left([Event], KeptPlace)
    /// What was found when the store was opened.
    case finding(String)
    /// The timer for what comes next cannot be armed, and why; nil: it can again.
    case timer(String?)
}
