import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// The same night with and without a loss in the record.
@Suite struct LostEventsTests {
    /// A loss that the record suffers between two commands.
    enum Loss: CaseIterable {
        case olderFile, olderFileAndHead, olderFileAndNoHead, removed, dose1Deleted, dose2Deleted
        /// The file from before the night, and a copy whose first event is torn.
        case olderThanTheNight

        func befall(_ store: String, old: String) throws {
            let files = FileManager.default
            func putBack(_ suffix: String) throws {
                try files.removeItem(atPath: store + suffix)
                try files.copyItem(atPath: old + suffix, toPath: store + suffix)
            }
            switch self {
            case .olderFile: try putBack("")
            case .olderFileAndHead:
                try putBack("")
                try putBack(".head")
            case .olderFileAndNoHead:
                try putBack("")
                try files.removeItem(atPath: store + ".head")
            case .removed: try files.removeItem(atPath: store)
            case .olderThanTheNight:
                for suffix in ["", ".head"] {
                    try files.removeItem(atPath: store + suffix)
                    try files.copyItem(atPath: old + suffix + ".evening", toPath: store + suffix)
                }
                let lines = try String(contentsOfFile: store + ".night", encoding: .utf8).split(separator: "\n")
                let torn = lines.map { $0.contains("\"session_opened\"") ? "x" + $0 : String($0) }
                #expect(torn != lines.map(String.init))
                try torn.joined(separator: "\n").appending("\n").write(
                    toFile: store + ".night", atomically: false, encoding: .utf8)
            case .dose1Deleted: try delete(.dose1, store)
            case .dose2Deleted: try delete(.dose2, store)
            }
        }

        private func delete(_ dose: DoseKind, _ store: String) throws {
            let sql =
                "DELETE FROM events WHERE type = 'dose_recorded' AND json_extract(payload, '$.kind') = '\(dose.rawValue)';"
                + "SELECT changes();"
            let done = try TestProgram.run(["sqlite3", store, sql])
            #expect(done.text == "1\n", "\(done)")
        }
    }

    @Test(arguments: Loss.allCases)
    func `R21.20 A9 C5 what the record lost of the last nights is in it again before anything is answered`(
        loss: Loss
    ) async throws {
        let (cli, folder) = (try CLIHarness(), try ScratchFolder())
        // An entry that belongs to no night comes after the nights in the data that a start loads.
        try await cli.json("regimen", "set", "xyrem", "4.5g")
        for suffix in ["", ".head"] {
            try FileManager.default.copyItem(atPath: cli.store + suffix, toPath: folder.path("old\(suffix).evening"))
        }
        try await cli.json("log", "dose1", "--ago", "165m")
        for suffix in ["", ".head"] {
            try FileManager.default.copyItem(atPath: cli.store + suffix, toPath: folder.path("old") + suffix)
        }
        try await cli.json("log", "dose2", "--ago", "5m", "--note", "in bed")
        let whole = try await cli.json("show", "last")
        let refusal = try await cli.run("log", "dose2")
        try loss.befall(cli.store, old: folder.path("old"))

        let told = try await cli.run("status")
        let words = loss == .dose1Deleted ? "has them again: dose 1 at" : "has them again: "
        #expect((told.out + told.err).contains(words), "\(told)")
        #expect(told.out.contains("Dose 2") && !told.out.contains("dosetap log dose"), "\(told)")
        let again = try await cli.run("log", "dose2")
        #expect(again.code == refusal.code && again.err == refusal.err, "\(again) \(refusal)")
        #expect(Self.entries(try await cli.json("show", "last")) == Self.entries(whole))
        let later = try await cli.run("status")
        #expect(!(later.out + later.err).contains("has them again"), "\(later)")
        // A chain with a gap stays faulty until a repair of the record.
        if ![.dose1Deleted, .dose2Deleted].contains(loss) {
            #expect(try await cli.json("db", "verify")["ok"] == true)
            #expect(try await cli.json("db", "rebuild")["repairs"] == .array([]))
        }
    }

