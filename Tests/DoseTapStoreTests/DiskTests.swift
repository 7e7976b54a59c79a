import DoseTapDomain
import DoseTapTestSupport
import Foundation
import GRDB
import Testing

@testable import DoseTapStore

@Suite(.serialized) struct DiskTests {
    /// Runs `body` on a store with one dose while system calls of the store's thread fail.
    private func failing(
        _ injection: String, _ body: (Store, inout Nights, Scratch) async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        nights.pass(.minutes(170))
        let thread = try #require(await store.threadID)
        let strace = try Strace(
            thread: thread, ["-e", "trace=all", "-e", "inject=\(injection)"], log: scratch.folder + "/strace")
        var failure: (any Error)?
        do { try await body(store, &nights, scratch) } catch { failure = error }
        _ = try strace.detach()
        if let failure { throw failure }
        try await aftermath(store, &nights)
    }

    /// Once the disk works again, the store serves and its content is whole.
    private func aftermath(_ store: Store, _ nights: inout Nights) async throws {
        do { _ = try await store.events(after: 0, limit: 1) } catch { try await store.reopen() }
        #expect(await store.openFindings.isEmpty)
        let report = try await store.verify()
        #expect(report.isSound, "\(report)")
        #expect(try await store.check().isSound)
        if try await store.event(key: "second") == nil {
            _ = try await store.commit(try nights.act(.logDose(.dose2), key: "second"))
        }
        #expect(try await store.value(Int.self, "SELECT count(*) FROM dose_events WHERE event_type = 'dose2'") == 1)
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    private func commit(_ store: Store, _ nights: Nights) async -> StoreError.Code? {
        var nights = nights
        do {
            _ = try await store.commit(try nights.act(.logDose(.dose2), key: "second"))
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }

    @Test(.enabled(if: Strace.isAllowed, "needs strace that may trace: run Contrib/test"))
    func `B1 after a failed flush nothing more is acknowledged until the file was opened anew`() async throws {
        try await failing("fdatasync:error=EIO:when=1") { store, nights, _ in
            #expect(await commit(store, nights) == .outcomeUnknown)
            #expect(await commit(store, nights) == .outcomeUnknown)
            await #expect { try await store.events(after: 0, limit: 1) } throws: {
                ($0 as? StoreError)?.code == .outcomeUnknown
            }
            await store.ping()
        }
    }

    @Test(
        .enabled(if: Strace.isAllowed, "needs strace that may trace: run Contrib/test"),
        arguments: [
            ("pwrite64:error=ENOSPC", StoreError.Code.noSpace), ("pwrite64:error=EDQUOT", .noSpace),
            ("pwrite64:error=EROFS", .readOnly),
        ])
    func `B2 B4 a refused write keeps nothing and the store goes on`(
        injection: String, expected: StoreError.Code
    ) async throws {
        try await failing(injection) { store, nights, _ in
            #expect(await commit(store, nights) == expected)
            #expect(await commit(store, nights) == expected)
            let (events, keyed) = (try await store.events(after: 0, limit: 10), try await store.event(key: "second"))
            #expect(events.count == 2 && keyed == nil)
        }
    }

    @Test(.enabled(if: Strace.isAllowed, "needs strace that may trace: run Contrib/test"))
    func `a failed write of unknown kind is an unknown outcome`() async throws {
        try await failing("pwrite64:error=EIO:when=1") { store, nights, _ in
            #expect(await commit(store, nights) == .outcomeUnknown)
        }
    }

    @Test(.enabled(if: Strace.isAllowed, "needs strace that may trace: run Contrib/test"))
    func `B5 an interrupted write is repeated`() async throws {
        try await failing("pwrite64:error=EINTR:when=1+3") { store, nights, _ in
            #expect(await commit(store, nights) == nil)
        }
    }

    @Test(.enabled(if: Strace.isAllowed, "needs strace that may trace: run Contrib/test"))
    func `a head file that cannot be written never fails a commit`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        let head = scratch.path + ".head"
        let strace = try Strace(
            thread: try #require(await store.threadID), ["-P", head, "-e", "inject=pwrite64:error=ENOSPC"],
            log: scratch.folder + "/strace")
        nights.pass(.minutes(170))
        let stored = try await store.commit(try nights.act(.logDose(.dose2)))
        #expect(try strace.detach().contains { $0.contains("ENOSPC") })
        #expect(try await store.verify().isSound)
        try await store.close()
        let again = try scratch.open()
        #expect(await again.openFindings.isEmpty)
        #expect(try await again.load(now: nights.now).lastSequence == stored.last?.sequence)
        try await again.close()
    }

