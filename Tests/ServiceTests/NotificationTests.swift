import DoseTapBusAPI
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// The whole way, with a real service, a real notification server and real buttons.
@Suite(.serialized, .enabled(if: Testbed.isActive && RealDesktop.isInstalled)) struct NotificationTests {
    static let presses: [(label: String, type: EventType)] = [
        ("Dose 2 taken", .doseRecorded), ("Snooze 10 min", .snoozeRecorded), ("Skip", .doseSkipped),
    ]

    @Test(arguments: presses)
    func `a reminder appears on the desktop, its button records, and it is gone`(
        press: (label: String, type: EventType)
    ) async throws {
        let bus = try PrivateBus()
        // Everything that goes over the bus, in order.
        let monitor = try Child(
            "/usr/bin/env",
            [
                "timeout", "60", "busctl", "--address=\(bus.address)", "--json=short", "monitor",
                "--match=interface='org.freedesktop.Notifications'",
            ])
        _ = monitor.read(until: "Monitoring")
        let desktop = try RealDesktop(bus: bus.address)
        let bench = try await ServiceBench.start(on: bus)
        let due = ServiceBench.now + .milliseconds(1_500)
        try await bench.submit(.logDose(.dose1)) { $0.at = due - .minutes(165) }
        // The reminder that was due before and the alarm, each by the journal and on the desktop.
        try await bench.awaitRecorded(.reminderDelivered, count: 4)
        #expect(try desktop.countShown() == 1)
        let before = try await bench.client.status()
        #expect(before.window.phase == .active)
        try desktop.press(press.label)
        try await bench.awaitRecorded(press.type, count: press.type == .doseRecorded ? 2 : 1)
        let traffic = monitor.read(until: "\"NotificationClosed\"")
        let alarm = try #require(traffic.split(separator: "\n").last { $0.contains("\"Notify\"") })
        #expect(alarm.contains("Time to take dose 2") && alarm.contains("2 h 45 min since dose 1."))
        let sent = try #require(Self.sent(alarm))
        #expect(sent >= due && sent - due < .milliseconds(500), "\(sent - due)")
        #expect(traffic.contains("\"ActionInvoked\""))
        #expect(try desktop.countShown() == 0)
        try await bench.stop()
        let log = try await StoredLog.read(bench.store)
        let made = log.last { $0.event.type == press.type && $0.event.surface == .notification }
        #expect(made?.event.idempotencyKey?.hasPrefix("notification/") == true)
        try desktop.stop()
        monitor.signal(SIGTERM)
        _ = try monitor.finish()
    }

    /// When a message the monitor shows went by.
    private static func sent(_ line: Substring) -> Instant? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let microseconds = object["timestamp-realtime"] as? Int64
        else { return nil }
        return Instant(microseconds: microseconds)
    }
}
