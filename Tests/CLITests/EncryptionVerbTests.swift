import DoseTapDomain
import DoseTapStore
import DoseTapTestSupport
import Foundation
import Testing

/// The verbs of encryption. ServiceTests/EncryptionTests has the tests of the service.
@Suite struct EncryptionVerbTests {
    /// A service of one command, with its key in a file.
    private func harness(_ folder: ScratchFolder) throws -> CLIHarness {
        try CLIHarness(["DOSETAP_ENCRYPTION_KEY": "file", "XDG_CONFIG_HOME": folder.path("config")])
    }

    /// The lines of the exported doses, sorted.
    private func rows(_ cli: CLIHarness) async throws -> [String] {
        try await cli.run("export", "csv", "dose_events").out.split(whereSeparator: \.isNewline).map(String.init)
            .sorted()
    }

    @Test func `another word than the verb confirms nothing`() async throws {
        let cli = try harness(ScratchFolder())
        try await cli.json("log", "bathroom")
        let error = try await cli.run("db", "encrypt", "--confirm", "yes")
        #expect(error.code == 64 && error.err.contains("--confirm encrypt"), "\(error)")
        #expect(try await cli.json("db", "verify")["ok"] == true)
    }

    @Test(.enabled(if: !Cipher.isAvailable, "needs the tests linked with plain SQLite"))
    func `R25.7 a build with plain SQLite refuses, and says what to install`()
        async throws
    {
        let cli = try harness(ScratchFolder())
        try await cli.json("log", "bathroom")
        for verb in KeyChange.allCases.map(\.rawValue) {
            let refused = try await cli.run("db", verb, "--confirm", verb)
            #expect(refused.code != 0 && refused.err.contains("without encryption"), "\(refused)")
            #expect(refused.err.contains("--sqlcipher"), "\(refused)")
        }
    }

    @Test(.enabled(if: Cipher.isAvailable, "needs the tests linked with SQLCipher"))
    func `R25.4 encrypt says first what it protects, asks, and does it`()
        async throws
    {
        let folder = try ScratchFolder()
        let cli = try harness(folder)
        try await cli.json("log", "bathroom")
        let dry = try await cli.run("db", "encrypt", "--dry-run")
        #expect(dry.code == 0 && dry.out.contains("Without the key nobody can open"), "\(dry)")
        // Without a terminal the question has no answer.
        let asked = try await cli.run("db", "encrypt")
        #expect(asked.code == 4 && asked.err.contains("Nothing was changed"), "\(asked)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("config/dosetap")))
        let done = try await cli.run("db", "encrypt", "--confirm", "encrypt")
        #expect(
            done.code == 0 && done.out.contains("The record is encrypted.") && done.out.contains("is in the file /"),
            "\(done)")
        #expect(try await cli.json("db", "verify")["ok"] == true)
        #expect(try await cli.json("db", "rekey", "--confirm", "rekey")["ok"] == true)
        let locked = try await cli.run("status", environment: ["XDG_CONFIG_HOME": folder.path("nowhere")])
        #expect(locked.code != 0 && locked.err.contains("The record is locked"), "\(locked)")
        let entry = try await cli.run("log", "bathroom", environment: ["XDG_CONFIG_HOME": folder.path("nowhere")])
        #expect(entry.code != 0 && entry.err.contains("\n  Nothing was recorded.\n"), "\(entry)")
        #expect(try await cli.run("db", "decrypt", "--confirm", "decrypt").code == 0)
        #expect(try await cli.json("db", "verify")["ok"] == true)
    }

    @Test(.enabled(if: Cipher.isAvailable, "needs the tests linked with SQLCipher"))
    func `R25.10 R25.11 an encrypted backup moves to another computer with its key, and a lost key ends at an import`()
        async throws
    {
        let (folder, other) = (try ScratchFolder(), try ScratchFolder())
        let cli = try harness(folder)
        try await cli.json("log", "dose1", "--ago", "9h", "--confirm", "long_ago")
        try await cli.json("log", "dose2", "--ago", "6h", "--confirm", "long_ago")
        try await cli.json("db", "encrypt", "--confirm", "encrypt")
        let (backup, log) = (folder.path("b.db"), folder.path("log.jsonl"))
        try await cli.json("db", "backup", backup)
        #expect(try await cli.run("export", "log", "-o", log).code == 0)
        let doses = try await rows(cli)
        #expect(doses.filter { $0.contains(",dose1,") || $0.contains(",dose2,") }.count == 2, "\(doses)")

        // Another computer refuses the backup without the key, and has the same record with the key.
        let fresh = try harness(other)
        let locked = try await fresh.run("db", "restore", backup, "--confirm", "restore")
        #expect(locked.code != 0 && locked.err.contains("key"), "\(locked)")
        let keys = try FileManager.default.contentsOfDirectory(atPath: folder.path("config/dosetap")).filter {
            $0.hasPrefix("key-")
        }
        let key = try #require(keys.first)
        try FileManager.default.createDirectory(
            atPath: other.path("config/dosetap"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            atPath: folder.path("config/dosetap/\(key)"), toPath: other.path("config/dosetap/\(key)"))
        let toldPlain = "The restored record is not. Encrypt it afterwards: dosetap db encrypt"
        #expect(try await fresh.run("db", "restore", backup, "--dry-run").out.contains(toldPlain))
        let restored = try await fresh.json("db", "restore", backup, "--confirm", "restore")
        #expect(restored["other_device"] == true && restored["decrypted"] == true)
        let store = try FileHandle(forReadingFrom: URL(filePath: fresh.store))
        #expect(try store.read(upToCount: 15) == Data("SQLite format 3".utf8))
        #expect(try await rows(fresh) == doses)

        // After the loss of the key each verb names the wipe, and an import brings the record back.
        try FileManager.default.removeItem(atPath: folder.path("config/dosetap/\(key)"))
        for words in [["status"], ["log", "dose1"], ["db", "backup"]] {
            let refused = try await cli.run(words: words)
            #expect(refused.code != 0 && refused.err.contains("dosetap db wipe"), "\(refused)")
        }
        let wiped = try await cli.run("db", "wipe", "--confirm", "wipe", "--confirm", "window_unresolved")
        #expect(wiped.code == 0, "\(wiped)")
        #expect(try await cli.run("import", "log", log).code == 0)
        #expect(try await rows(cli) == doses)
        #expect(try await cli.json("db", "verify")["ok"] == true)
    }
}
