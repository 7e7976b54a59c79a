// Structured entries in systemd's journal, with SystemdJournal: one made by hand, one by a swift-log logger.
//
//   swift run example-journal-log && journalctl -t example-journal-log -o json-pretty -n 2
import Foundation
import Logging
import SystemdJournal

let journal = SystemJournal(
    identifier: "example-journal-log", journalStream: ProcessInfo.processInfo.environment["JOURNAL_STREAM"])
journal.send(JournalEntry(message: "A window was opened.", fields: [("EXAMPLE_WINDOW", "kitchen")]))

var logger = Logger(label: "example") { label in JournalLogHandler(label: label, sink: journal) }
logger[metadataKey: "example_room"] = "kitchen"
logger.warning("It is cold.", metadata: ["example_celsius": "12"])
