import Foundation
import Glibc
import Testing

@testable import SystemdJournal

@Suite struct StandardErrorTests {
    private let nowhere = "/nonexistent/journal/socket"

    private func lines(journalStream: (stat) -> String?, _ entries: [JournalEntry]) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "stderr-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        var status = stat()
        fstat(handle.fileDescriptor, &status)
        let journal = SystemJournal(
            identifier: "dosetapd", socketPath: nowhere, standardError: handle.fileDescriptor,
            journalStream: journalStream(status))
        entries.forEach(journal.send)
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func `without journald a plain line goes to standard error, the reason once`() throws {
        let written = try lines(
            journalStream: { _ in nil },
            [
                JournalEntry(message: "one\ntwo", priority: .notice, fields: [("a", "x\u{1b}")]),
                JournalEntry(message: "bad", priority: .error),
            ])
        #expect(
            written == [
                "dosetapd: warning: journald does not answer (No such file or directory); entries go to standard error",
                "dosetapd: one\\ntwo A=x\\x1b", "dosetapd: error: bad",
            ])
    }

    @Test func `under systemd a line starts with its priority`() throws {
        let written = try lines(
            journalStream: { "\($0.st_dev):\($0.st_ino)" }, [JournalEntry(message: "bad", priority: .error)])
        #expect(written.last == "<3>bad")
    }

    @Test func `an inherited JOURNAL_STREAM that is not this descriptor gives plain lines`() throws {
        let written = try lines(journalStream: { _ in "1:2" }, [JournalEntry(message: "calm")])
        #expect(written.last == "dosetapd: calm")
    }

    @Test func `F2 a reader of standard error that is gone ends nobody`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        let journal = SystemJournal(
            identifier: "dosetapd", socketPath: nowhere, standardError: ends[1], journalStream: nil)
        journal.send(JournalEntry(message: "into the void"))
        #expect(write(ends[1], "x", 0) == 0 || errno == EPIPE)  // reached at all: no SIGPIPE
        close(ends[1])
        var stream: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &stream) == 0)
        close(stream[0])
        SystemJournal(identifier: "d", socketPath: nowhere, standardError: stream[1], journalStream: nil)
            .send(JournalEntry(message: "into the void"))
        close(stream[1])
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `F2 a reader of standard error that does not read costs no time`(isSocket: Bool) throws {
        var ends: [Int32] = [0, 0]
        if isSocket {
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        } else {
            try #require(pipe(&ends) == 0)
        }
        defer { ends.forEach { close($0) } }
        let journal = SystemJournal(
            identifier: "dosetapd", socketPath: nowhere, standardError: ends[1], journalStream: nil)
        var times: [Duration] = []
        for _ in 0..<2_000 {
            let time = ContinuousClock().measure {
                journal.send(JournalEntry(message: String(repeating: "z", count: 1_000)))
            }
            times.append(time)
        }
        #expect(times.sorted()[1_000] < .milliseconds(10))
    }
}
