import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite(.serialized) struct DiaryTests {
    @Test func `a sleep event over the bus is recorded, announced, shown and undone`() async throws {
        let bench = try await ServiceBench.start()
        let at = ServiceBench.now - .minutes(40)
        let start = try await bench.submit(.logSleepEvent("Nap Start")) { options in
            options.at = at
            options.key = "nap"
            options.note = "sofa"
        }
        #expect(start.type == "nap_start" && start.timestamp == at && start.sessionDate != nil)
        #expect(start.metadata["note"] == "sofa" && start.phase == .noDose1)
        try await bench.awaitRecorded(.sleepEventRecorded)
        let again = try await bench.submit(.logSleepEvent("napstart")) { options in
            options.at = at
            options.key = "nap"
            options.note = "sofa"
        }
        #expect(again.duplicate && again.eventID == start.eventID)
        #expect(try await bench.client.status().napOpenSince == at)
        #expect(try Self.napOpenSince(bench) == "t \(at.microseconds)\n")
        let second = await bench.refusal(.logSleepEvent("nap_start"))
        #expect(second?.kind == .refused && second?.details["reason"] == "nap_open")
        #expect(second?.details["standing_id"]?.stringValue == start.eventID.text)
        #expect(second?.details["hint"] == nil)

        let end = try await bench.submit(.logSleepEvent("nap_end"))
        #expect(end.metadata["nap_min"] == 40)
        #expect(try Self.napOpenSince(bench) == "t 0\n")
        let why = try await bench.client.why(end.eventID.text)
        #expect(why.process?.processID == getpid() && why.process?.command != nil && why.event.surface == "cli")
        #expect(why.rules.map(\.rule) == ["R8.6"] && why.sequence == 3)
        let night = try #require(try await bench.client.show(end.eventID.text).first)
        #expect(night.entries.map(\.type) == ["nap_start", "nap_end"])
        #expect(night.naps.map(\.state) == [.complete] && night.naps.first?.length?.wholeMinutes == 40)
        try await bench.submit(.undo)
        #expect(try Self.napOpenSince(bench) == "t \(at.microseconds)\n")
        try await bench.submit(.delete(EventID(String(start.eventID.text.prefix(20)))))
        #expect(try Self.napOpenSince(bench) == "t 0\n")
        for member in [Client.Examination.check, .verify] {
            #expect(try await bench.client.examine(member)["ok"] == true)
        }
        try await bench.stop()
    }

    @Test func `a live repeat within the cooldown is refused with the seconds left`() async throws {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logSleepEvent("water")) { $0.surface = .notification }
        // A repeat within the cooldown is refused. The note keeps the entry from counting as the same tap.
        let refused = await bench.refusal(.logSleepEvent("water")) { $0.note = "another glass" }
        #expect(refused?.kind == .refused && refused?.details["reason"] == "cooldown")
        let left = try #require(refused?.details["remaining_s"]?.integerValue)
        #expect((30...60).contains(left))
        try await bench.submit(.logSleepEvent("water")) { $0.at = ServiceBench.now - .seconds(1) }
        try await bench.stop()
    }

    @Test func `types of one's own follow the settings, what was recorded stays`() async throws {
        let bench = try await ServiceBench.start(environment: ["DOSETAP_SLEEP_EVENTS_CUSTOM": "Leg Cramps"])
        let cramps = try await bench.submit(.logSleepEvent("leg-cramps"))
        #expect(cramps.type == "leg_cramps")
        try await bench.stop()
        let later = try await bench.again()
        // With a note the entry cannot count as a repeat of the tap within ten seconds.
        let unknown = await later.refusal(.logSleepEvent("leg cramps")) { $0.note = "both legs" }
        #expect(unknown?.kind == .invalidInput && unknown?.message == "There is no sleep event 'leg_cramps'.")
        #expect(try await later.client.show(cramps.eventID.text).first?.entries.map(\.type) == ["leg_cramps"])
        #expect(try await later.client.examine(.rebuild)["repairs"] == .array([]))
        try await later.stop()
    }

    /// Calls that the service must refuse: type, options of busctl, a part of the error.
    static let invalid: [(String, [String], String)] = [
        ("bathrom", ["0"], "Did you mean 'bathroom'?"), ("", ["0"], "1 to 64 characters"),
        (String(repeating: "x", count: 65), ["0"], "1 to 64 characters"), ("a\u{1B}[2J", ["0"], "control"),
        ("dose1", ["0"], "Did you mean 'dose1'?"), ("water", ["1", "type", "s", "x"], "Unknown option 'type'"),
        ("water", ["1", "note", "s", "\u{202E}x"], "text-direction"), ("water", ["1", "at", "s", "now"], "wrong type"),
        ("water", ["1", "at", "t", "32503680000000000"], "future"),
        (String(repeating: "x", count: 70_000), ["0"], "longer than the 65536"),
    ]

    @Test func `nothing that is wrong is recorded`() async throws {
        let bench = try await ServiceBench.start()
        for (type, options, text) in Self.invalid {
            let outcome = try TestProgram.run(
                [
                    "timeout", "20", "busctl", "--address=\(bench.bus.address)", "call", Contract.name,
                    "/org/dosetap/DoseTap1", Contract.InterfaceName.diary, "LogSleepEvent", "sa{sv}", type,
                ] + options)
            #expect(outcome.status != 0, "\(type.prefix(40))")
            #expect(outcome.errors.contains(text), "\(type.prefix(40)): \(outcome.errors.prefix(200))")
        }
        try await bench.stop()
        #expect(try await StoredLog.read(bench.store).isEmpty)
    }

    private static func napOpenSince(_ bench: ServiceBench) throws -> String {
        try bench.busctl(
            "get-property", Contract.name, "/org/dosetap/DoseTap1", Contract.InterfaceName.diary, "NapOpenSince"
        ).text
    }
}
