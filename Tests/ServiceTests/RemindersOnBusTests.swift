import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// The `Reminders` interface of a real service on a real bus.
@Suite(.serialized) struct RemindersOnBusTests {
    @Test func `what was told and what was not are signals, and seen is not answered`() async throws {
        let bench = try await ServiceBench.start()
        let due = ServiceBench.now + .milliseconds(1_500)
        let before = ServiceBench.now
        try await bench.submit(.logDose(.dose1)) { $0.at = due - .minutes(165) }
        let signals = try await bench.signals.wait(within: .seconds(20)) { signals in
            signals.count { $0.member == "Fired" } >= 2 && signals.contains { $0.member == "Dropped" }
        }
        let fired = signals.filter { $0.member == "Fired" }.compactMap { $0.decode((String, UInt64, UInt64).self) }
        #expect(fired.map(\.0) == ["pre_alarm", "alarm"])
        #expect(fired.map { Instant(microseconds: Int64($0.1)) } == [due - .minutes(5), due])
        #expect(fired.allSatisfy { $0.2 >= UInt64(before.microseconds) })
        #expect(fired.last.map { $0.2 >= $0.1 && $0.2 < $0.1 + 500_000 } == true)
        let dropped = signals.filter { $0.member == "Dropped" }.compactMap { $0.decode((String, String).self) }
        #expect(dropped.map { "\($0.0) \($0.1)" } == ["window_open superseded"])
        #expect(
            signals.allSatisfy {
                $0.interface.hasSuffix(".Reminders") == ["Fired", "Dropped"].contains($0.member)
                    || $0.member == "PropertiesChanged"
            })

        let receipt = try await bench.client.acknowledge(reminder: "alarm")
        #expect(receipt["reminders_continue"] == true && receipt["seen"] == true)
        try await bench.awaitRecorded(.reminderAcknowledged)
        #expect(try await bench.client.status().nextReminder == .init(id: .followup1, due: due + .minutes(2)))
        for (id, kind) in [("closing_5", ServiceError.Kind.notFound), ("alram", .invalidInput), ("", .invalidInput)] {
            let refused = await error { _ = try await bench.client.acknowledge(reminder: id) }
            #expect(refused?.kind == kind, "\(id): \(String(describing: refused))")
        }
        try await bench.submit(.logDose(.dose2))
        let late = await error { _ = try await bench.client.acknowledge(reminder: "alarm") }
        #expect(late?.kind == .nothingToDo)
        try await bench.stop()
    }

    @Test func `a channel is tried for real, one that there is not is named`() async throws {
        let bench = try await ServiceBench.start()
        try await bench.client.test(channel: "journal")
        let refused = await error { try await bench.client.test(channel: "siren") }
        #expect(refused?.kind == .notFound && refused?.message.contains("journal") == true)
        #expect(refused?.details["channel"] == "siren" && refused?.details["plugin"] == nil)
        _ = try await bench.client.setPlugin("journal", enabled: false)
        let off = await error { try await bench.client.test(channel: "journal") }
        #expect(off?.kind == .notFound && off?.details["plugin"] == "journal")
        try await bench.stop()
    }

    @Test func `a plugin that is switched stays so, and where that cannot be written it is said`() async throws {
        let settings = try ScratchFolder()
        let environment = ["XDG_CONFIG_HOME": settings.path("config")]
        let bench = try await ServiceBench.start(environment: environment)
        func state(_ bench: ServiceBench) async throws -> JSONValue? {
            try await bench.client.plugins().first { $0["id"] == "journal" }?["state"]
        }
        let receipt = try await bench.client.setPlugin("journal", enabled: false)
        #expect(receipt["enabled"] == false && receipt["written"] == true)
        #expect(receipt["file"]?.stringValue == settings.path("config/dosetap/config.yaml"))
        #expect(receipt["source"] == receipt["file"])
        try await bench.client.reload()
        #expect(try await state(bench) == "disabled")
        try await bench.stop()
        let later = try await bench.again(environment: environment)
        #expect(try await state(later) == "disabled")
        #expect(await error { _ = try await later.client.setPlugin("no-such", enabled: true) }?.kind == .notFound)
        try await later.stop()
        // The settings file is a link, which the service does not change. The plugin is switched on all the same.
        let file = settings.path("config/dosetap/config.yaml")
        try FileManager.default.moveItem(atPath: file, toPath: settings.path("elsewhere.yaml"))
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: settings.path("elsewhere.yaml"))
        let last = try await bench.again(environment: environment)
        let refused = await error { _ = try await last.client.setPlugin("journal", enabled: true) }
        #expect(refused?.kind == .readOnly && refused?.message.contains("on until the settings are read again") == true)
        #expect(try await state(last) == "running")
        try await last.client.reload()
        #expect(try await state(last) == "disabled")
        try await last.stop()
    }

    private func error(_ act: () async throws -> Void) async -> ServiceError? {
        do {
            try await act()
            return nil
        } catch { return error as? ServiceError }
    }
}
