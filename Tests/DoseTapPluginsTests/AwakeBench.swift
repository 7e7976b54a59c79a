import DoseTapDomain
import DoseTapEngine
import DoseTapTestSupport
import Foundation
import SDBus
import SystemdJournal

@testable import DoseTapPlugins

/// A night with the real plugin on two real buses. The test moves the clocks.
final class AwakeBench: Sendable {
    let session: PrivateBus
    let system: PrivateBus
    let night: NightBench
    let desktop = Desktop()
    let journal = RecordingJournal()
    private let machine: ScratchFolder

    /// Opens a night without entries.
    ///
    /// - Parameter wakes: true when the machine has a clock that can wake it.
    static func open(wakes: Bool = true, _ body: @Sendable (AwakeBench) async throws -> Void) async throws {
        let bench = try await AwakeBench(wakes: wakes)
        try await body(bench)
        await bench.night.stop()
    }

    private init(wakes: Bool) async throws {
        machine = try ScratchFolder()
        let clock = machine.path("rtc0")
        try FileManager.default.createDirectory(atPath: clock, withIntermediateDirectories: true)
        if wakes { try "".write(toFile: clock + "/wakealarm", atomically: false, encoding: .utf8) }
        let clocks = machine.path("")
        session = try PrivateBus()
        system = try PrivateBus()
        let (desktop, journal, address) = (desktop, journal, system.address)
        var setup = NightBench.Setup()
        setup.plugins = { bench in
            [
                AwakePlugin(
                    environment: bench.environment(
                        for: AwakePlugin.manifest, journal: journal, desktop: desktop, bus: .address(address),
                        folders: .init(clocks: clocks)))
            ]
        }
        night = try await NightBench.open(setup)
    }

    /// Gives the plugin the session bus, as the service does once it is connected.
    func connect() async throws {
        let connection = try await Connection.open(.address(session.address), on: night.loop)
        night.loop.execute { [desktop] in desktop.connect(connection) }
    }

    /// The journal's texts of a message, in order.
    func said(_ message: JournalMessage) -> [String] { journal.entries(message.rawValue).map(\.message) }

    /// Waits until the journal has a message `count` times.
    func awaitSaid(_ message: JournalMessage, count: Int = 1) async throws {
        try await journal.wait(for: message.rawValue, count: count)
    }
}
