import DoseTapDomain
import DoseTapTestSupport
import Glibc
import Testing

@testable import DoseTapStore

/// A store replaces another as a whole, whatever ends the process in between.
@Suite struct SwitchTests {
    /// Two closed stores of different nights: one in place, one prepared.
    private func stores() async throws -> (Scratch, old: [UInt8], prepared: [UInt8]) {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 3, seed: 11)
        let prepared = (try scratch.bytes(), try scratch.bytes("dosetap.db.head"))
        for name in ["dosetap.db", "dosetap.db.head", "dosetap.db.night"] { unlink(scratch.folder + "/" + name) }
        _ = try await scratch.filled(nights: 1, seed: 12)
        let old = try scratch.bytes()
        try scratch.write(prepared.0, "dosetap.db.prepared")
        try scratch.write(prepared.1, "dosetap.db.prepared.head")
        return (scratch, old, prepared.0)
    }

    private let change = StoreSwitch(purpose: "restore", prepared: StoreSwitch.prepared, keeping: ".kept")

    private func take(_ step: StoreSwitch.Step, _ path: String) {
        switch step {
        case .keep(let file, let name), .place(let file, let name): rename(path + file, path + name)
        case .remove(let file): unlink(path + file)
        }
    }

    @Test func `R21.17 a switch that was interrupted after any step is finished by the next opening`() async throws {
        for taken in 0...change.steps.count {
            let (scratch, old, prepared) = try await stores()
            try scratch.write(Array(change.text.utf8), "dosetap.db.switch")
            for step in change.steps.prefix(taken) { take(step, scratch.path) }
            let store = try Store.openForTheNight(scratch.configuration())
            #expect(await store.openFindings.isEmpty)
            #expect(try await store.verify().isSound)
            #expect(try await store.verify().events > 8)
            try await store.close()
            #expect(try scratch.bytes("dosetap.db.kept") == old)
            #expect(try scratch.bytes().count == prepared.count)
            #expect(access(scratch.path + ".switch", F_OK) != 0)
        }
    }

    @Test func `R21.17 without its list nothing has happened, and what was prepared is removed`() async throws {
        let (scratch, old, _) = try await stores()
        let store = try scratch.open()
        try await store.close()
        #expect(try scratch.bytes() == old)
        #expect(access(scratch.path + ".prepared", F_OK) != 0)
        #expect(access(scratch.path + ".prepared.head", F_OK) != 0)
    }

    @Test(arguments: StoreSwitch.leftovers)
    func `A7 what a failed attempt left where there is no record is removed, each file of it alone`(suffix: String)
        async throws
    {
        let scratch = try Scratch()
        try scratch.write([1, 2, 3], "dosetap.db" + StoreSwitch.imported + suffix)
        let store = try scratch.open()
        #expect(try scratch.names().filter { $0.contains(StoreSwitch.imported) } == [])
        try await store.close()
    }

    @Test func `R21.17 a store in use is replaced and goes on`() async throws {
        let (scratch, old, _) = try await stores()
        let prepared = (try scratch.bytes("dosetap.db.prepared"), try scratch.bytes("dosetap.db.prepared.head"))
        let store = try scratch.open()
        try scratch.write(prepared.0, "dosetap.db.prepared")
        try scratch.write(prepared.1, "dosetap.db.prepared.head")
        try await store.replace(by: change)
        var nights = Nights(start: Instant(milliseconds: 1_761_400_000_000), seed: 99)
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        let report = try await store.verify()
        #expect(report.isSound && report.events > 9, "\(report)")
        try await store.close()
        #expect(try scratch.bytes("dosetap.db.kept") == old)
    }

    @Test func `R21.17 where the name for the replaced record is taken, or nothing is prepared, nothing changes`()
        async throws
    {
        let (scratch, old, _) = try await stores()
        try scratch.write([1], "dosetap.db.kept")
        let store = try scratch.open()
        try scratch.write([1, 2, 3], "dosetap.db.prepared")
        await #expect(throws: StoreError.self) { try await store.replace(by: change) }
        unlink(scratch.path + ".kept")
        unlink(scratch.path + ".prepared")
        await #expect { try await store.replace(by: change) } throws: { ($0 as? StoreError)?.code == .interrupted }
        #expect(try await store.verify().isSound)
        try await store.close()
        #expect(try scratch.bytes() == old)
        #expect(access(scratch.path + ".switch", F_OK) != 0)
    }

    @Test func `R21.17 a list that is damaged is damage of the store, and nothing is made in its place`() async throws {
        let (scratch, old, _) = try await stores()
        var list = Array(change.text.utf8)
        list[list.count - 9] ^= 1
        try scratch.write(list, "dosetap.db.switch")
        #expect { try scratch.open() } throws: { ($0 as? StoreError)?.code == .damaged }
        rename(scratch.path, scratch.path + ".kept")
        let store = try Store.openForTheNight(scratch.configuration())
        #expect(await store.beside?.path == scratch.path + ".beside")
        try await store.close()
        #expect(try scratch.bytes("dosetap.db.kept") == old)
        #expect(access(scratch.path, F_OK) != 0)
    }

    /// The list of the change is whole, so only the kind or the owner of its file keeps it from being followed.
    private func refused(_ place: (_ list: String, _ whole: String) throws -> Void) async throws {
        let (scratch, old, prepared) = try await stores()
        try scratch.write(Array(change.text.utf8), "whole")
        try place(scratch.path + ".switch", scratch.folder + "/whole")
        #expect { try scratch.open() } throws: { ($0 as? StoreError)?.code == .damaged }
        let store = try Store.openForTheNight(scratch.configuration())
        #expect(await store.beside?.path == scratch.path + ".beside")
        try await store.close()
        #expect(try scratch.bytes() == old)
        #expect(try scratch.bytes("dosetap.db.prepared") == prepared)
    }

    @Test(arguments: Obstacle.all())
    func `R21.17 G6 a link, a pipe, a folder or a device in the place of the list is damage, and is not followed`(
        obstacle: Obstacle
    ) async throws {
        try await refused { obstacle.put(at: $0, theirs: $1) }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `R21.17 G6 a list of another user is damage, and is not followed`() async throws {
        try await refused { list, whole in
            try #require(rename(whole, list) == 0)
            try #require(chown(list, 12_345, 12_345) == 0)
        }
    }

    @Test func `R21.17 a list names no file elsewhere`() {
        #expect(StoreSwitch(text: change.text) == change)
        for name in ["/../../x", "a/b", "x\0y"] {
            let hostile = StoreSwitch(purpose: "p", steps: [.remove(name)])
            #expect(StoreSwitch(text: hostile.text) == nil)
        }
        for end in 0..<change.text.count { #expect(StoreSwitch(text: String(change.text.prefix(end))) == nil) }
    }
}
