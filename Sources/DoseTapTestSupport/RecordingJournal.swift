public import SystemdJournal

/// A journal that remembers what it was sent.
public final class RecordingJournal: JournalSink {
    private let recorded = Recorder<JournalEntry>()

    /// An empty journal.
    public init() {}

    /// Everything sent so far, in order.
    public var entries: [JournalEntry] { recorded.elements }

    /// Remembers an entry.
    public func send(_ entry: JournalEntry) { recorded.append(entry) }

    /// The entries with a catalog id.
    public func entries(_ messageID: String) -> [JournalEntry] {
        entries.filter { $0.messageID == messageID }
    }

    /// Waits until so many entries were sent.
    public func wait(count: Int) async throws { try await recorded.wait { $0.count >= count } }

    /// Waits until so many entries with a catalog id were sent.
    public func wait(for messageID: String, count: Int = 1) async throws {
        try await recorded.wait { entries in entries.count { $0.messageID == messageID } >= count }
    }
}
