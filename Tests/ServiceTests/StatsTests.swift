import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import SDBus
import Testing

@Suite(.serialized) struct StatsTests {
    @Test func `figures over the bus are those of the nights on record, and bad options are refused by name`()
        async throws
    {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(200) }
        try await bench.submit(.logDose(.dose2)) { $0.at = ServiceBench.now - .minutes(30) }
        try await bench.submit(.logFinalWake)
        try await bench.submit(.saveCheckIn(["sleep_latency_min": 10, "awake_after_onset_min": 5], night: nil))
        let found = try await bench.client.statistics(StatisticsQuery(range: 30, grouping: .month))
        #expect(found.figures.nights == 1 && found.figures.onTime == 1 && found.figures.compliancePercent == 100)
        #expect(found.figures.intervals.median == 170 && found.intervals.map(\.minutes) == [170])
        #expect(found.figures.sleep["sleep_onset_latency_min"]?.mean == 10)
        #expect(found.figures.sleep["total_sleep_min"]?.mean == nil)
        #expect(found.figures.score.count == 1 && found.groups.count == 1)
        let night = try #require(try await bench.client.find(SessionQuery()).nights.first)
        #expect(night.outcome == .onTime && night.nightScore.map(Double.init) == found.figures.score.mean)
        let wrong: [[String: Variant]] = [
            ["range": Variant(UInt32(0))], ["range": Variant("many")], ["by": Variant("day")], ["from": Variant("x")],
            ["later": Variant(true)], ["from": Variant("2026-01-02"), "to": Variant("2026-01-01")],
        ]
        for options in wrong {
            await #expect(throws: BusError.self) {
                try await bench.connection.call(
                    Contract.name, Contract.path, Contract.InterfaceName.history, "Stats", options,
                    returning: WireObject.self)
            }
        }
        let means = try await bench.client.intervalMeans(NightSpan(), by: .week)
        #expect(means.map(\.count) == [1] && means.map(\.meanMinutes) == [170])
        #expect(means.map(\.key) == [Grouping.week.key(of: night.sessionDate)])
        let ofKinds = try await bench.client.find(SessionQuery(kinds: [.late, .onTime]))
        #expect(ofKinds.nights == [night])
        #expect(try await bench.client.find(SessionQuery(kinds: [.open, .late])).nights.isEmpty)
        let badSearches: [(String, [String: Variant], String)] = [
            ("FindSessions", ["only": Variant(["late", "lat"])], "'lat'"),
            ("FindSessions", ["only": Variant("late")], "only"),
            ("FindSessions", ["limit": Variant(UInt32(1_001))], "limit"),
            ("FindSessions", ["sort": Variant("x")], "sort"),
            ("FindSessions", ["cursor": Variant("nowhere")], "cursor"), ("FindSessions", ["to": Variant("soon")], "to"),
            ("Intervals", ["by": Variant("day")], "by"), ("Intervals", ["range": Variant(UInt32(3))], "range"),
        ]
        for (member, options, named) in badSearches {
            await #expect {
                try await bench.connection.call(
                    Contract.name, Contract.path, Contract.InterfaceName.history, member, options,
                    returning: WireObject.self)
            } throws: {
                let error = $0 as? BusError
                return error?.name == Contract.errorPrefix + "InvalidInput" && error?.message.contains(named) == true
            }
        }
        #expect(try await bench.client.examine(.check)["ok"] == true)
        try await bench.stop()
    }
}
