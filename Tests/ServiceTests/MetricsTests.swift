import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct MetricsTests {
    private func promtool(_ text: String) throws -> DoseTapTestSupport.Command.Outcome? {
        let unpacked = ProcessInfo.processInfo.environment["DOSETAP_TESTBED_TOOLS"].map { $0 + "/usr/bin/promtool" }
        guard
            let program = [unpacked, "/usr/bin/promtool"].compactMap(\.self).first(where: {
                FileManager.default.isExecutableFile(atPath: $0)
            })
        else { return nil }
        return try Command.run([program, "check", "metrics"], input: Data(text.utf8))
    }

    @Test func `figures of an open window are what the status says, and promtool has nothing to say`() async throws {
        let bench = try await ServiceBench.start()
        let before = try await bench.client.call(Contract.Service.metrics, ())
        #expect(before.contains("dosetap_phase{phase=\"no_dose1\"} 1\n") && !before.contains("window_opens"))
        let dose1 = ServiceBench.now - .minutes(160)
        try await bench.submit(.logDose(.dose1)) {
            $0.at = dose1
            $0.amountMilligrams = 2_251
            $0.note = "my words"
        }
        // The reminder that is due at once is recorded first, because the figures of the store count it.
        try await bench.awaitRecorded(.reminderFired)
        let text = try await bench.client.call(Contract.Service.metrics, ())
        let closes = (dose1 + DoseWindow.closes).microseconds / 1_000
        let milliseconds = String(closes % 1_000 + 1_000).dropFirst()
        for line in [
            "dosetap_phase{phase=\"active\"} 1", "dosetap_phase{phase=\"no_dose1\"} 0", "dosetap_healthy 1",
            "dosetap_window_closes_timestamp_seconds \(closes / 1_000).\(milliseconds)",
            "dosetap_waiting_events 0", "dosetap_plugin_running{plugin=\"journal\"} 1",
        ] {
            #expect(text.contains(line + "\n"), "\(line) in:\n\(text)")
        }
        #expect(text.hasSuffix("# EOF\n") && !stands("2251", in: text) && !text.contains("words"))
        if let checked = try promtool(text) {
            #expect(checked.status == 0 && checked.text.isEmpty && checked.errors.isEmpty, "\(checked.errors)")
        }
        try await bench.stop()
    }
}