    @Test(.enabled(if: Strace.isAllowed, "needs strace that may trace: run Contrib/test"))
    func `a commit flushes once and reads nothing`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        for _ in 0..<3 { try await store.commit(all: try nights.night()) }
        let strace = try Strace(
            thread: try #require(await store.threadID), ["-e", "trace=fdatasync,fsync,pread64,open,openat,unlink"],
            log: scratch.folder + "/strace")
        var commits = 0
        for _ in 0..<10 {
            for batch in try nights.night() {
                _ = try await store.commit(batch)
                commits += 1
            }
        }
        let calls = try strace.detach().filter { $0.contains("(") }
        #expect(calls.count == commits && calls.allSatisfy { $0.hasPrefix("fdatasync(") }, "\(calls.count) \(commits)")
        try await store.close()
    }

    @Test func `B2 B3 a full disk loses nothing that was acknowledged, and space brings the store back`() async throws {
        let scratch = try Scratch()
        guard try scratch.mount(size: "900k") else {
            try Test.cancel("needs to mount a file system: run Contrib/test as root")
        }
        defer { scratch.unmount() }
        let store = try scratch.open()
        var nights = Nights()
        let filler = scratch.folder + "/filler"
        _ = FileManager.default.createFile(atPath: filler, contents: Data(count: 300_000))
        var acknowledged: Int64 = 0
        var code: StoreError.Code?
        for _ in 0..<400 where code == nil {
            var next = nights
            do {
                for batch in try next.night() {
                    acknowledged = try await store.commit(batch).last?.sequence ?? acknowledged
                }
                nights = next
            } catch {
                code = (error as? StoreError)?.code
            }
        }
        #expect(code == .noSpace)
        #expect(try await store.events(after: 0, limit: 10_000).last?.sequence == acknowledged)
        #expect(try await store.verify().isSound)
        try FileManager.default.removeItem(atPath: filler)
        let snapshot = try await store.load(now: nights.now)
        #expect(snapshot.lastSequence == acknowledged)
        nights = Nights(start: nights.now + .hours(72), seed: 99)
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        #expect(try await store.verify().isSound)
        try await store.close()
        let again = try scratch.open()
        #expect(await again.openFindings.isEmpty)
        #expect(try await again.verify().events == acknowledged + 2)
        try await again.close()
    }

    @Test func `B4, R21.15: a store on a read-only file system is read, named so and left alone`() async throws {
        let scratch = try Scratch()
        guard try scratch.mount(size: "4m") else {
            try Test.cancel("needs to mount a file system: run Contrib/test as root")
        }
        defer { scratch.unmount() }
        var nights = try await scratch.filled(nights: 1)
        let before = try scratch.bytes()
        let mount = Command.path(of: "mount") ?? ""
        #expect(try Command.run(mount, ["-o", "remount,ro", scratch.folder]).status == 0)
        let store = try scratch.open()
        #expect(await store.openFindings.map(\.kind) == [.readOnly])
        #expect(try await store.verify().isSound)
        let count = try await store.events(after: 0, limit: 1_000).count
        let batch = try nights.act(.logDose(.dose1))
        await #expect { try await store.commit(batch) } throws: { ($0 as? StoreError)?.code == .readOnly }
        #expect(try await store.events(after: 0, limit: 1_000).count == count)
        #expect(try scratch.bytes() == before)
        #expect(try Command.run(mount, ["-o", "remount,rw", scratch.folder]).status == 0)
        let stored = try await store.commit(batch)
        #expect(try await store.verify().isSound)
        try await store.close()
        let again = try scratch.open()
        #expect(try await again.events(after: 0, limit: 1_000).count == count + stored.count)
        try await again.close()
    }

    @Test func `B4, R26.4: a copy that a killed process left goes with the next opening`() async throws {
        let scratch = try Scratch()
        let places = scratch.folder + "/places"
        try FileManager.default.createDirectory(atPath: places, withIntermediateDirectories: true)
        for name in ["dosetap-copy-killed", "somebody"] {
            try FileManager.default.createDirectory(atPath: "\(places)/\(name)", withIntermediateDirectories: true)
            try "dose_recorded".write(toFile: "\(places)/\(name)/dosetap.db", atomically: true, encoding: .utf8)
        }
        guard let used = ScratchCopy(in: places) else {
            Issue.record("no folder")
            return
        }
        try "dose_recorded".write(toFile: used.path, atomically: true, encoding: .utf8)
        var configuration = scratch.configuration()
        configuration.scratchFolders = [places]
        let store = try Store.open(configuration)
        #expect(FileManager.default.fileExists(atPath: used.path))
        let left = try FileManager.default.contentsOfDirectory(atPath: places)
        #expect(left.count == 2 && left.contains("somebody"), "\(left)")
        withExtendedLifetime(used) {}
        try await store.close()
    }
}
