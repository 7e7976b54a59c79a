import Glibc

/// Writes entries as lines on standard error: the second best, where there is no journald or it does not answer.
///
/// Under systemd (`JOURNAL_STREAM` names this very descriptor) a line starts with its level as `<N>`, which the journal
/// takes off again (sd-daemon(3)). A reader that is gone or does not read loses lines; it never stops the service.
public final class StandardErrorSink: JournalSink {
    private let identifier: String
    private let descriptor: Int32
    /// The same file opened anew, so that it can be non-blocking without changing the flags others share; -1 for a socket.
    private let reopened: Int32
    private let isJournal: Bool

    /// Longest line written: what a pipe takes in one piece (`PIPE_BUF`, pipe(7)).
    private static let longestLine = 4096

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - identifier: The program's name, put before plain lines.
    ///   - descriptor: Where to write; standard error unless a test says otherwise. Not closed by the sink.
    ///   - journalStream: Value of `JOURNAL_STREAM`, `device:inode`, or nil where it is unset.
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

    /// Writes the entry as one line, or drops it where writing would block.
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
            // Not ours to reopen (a terminal handed over by another user): ask first, then write what a pipe would take.
            var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&interest, 1, 0) > 0 { writeQuietly(descriptor, bytes) }
            return
        }
        writeQuietly(reopened, bytes)
    }

    /// Writes with SIGPIPE held back for this thread, for `write` has no flag like `MSG_NOSIGNAL`.
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
