import DoseTapDomain
import DoseTapRandomNights
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@Suite struct ManyNightsTests {
    /// Nights of each zone; all of them, over all dates, are run by Contrib/faults/nights.py.
    static let nightsPerZone = 20

    @Test(arguments: RandomNights.zones)
    func `K8: no night by chance misses a reminder, tells one early, twice, late or when it is not true`(
        name: String
    ) async throws {
        let zone = try SystemZones.named(name)
        let seed = UInt64(RandomNights.zones.firstIndex(of: name) ?? 0) + 1
        var random = RandomNights(seed: seed, zone: zone) { try? SystemZones.named($0) }
        let dates = random.dates(Self.nightsPerZone)
        let changes = RandomNights.changes(in: zone)
        if changes.count < Self.nightsPerZone { #expect(Set(dates).isSuperset(of: changes)) }
        let nights = dates.map { date in random.night(on: date) }
        let bench = try SimulationBench(from: try #require(nights.first).start, in: zone, ladder: random.ladder)
        for hook in ["alarm/10-light", "partner/10-phone"] { try bench.addHook(hook) }
        var verdict = NightVerdict()
        for night in nights {
            let found = try await bench.run(night).verdict
            #expect(found.isSound, "\(found.complaints)\n\(night.text)")
            verdict.add(found)
            if !found.isSound { break }
        }
        #expect(verdict.notified > nights.count)
        await bench.stop()
    }

    @Test(arguments: RandomNights.zones)
    func `a log of 250 nights has every night from 2016 to 2036 in which the clocks of its zone change`(
        name: String
    ) throws {
        let zone = try SystemZones.named(name)
        let changes = RandomNights.changes(in: zone)
        for seed in UInt64(1)...3 {
            var random = RandomNights(seed: seed, zone: zone) { try? SystemZones.named($0) }
            let dates = random.dates(250)
            #expect(dates.count == 250)
            #expect(Set(dates).isSuperset(of: changes))
        }
        // Where clocks still change twice a year, that is 42 nights; two of the zones gave it up, one never did.
        let expected = ["Asia/Kathmandu": 0...0, "Asia/Tehran": 14...14, "Pacific/Apia": 11...11]
        #expect((expected[name] ?? 42...42).contains(changes.count), "\(changes.count)")
    }

    @Test func `a night by chance reads back from its text as the same night`() throws {
        let zone = try SystemZones.named("Europe/Berlin")
        var random = RandomNights(seed: 7, zone: zone) { try? SystemZones.named($0) }
        for date in random.dates(100) {
            let night = random.night(on: date)
            let read = try SimulationBench.script(night.text)
            #expect(read.steps.map(\.at) == night.steps.map(\.at))
            #expect(read.steps.map(\.act) == night.steps.map(\.act))
            #expect([read.start, read.end] == [night.start, night.end])
            #expect(read.rules == night.rules)
        }
    }
}
