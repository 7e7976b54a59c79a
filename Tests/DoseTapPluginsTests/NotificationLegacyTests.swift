import DoseTapDomain
import DoseTapEngine
import DoseTapTestSupport
import Foundation
import SDBus
import SystemdJournal
import Testing

@testable import DoseTapPlugins

/// A notification that a killed process left on the screen belongs to the next process.
@Suite struct NotificationLegacyTests {
    @Test func `after a crash what still holds is shown in place of the old one, and its button records once`()
        async throws
    {
        try await DesktopBench.open { killed, server in
            let server = try #require(server)
            let alarm = try await killed.alarm(on: server)
            let bench = try await killed.afterCrash()
            let again = try await server.awaitShown(4)
            #expect(again.replaces == alarm.id && again.summary == alarm.summary && again.actions == alarm.actions)
            for _ in 0..<2 { try await server.press(alarm.id, "dose2") }
            #expect(try await server.awaitClosed(1) == [alarm.id])
            await bench.night.engine.published()
            #expect(try await bench.recorded().map(\.type) == [.doseRecorded])
            await bench.night.stop()
            #expect(!FileManager.default.fileExists(atPath: bench.file))
        }
    }

    @Test func `what no longer holds is withdrawn, and a press on it is judged by the night as it is`() async throws {
        try await DesktopBench.open { killed, server in
            let server = try #require(server)
            let alarm = try await killed.alarm(on: server)
            let bench = try await killed.afterCrash { next in _ = try await next.night.submit(.skipDose2) }
            #expect(try await server.awaitClosed(1) == [alarm.id])
            try await server.press(alarm.id, "snooze")
            let answer = try await server.awaitShown(4)
            #expect(answer.summary == "Not recorded" && answer.replaces == 0)
            try await server.press(alarm.id, "confirm")
            try await bench.awaitSaid(.notificationIgnored)
            await bench.night.stop()
        }
    }

    @Test func `a bus connection that is lost and found again stacks nothing on the screen`() async throws {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            let alarm = try await bench.alarm(on: server)
            bench.night.loop.execute { bench.desktop.connect(nil) }
            try await bench.connect()
            #expect(try await server.awaitShown(4).replaces == alarm.id)
        }
    }

    /// Changes of the file before the next process reads it. `text` is its content.
    static let fates:
        [(name: String, isSaid: Bool, change: @Sendable (_ path: String, _ text: String) throws -> Void)] = [
            ("gone", false, { path, _ in try FileManager.default.removeItem(atPath: path) }),
            ("of another server", false, { path, text in try put(path, text.replacing(" :", with: " :9")) }),
            ("empty", true, { path, _ in try put(path, "") }),
            ("no JSON", true, { path, _ in try put(path, "\u{1}{{{") }),
            ("cut off", true, { path, text in try put(path, String(text.dropLast(3))) }),
            ("too long", true, { path, text in try put(path, text + String(repeating: " ", count: 5_000)) }),
            ("with the id 0", true, { path, text in try put(path, text.replacing(#""id":1"#, with: #""id":0"#)) }),
            (
                "with an id that is none", true,
                { path, text in try put(path, text.replacing(#""id":1"#, with: #""id":-1"#)) }
            ),
            (
                "with an id too big", true,
                { path, text in try put(path, text.replacing(#""id":1"#, with: #""id":4294967296"#)) }
            ),
            (
                "with a place nobody knows", true,
                { path, text in try put(path, text.replacing("reminder", with: "attic")) }
            ),
            ("with a time that is none", true, { path, text in try put(path, text.replacing("2026-", with: "-")) }),
            ("with words for a list", true, { path, text in try put(path, #"{"server":"x","shown":"y"}"#) }),
            (
                "a folder", true,
                { path, _ in
                    try FileManager.default.removeItem(atPath: path)
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                }
            ),
        ]

    private static func put(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test(arguments: fates.indices)
    func `a file that says nothing useful is forgotten, said once`(index: Int) async throws {
        let fate = Self.fates[index]
        try await DesktopBench.open { killed, server in
            let server = try #require(server)
            _ = try await killed.alarm(on: server)
            let text = try String(contentsOfFile: killed.file, encoding: .utf8)
            let bench = try await killed.afterCrash { next in try fate.change(next.file, text) }
            #expect(try await server.awaitShown(4).replaces == 0, "\(fate.name)")
            try await bench.advance(to: 167)
            _ = try await server.awaitShown(5)
            let said = bench.journal.entries.filter { $0.message.hasPrefix("What ") && $0.priority == .notice }
            #expect(said.count == (fate.isSaid ? 1 : 0), "\(fate.name): \(said.map(\.message))")
            await bench.night.stop()
        }
    }

    @Test func `the file is for the person alone and names no medicine; without a folder everything goes on`()
        async throws
    {
        try await DesktopBench.open { bench, server in
            let server = try #require(server)
            bench.settings[ServiceSettings.details] = true
            _ = try await bench.alarm(on: server)
            let attributes = try FileManager.default.attributesOfItem(atPath: bench.file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let value = try JSONValue.parse(Data(contentsOf: URL(fileURLWithPath: bench.file)))
            let entry = try #require(value["shown"]?.arrayValue?.first?.objectValue)
            #expect(value.objectValue?.keys == ["server", "shown"])
            #expect(entry.keys == ["place", "id", "session_id", "made"])
        }
        // The path of the folder is below a file, so the folder cannot be made.
        try await DesktopBench.open(runtime: "/dev/null/dosetap") { bench, server in
            let server = try #require(server)
            _ = try await bench.alarm(on: server)
            #expect(bench.journal.entries.count { $0.message.hasPrefix("What ") } == 1)
        }
    }
}
