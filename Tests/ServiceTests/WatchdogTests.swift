import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// F8: the service reports to the service manager for as long as it does its work, and only then.
@Suite(.serialized) struct WatchdogTests {
    /// A service whose manager expects a sign of life every 400 ms.
    private static func watched() async throws -> ServiceBench {
        try await ServiceBench.start(environment: ["WATCHDOG_USEC": "400000"])
    }

    private static let ping = "WATCHDOG=1"
    /// Half of what the manager allows.
    private static let interval: Duration = .milliseconds(200)

    @Test func `F8: a sign of life comes at half the interval, none where none is wanted`() async throws {
        let bench = try await Self.watched()
        let start = ContinuousClock.now
        try bench.daemon.awaitNote(Self.ping, count: 6)
        // The first sign may have arrived before the time was taken.
        #expect(ContinuousClock.now - start >= Self.interval * 4)
        try await bench.stop()
        let unwatched = try await ServiceBench.start()
        #expect(throws: DaemonProcess.Failure.self) {
            try unwatched.daemon.awaitNote(Self.ping, within: Self.interval * 3)
        }
        try await unwatched.stop()
    }

    @Test func `F8: a service that stands still is silent, and goes on when it can`() async throws {
        let bench = try await Self.watched()
        try bench.daemon.awaitNote(Self.ping)
        try bench.daemon.freeze()
        // Signs from before the freeze are read first.
        try? bench.daemon.awaitNote(Self.ping, count: .max, within: .milliseconds(50))
        let before = bench.daemon.count(of: Self.ping)
        #expect(throws: DaemonProcess.Failure.self) {
            try bench.daemon.awaitNote(Self.ping, count: before + 1, within: Self.interval * 5)
        }
        bench.daemon.signal(SIGCONT)
        try bench.daemon.awaitNote(Self.ping, count: before + 2)
        #expect(try await bench.client.status().window.phase == .noDose1)
        try await bench.stop()
    }

    @Test(.enabled(if: Strace.isAllowed, "needs strace that may trace: run Contrib/test"))
    func `F8: a disk that hangs silences it though everything else answers`() async throws {
        let bench = try await Self.watched()
        let strace = try Strace(
            thread: bench.daemon.processID,
            ["-f", "-e", "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=3000000:when=1"],
            log: bench.folder.path("strace"))
        try bench.daemon.awaitNote(Self.ping)
        let dose = Task { try await bench.submit(.logDose(.dose1)) }
        let start = ContinuousClock.now
        // The last sign may come just before the disk hangs. The next sign comes only when the dose is on the disk.
        var silence = Duration.zero
        var last = start
        while silence < .seconds(2), ContinuousClock.now - start < .seconds(20) {
            try bench.daemon.awaitNote(Self.ping, count: bench.daemon.count(of: Self.ping) + 1)
            silence = max(silence, ContinuousClock.now - last)
            last = ContinuousClock.now
            #expect(try await bench.client.status().faults.isEmpty)
        }
        #expect(silence >= .seconds(2), "\(silence)")
        #expect(try await dose.value.phase == .beforeWindow)
        try strace.detach()
        try await bench.stop()
    }
}
