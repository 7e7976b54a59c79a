import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Foundation
import Testing

/// `status` where the clocks leave doubt.
@Suite struct StatusDoubtTests {
    @Test func `in doubt neither one figure nor one time of the alarm is told as a fact`() async throws {
        let bench = try await NightBench.open(
            {
                var setup = NightBench.Setup()
                setup.start = Instant(seconds: Int64(Date().timeIntervalSince1970)) - .minutes(160)
                return setup
            }())
        bench.clock.setSynchronised(false)
        // The dose is of another boot than the command, and no time source kept that boot's clock right.
        try await bench.submit(.logDose(.dose1))
        await bench.stop()
        let outcome = try await Tool.run(["--bus", "none", "--store", bench.folder.path("dosetap.db"), "status"])
        #expect(outcome.code == 0, "\(outcome.err)")
        let rows = outcome.out.split(separator: "\n").map(String.init)
        #expect(rows.contains { $0.hasPrefix("Phase ") && $0.hasSuffix("not certain") }, "\(outcome.out)")
        #expect(rows.contains { $0.hasPrefix("Elapsed ") && $0.contains(" to 2 h 4") }, "\(outcome.out)")
        #expect(
            !rows.contains { row in ["Opens in ", "Closes in ", "Alarm "].contains(where: row.hasPrefix) },
            "\(outcome.out)")
    }
}
