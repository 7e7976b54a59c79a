import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// The programs under `Contrib/examples` do what their first lines say.
@Suite struct ExampleTests {
    private func program(_ name: String) -> URL { Tool.folder.appending(path: "example-" + name) }

    @Test func `the example of SDBus greets, counts and tells`() async throws {
        let bus = try PrivateBus()
        // The bus starts the program at the first call. The program ends with the bus.
        try bus.addService(
            name: "org.example.Greeter1",
            command: "/usr/bin/env DBUS_SESSION_BUS_ADDRESS=\(bus.address) \(program("bus-service").path)")
        let loop = try EventLoop.spawn(name: "example")
        let client = try await Connection.open(.address(bus.address), on: loop)
        let name = "org.example.Greeter1"
        let path: ObjectPath = "/org/example/Greeter1"
        let greeting = try await client.call(name, path, name, "Greet", "Ada", returning: (String).self)
        #expect(greeting == "Hello, Ada.")
        let error = await #expect(throws: BusError.self) {
            try await client.call(name, path, name, "Greet", "", returning: (String).self)
        }
        #expect(error?.name == name + ".Error.Nobody")
        let count = try await client.property(name, path, name, "Count", as: UInt32.self)
        #expect(count == 1)
        await client.close()
        loop.stop()
    }

    @Test(.enabled(if: Testbed.isActive, "needs a journald of its own: run Contrib/test"))
    func `the example of SystemdJournal writes an entry each way`() async throws {
        let process = Process()
        process.executableURL = program("journal-log")
        process.environment = ["PATH": "/usr/bin:/bin"]
        #expect(try await process.outcome() == 0)
        let entries = try Journal.entries(matching: ["SYSLOG_IDENTIFIER": "example-journal-log"])
        let messages = entries.compactMap { $0["MESSAGE"] }
        #expect(messages.contains("A window was opened.") && messages.contains("It is cold."), "\(messages)")
        #expect(entries.contains { $0["EXAMPLE_ROOM"] == "kitchen" && $0["EXAMPLE_CELSIUS"] == "12" })
    }
}
