import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// The same night with and without a loss in the record.
@Suite struct LostEventsTests {
    /// What befalls the record between two commands.
    enum Loss: CaseIterable {
        case olderFile, olderFileAndHead, olderFileAndNoHead, removed, dose1Deleted, dose2Deleted

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
        // A chain with a gap is not whole until the record is repaired.
        if ![.dose1Deleted, .dose2Deleted].contains(loss) {
            #expect(try await cli.json("db", "verify")["ok"] == true)
            #expect(try await cli.json("db", "rebuild")["repairs"] == .array([]))
        }
    }

    /// The entries of all nights that are shown, with their times, notes and states.
    private static func entries(_ shown: JSONValue) -> [[JSONValue?]] {
        (shown["nights"]?.arrayValue ?? []).flatMap { $0["entries"]?.arrayValue ?? [] }.map { entry in
            ["id", "type", "at", "timestamp", "note", "state"].map { entry[$0] }
        }
    }
}