    @Test func `R21.20 a row that was deleted far before the end of the log is missed, too`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "165m")
        for minute in 0..<70 { try await cli.json("log", "bathroom", "--ago", "\(160 - 2 * minute)m") }
        let whole = try await cli.json("show", "last")
        try Loss.dose1Deleted.befall(cli.store, old: "")
        let told = try await cli.run("status")
        #expect((told.out + told.err).contains("has them again: dose 1 at"), "\(told)")
        #expect(Self.entries(try await cli.json("show", "last")) == Self.entries(whole))
        #expect(try await cli.run("why", "dose1").out.contains("it was lost, and was recorded again"))
        #expect(try await cli.run("log", "dose1").code == 5)
    }

    @Test func `R21.20 an entry that was lost before the end of the log is in it again and moves no time`() async throws
    {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "165m")
        try await cli.json("log", "water", "--ago", "160m", "--note", "a glass")
        try await cli.json("log", "bathroom", "--ago", "4m")
        let (before, whole) = (try await cli.json("status"), try await cli.json("show", "last"))
        let sql =
            "DELETE FROM events WHERE type = 'sleep_event_recorded' AND payload LIKE '%a glass%'; SELECT changes();"
        #expect(try TestProgram.run(["sqlite3", cli.store, sql]).text == "1\n")
        for _ in 0..<3 {
            let after = try await cli.json("status")
            for key in ["window_opens", "window_closes", "certain", "phase", "dose1_time"] {
                #expect(after[key] == before[key], "\(key)")
            }
        }
        #expect(Self.entries(try await cli.json("show", "last")) == Self.entries(whole))
    }

    @Test func `R21.20 what is recorded again is not the newest action, which undo takes back`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "165m")
        try await cli.json("log", "dose2", "--ago", "5m")
        try await cli.json("log", "bathroom")
        try Loss.dose2Deleted.befall(cli.store, old: "")
        let undone = try await cli.run("undo")
        #expect(undone.code == 0, "\(undone)")
        let left = Self.entries(try await cli.json("show", "last")).map { $0[1]?.stringValue }
        #expect(left.contains("dose2") && !left.contains("bathroom"), "\(undone) \(left)")
    }

    @Test func `R21.20 a night is seen whose first event alone was lost`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "165m")
        try await cli.json("log", "bathroom", "--ago", "4m")
        let sql = "DELETE FROM events WHERE type = 'session_opened'; SELECT changes();"
        #expect(try TestProgram.run(["sqlite3", cli.store, sql]).text == "1\n")
        #expect(try await cli.run("log", "dose1").code == 5)
        #expect(try await cli.run("status").out.hasPrefix("Dose 1: yes"))
        #expect(try await cli.json("db", "rebuild")["repairs"] == .array([]))
    }

    @Test func `R21.20 a dose that was undone is in nobody's place`() async throws {
        let cli = try CLIHarness()
        let first = try #require(try await cli.json("log", "dose1")["event_id"]?.stringValue)
        try await cli.json("undo", "--confirm", "undo_dose")
        try await cli.json("log", "dose1")
        let whole = try await cli.json("show", "last")
        #expect(
            try TestProgram.run(["sqlite3", cli.store, "DELETE FROM events WHERE id = '\(first)'; SELECT changes();"])
                .text == "1\n")
        let told = try await cli.run("status")
        #expect((told.out + told.err).contains("has them again: dose 1 at"), "\(told)")
        #expect(Self.entries(try await cli.json("show", "last")) == Self.entries(whole))
    }

    @Test func `R21.20 R21.8 what a log has that grew another way is not doubled, and holds nothing up`() async throws {
        let (cli, folder) = (try CLIHarness(), try ScratchFolder())
        let files = FileManager.default
        let suffixes = ["", ".head", ".night"]
        func keep(_ name: String) throws {
            for suffix in suffixes {
                try files.copyItem(atPath: cli.store + suffix, toPath: folder.path(name + suffix))
            }
        }
        func putBack(_ name: String, _ suffixes: [String]) throws {
            for suffix in suffixes {
                try files.removeItem(atPath: cli.store + suffix)
                try files.copyItem(atPath: folder.path(name + suffix), toPath: cli.store + suffix)
            }
        }
        try await cli.json("log", "dose1", "--ago", "165m")
        try keep("one")
        try await cli.json("log", "dose2", "--ago", "5m", "--key", "k1")
        for _ in 0..<2 { try await cli.json("log", "bathroom", "--ago", "4m", "--confirm", "duplicate") }
        try keep("other")
        try putBack("one", suffixes)
        try await cli.json("log", "dose2", "--ago", "3m", "--key", "k1")
        try putBack("other", [".head", ".night"])
        let told = try await cli.run("status")
        #expect((told.out + told.err).contains("something else was recorded since: dose 2 at"), "\(told)")
        let shown = try await cli.json("show", "last")
        let types = (shown["nights"]?.arrayValue?.first?["entries"]?.arrayValue ?? []).compactMap {
            $0["type"]?.stringValue
        }
        #expect(types.count { $0 == "dose2" } == 1, "\(types)")
        #expect(try await cli.run("log", "water").code == 0)
    }

    /// The entries of all nights that are shown, with their times, notes and states.
    private static func entries(_ shown: JSONValue) -> [[JSONValue?]] {
        (shown["nights"]?.arrayValue ?? []).flatMap { $0["entries"]?.arrayValue ?? [] }.map { entry in
            ["id", "type", "at", "timestamp", "note", "state"].map { entry[$0] }
        }
    }
}
