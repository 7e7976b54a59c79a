import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// The alarm ladder in the real service. Its programs are scripts that write down their calls.
@Suite(.serialized, .enabled(if: Testbed.isActive, "needs a journald of its own: run Contrib/test")) struct AlarmTests {
    /// A folder with programs in `bin` and hooks in `config`, and a service that finds them.
    private static func start(_ programs: [String: String]) async throws -> (ServiceBench, ScratchFolder) {
        let folder = try ScratchFolder()
        for (name, text) in programs {
            let path = folder.path(name)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        }
        let bench = try await ServiceBench.start(environment: [
            "PATH": folder.path("bin"), "XDG_CONFIG_HOME": folder.path("config"), "XDG_CONFIG_DIRS": folder.path("no"),
        ])
        return (bench, folder)
    }

    @Test func `an alarm rings until dose 2 is logged, and its player is gone then`() async throws {
        let (bench, folder) = try await Self.start([
            // The doctor asks aplay for the sound cards.
            "bin/aplay": """
            [ "$1" != -l ] || { echo 'card 0: one'; exit; }
            echo $$ > "${0%/*}/../player"
            exec /usr/bin/sleep 1000
            """,
            "config/dosetap/hooks.d/dose_recorded/10-a": "exec /usr/bin/head -c 100000000 /dev/zero",
        ])
        let changes = try FileChange(in: folder.path(""))
        let due = ServiceBench.now + .milliseconds(1_000)
        try await bench.submit(.logDose(.dose1)) { $0.at = due - .minutes(165) }
        func player() -> pid_t? {
            (try? String(contentsOfFile: folder.path("player"), encoding: .utf8)).flatMap {
                pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        while player() == nil { try changes.next() }
        let id = try #require(player())
        #expect(kill(id, 0) == 0 && ServiceBench.now >= due)
        let receipt = try await bench.submit(.logDose(.dose2))
        #expect(receipt.type == "dose2")
        // The service records the delivery after the player has ended.
        try await bench.signals.wait { signals in
            signals.contains {
                $0.member == "EventRecorded" && $0.arguments.first?.stringValue == "reminder_acknowledged"
            }
        }
        for _ in 0..<500 where kill(id, 0) == 0 { poll(nil, 0, 10) }
        #expect(kill(id, 0) != 0)
        let plugins = try await bench.client.plugins()
        #expect(
            plugins.compactMap { $0["id"]?.stringValue } == ["journal", "notifications", "awake", "alarm", "hooks"])
        #expect(try await bench.stop() == 0)
        let log = try await StoredLog.read(bench.store)
        let channels = log.compactMap { stored in
            if case .reminderDelivered(let payload) = stored.event.payload { payload.channel.text } else { nil }
        }
        #expect(channels.contains("sound"))
    }

    @Test func `a channel is tried for real over the bus`() async throws {
        let (bench, folder) = try await Self.start([
            "bin/paplay": "echo \"$@\" > \"${0%/*}/../called\"; exec /usr/bin/wc -c >> \"${0%/*}/../called\"",
            "config/dosetap/hooks.d/partner/10-phone": "echo no signal; exit 3",
        ])
        func test(_ channel: String) throws -> TestProgram.Outcome {
            try bench.busctl(
                "call", Contract.name, "/org/dosetap/DoseTap1", Contract.InterfaceName.reminders, "Test", "sa{sv}",
                channel, "0")
        }
        let works = try test("sound")
        #expect(works.status == 0, "\(works.errors)")
        let called = try String(contentsOfFile: folder.path("called"), encoding: .utf8)
        #expect(called == "--property=media.role=alarm /dev/stdin\n529244\n")
        let fails = try test("partner")
        #expect(fails.status != 0 && fails.errors.contains("10-phone exited with 3"), "\(fails.errors)")
        let unknown = try test("smell")
        #expect(unknown.errors.contains("no channel 'smell'"), "\(unknown.errors)")
        try await bench.stop()
    }
}
