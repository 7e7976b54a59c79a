import DoseTapDomain
import Foundation
import Testing

@testable import DoseTapStore

@Suite struct ReserveTests {
    private func events(_ count: Int) throws -> [Event] {
        var nights = Nights()
        var events: [Event] = []
        while events.count < count { events += try nights.night().flatMap(\.events) }
        return Array(events.prefix(count))
    }

    private var spare: String { NSTemporaryDirectory() + "dosetap-spare-\(UUID().uuidString)" }

    @Test func `R21.6 the reserve is allocated before it is needed, private and never grows`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        #expect(try scratch.bytes("dosetap.db.reserve").count == 2 * Reserve.half)
        #expect(try scratch.mode("dosetap.db.reserve") == 0o600)
        let all = try events(12)
        for count in 1...12 {
            #expect(await store.keep(Array(all.prefix(count)), lastSequence: 7) == .reserve)
            let kept = await store.kept()
            #expect(Set(kept.events.map(\.id)) == Set(all.prefix(count).map(\.id)) && kept.lastSequence == 7)
        }
        #expect(try scratch.bytes("dosetap.db.reserve").count == 2 * Reserve.half)
        #expect(await store.keep([], lastSequence: 7) == nil)
        #expect(await store.kept().events.isEmpty)
        try await store.close()
    }

    @Test func `R21.6 a write of the reserve that was cut off leaves what was there before`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let all = try events(4)
        for count in [2, 4] { _ = await store.keep(Array(all.prefix(count)), lastSequence: 0) }
        let whole = try scratch.bytes("dosetap.db.reserve")
        // The second write went to the first half.
        for place in stride(from: 0, to: 2_000, by: 37) {
            var torn = whole
            for index in place..<Reserve.half { torn[index] = 0 }
            try scratch.write(torn, "dosetap.db.reserve")
            let kept = await store.kept().events
            #expect(kept.count == 2 || kept.count == 4, "cut at \(place)")
        }
        try await store.close()
    }

    @Test func `R21.6 a kept line that ends with a carriage return is a line of its own`() {
        let content = Reserve.Content(generation: 1, storeID: "store", lastSequence: 7, lines: ["0 {}\r", "1 {}"])
        #expect(Reserve.content(Reserve.bytes(content)[...]) == content)
    }

    @Test func `R21.6 what the reserve cannot hold goes into the spare folder, a person's entries last`() async throws {
        let scratch = try Scratch()
        let folder = spare
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = scratch.configuration()
        configuration.spareFolder = folder
        let store = try Store.open(configuration)
        let all = try events(200)
        #expect(await store.keep(all, lastSequence: 0) == .configuration)
        #expect(Set(await store.kept().events.map(\.id)) == Set(all.map(\.id)))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names == ["unsaved-\(store.storeID)"])
        try await store.close()
        let again = try Store.open(configuration)
        #expect(Set(await again.kept().events.map(\.id)) == Set(all.map(\.id)))
        #expect(await again.keep([], lastSequence: 0) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        try await again.close()
    }

    @Test func `R21.6 what is kept comes back also where another program made the store meanwhile`() async throws {
        let scratch = try Scratch()
        var configuration = scratch.configuration()
        configuration.isMadeWithFirstEntry = true
        let store = try Store.open(configuration)
        var nights = Nights()
        let other = try scratch.open()
        _ = try await other.commit(try nights.act(.logDose(.dose1)))
        try await other.close()
        let batch = try nights.act(.logSleepEvent("bathroom"))
        await #expect { try await store.commit(batch) } throws: { ($0 as? StoreError)?.code == .outcomeUnknown }
        try await store.reopen()
        #expect(await store.keep(batch.events, lastSequence: 0) == .reserve)
        try await store.close()
        let again = try scratch.open()
        #expect(await again.kept().events.map(\.id) == batch.events.map(\.id))
        try await again.close()
    }

    @Test(arguments: [Int.max, Int.max - 200, 1 << 40, -1])
    func `R21.6 a reserve whose length is beyond the file is none`(length: Int) async throws {
        let scratch = try Scratch()
        try await scratch.open().close()
        let line = "dosetap-reserve 1 00000000000000000001 id 0 \(length) 00000000000000000000000000000000\n"
        try scratch.write(Array(line.utf8), "dosetap.db.reserve")
        #expect(Reserve.peek(besides: scratch.path) == nil)
        let store = try scratch.open()
        #expect(await store.kept().events.isEmpty)
        try await store.close()
    }

    @Test func `R21.6 a reserve with the last generation of all is begun anew`() async throws {
        let scratch = try Scratch()
        try await scratch.open().close()
        let last = Reserve.Content(generation: .max, storeID: "id", lastSequence: 0, lines: [])
        try scratch.write(Reserve.bytes(last), "dosetap.db.reserve")
        let store = try scratch.open()
        #expect(await store.keep(try events(2), lastSequence: 0) == .reserve)
        #expect(await store.kept().events.count == 2)
        try await store.close()
    }

    @Test func `a run that could not keep something did not end well`() async throws {
        let scratch = try Scratch()
        let first = try scratch.open()
        #expect(!first.endedBadly)
        try await first.close()
        let lease = try scratch.bytes("dosetap.db.lease")
        let second = try scratch.open()
        #expect(!second.endedBadly)
        let all = try events(200)
        #expect(await second.keep(all, lastSequence: 0) == .journal)
        try await second.close()
        #expect(try scratch.bytes("dosetap.db.lease") != lease)
        let third = try scratch.open()
        #expect(third.endedBadly)
        try await third.close()
        #expect(try !scratch.open().endedBadly)
    }
}
