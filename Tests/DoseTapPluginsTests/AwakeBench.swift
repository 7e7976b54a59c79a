import DoseTapDomain
import DoseTapEngine
import DoseTapTestSupport
import SDBus
import SystemdJournal

@testable import DoseTapPlugins

/// A night with the real plugin on two real buses, its clocks moved by hand.
final class AwakeBench: Sendable {
    let session: PrivateBus
    let system: PrivateBus
    let night: NightBench
    let desktop = Desktop()
    let journal = RecordingJournal()

    /// Opens a night in which nothing is recorded yet.
    static func open(_ body: @Sendable (AwakeBench) async throws -> Void) async throws {
        let bench = try await AwakeBench()
        try await body(bench)
        await bench.night.stop()
    }

    private init() async throws {
        session = try PrivateBus()
        system = try PrivateBus()
        let (desktop, journal, address) = (desktop, journal, system.address)
        var setup = NightBench.Setup()
        setup.plugins = { loop, link in
            let context = link.context(for: AwakePlugin.manifest)
            return [
                AwakePlugin(
                    on: loop, sink: journal, context: context, desktop: desktop,
                    system: SystemBus(on: loop, .address(address)))
            ]
        }
        night = try await NightBench.open(setup)
    }

    /// Gives the plugin the session bus, as the service does once it is on it.
    func connect() async throws {
        let connection = try await Connection.open(.address(session.address), on: night.loop)
        night.loop.execute { [desktop] in desktop.connect(connection) }
    }

    /// What the journal says of a message, in order.
    func said(_ message: JournalMessage) -> [String] { journal.entries(message.rawValue).map(\.message) }

    /// Waits until the journal has said something so many times.
    func awaitSaid(_ message: JournalMessage, count: Int = 1) async throws {
        try await journal.wait(for: message.rawValue, count: count)
    }
}
