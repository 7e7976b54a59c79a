import Glibc
import Synchronization

/// The journal of this machine: journald, or standard error for the entries journald does not take.
///
/// Entries are never held back for later. While journald does not answer, each goes to standard error once; the first
/// says why, and when journald is back an entry tells how many it did not see.
public final class SystemJournal: JournalSink {
    /// Where journald listens on every systemd machine.
    public static let systemSocket = "/run/systemd/journal/socket"

    private struct Health {
        var isDelivering = true
        var undelivered = 0
    }

    private let identifier: String
    private let socket: JournalSocket
    private let fallback: StandardErrorSink
    private let health = Mutex(Health())

    /// Milliseconds to wait for room in journald's queue, while it answers.
    private static let patience: Int32 = 5

    /// Makes a journal.
    ///
    /// - Parameters:
    ///   - identifier: `SYSLOG_IDENTIFIER` of every entry.
    ///   - socketPath: journald's datagram socket.
    ///   - standardError: Descriptor for what journald does not take.
    ///   - journalStream: Value of the environment variable `JOURNAL_STREAM`, nil where unset.
    public init(
        identifier: String,
        socketPath: String = SystemJournal.systemSocket,
        standardError: Int32 = 2,
        journalStream: String?
    ) {
        self.identifier = identifier
        socket = JournalSocket(path: socketPath)
        fallback = StandardErrorSink(
            identifier: identifier, descriptor: standardError, journalStream: journalStream)
    }

    /// Sends one entry: to journald within 10 ms, else to standard error.
    public func send(_ entry: JournalEntry) {
        // Once journald has kept us waiting it is asked without waiting, until it takes an entry again.
        let patience = health.withLock { $0.isDelivering ? Self.patience : 0 }
        switch socket.send(JournalWire.encoded(entry, identifier: identifier), patience: patience) {
        case .delivered:
            let missed = health.withLock { health in
                defer { health = Health() }
                return health.undelivered
            }
            if missed > 0 { reportReturn(missed) }
        case .failed(let reason):
            let isFirst = health.withLock { health in
                defer {
                    health.isDelivering = false
                    health.undelivered += 1
                }
                return health.isDelivering
            }
            if isFirst { reportLoss(reason) }
            fallback.send(entry)
        }
    }

    private func reportLoss(_ reason: Int32) {
        let why = reason == EAGAIN ? "its queue is full" : String(cString: strerror(reason))
        fallback.send(
            JournalEntry(message: "journald does not answer (\(why)); entries go to standard error", priority: .warning)
        )
    }

    private func reportReturn(_ missed: Int) {
        let notice = JournalEntry(
            message: "journald answers again; \(missed) entries went to standard error only", priority: .warning,
            fields: [("UNDELIVERED", String(missed))])
        if socket.send(JournalWire.encoded(notice, identifier: identifier), patience: 0) != .delivered {
            fallback.send(notice)
        }
    }
}
