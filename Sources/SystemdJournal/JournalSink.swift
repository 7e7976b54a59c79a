/// Where journal entries go. The service uses ``SystemJournal``; tests hand in one that remembers.
public protocol JournalSink: Sendable {
    /// Takes an entry. Never blocks for more than 10 ms, never throws: a log that fails must not stop what it tells of.
    func send(_ entry: JournalEntry)
}
