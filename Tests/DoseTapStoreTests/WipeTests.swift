import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@testable import DoseTapStore

@Suite struct WipeTests {
    /// A record with each kind of file that may lie beside it.
    private func full(_ scratch: Scratch) async throws -> (configuration: StoreConfiguration, spare: String) {
        _ = try await scratch.filled(nights: 2)
        var configuration = scratch.configuration()
        let spare = scratch.folder + "/config"
        configuration.spareFolder = spare
        let store = try Store.open(configuration)
        let id = store.storeID
        var nights = Nights(start: Instant(milliseconds: 1_752_400_000_000), seed: 9)
        let batch = try nights.act(.logDose(.dose1), note: String(repeating: "x", count: 3_000))
        _ = await store.keep(Array(repeating: batch.events, count: 30).flatMap(\.self), lastSequence: 1)
        try await store.close()
        try FileManager.default.createDirectory(
            atPath: scratch.folder + "/backups", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        for name in ["daily-2026-01-15T080000Z-12-0123456789abcdef.db", "my own notes.txt"] {
            try scratch.write(Array("x".utf8), "backups/" + name)
        }
        try scratch.write(Array("x".utf8), "dosetap.db.beside.head")
        try scratch.write(Array("x".utf8), "dosetap.db.new-wal")
        // Drafts of answers that are no entry yet. A command that was killed left one of them half written.
        for draft in [
            ".checkin", ".presleep", ".checkin.4711", ".damaged-20260115080000", ".damaged-20260115080000.report",
        ] {
            try scratch.write(Array("{\"answers\":{}}".utf8), "dosetap.db" + draft)
        }
        try scratch.write(Array("mine".utf8), "dosetap.db.my-copy")
        return (configuration, spare + "/unsaved-\(id)")
    }

    private func removal(_ configuration: StoreConfiguration) -> StoreWipe {
        StoreWipe(path: configuration.path, spareFolder: configuration.spareFolder)
    }

    private let strangers = ["backups", "config", "dosetap.db.lease", "dosetap.db.my-copy"]

    @Test(arguments: [false, true])
    func `R26.4 everything of the record goes, and nothing else`(backups: Bool) async throws {
        let scratch = try Scratch()
        let (configuration, spare) = try await full(scratch)
        #expect(FileManager.default.fileExists(atPath: spare))
        let store = try Store.open(configuration)
        let ahead = try await store.wipePreview(includingBackups: backups)
        #expect(!ahead.isWiped && ahead.files.contains("dosetap.db") && ahead.keptBackups == (backups ? 0 : 1))
        let report = try await store.wipe(includingBackups: backups)
        #expect(report.isWiped && report.isFinished && report.files == ahead.files)
        #expect(try scratch.names() == strangers)
        #expect(!FileManager.default.fileExists(atPath: spare))
        let kept = try FileManager.default.contentsOfDirectory(atPath: scratch.folder + "/backups").sorted()
        #expect(kept == (backups ? [] : ["daily-2026-01-15T080000Z-12-0123456789abcdef.db"]) + ["my own notes.txt"])
        // No later act of the service makes a file again.
        try? await store.reopen()
        var nights = Nights()
        let batch = try nights.act(.logDose(.dose1))
        #expect(await store.keep(batch.events, lastSequence: 1) != .reserve)
        await #expect(throws: StoreError.self) { try await store.commit(batch) }
        try await store.close()
        #expect(try scratch.names() == strangers)
        let again = try Store.openForTheNight(configuration)
        #expect(try await again.load(now: nights.now).sessions.isEmpty && again.storeID != store.storeID)
        try await again.close()
    }

    @Test func `R26.5 K3 whatever was removed when it ended, the next opening removes the rest`() async throws {
        for removed in 0...8 {
            let scratch = try Scratch()
            let (configuration, spare) = try await full(scratch)
            let wipe = removal(configuration)
            // The marker and the removed files are as a killed process leaves them.
            let key = try #require(StoreKeyID("0123456789abcdef"))
            let order = StoreWipe.Order(
                includesBackups: true, storeIDs: [String(spare.suffix(36))], keys: [key])
            for file in StoreFiles(path: scratch.path).present.prefix(removed) where file.suffix != ".lease" {
                unlink(file.path)
            }
            try scratch.write(Array(order.text.utf8), "dosetap.db.wipe")
            #expect(try wipe.isPending)
            var opening = configuration
            opening.isMadeWithFirstEntry = true
            let store = try Store.openForTheNight(opening)
            #expect(await store.isImagined, "nothing of the old record is there after \(removed)")
            #expect(try scratch.names() == (strangers + ["dosetap.db.forget"]).sorted())
            #expect(try ObsoleteKeys.unneeded(besides: scratch.path) == [key], "its key is known until it is gone")
            #expect(!FileManager.default.fileExists(atPath: spare))
            try await store.close()
            ObsoleteKeys.drop([key], besides: scratch.path)
            #expect(try scratch.names() == strangers)
        }
    }

    enum Needs: CaseIterable { case nothing, backup, copy, nextRecord }

    @Test(arguments: Needs.allCases, [false, true])
    func `R26.11 a key goes with its record, unless something that stays needs it`(
        needs: Needs, backups: Bool
    ) async throws {
        let scratch = try Scratch()
        let (configuration, _) = try await full(scratch)
        let key = try #require(StoreKeyID("0123456789abcdef"))
        try KeyIDFile.write(key, to: scratch.path)
        let encrypted = EncryptedFile.beginning(key) + [UInt8](repeating: 7, count: 100)
        switch needs {
        case .nothing, .nextRecord: break
        case .backup: try scratch.write(encrypted, "backups/manual-2026-01-16T080000Z-12-0123456789abcdef.db")
        case .copy: try scratch.write(encrypted, "dosetap.db.my-copy")
        }
        let goes = needs == .nothing || needs == .nextRecord || needs == .backup && backups
        let ahead = try removal(configuration).look(includingBackups: backups)
        #expect(ahead.isKeyRemoved == goes && ahead.isKeyKept == !goes)
        let report = try removal(configuration).run(surface: "test", includingBackups: backups)
        #expect(report.isFinished && report.isKeyRemoved == goes && report.isKeyKept == !goes)
        #expect(try ObsoleteKeys.unneeded(besides: scratch.path) == (goes ? [key] : []))
        #expect(access(scratch.path + ".key-id", F_OK) != 0)
        guard needs == .nextRecord else { return }
        // A record with this key was put back before the key could be removed.
        try KeyIDFile.write(key, to: scratch.path)
        #expect(try ObsoleteKeys.unneeded(besides: scratch.path) == [])
    }

    /// Removes a record and leaves its key, which is still to be removed.
    private func removed(_ scratch: Scratch) async throws -> StoreKeyID {
        let (configuration, _) = try await full(scratch)
        let key = try #require(StoreKeyID("0123456789abcdef"))
        try KeyIDFile.write(key, to: scratch.path)
        #expect(try removal(configuration).run(surface: "test", includingBackups: false).isFinished)
        #expect(try ObsoleteKeys.unneeded(besides: scratch.path) == [key])
        return key
    }

    @Test func `R26.11 the key of a copy that was put back stays, though only the database names it`() async throws {
        let scratch = try Scratch()
        let key = try await removed(scratch)
        var opening = scratch.configuration()
        opening.isMadeWithFirstEntry = true
        var store = try Store.openForTheNight(opening)
        #expect(await store.obsoleteKeys() == [key])
        try scratch.write(EncryptedFile.beginning(key) + [UInt8](repeating: 7, count: 100))
        #expect(try ObsoleteKeys.unneeded(besides: scratch.path) == [])
        #expect(await store.obsoleteKeys() == [], "a service that has no record yet removes it neither")
        try await store.close()
        // The open database is not read. The program that opened it passes the key that it needs.
        #expect(try ObsoleteKeys.unneeded(besides: scratch.path, isOpen: true, key: key) == [])
        scratch.remove("dosetap.db")
        store = try scratch.open()
        #expect(await store.obsoleteKeys() == [key], "a record in plain text needs none")
        try await store.close()
    }

    enum Unknown: CaseIterable { case link, linkedFolder, noFolder, crowd }

    @Test(arguments: Unknown.allCases)
    func `R26.11 R25.4 what cannot be seen may need the key, which stays`(kind: Unknown) async throws {
        let scratch = try Scratch()
        let key = try await removed(scratch)
        let backups = scratch.folder + "/backups"
        switch kind {
        case .link: #expect(symlink("/nowhere/copy.db", scratch.path + ".my-copy-elsewhere") == 0)
        case .linkedFolder:
            #expect(rename(backups, scratch.folder + "/config/backups") == 0)
            #expect(symlink(scratch.folder + "/config/backups", backups) == 0)
        case .noFolder:
            try FileManager.default.removeItem(atPath: backups)
            try scratch.write([1], "backups")
        case .crowd: for number in 0...4_096 { try scratch.write([], "backups/\(number)") }
        }
        #expect(try ObsoleteKeys.unneeded(besides: scratch.path) == [])
        #expect(Store.files(besides: scratch.path, encryptedWith: key, inUse: scratch.path) == 1)
        try KeyIDFile.write(key, to: scratch.path)
        let ahead = try StoreWipe(path: scratch.path, spareFolder: nil).look(includingBackups: false)
        #expect(ahead.isKeyKept && !ahead.isKeyRemoved)
    }

    @Test(arguments: [Unknown.linkedFolder, .noFolder])
    func `K3 R26.2 what lies behind a link in place of the backups stays, and that is told`(kind: Unknown) async throws
    {
        let scratch = try Scratch()
        let (configuration, _) = try await full(scratch)
        let (backups, elsewhere) = (scratch.folder + "/backups", scratch.folder + "/config/backups")
        #expect(rename(backups, elsewhere) == 0)
        if kind == .linkedFolder {
            #expect(symlink(elsewhere, backups) == 0)
        } else {
            try scratch.write([1], "backups")
        }
        #expect(try removal(configuration).look(includingBackups: true).leavesBackupFolder)
        let report = try removal(configuration).run(surface: "test", includingBackups: true)
        #expect(report.isFinished && report.leavesBackupFolder && report.removedBackups == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).count == 2)
    }

    @Test func `R26.5 a removal that an earlier version has begun is finished`() async throws {
        let scratch = try Scratch()
        let (configuration, spare) = try await full(scratch)
        let line = "dosetap-wipe 1 backups \(spare.suffix(36))"
        let text = "\(line) \(HeadFile.checkWord(line))\n"
        for length in 0..<text.utf8.count {
            try scratch.write(Array(text.utf8.prefix(length)), "dosetap.db.wipe")
            #expect(try !removal(configuration).isPending, "\(length) of \(text.utf8.count) bytes")
        }
        try scratch.write(Array(text.utf8), "dosetap.db.wipe")
        var opening = configuration
        opening.isMadeWithFirstEntry = true
        let store = try Store.openForTheNight(opening)
        #expect(await store.isImagined)
        #expect(try scratch.names() == strangers)
        #expect(!FileManager.default.fileExists(atPath: spare))
        try await store.close()
    }

    @Test func `R26.4 what an import, a restore or a repair left that was killed goes, too`() async throws {
        let scratch = try Scratch()
        let (configuration, _) = try await full(scratch)
        for name in StoreSwitch.preparations {
            for file in StoreSwitch.leftovers { try scratch.write(Array("x".utf8), "dosetap.db" + name + file) }
        }
        #expect(try removal(configuration).run(surface: "test", includingBackups: true).isFinished)
        #expect(try scratch.names() == strangers)
    }

    @Test func `R26.5 a marker that is not whole, or none of a plain file, removes nothing`() async throws {
        let scratch = try Scratch()
        let (configuration, _) = try await full(scratch)
        let whole = StoreWipe.Order(includesBackups: false, storeIDs: []).text
        for length in 0..<whole.utf8.count {
            try scratch.write(Array(whole.utf8.prefix(length)), "dosetap.db.wipe")
            #expect(try !removal(configuration).isPending, "\(length) of \(whole.utf8.count) bytes")
        }
        try scratch.write(Array(whole.utf8), "marker")
        scratch.remove("dosetap.db.wipe")
        symlink(scratch.folder + "/marker", scratch.path + ".wipe")
        let store = try Store.openForTheNight(configuration)
        #expect(try await store.verify().events > 5)
        try await store.close()
        for text in [whole.replacing("record", with: "backups"), "dosetap-wipe 2 record ../../x  0\n", ""] {
            #expect(StoreWipe.Order(text: text) == nil)
        }
        #expect(StoreWipe.Order(includesBackups: true, storeIDs: ["../../../etc/passwd"]).storeIDs == [])
    }

    enum Unreadable: CaseIterable { case damaged, newer, cutOff, empty }

    @Test(arguments: Unreadable.allCases)
    func `R26.6 a record that cannot be read is removed all the same`(kind: Unreadable) async throws {
        let scratch = try Scratch()
        let (configuration, _) = try await full(scratch)
        scratch.remove("dosetap.db.beside.head")
        var bytes = try scratch.bytes()
        switch kind {
        case .damaged: bytes = [UInt8](repeating: 0xA7, count: bytes.count)
        case .newer: bytes[62] = 0x7F
        case .cutOff: bytes = Array(bytes.prefix(5_000))
        case .empty: bytes = []
        }
        try scratch.write(bytes)
        let report = try removal(configuration).run(surface: "test", includingBackups: true)
        #expect(report.isFinished && report.removedBackups == 1)
        #expect(try scratch.names() == strangers)
    }

    @Test func `R26.6 another process that has the store is not disturbed`() async throws {
        let scratch = try Scratch()
        let (configuration, _) = try await full(scratch)
        let store = try Store.open(configuration)
        let before = try scratch.names()
        #expect { try removal(configuration).run(surface: "test", includingBackups: false) } throws: {
            ($0 as? StoreError)?.code == .locked
        }
        #expect(try scratch.names() == before)
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    @Test(arguments: Obstacle.all(withHardLink: true), ["", "-wal", ".head", ".night", ".reserve", ".beside", ".new"])
    func `R26.7 G6 what is not ours is neither followed nor removed`(obstacle: Obstacle, suffix: String) async throws {
        let scratch = try Scratch()
        let (configuration, _) = try await full(scratch)
        let path = scratch.path + suffix
        unlink(path)
        try scratch.write(Array("theirs".utf8), "theirs")
        obstacle.put(at: path, theirs: scratch.folder + "/theirs")
        let before = try scratch.names()
        #expect { try removal(configuration).run(surface: "test", includingBackups: true) } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.code == .unavailable && error.underlying.hasPrefix(path)
        }
        #expect(try scratch.names().filter { $0 != "dosetap.db.lease" } == before.filter { $0 != "dosetap.db.lease" })
        #expect(try scratch.bytes("theirs") == Array("theirs".utf8))
    }

