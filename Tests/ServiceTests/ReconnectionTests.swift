import DoseTapPlugins
import DoseTapTestSupport
import Foundation
import Glibc
import Logging
import SDBus
import Testing

@testable import DoseTapService

/// The service on a bus that ends and starts again.
@Suite(.serialized) struct ReconnectionTests {
    @Test func `F9: a server that is stopped while it reconnects does not take the name from the one that follows`()
        async throws
    {
        let bus = try PrivateBus()
        let loop = try EventLoop.spawn(name: "service")
        let lines = LogLines()
        let first = server(on: bus, loop, lines)
        try await first.serve([])
        bus.stop()
        try bus.start()
        // The kernel accepts connections for the stopped bus, which answers none.
        #expect(kill(bus.processID, SIGSTOP) == 0)
        defer { kill(bus.processID, SIGCONT) }
        try await lines.said.wait { $0.contains("the bus is tried again") }
        await first.stop()
        #expect(kill(bus.processID, SIGCONT) == 0)
        let watcher = try await Connection.open(.address(bus.address), on: loop)
        let gone = Recorder<String>()
        try await watcher.subscribe(
            SignalMatch(sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged")
        ) { signal in
            if let (name, _, owner) = signal.decode((String, String, String).self), owner.isEmpty { gone.append(name) }
        }
        let second = server(on: bus, loop, LogLines())
        try await second.serve([])
        let owner = try await watcher.owner(of: "org.dosetap.DoseTap1")
        // The connection of the first server must end. The owner of the name and the watcher are then alone on the bus.
        let others = try await callers(watcher).subtracting([owner, try #require(await watcher.uniqueName)])
        try await gone.wait { others.isSubset(of: $0) }
        #expect(try await watcher.owner(of: "org.dosetap.DoseTap1") == owner)
        await second.stop()
        await #expect(throws: BusError.self) { try await watcher.owner(of: "org.dosetap.DoseTap1") }
        await watcher.close()
        loop.stop()
    }

    /// The unique names of all connections on the bus.
    private func callers(_ watcher: Connection) async throws -> Set<String> {
        let driver = Connection.driver
        let names = try await watcher.call(
            driver, "/org/freedesktop/DBus", driver, "ListNames", returning: ([String]).self)
        return Set(names.filter { $0.hasPrefix(":") })
    }

    private func server(on bus: PrivateBus, _ loop: EventLoop, _ lines: LogLines) -> BusServer {
        BusServer(
            on: loop, .address(bus.address), journal: RecordingJournal(), desktop: Desktop(),
            logger: Logger(label: "test") { _ in lines }, onEnd: {})
    }
}

/// Keeps the log lines of every level.
private struct LogLines: LogHandler {
    let said = Recorder<String>()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { said.append("\(event.message)") }
}
