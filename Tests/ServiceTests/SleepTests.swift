import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite(.serialized) struct SleepTests {
    @Test
    func `R30.1 R30.7 sleep over the bus is recorded once, listed, shown with its night, and apart in statistics`()
        async throws
    {
        let bench = try await ServiceBench.start()
        let dose = try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(100) }
        let before = try await bench.client.status()
        let start = ServiceBench.now - .minutes(90)
        let sleep = ImportedSleep(
            row: "", device: "Ring 4", start: start, end: start + .minutes(60), part: .main, grade: .measured,
            course: .stages([
                .init(.light, start, start + .minutes(20)), .init(.awake, start + .minutes(20), start + .minutes(25)),
                .init(.deep, start + .minutes(25), start + .minutes(60)),
            ]))
        let receipt = try await bench.submit(.recordSleep(sleep, source: "oura")) { $0.key = "import:oura:1" }
        #expect(receipt.type == "sleep_record" && receipt.metadata["stages"]?.arrayValue?.count == 3)
        let again = try await bench.submit(.recordSleep(sleep, source: "oura")) { $0.key = "import:oura:1" }
        #expect(again.duplicate && again.eventID == receipt.eventID)
        let after = try await bench.client.status()
        #expect(after.window.phase == before.window.phase && after.nextReminder == before.nextReminder)

        let night = try #require(try await bench.client.show(dose.eventID.text).first)
        let recorded = try #require(night.recordedSleep)
        #expect((recorded.source, recorded.device, recorded.records) == ("oura", "Ring 4", 1))
        #expect(recorded.measures.totalSleepMinutes == 55 && recorded.measures.wakeAfterSleepOnsetMinutes == 5)
        #expect(recorded.deepMinutes == 35 && night.sleepDiary.totalSleepMinutes == nil)
        let entry = try #require(night.entries.first { $0.id == receipt.eventID })
        #expect(entry.metadata["stages"]?.arrayValue?.last?["end_utc"]?.instantValue == sleep.end)
        #expect(entry.metadata["stage_s"]?["deep"] == 2_100 && entry.metadata["sleep_source"] == "oura")
        let figures = try await bench.client.statistics(StatisticsQuery(range: 30)).figures
        #expect(figures.recordedSleep["total_sleep_min"]?.count == 1 && figures.sleep["total_sleep_min"]?.count == 0)
        let listed = try await bench.client.sleepRecords(limit: 5)
        #expect(listed.map(\.id) == [receipt.eventID] && listed[0].metadata["stages"] == nil)

        let refused = await bench.refusal(.record(.sleepRecorded, ["source": "x", "start": .instant(start)]))
        #expect(refused?.kind == .invalidInput)
        try await bench.stop()
    }

    @Test func `R30.8 a reported stage is in the status and nowhere in the record, and ends with the service`()
        async throws
    {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(100) }
        let before = try await bench.client.status()
        #expect(before.liveStage == .unknown)
        let told = try await bench.client.report(stage: "Light")
        #expect((told.stage, told.freshness, told.ageMinutes) == (.light, .green, 0))
        var after = try await bench.client.status()
        #expect(after.liveStage == told)
        (after.liveStage, after.at, after.window) = (.unknown, before.at, before.window)
        #expect(after == before, "it moves nothing")
        do {
            _ = try await bench.client.report(stage: "lite")
            Issue.record("an unknown stage was taken")
        } catch let error as ServiceError {
            #expect(error.kind == .invalidInput)
        }
        try await bench.stop()
        let later = try await bench.again()
        #expect(try await later.client.status().liveStage == .unknown)
        try await later.stop()
    }
}
