import DoseTapDomain
import DoseTapRandomNights
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@Suite struct ManyNightsTests {
    /// The nights of each zone in this test. Contrib/faults/nights.py runs many more, over all dates.
    static let nightsPerZone = 20

    /// The program runs on one thread, where a night takes a quarter of the time.
    @Test(arguments: RandomNights.zones.indices)
    func `K8: no night by chance misses a reminder, tells one early, twice, late or when it is not true`(
        zone: Int
    ) throws {
        let program = DaemonProcess.program.dropLast("dosetapd".count) + "random-nights"
        // The seed chooses the zone.
        let seed = zone == 0 ? RandomNights.zones.count : zone
        let outcome = try TestProgram.run([
            String(program), "--json", "--nights", "\(Self.nightsPerZone)", "--seed", "\(seed)",
        ])
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        let told = try JSONValue.parse(outcome.text)
        #expect(told["nights"] == .integer(Int64(Self.nightsPerZone)))
        let summary = try #require(told["summary"]?.objectValue)
        #expect(summary["told"]?.integerValue ?? 0 > Self.nightsPerZone, "\(outcome.text)")
    }

    @Test(arguments: RandomNights.zones)
    func `the nights of a zone begin with those in which its clocks change`(name: String) throws {
        let zone = try SystemZones.named(name)
        var random = RandomNights(seed: 1, zone: zone) { try? SystemZones.named($0) }
        let (dates, changes) = (random.dates(Self.nightsPerZone), RandomNights.changes(in: zone))
        if changes.count < Self.nightsPerZone { #expect(Set(dates).isSuperset(of: changes)) }
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
        // A zone whose clocks change twice a year has 42 such nights. Two zones stopped the changes, and one never had
        // them.
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
