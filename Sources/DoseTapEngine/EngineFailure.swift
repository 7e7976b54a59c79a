public import DoseTapDomain

/// Why the engine answered no, beyond what the rules say.
public enum EngineFailure: Error, Hashable, Sendable {
    /// The rules or the input.
    case command(CommandFailure)
    /// The store. `kept` says whether the entry is held in memory and told in the journal until it can be written.
    case store(StoreError, kept: Bool)
    /// The mailbox is full: try again in a moment.
    case busy
    /// The service is stopping.
    case stopping
}
