import DoseTapPlugins
import DoseTapTestSupport
import Foundation
import Glibc
import Logging
import SDBus
import Testing

@testable import DoseTapService

/// The service on a bus that goes and comes back.
@Suite(.serialized) struct ReconnectionTests {
    @Test(.timeLimit(.minutes(1)))
    func `F9: a server that is stopped while it reconnects does not take the name from the one that follows`()
        async throws
    {
        let bus = try PrivateBus()
        let loop = try EventLoop.spawn(name: "service")
        let first = server(on: bus, loop)
        try await first.serve([])
        bus.stop()
        try bus.start()
        // It takes connections, as the kernel does for it, and answers none.
        #expect(kill(bus.processID, SIGSTOP) == 0)
        defer { kill(bus.processID, SIGCONT) }
        try await awaitCaller(of: bus)
        await first.stop()
        #expect(kill(bus.processID, SIGCONT) == 0)
        let second = server(on: bus, loop)
        try await second.serve([])
        let watcher = try await Connection.open(.address(bus.address), on: loop)
        let owner = try await watcher.owner(of: "org.dosetap.DoseTap1")
        // The first one's call has its end, too: beside the owner of the name only the watcher is left.
        while try await callers(watcher).count > 2 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try await watcher.owner(of: "org.dosetap.DoseTap1") == owner)
        await second.stop()
        await #expect(throws: BusError.self) { try await watcher.owner(of: "org.dosetap.DoseTap1") }
        await watcher.close()
        loop.stop()
    }

    /// The unique names of all that are on the bus.
    private func callers(_ watcher: Connection) async throws -> [String] {
        let driver = Connection.driver
        let names = try await watcher.call(
            driver, "/org/freedesktop/DBus", driver, "ListNames", returning: ([String]).self)
        return names.filter { $0.hasPrefix(":") }
    }

    private func server(on bus: PrivateBus, _ loop: EventLoop) -> BusServer {
        BusServer(
            on: loop, .address(bus.address), journal: RecordingJournal(), desktop: Desktop(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onEnd: {})
    }

    /// Waits until somebody has connected to the stopped bus: the kernel lists what waits there beside what listens.
    private func awaitCaller(of bus: PrivateBus) async throws {
        let path = String(bus.address.dropFirst("unix:path=".count))
        while true {
            let sockets = try String(contentsOfFile: "/proc/net/unix", encoding: .utf8)
            if sockets.split(separator: "\n").count(where: { $0.hasSuffix(" " + path) }) > 1 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
