import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// The entries that the real service leaves in a real journal.
@Suite(.serialized, .enabled(if: Testbed.isActive, "needs a journald of its own: run Contrib/test")) struct JournalTests
{
    private func entries(_ bench: ServiceBench, _ fields: [String: String] = [:]) throws -> [Journal.Stored] {
        try Journal.entries(matching: fields.merging(["_PID": "\(bench.daemon.processID)"]) { $1 })
    }

    /// True for facts that have no entry of their own in the journal: the reminder's entry was written when it was
    /// told.
    private func isOnRecordByItself(_ payload: EventPayload) -> Bool {
        switch payload {
        case .reminderFired: true
        case .reminderDelivered(let delivered): delivered.channel.text == "journal"
        default: false
        }
    }

    @Test func `every event, phase and refusal is one entry with its fields, and no private word is in any`()
        async throws
    {
        let bench = try await ServiceBench.start(environment: ["DOSETAP_SLEEP_EVENTS_CUSTOM": "xylophone"])
        let taken = ServiceBench.now - .minutes(165)
        _ = await bench.refusal(.logDose(.dose2)) { $0.note = "xylophone" }
        let first = try await bench.submit(.logDose(.dose1)) {
            $0.at = taken
            $0.amountMilligrams = 4_321
            $0.note = "xylophone"
            $0.key = "xylophone"
        }
        _ = await bench.refusal(.logDose(.dose1)) { $0.amountMilligrams = 4_321 }
        _ = await bench.refusal(.logDose(.extra)) { $0.note = "xylophone" }
        try await bench.submit(.amend(first.eventID)) { $0.amountMilligrams = 3_210 }
        try await bench.submit(.logSleepEvent("Pain")) { $0.note = "xylophone" }
        try await bench.submit(.logSleepEvent("xylophone"))
        _ = await bench.refusal(.logSleepEvent("xylophones"))
        try await bench.submit(.skipDose2) { $0.reason = "xylophone" }
        try await bench.submit(.logFinalWake) { $0.note = "xylophone" }
        try await bench.awaitPhase(.finalizing)
        try await bench.stop()

        let all = try entries(bench)
        #expect(all.allSatisfy { $0["SYSLOG_IDENTIFIER"] == "dosetapd" && $0["MESSAGE_ID"]?.count == 32 })
        for entry in all {
            for (name, values) in entry.fields {
                for value in values {
                    let text = String(decoding: value, as: UTF8.self)
                    #expect(!text.contains("xylophone"), "\(name)")
                    if !name.hasPrefix("_"), name != "DOSETAP_EVENT_ID", !name.contains("TIMESTAMP"), name != "__CURSOR"
                    {
                        #expect(!stands("4321", in: text) && !stands("3210", in: text), "\(name)=\(text)")
                    }
                }
            }
        }
        let log = try await StoredLog.read(bench.store)
        for stored in log where !isOnRecordByItself(stored.event.payload) {
            let entry = try #require(all.first { $0["DOSETAP_EVENT_ID"] == stored.event.id.text })
            #expect(entry["DOSETAP_EVENT"] == stored.event.type.rawValue)
            #expect(entry["DOSETAP_SEQUENCE"] == "\(stored.sequence)")
            #expect(entry["DOSETAP_SESSION_DATE"] == first.sessionDate?.text)
            #expect(entry["DOSETAP_PHASE"] != nil)
        }
        let phases = try entries(bench, ["DOSETAP_EVENT": "phase_changed"]).compactMap { $0["DOSETAP_PHASE"] }
        #expect(phases == ["active", "completed", "finalizing"])
        let refusals = try entries(bench, ["DOSETAP_EVENT": "command_refused"]).compactMap { $0["DOSETAP_REASON"] }
        #expect(refusals == ["dose1_required", "dose1_already_taken", "order", "unknown_word"])
        let asleep = try entries(bench, ["DOSETAP_EVENT": "sleep_event_recorded"]).compactMap {
            $0["DOSETAP_SLEEP_EVENT"]
        }
        #expect(asleep == ["pain", "custom"])
        let messages = all.compactMap { $0["MESSAGE"] }
        #expect(messages.first == "DoseTap is ready" || messages.contains("DoseTap is ready"))
        #expect(messages.last == "DoseTap has stopped")
    }

    @Test func `questionnaires are on record without a word of their answers`() async throws {
        let bench = try await ServiceBench.start()
        try await bench.submit(.savePreSleep(["caffeine_drink": "xylophone", "stimulants": "tea"], .partial))
        _ = await bench.refusal(.savePreSleep(["xylophone": 1], .complete))
        try await bench.submit(.logFinalWake)
        _ = await bench.refusal(.saveCheckIn(["mood": "xylophone"], night: nil))
        try await bench.submit(.saveCheckIn(["mood": "great"], night: nil)) { $0.note = "xylophone" }
        try await bench.awaitRecorded(.sessionClosed)
        try await bench.stop()
        let all = try entries(bench)
        for entry in all {
            for (name, values) in entry.fields {
                for value in values {
                    #expect(!String(decoding: value, as: UTF8.self).contains("xylophone"), "\(name)")
                }
            }
        }
        let preSleep = try entries(bench, ["DOSETAP_EVENT": "pre_sleep_recorded"])
        #expect(preSleep.compactMap { $0["DOSETAP_COMPLETION_STATE"] } == ["partial"])
        let checkIn = try entries(bench, ["DOSETAP_EVENT": "checkin_recorded"])
        #expect(checkIn.compactMap { $0["MESSAGE"] } == ["Recorded the morning check-in"])
        #expect(checkIn.first?["DOSETAP_SESSION_DATE"]?.isEmpty == false)
        let refused = try entries(bench, ["DOSETAP_EVENT": "command_refused"])
        #expect(refused.compactMap { $0["DOSETAP_REASON"] } == ["invalid_input", "invalid_input"])
    }

    @Test func `the inventory is on record without a medicine, an amount or a word of the person's own`() async throws {
        let bench = try await ServiceBench.start()
        let bottle: JSONObject = ["medication_id": "lumryz", "amount": "7.531g", "count": 2]
        try await bench.submit(.inventory(.addBottle(bottle))) { $0.note = "xylophone" }
        try await bench.submit(.inventory(.pour(["medication_id": "lumryz"]))) { $0.amount = "7.531g" }
        _ = await bench.refusal(.inventory(.pour(["medication_id": "lumrys"])))
        try await bench.awaitRecorded(.inventoryRecorded, count: 2)
        try await bench.stop()
        for entry in try entries(bench) {
            for (name, values) in entry.fields {
                let text = values.map { String(decoding: $0, as: UTF8.self).lowercased() }.joined()
                // The digits alone may be part of an identifier.
                let words =
                    name.hasSuffix("_ID") ? ["lumry", "7.531", "xylophone"] : ["lumry", "7531", "7.531", "xylophone"]
                for word in words { #expect(!text.contains(word), "\(name)") }
            }
        }
        let noted = try entries(bench, ["DOSETAP_EVENT": "inventory_recorded"])
        #expect(noted.compactMap { $0["MESSAGE"] } == Array(repeating: "Recorded an entry of the inventory", count: 2))
        let refused = try entries(bench, ["DOSETAP_EVENT": "command_refused"])
        #expect(refused.compactMap { $0["DOSETAP_COMMAND"] } == ["inventory"])
    }

    @Test(arguments: [
        (150, "window_open", "The dose window is open"), (225, "closing_15", "closes in 15 minutes"),
        (235, "closing_5", "closes in 5 minutes"),
        (240, "window_closed", "has closed; dose 2 is neither recorded nor skipped"),
    ])
    func `a reminder is journaled at its instant, and none after 240 minutes says take`(
        minutes: Int, reminder: String, text: String
    ) async throws {
        let bench = try await ServiceBench.start()
        let due = ServiceBench.now + .milliseconds(1_200)
        try await bench.submit(.logDose(.dose1)) { $0.at = due - .minutes(minutes) }
        // The first reminder is of an earlier instant, where there is one. The last is the awaited reminder.
        try await bench.awaitRecorded(.reminderFired, count: minutes == 150 ? 1 : 2)
        let entry = try #require(try entries(bench, ["DOSETAP_REMINDER": reminder]).last)
        let arrived = Instant(microseconds: Int64(entry["__REALTIME_TIMESTAMP"] ?? "") ?? 0)
        #expect(arrived >= due && arrived - due < .milliseconds(500), "\(arrived - due)")
        #expect(entry["DOSETAP_DUE"] == due.iso8601)
        #expect(entry["MESSAGE"]?.contains(text) == true)
        #expect(entry["DOSETAP_SESSION_DATE"] != nil && entry["DOSETAP_WINDOW_CLOSES"] != nil)
        if minutes == 240 {
            for entry in try entries(bench) where entry["DOSETAP_DUE"] == due.iso8601 {
                #expect(entry["MESSAGE"]?.lowercased().contains("take") == false)
            }
        }
        try await bench.stop()
    }

    @Test func `care of the record that fails is on record with its reason, and no file of the person's is named`()
        async throws
    {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1)) { $0.note = "xylophone" }
        // A file in its place keeps the folder from being made.
        try Data().write(to: URL(filePath: bench.folder.path("backups")))
        await #expect(throws: ServiceError.self) { try await bench.client.backUp(into: nil) }
        try await bench.stop()
        let entry = try #require(try entries(bench, ["DOSETAP_COMMAND": "BackUpHere"]).first)
        #expect(entry["DOSETAP_REASON"] == "unavailable" && entry["DOSETAP_HINT"] == "dosetap doctor")
        #expect(entry["MESSAGE"]?.hasPrefix("BackUpHere failed: ") == true)
        for (name, values) in entry.fields where !name.hasPrefix("_") {
            let text = values.map { String(decoding: $0, as: UTF8.self) }.joined()
            #expect(!text.contains(bench.folder.path("")) && !text.contains("xylophone"), "\(name)=\(text)")
        }
    }

    @Test func `a second daemon leaves its reason in the journal`() async throws {
        let bench = try await ServiceBench.start()
        let second = try DaemonProcess(arguments: ["--store", bench.store, "--address", bench.bus.address])
        #expect(try second.awaitExit() == 75)
        let entries = try Journal.entries(matching: ["_PID": "\(second.processID)"])
        #expect(entries.first?["DOSETAP_REASON"] == "locked")
        try await bench.stop()
    }
}
