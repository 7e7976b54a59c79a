import DoseTapDomain
import Testing

/// Zone data comes from outside. Any bytes give an error or a value.
struct TZifCorruptionTests {
    static let files = ["Europe/Berlin", "America/New_York", "Africa/Casablanca", "Asia/Kathmandu", "Etc/UTC"]

    @Test(arguments: files)
    func `every truncation is refused`(name: String) throws {
        let bytes = try SystemZones.bytes(name)
        for count in 0..<bytes.count {
            #expect(throws: ZoneError.self, "\(count) bytes of \(name)") {
                try Zone(identifier: name, tzif: Array(bytes.prefix(count)))
            }
        }
    }

    @Test(arguments: files)
    func `flipped bytes give an error or a zone that answers`(name: String) throws {
        let bytes = try SystemZones.bytes(name)
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of flips in \(name): \(seed)")
        var random = SplitMix64(seed: seed)
        var refused = 0
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Many changes hit the header and the footer, where a change does most.
                let range = [0..<bytes.count, 0..<44, max(0, bytes.count - 40)..<bytes.count].randomElement(
                    using: &random)
                let index = Int.random(in: range ?? 0..<bytes.count, using: &random)
                damaged[index] = UInt8.random(in: 0...255, using: &random)
            }
            guard let zone = try? Zone(identifier: name, tzif: damaged) else {
                refused += 1
                continue
            }
            for _ in 0..<4 {
                exercise(zone, at: Instant(milliseconds: .random(in: 0...4_200_000_000_000, using: &random)))
            }
            exercise(zone, at: .min)
            exercise(zone, at: .max)
        }
        #expect(refused > 0, "seed \(seed)")
    }

    @Test func `random bytes behind a header are refused or answer`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        // A crash leaves no other trace of the seed.
        print("random bytes behind a header: seed \(seed)")
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            // A version 1 file with few types and transitions, all else random.
            var bytes = Array("TZif".utf8) + [UInt8](repeating: 0, count: 16)
            let counts: [UInt8] = [0, 0, .random(in: 0...2, using: &random), .random(in: 0...3, using: &random), 2, 4]
            for count in counts { bytes += [0, 0, 0, count] }
            for _ in 0..<Int.random(in: 30...80, using: &random) { bytes.append(.random(in: 0...3, using: &random)) }
            if let zone = try? Zone(identifier: "random", tzif: bytes) {
                exercise(zone, at: Instant(milliseconds: 0))
                exercise(zone, at: Instant(milliseconds: 50_000_000_000))
            }
        }
    }

    @Test(arguments: [
        ("", ZoneError.truncated), ("TZif", .truncated), ("Hello, this is no zone file but something longer", .notTZif),
        ("GMT0", .notTZif),
    ])
    func `what is no zone data is named`(text: String, expected: ZoneError) {
        #expect(throws: expected) { try Zone(identifier: "x", tzif: Array(text.utf8)) }
    }

    @Test func `faults of the header are named`() throws {
        let bytes = try SystemZones.bytes("Europe/Berlin")
        func damaged(_ changes: [Int: UInt8]) -> [UInt8] {
            var copy = bytes
            for (index, byte) in changes { copy[index] = byte }
            return copy
        }
        #expect(throws: ZoneError.unknownVersion(0x35)) { try Zone(identifier: "x", tzif: damaged([4: 0x35])) }
        #expect(throws: ZoneError.notTZif) { try Zone(identifier: "x", tzif: damaged([0: 0])) }
        #expect(throws: ZoneError.truncated) { try Zone(identifier: "x", tzif: damaged([32: 0xFF])) }
        #expect(throws: ZoneError.badCounts) { try Zone(identifier: "x", tzif: damaged([36: 0xFF])) }
        #expect(throws: ZoneError.badCounts) { try Zone(identifier: "x", tzif: damaged([36: 0, 37: 0, 38: 0, 39: 0])) }
        #expect(throws: ZoneError.tooLarge(bytes: 1_048_577)) {
            try Zone(identifier: "x", tzif: bytes + [UInt8](repeating: 0, count: 1_048_577 - bytes.count))
        }
    }

    private func exercise(_ zone: Zone, at instant: Instant) {
        let local = zone.local(instant)
        _ = zone.resolve(local)
        _ = zone.abbreviation(at: instant)
        _ = zone.isDaylight(at: instant)
        let key = SessionDate.key(of: instant, in: zone, rolloverHour: 18)
        _ = key.text
        _ = zone.next(ClockTime(hour: 7), strictlyAfter: instant)
        _ = LocalTimeFormat.iso8601(instant, in: zone)
    }
}
