import Glibc
import Synchronization

/// The destination of journal entries. The service uses ``SystemJournal``; tests use one that keeps the entries.
public protocol JournalSink: Sendable {
    /// Never blocks for more than 10 ms and never throws: a log that fails must not stop the work it reports.
    func send(_ entry: JournalEntry)
}

/// The journal of this machine: journald, or standard error for the entries journald does not take.
///
/// Entries are never queued. While journald does not answer, each entry goes to standard error once, and the first one
/// says why. When journald is back, an entry says how many journald missed.
public final class SystemJournal: JournalSink {
    /// The socket on which journald listens on every systemd machine.
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
    private static let timeout: Int32 = 5

    /// Makes a journal.
    ///
    /// - Parameters:
    ///   - identifier: `SYSLOG_IDENTIFIER` of every entry.
    ///   - socketPath: journald's datagram socket.
    ///   - standardError: Descriptor for the entries that journald does not take.
    ///   - journalStream: Value of the environment variable `JOURNAL_STREAM`, nil if unset.
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
        // After journald has made an entry wait, later entries do not wait until it takes one again.
        let timeout = health.withLock { $0.isDelivering ? Self.timeout : 0 }
        switch socket.send(JournalWire.encoded(entry, identifier: identifier), timeout: timeout) {
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
        if socket.send(JournalWire.encoded(notice, identifier: identifier), timeout: 0) != .delivered {
            fallback.send(notice)
        }
    }
}

/// Writes entries as lines on standard error, for a machine without a journald that answers.
///
/// Under systemd (`JOURNAL_STREAM` names this very descriptor) a line starts with its level as `<N>`, which the journal
/// takes off again (sd-daemon(3)). A reader that is gone or does not read loses lines; it never stops the service.
public final class StandardErrorSink: JournalSink {
    private let identifier: String
    private let descriptor: Int32
    /// The same file opened anew, so that it can be non-blocking without changing the flags others share; -1 for a socket.
    private let reopened: Int32
    private let isJournal: Bool

    /// The longest line written: what a pipe takes in one piece (`PIPE_BUF`, pipe(7)).
    private static let longestLine = 4096

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - identifier: The program's name, put before plain lines.
    ///   - descriptor: The descriptor to write to; standard error unless a test says otherwise. The sink does not
    ///     close it.
    ///   - journalStream: Value of `JOURNAL_STREAM`, `device:inode`, or nil if it is unset.
    public init(identifier: String, descriptor: Int32 = 2, journalStream: String?) {
        self.identifier = identifier
        self.descriptor = descriptor
        reopened = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_APPEND)
        var status = stat()
        isJournal =
            fstat(descriptor, &status) == 0 && journalStream == "\(status.st_dev):\(status.st_ino)"
    }

    deinit {
        if reopened >= 0 { close(reopened) }
    }

    /// Writes the entry as one line, or drops it if writing would block.
    public func send(_ entry: JournalEntry) {
        var bytes = Array(line(entry).utf8)
        if bytes.count >= Self.longestLine { bytes.replaceSubrange((Self.longestLine - 4)..., with: "...".utf8) }
        bytes.append(UInt8(ascii: "\n"))
        bytes.withUnsafeBytes(put)
    }

    private func line(_ entry: JournalEntry) -> String {
        var text = isJournal ? "<\(entry.priority.rawValue)>" : "\(identifier): "
        if !isJournal, entry.priority.rawValue <= JournalPriority.warning.rawValue {
            text += entry.priority.word + ": "
        }
        text += JournalText.escaped(entry.message)
        for field in entry.fields {
            text += " " + field.name + "=" + JournalText.escaped(String(decoding: field.value, as: UTF8.self))
        }
        return text
    }

    private func put(_ bytes: UnsafeRawBufferPointer) {
        if Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) >= 0 { return }
        guard errno == ENOTSOCK else { return }
        guard reopened >= 0 else {
            // The file cannot be reopened (a terminal handed over by another user): poll first, then write what a pipe
            // would take.
            var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&interest, 1, 0) > 0 { writeQuietly(descriptor, bytes) }
            return
        }
        writeQuietly(reopened, bytes)
    }

    /// Writes with SIGPIPE held back for this thread, because `write` has no flag like `MSG_NOSIGNAL`.
    private func writeQuietly(_ target: Int32, _ bytes: UnsafeRawBufferPointer) {
        var pipe = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        if write(target, bytes.baseAddress, bytes.count) < 0, errno == EPIPE, !wasPending {
            var none = timespec()
            sigtimedwait(&pipe, nil, &none)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