    @Test func `R26.7 the database of another program is not removed`() async throws {
        let scratch = try Scratch()
        #expect(try Command.sqlite(scratch.path, "PRAGMA application_id=77; CREATE TABLE t(a);").status == 0)
        chmod(scratch.path, 0o600)
        let bytes = try scratch.bytes()
        #expect {
            try StoreWipe(path: scratch.path, spareFolder: nil).run(surface: "test", includingBackups: true)
        } throws: {
            ($0 as? StoreError)?.code == .foreign
        }
        #expect(try scratch.bytes() == bytes)
    }

    @Test func `R26.4 backups of another record in the same folder, and a person's own copies, stay`() async throws {
        let scratch = try Scratch()
        let nights = try await scratch.filled(nights: 1)
        var store = try scratch.open()
        let mine = try #require(try await store.backUp(.manual, at: nights.now))
        try await store.close()
        rename(scratch.path, scratch.folder + "/mine.db")
        for suffix in [".head", ".night", ".reserve", ".lease"] {
            rename(scratch.path + suffix, scratch.folder + "/mine.db" + suffix)
        }
        let other = try await scratch.filled(nights: 2, seed: 5)
        store = try scratch.open()
        let its = try #require(try await store.backUp(.manual, at: other.now))
        for name in ["backups/daily-mysql.db.gz", "dosetap.db.before-trip"] { try scratch.write([1], name) }
        // The backups are encrypted: one with the key of the other record, and one with a key that no record has any
        // more.
        let sealed = ["0123456789abcdef", "fedcba9876543210"].map {
            "backups/manual-2025-07-06T080000Z-24-\($0).db"
        }
        for (name, number) in zip(sealed, UInt8(1)...) {
            let id = try #require(StoreKeyID(bytes: [UInt8](repeating: number, count: StoreKeyID.length)))
            try scratch.write(EncryptedFile.beginning(id) + [UInt8](repeating: 7, count: 4_080), name)
            if number == 1 { try KeyIDFile.write(id, to: scratch.folder + "/mine.db") }
        }
        let report = try await store.wipe(includingBackups: true)
        #expect(report.isFinished && report.removedBackups == 2, "\(report)")
        try await store.close()
        #expect(access(its.path, F_OK) != 0 && access(mine.path, F_OK) == 0)
        #expect(access(scratch.folder + "/" + sealed[1], F_OK) != 0)
        for name in ["mine.db", sealed[0], "backups/daily-mysql.db.gz", "dosetap.db.before-trip"] {
            #expect(access(scratch.folder + "/" + name, F_OK) == 0, "\(name)")
        }
    }
}
