import DoseTapTestSupport
import Foundation
import Logging
import Testing

@testable import SystemdJournal

@Suite(.enabled(if: Testbed.isActive, "needs a journald of its own: run Contrib/test")) struct JournaldTests {
    private let id = UUID().uuidString.lowercased().filter { $0 != "-" }

    @Test func `an entry arrives with its fields`() throws {
        let journal = SystemJournal(identifier: "dosetapd", journalStream: nil)
        journal.send(
            JournalEntry(
                messageID: id, message: "first\nsecond \u{1b}[1m", priority: .critical,
                fields: [("session_date", "2026-01-14"), ("LINES", "a\nb"), ("RAW", "\u{0}\u{1b}")]))
        let entry = try #require(try Journal.entries(matching: ["MESSAGE_ID": id]).first)
        #expect(entry["MESSAGE"] == "first\\nsecond \\x1b[1m")
        #expect(entry["PRIORITY"] == "2")
        #expect(entry["SYSLOG_IDENTIFIER"] == "dosetapd")
        #expect(entry["SESSION_DATE"] == "2026-01-14")
        #expect(entry["LINES"] == "a\nb")
        #expect(entry.fields["RAW"] == [[0, 0x1b]])
        #expect(entry["CODE_FILE"] == nil)
    }

    @Test(arguments: [1_000, 200_000, 400_000, 3_000_000])
    func `a field of any size arrives whole`(size: Int) throws {
        let text = String((0..<size).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122))) })
        SystemJournal(identifier: "dosetapd", standardError: -1, journalStream: nil)
            .send(JournalEntry(messageID: id, message: "large", fields: [("BULK", text)]))
        let entry = try #require(try Journal.entries(matching: ["MESSAGE_ID": id]).first)
        #expect(entry["BULK"] == text, "\(entry["BULK"]?.count ?? -1) characters")
    }

    @Test func `every entry of a burst from several threads is in the journal or on standard error`() async throws {
        let errors = FileManager.default.temporaryDirectory.appending(path: "burst-\(id)")
        defer { try? FileManager.default.removeItem(at: errors) }
        try Data().write(to: errors)
        let handle = try FileHandle(forWritingTo: errors)
        let journal = SystemJournal(
            identifier: "dosetapd", standardError: handle.fileDescriptor, journalStream: nil)
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask { [id] in
                    for number in 0..<250 {
                        journal.send(
                            JournalEntry(messageID: id, message: "burst", fields: [("N", "\(thread).\(number)")]))
                    }
                }
            }
        }
        let stored = try Journal.entries(matching: ["MESSAGE_ID": id]).compactMap { $0["N"] }
        let printed = try String(contentsOf: errors, encoding: .utf8).split(separator: "\n").compactMap {
            $0.contains(": burst N=") ? $0.split(separator: "=").last.map(String.init) : nil
        }
        #expect(stored.count + printed.count == 1000)
        #expect(Set(stored).union(printed).count == 1000)
        #expect(stored.count > 10)
    }

    @Test func `a logger's metadata become fields, and a warning says where it was made`() throws {
        let journal = SystemJournal(identifier: "dosetapd", journalStream: nil)
        var log = Logger(label: "engine") { JournalLogHandler(label: $0, sink: journal, level: .trace) }
        log[metadataKey: "plugin"] = "journal"
        log.info("calm", metadata: ["message_id": "\(id)", "attempt": "3"])
        log.warning("not calm", metadata: ["message_id": "\(id)", "plugin": "bell"])
        let entries = try Journal.entries(matching: ["MESSAGE_ID": id])
        try #require(entries.count == 2)
        #expect(entries.map { $0["PLUGIN"] } == ["journal", "bell"])
        #expect(entries.map { $0["PRIORITY"] } == ["6", "4"])
        #expect(entries[0]["ATTEMPT"] == "3")
        #expect(entries[0]["LOGGER"] == "engine")
        #expect(entries[0]["CODE_LINE"] == nil)
        #expect(entries[1]["CODE_FILE"]?.hasSuffix("JournaldTests.swift") == true)
        #expect(entries[1]["CODE_LINE"].flatMap { Int($0) } != nil)
    }

    @Test(.timeLimit(.minutes(1))) func `F2 a frozen journald costs no time, and it is told what it missed`() throws {
        let journald = try JournalNamespace("frozen\(UInt32.random(in: .min ... .max))")
        defer { journald.stop() }
        let errors = FileManager.default.temporaryDirectory.appending(path: "errors-\(id)")
        defer { try? FileManager.default.removeItem(at: errors) }
        try Data().write(to: errors)
        let handle = try FileHandle(forWritingTo: errors)
        let journal = SystemJournal(
            identifier: "dosetapd", socketPath: journald.socketPath, standardError: handle.fileDescriptor,
            journalStream: nil)
        journal.send(JournalEntry(messageID: id, message: "before"))
        _ = try Journal.entries(matching: [:], namespace: journald.name)

        journald.freeze()
        var times: [Duration] = []
        for number in 0..<2_000 {
            let time = ContinuousClock().measure {
                journal.send(JournalEntry(messageID: id, message: "frozen \(number)"))
            }
            times.append(time)
        }
        // The median leaves out the calls that a loaded machine's scheduler delayed. A call that blocks would never
        // end.
        #expect(times.sorted()[1_000] < .milliseconds(10))
        let lines = try String(contentsOf: errors, encoding: .utf8).split(separator: "\n")
        #expect(lines.first?.contains("journald does not answer (its queue is full)") == true)
        #expect(lines.last == "dosetapd: frozen 1999")

        journald.thaw()
        _ = try Journal.entries(matching: [:], namespace: journald.name)
        journal.send(JournalEntry(messageID: id, message: "after"))
        let stored = try Journal.entries(matching: ["SYSLOG_IDENTIFIER": "dosetapd"], namespace: journald.name)
        let missed = try #require(stored.compactMap { $0["UNDELIVERED"] }.first.flatMap { Int($0) })
        #expect(missed == lines.count - 1)
        #expect(stored.filter { $0["MESSAGE_ID"] == id }.count == 2_002 - missed)
    }

    @Test func `a journald that was restarted gets the next entry`() throws {
        let name = "again\(UInt32.random(in: .min ... .max))"
        let first = try JournalNamespace(name)
        let journal = SystemJournal(
            identifier: "dosetapd", socketPath: first.socketPath, standardError: -1, journalStream: nil)
        journal.send(JournalEntry(messageID: id, message: "first"))
        _ = try Journal.entries(matching: [:], namespace: name)
        first.stop()
        journal.send(JournalEntry(messageID: id, message: "nobody there"))
        let second = try JournalNamespace(name)
        defer { second.stop() }
        journal.send(JournalEntry(messageID: id, message: "second"))
        let stored = try Journal.entries(matching: ["MESSAGE_ID": id], namespace: name)
        #expect(stored.map { $0["MESSAGE"] } == ["first", "second"])
    }
}
