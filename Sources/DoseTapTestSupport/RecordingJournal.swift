import Synchronization
public import SystemdJournal

/// A journal that remembers what it was sent.
public final class RecordingJournal: JournalSink {
    private let recorded = Mutex<[JournalEntry]>([])

    /// An empty journal.
    public init() {}

    /// Everything sent so far, in order.
    public var entries: [JournalEntry] { recorded.withLock { $0 } }

    /// Remembers an entry.
    public func send(_ entry: JournalEntry) {
        recorded.withLock { $0.append(entry) }
    }

    /// The entries with a catalog id.
    public func entries(_ messageID: String) -> [JournalEntry] {
        entries.filter { $0.messageID == messageID }
    }
}
