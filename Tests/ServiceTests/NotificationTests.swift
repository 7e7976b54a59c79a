import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// Tests with a real service, a real notification server and real buttons.
@Suite(
    .serialized,
    .enabled(if: Testbed.isActive && RealDesktop.isInstalled, "needs a test bed with a desktop: run Contrib/test"))
struct NotificationTests {
    static let presses: [(label: String, type: EventType)] = [
        ("Dose 2 taken", .doseRecorded), ("Snooze 10 min", .snoozeRecorded), ("Skip", .doseSkipped),
    ]

    @Test(arguments: presses)
    func `a reminder appears on the desktop, its button records, and it is gone`(
        press: (label: String, type: EventType)
    ) async throws {
        let bus = try PrivateBus()
        let monitor = try Self.monitor(bus)
        let desktop = try RealDesktop(bus: bus.address)
        let bench = try await ServiceBench.start(on: bus)
        let due = ServiceBench.now + .milliseconds(1_500)
        try await bench.submit(.logDose(.dose1)) { $0.at = due - .minutes(165) }
        // The reminder that was due before and the alarm are each delivered by the journal and on the desktop.
        try await bench.awaitRecorded(.reminderDelivered, count: 4)
        #expect(try desktop.countShown() == 1)
        let before = try await bench.client.status()
        #expect(before.window.phase == .active)
        try desktop.press(press.label)
        try await bench.awaitRecorded(press.type, count: press.type == .doseRecorded ? 2 : 1)
        let traffic = monitor.read(until: "\"NotificationClosed\"")
        let alarm = try #require(traffic.split(separator: "\n").last { $0.contains("Time to take") })
        #expect(alarm.contains("Time to take dose 2") && alarm.contains("2 h 45 min since dose 1."))
        let sent = try #require(Self.sent(alarm))
        #expect(sent >= due && sent - due < .milliseconds(500), "\(sent - due)")
        #expect(traffic.contains("\"ActionInvoked\""))
        // The notification now says what was recorded, and offers an undo.
        if !traffic.contains("\"Undo\"") { _ = monitor.read(until: "\"Undo\"") }
        #expect(try desktop.countShown() == 1)
        try await bench.stop()
        let log = try await StoredLog.read(bench.store)
        let made = log.last { $0.event.type == press.type && $0.event.surface == .notification }
        #expect(made?.event.idempotencyKey?.hasPrefix("notification/") == true)
        try desktop.stop()
        monitor.signal(SIGTERM)
        _ = try monitor.finish()
    }

    @Test func `R38.2: a reminder is German by the setting, its button records, and the bus stays English`()
        async throws
    {
        let bus = try PrivateBus()
        let monitor = try Self.monitor(bus)
        let desktop = try RealDesktop(bus: bus.address)
        let bench = try await ServiceBench.start(on: bus)
        _ = try await bench.client.set("display.language", to: "de")
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(166) }
        try await bench.awaitRecorded(.reminderDelivered, count: 2)
        #expect(try desktop.countShown() == 1)
        try desktop.press("Dosis 2 genommen")
        try await bench.awaitRecorded(.doseRecorded, count: 2)
        let traffic = monitor.read(until: "\"Zur")
        #expect(traffic.contains("seit Dosis 1.") && traffic.contains("Schlummern 10 min"))
        #expect(!traffic.contains("since dose 1."))
        // Errors on the bus are English, because programs read them.
        let error = await #expect(throws: ServiceError.self) { try await bench.submit(.logDose(.dose1)) }
        #expect(error?.message.hasPrefix("Dose 1 is already on record") == true, "\(String(describing: error))")
        try await bench.stop()
        try desktop.stop()
        monitor.signal(SIGTERM)
        _ = try monitor.finish()
    }

    @Test func `after a crash one notification is on the desktop, and its button records`() async throws {
        let bus = try PrivateBus()
        let desktop = try RealDesktop(bus: bus.address)
        let runtime = try ScratchFolder()
        let killed = try await ServiceBench.start(on: bus, environment: ["XDG_RUNTIME_DIR": runtime.path("")])
        try await killed.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(165) }
        try await killed.awaitRecorded(.reminderDelivered, count: 2)
        #expect(try desktop.countShown() == 1)
        try await killed.kill()
        #expect(try desktop.countShown() == 1)
        let monitor = try Self.monitor(bus)
        let bench = try await killed.again(environment: ["XDG_RUNTIME_DIR": runtime.path("")])
        // The server takes its calls in order, so a later question is answered after this notification.
        _ = monitor.read(until: "\"Notify\"")
        #expect(try desktop.countShown() == 1)
        try desktop.press("Dose 2 taken")
        try await bench.awaitRecorded(.doseRecorded)
        _ = monitor.read(until: "\"Undo\"")
        #expect(try desktop.countShown() <= 2)
        try await bench.stop()
        #expect(try desktop.countShown() == 0)
        let log = try await StoredLog.read(bench.store)
        #expect(log.count { $0.event.type == .doseRecorded && $0.event.surface == .notification } == 1)
        try desktop.stop()
        monitor.signal(SIGTERM)
        _ = try monitor.finish()
    }

    @Test(.enabled(if: PointedDesktop.isInstalled, "needs notification-daemon and xdotool: run Contrib/test"))
    func `another make of server, which tells everybody of a press, is served as well, also after a crash`()
        async throws
    {
        let bus = try PrivateBus()
        let desktop = try PointedDesktop(bus: bus.address)
        let runtime = try ScratchFolder()
        let killed = try await ServiceBench.start(on: bus, environment: ["XDG_RUNTIME_DIR": runtime.path("")])
        try await killed.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(165) }
        #expect(try desktop.awaitShown(1) == 1)
        try await killed.awaitRecorded(.reminderDelivered, count: 2)
        try await killed.kill()
        let monitor = try Self.monitor(bus)
        let bench = try await killed.again(environment: ["XDG_RUNTIME_DIR": runtime.path("")])
        let again = monitor.read(until: "\"Notify\"")
        #expect(again.contains("Time to take dose 2"))
        #expect(try desktop.awaitShown(1) == 1)
        try desktop.pressFirst()
        try await bench.awaitRecorded(.doseRecorded)
        _ = monitor.read(until: "\"Undo\"")
        try await bench.stop()
        #expect(try desktop.awaitShown(0) == 0)
        let log = try await StoredLog.read(bench.store)
        #expect(log.count { $0.event.type == .doseRecorded && $0.event.surface == .notification } == 1)
        try desktop.stop()
        monitor.signal(SIGTERM)
        _ = try monitor.finish()
    }

    /// A program that prints all messages to and from the server, in order.
    private static func monitor(_ bus: PrivateBus) throws -> Child {
        let monitor = try Child(
            "/usr/bin/env",
            [
                "timeout", "60", "busctl", "--address=\(bus.address)", "--json=short", "monitor",
                "--match=interface='org.freedesktop.Notifications'",
            ])
        _ = monitor.read(until: "Monitoring")
        return monitor
    }

    /// The time of a message that the monitor printed.
    private static func sent(_ line: Substring) -> Instant? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let microseconds = object["timestamp-realtime"] as? Int64
        else { return nil }
        return Instant(microseconds: microseconds)
    }
}
