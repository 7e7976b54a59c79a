import DoseTapDomain
import DoseTapTestSupport
import Foundation
import GRDB
import Testing

@testable import DoseTapStore

/// Tests of a store with a key, with the real SQLCipher.
@Suite(.enabled(if: Cipher.isAvailable, "needs the tests linked with SQLCipher")) struct EncryptionTests {
    private let key: StoreKey
    private let scratch: Scratch

    init() throws {
        key = try StoreKey.random()
        scratch = try Scratch()
    }

    private func configuration(_ key: StoreKey?) -> StoreConfiguration {
        var configuration = scratch.configuration()
        configuration.key = key
        return configuration
    }

    /// A closed store with one night, encrypted after it was made.
    @discardableResult
    private func encrypted() async throws -> Nights {
        let nights = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        try await store.changeKey(to: key)
        _ = try await store.load(now: nights.now)
        try await store.close()
        return nights
    }

    private func code(_ key: StoreKey?) -> StoreError.Code? {
        do {
            _ = try Store.open(configuration(key))
            return nil
        } catch { return (error as? StoreError)?.code }
    }

    /// Files of the folder in which one of these texts can be read.
    private func readable(_ words: [String] = ["half asleep", "dose_recorded", "SQLite format"]) throws -> [String] {
        try scratch.names().filter { name in
            let text = String(decoding: try scratch.bytes(name), as: UTF8.self)
            return words.contains { text.contains($0) }
        }
    }

    @Test func `R35.2 a log that becomes an encrypted record leaves the name of its key beside it`() async throws {
        _ = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        let descriptor = open(scratch.folder + "/log", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        _ = try await store.export(ExportRequest(.log), into: descriptor, timeout: .seconds(30)) { _ in nil }
        let head = try await store.head
        try await store.close()
        lseek(descriptor, 0, SEEK_SET)
        let target = try Scratch()
        var configuration = target.configuration()
        (configuration.key, configuration.isMadeWithFirstEntry) = (key, true)
        let other = try Store.open(configuration)
        let log = try await other.readLog(
            from: descriptor, timeout: .seconds(30), now: Instant(milliseconds: 1_900_000_000_000))
        #expect(try await other.begin(with: log, plugins: []))
        await other.drop(log)
        #expect(try await other.head == head)
        #expect(KeyIDFile.read(besides: target.path) == key.id)
        try await other.close()
    }

    @Test func `R25.1 after encryption no file beside the store has plain text, and the record is the same`()
        async throws
    {
        var nights = try await scratch.filled(nights: 2)
        #expect(try readable() == ["dosetap.db", "dosetap.db.night"])
        let store = try scratch.open()
        let before = try await store.verify().events
        try await store.changeKey(to: key)
        #expect(await store.keyID == key.id)
        _ = try await store.commit(try nights.act(.logDose(.dose1), note: "half asleep", amount: 4_500))
        _ = await store.keep(try nights.act(.logSleepEvent("bathroom")).events, lastSequence: 1)
        #expect(await store.kept().events.count == 1)
        #expect(try readable() == [])
        try await store.close()

        let again = try Store.open(configuration(key))
        #expect(try await again.verify().isSound)
        #expect(try await again.verify().events == before + 2)
        #expect(try await again.check().isSound)
        #expect(await again.kept().events.count == 1)
        #expect(await again.openFindings.isEmpty)
        try await again.close()
        #expect(try scratch.names().allSatisfy { try scratch.mode($0) == 0o600 })
    }

    @Test func `R25.1 what once lay in the reserve is gone from its bytes, too`() async throws {
        var nights = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        let late = try nights.act(.logDose(.dose1), note: "half asleep", amount: 4_500).events
        _ = await store.keep(late, lastSequence: 1)
        _ = await store.keep([], lastSequence: 1)
        #expect(try readable().contains("dosetap.db.reserve"))
        try await store.changeKey(to: key)
        #expect(try readable() == [])
        _ = await store.keep(late, lastSequence: 1)
        #expect(await store.kept().events == late)
        #expect(try readable() == [])
        try await store.close()
    }

    @Test func `R25.1 a store that is made with a key is encrypted from its first entry`() async throws {
        var nights = Nights()
        let store = try Store.open(configuration(key))
        _ = try await store.commit(try nights.act(.logDose(.dose1), note: "half asleep", amount: 4_500))
        #expect(try readable() == [])
        try await store.close()
        #expect(EncryptedFile.keyID(of: scratch.path) == key.id)
    }

    @Test func `R25.2 without its key or with another one the store is locked, and nothing is written`() async throws {
        try await encrypted()
        // The file itself names its key. No other file is needed for it.
        scratch.remove("dosetap.db.night")
        #expect(EncryptedFile.keyID(of: scratch.path) == key.id)
        let before = try scratch.names().map { ($0, try scratch.bytes($0)) }
        #expect(code(nil) == .keyLocked)
        #expect(code(try StoreKey.random()) == .keyWrong)
        #expect(throws: StoreError.self) { try Store.openForTheNight(configuration(nil)) }
        let after = try scratch.names().map { ($0, try scratch.bytes($0)) }
        #expect(before.map(\.0) == after.map(\.0))
        // The lease changes: its text names the program that tried.
        for (old, new) in zip(before, after) where !old.0.hasSuffix(".lease") { #expect(old.1 == new.1, "\(old.0)") }
        #expect(code(key) == nil)
    }

    @Test(arguments: ["", "-wal"])
    func `R25.2 where an encrypted store is gone nothing is made in plain text in its place`(name: String) async throws
    {
        try await encrypted()
        scratch.remove("dosetap.db")
        #expect(code(nil) == .keyLocked)
        #expect(!scratch.exists("dosetap.db"))
        try scratch.write([UInt8](repeating: 7, count: 8_192))
        #expect(code(nil) == .keyLocked)
        #expect(try scratch.bytes() == [UInt8](repeating: 7, count: 8_192))
    }

    @Test(arguments: ["zeros", "empty", "cut", "switch"], [false, true])
    func `R25.2 where its beginning is lost an encrypted store stays locked, and opens beside with its key`(
        damage: String, isOnlyBeside: Bool
    ) async throws {
        try await encrypted()
        #expect(scratch.exists("dosetap.db.key-id"))
        let sound = try scratch.bytes()
        switch damage {
        case "zeros": try scratch.write([UInt8](repeating: 0, count: 4_096) + sound.dropFirst(4_096))
        case "empty": try scratch.write([])
        case "cut": try scratch.write([UInt8](repeating: 0, count: 50))
        default:
            scratch.remove("dosetap.db")
            try scratch.write(Array("torn".utf8), "dosetap.db.switch")
        }
        if isOnlyBeside {
            try await Store.openForTheNight(configuration(key)).close()
            scratch.remove("dosetap.db.key-id")
        }
        scratch.remove("dosetap.db.night")
        #expect(EncryptedFile.keyID(of: scratch.path) == key.id)
        #expect(throws: StoreError.self) { try Store.openForTheNight(configuration(nil)) }
        #expect(scratch.exists("dosetap.db.beside") == isOnlyBeside)
        let beside = try Store.openForTheNight(configuration(key))
        try await beside.close()
        #expect(EncryptedFile.keyID(of: scratch.path + ".beside") == key.id)
    }

    @Test func `R25.4 the reserve is the same file after a key was changed`() async throws {
        _ = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        func inode() throws -> Int? {
            let facts = try FileManager.default.attributesOfItem(atPath: scratch.path + ".reserve")
            return facts[.systemFileNumber] as? Int
        }
        let before = try inode()
        try await store.changeKey(to: key)
        #expect(try inode() == before)
        #expect(EncryptedFile.keyID(besides: scratch.path) == key.id)
        try await store.changeKey(to: nil)
        #expect(!scratch.exists("dosetap.db.key-id"))
        try await store.close()
    }

    @Test func `R25.3 a key of the wrong length is refused by name`() throws {
        for length in [0, 1, 31, 33, 63, 65, 128] {
            #expect(throws: StoreError.self) { try StoreKey(content: [UInt8](repeating: 0x61, count: length)) }
        }
        #expect(throws: StoreError.self) { try StoreKey(content: [UInt8](repeating: 0x78, count: 64)) }
        let bytes = (0..<32).map { UInt8($0) }
        let digits = Array("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n".utf8)
        #expect(try StoreKey(content: bytes).id == StoreKey(content: digits).id)
        #expect(try StoreKey(content: key.content).id == key.id)
        #expect(try StoreKey.random().id != key.id)
    }

    @Test func `R25.4 rekey takes the new key and refuses the old one; decrypt takes none`() async throws {
        try await encrypted()
        let other = try StoreKey.random()
        let store = try Store.open(configuration(key))
        let before = try await store.verify().events
        try await store.changeKey(to: other)
        try await store.close()
        #expect(code(key) == .keyWrong)
        let again = try Store.open(configuration(other))
        #expect(try await again.verify().isSound)
        try await again.changeKey(to: nil)
        #expect(try await again.verify().events == before)
        try await again.close()
        #expect(EncryptedFile.keyID(of: scratch.path) == nil)
        #expect(code(nil) == nil)
        #expect(try scratch.names().filter { $0.contains("prepared") || $0.contains("switch") } == [])
    }

    @Test func `R25.4 the key before the present one is on a list beside the record until it is gone`() async throws {
        try await encrypted()
        let other = try StoreKey.random()
        let store = try Store.open(configuration(key))
        #expect(await store.obsoleteKeys() == [])
        try await store.changeKey(to: other)
        #expect(await store.obsoleteKeys() == [key.id])
        try await store.close()
        // The process ended before it removed the key.
        let again = try Store.open(configuration(other))
        #expect(await again.obsoleteKeys() == [key.id])
        try await again.changeKey(to: key)
        #expect(await again.obsoleteKeys() == [other.id], "a key that the record needs again is off the list")
        try await again.changeKey(to: nil)
        #expect(await Set(again.obsoleteKeys()) == [key.id, other.id])
        ObsoleteKeys.drop([other.id], besides: scratch.path)
        #expect(await again.obsoleteKeys() == [key.id])
        ObsoleteKeys.drop([key.id], besides: scratch.path)
        #expect(!scratch.exists("dosetap.db.forget"))
        try await again.close()
    }

    @Test func `R25.4 entries outside the log keep the key from being changed`() async throws {
        var nights = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        _ = await store.keep(try nights.act(.logSleepEvent("bathroom")).events, lastSequence: 1)
        await #expect(throws: StoreError.self) { try await store.changeKey(to: key) }
        #expect(await store.keyID == nil)
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    @Test func `a plain table of another program is encrypted, too; one that SQLite cannot make is named`() async throws
    {
        _ = try await scratch.filled(nights: 1)
        try scratch.addForeignTables()
        let store = try scratch.open()
        let refusal = await #expect(throws: StoreError.self) { try await store.changeKey(to: key) }
        #expect(
            refusal?.code == .altered && refusal?.context.contains("theirs") == true, "\(String(describing: refusal))")
        #expect(await store.keyID == nil)
        #expect(try await store.verify().isSound)
        try await store.close()
        let other = try DatabaseQueue(path: scratch.path)
        try await other.write { try $0.execute(sql: "DROP TABLE sly") }
        try other.close()
        let again = try scratch.open()
        try await again.changeKey(to: key)
        #expect(try await again.value(Int.self, "SELECT count(*) FROM plain") == 2)
        #expect(try await again.verify().isSound)
        try await again.close()
    }

    @Test func `R25.5 every flipped bit of an encrypted store is noticed`() async throws {
        try await encrypted()
        let sound = try scratch.bytes()
        var random = SplitMix64(seed: 11)
        var unnoticed: [Int] = []
        var codes: Set<String> = []
        for round in 0..<120 {
            let place = round < 16 ? round : Int.random(in: 0..<sound.count, using: &random)
            var bytes = sound
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try scratch.write(bytes)
            do {
                let store = try Store.open(configuration(key))
                var isNoticed = await !store.openFindings.isEmpty
                do {
                    isNoticed = try await !store.verify().isSound || isNoticed
                    isNoticed = try await !store.check().isSound || isNoticed
                } catch {
                    isNoticed = true
                    codes.insert("\((error as? StoreError)?.code.rawValue ?? "other")")
                }
                try? await store.close()
                if !isNoticed { unnoticed.append(place) }
            } catch { codes.insert((error as? StoreError)?.code.rawValue ?? "other") }
            for suffix in ["-wal", ".switch"] { scratch.remove("dosetap.db" + suffix) }
        }
        #expect(unnoticed == [])
        #expect(codes.isSubset(of: ["damaged", "key_wrong"]), "\(codes)")
    }

    @Test func `R25.5 a page of an older copy is noticed (C4)`() async throws {
        var nights = try await encrypted()
        let old = try scratch.bytes()
        let store = try Store.open(configuration(key))
        for _ in 0..<3 { try await store.commit(all: try nights.night()) }
        try await store.close()
        var bytes = try scratch.bytes()
        var noticed = 0, harmless = 0, changed = 0
        let new = bytes
        for page in 0..<min(old.count, new.count) / 4_096 {
            let span = page * 4_096..<(page + 1) * 4_096
            guard old[span] != new[span] else { continue }
            changed += 1
            bytes = new
            bytes.replaceSubrange(span, with: old[span])
            try scratch.write(bytes)
            do {
                let store = try Store.open(configuration(key))
                let verified = try await store.verify().isSound
                let isSound = try await store.check().isSound && verified
                // A sound store has the whole log up to its known end, and every table agrees with the log.
                if isSound { harmless += 1 } else { noticed += 1 }
                try? await store.close()
            } catch { noticed += 1 }
            scratch.remove("dosetap.db-wal")
        }
        #expect(noticed > 10 && harmless <= 1 && noticed + harmless == changed, "\(noticed), \(harmless) of \(changed)")
    }

    @Test func `R25.4 a key that a backup or a kept record needs is known as needed`() async throws {
        try await encrypted()
        let store = try Store.open(configuration(key))
        #expect(await store.files(encryptedWith: key.id) == 0)
        let backup = try #require(try await store.backUp(.manual, at: Instant(milliseconds: 1_760_000_000_000)))
        #expect(backup.isVerified)
        try await store.changeKey(to: try StoreKey.random())
        #expect(await store.files(encryptedWith: key.id) == 1)
        #expect(try await store.backups().first?.isVerified == false)
        unlink(backup.path)
        #expect(await store.files(encryptedWith: key.id) == 0)
        try await store.close()
    }

    /// The key of the backup and the key of the record: 0 is none, 1 is the first key, 2 is the second.
    @Test(arguments: [(1, 2), (1, 0), (0, 1), (1, 1), (0, 0)])
    func `R25.10 a restored backup has the encryption of the record`(backup: Int, record: Int) async throws {
        let keys = [nil, key, try StoreKey.random()]
        var nights = try await scratch.filled(nights: 2)
        var store = try scratch.open()
        if backup > 0 { try await store.changeKey(to: keys[backup]) }
        let file = try #require(try await store.backUp(.manual, at: nights.now)).path
        let events = try await store.verify().events
        try await store.commit(all: try nights.night())
        if backup != record { try await store.changeKey(to: keys[record]) }
        func prepare() async throws -> PreparedRestore {
            let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            #expect(EncryptedFile.backupKeyID(of: descriptor) == keys[backup]?.id)
            return try await store.prepareRestore(from: descriptor, now: nights.now + .hours(48), tonight: nil)
        }
        if backup > 0, backup != record {
            await #expect(throws: StoreError.self) { try await prepare() }
            await store.know(keys[backup])
        }
        let prepared = try await prepare()
        #expect(prepared.report.backup.events == Int64(events) && prepared.report.isSameRecord)
        let kept = ".replaced-2026-01-15T080000Z"
        _ = try await store.restore(prepared, try nights.restored().events[0], keeping: kept)
        #expect(await store.keyID == keys[record]?.id)
        #expect(try await store.verify().events == events + 1)
        #expect(try await store.check().isSound)
        try await store.close()
        #expect(EncryptedFile.keyID(of: scratch.path) == keys[record]?.id)
        #expect(try scratch.names().allSatisfy { !$0.contains(StoreSwitch.restored) })
        store = try Store.open(configuration(keys[record]))
        #expect(try await store.verify().isSound)
        unlink(file)
        rmdir(scratch.folder + "/backups")
        if record > 0 { #expect(try readable() == []) }
        try await store.close()
    }

    @Test func `R25.6 the night goes on beside a damaged encrypted store, encrypted`() async throws {
        var nights = Nights()
        let store = try Store.open(configuration(key))
        _ = try await store.commit(try nights.act(.logDose(.dose1), note: "half asleep", amount: 4_500))
        try await store.close()
        try scratch.write([UInt8](repeating: 0xA7, count: 20_480))
        #expect(throws: StoreError.self) { try Store.openForTheNight(configuration(nil)) }
        let beside = try Store.openForTheNight(configuration(key))
        let snapshot = try await beside.load(now: nights.now)
        #expect(snapshot.sessions.joined().contains { $0.type == .doseRecorded })
        try await beside.close()
        #expect(EncryptedFile.keyID(of: scratch.path + ".beside") == key.id)
        #expect(try readable() == [])
    }
}

/// Contrib/test --sqlcipher must not skip the tests of SQLCipher.
@Suite struct FlavourTests {
    @Test func `the library that runs is the one that was asked for`() {
        let isAsked = ProcessInfo.processInfo.environment["DOSETAP_TEST_SQLCIPHER"] != nil
        #expect(Cipher.isAvailable || !isAsked, "\(Cipher.version ?? "plain SQLite")")
    }
}

@Suite(.enabled(if: !Cipher.isAvailable, "needs the tests linked with plain SQLite")) struct NoCipherTests {
    @Test func `R25.7 without SQLCipher encrypt says that it cannot, and an encrypted store is named and left`()
        async throws
    {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        let key = try StoreKey.random()
        do {
            try await store.changeKey(to: key)
            Issue.record("encrypted without a cipher")
        } catch { #expect(error.code == .noCipher) }
        #expect(try await store.verify().isSound)
        try await store.close()

        let foreign = EncryptedFile.beginning(key.id) + [UInt8](repeating: 9, count: 8_176)
        try scratch.write(foreign)
        for key in [key, nil] {
            var configuration = scratch.configuration()
            configuration.key = key
            do {
                _ = try Store.openForTheNight(configuration)
                Issue.record("opened")
            } catch { #expect((error as? StoreError)?.code == .noCipher) }
        }
        #expect(try scratch.bytes() == foreign)
    }
}
