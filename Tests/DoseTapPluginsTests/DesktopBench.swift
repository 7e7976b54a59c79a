import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import SDBus
import Synchronization
import SystemdJournal
import Testing

@testable import DoseTapPlugins

/// A night with the real plugin on a real bus. The test moves the clocks.
final class DesktopBench: Sendable {
    let bus: PrivateBus
    let night: NightBench
    let desktop = Desktop()
    let settings = PluginSettings()
    let journal = RecordingJournal()
    let dose1: Instant
    private let runtime: String
    private let connection = Mutex<Connection?>(nil)
    private let isGone = Atomic(false)

    /// Opens a night whose dose 1 was just taken. A manner of nil starts no server.
    static func open(
        _ manner: ScriptedNotificationServer.Manner? = .proper, runtime: String? = nil,
        change: (inout NightBench.Setup) -> Void = { _ in },
        _ body: @Sendable (DesktopBench, ScriptedNotificationServer?) async throws -> Void
    ) async throws {
        let bench = try await DesktopBench(runtime: runtime, change)
        var server: ScriptedNotificationServer?
        if let manner { server = try await ScriptedNotificationServer.start(on: bench.bus.address, manner) }
        try await bench.connect()
        try await body(bench, server)
        await server?.stop()
        if !bench.isGone.load(ordering: .relaxed) { await bench.night.stop() }
    }

    /// - Parameter killed: the process before this one, if there is any.
    private init(
        runtime: String? = nil, after killed: DesktopBench? = nil,
        _ change: (inout NightBench.Setup) -> Void = { _ in }
    ) async throws {
        bus = try killed?.bus ?? PrivateBus()
        let folder = try killed?.night.folder ?? ScratchFolder()
        let place = runtime ?? folder.path("run")
        self.runtime = place
        var setup = NightBench.Setup()
        change(&setup)
        settings[NotificationsPlugin.soundName] = ""
        let (desktop, journal, settings) = (desktop, journal, settings)
        setup.plugins = { bench in
            [
                NotificationsPlugin(
                    environment: bench.environment(
                        for: NotificationsPlugin.manifest, journal: journal, desktop: desktop,
                        folders: .init(runtime: place), settings: settings))
            ]
        }
        night = try await NightBench.open(setup, in: folder, clock: killed?.night.clock)
        if let killed { dose1 = killed.dose1 } else { dose1 = try await night.submit(.logDose(.dose1)).timestamp }
    }

    /// Kills the process, and starts another one on the same bus and store.
    ///
    /// - Parameter meanwhile: runs before the new process is on the bus.
    func afterCrash(
        _ meanwhile: @Sendable (DesktopBench) async throws -> Void = { _ in }
    ) async throws -> DesktopBench {
        isGone.store(true, ordering: .relaxed)
        await connection.withLock(\.self)?.abort()
        try await night.crash()
        return try await next(meanwhile)
    }

    /// Stops the service, and starts it again on the same bus and store.
    func afterStop() async throws -> DesktopBench {
        isGone.store(true, ordering: .relaxed)
        await night.engine.stop()
        await connection.withLock(\.self)?.close()
        night.loop.stop()
        return try await next { _ in }
    }

    private func next(_ meanwhile: @Sendable (DesktopBench) async throws -> Void) async throws -> DesktopBench {
        let next = try await DesktopBench(after: self)
        try await meanwhile(next)
        try await next.connect()
        return next
    }

    /// Presses dose 2 on a reminder after dose 1 was moved to three minutes later. The answer is a question.
    func pressedTooEarly(
        on server: ScriptedNotificationServer, times: Int = 1
    ) async throws -> (reminder: ScriptedNotificationServer.Shown, question: ScriptedNotificationServer.Shown) {
        try await advance(to: 151)
        let reminder = try await server.awaitShown(1)
        let entry = try await night.log().first { $0.event.type == .doseRecorded }
        try await night.submit(.amend(try #require(entry).event.id)) { $0.at = dose1 + .minutes(3) }
        #expect(try await server.awaitClosed(1) == [reminder.id])
        for _ in 0..<times { try await server.press(reminder.id, "dose2") }
        return (reminder, try await server.awaitShown(2))
    }

    /// The file that the plugin leaves for the next process.
    var file: String { runtime + "/notifications.json" }

    /// Gives the plugin the bus, as the service does once it is connected.
    func connect() async throws {
        let connection = try await Connection.open(.address(bus.address), on: night.loop)
        self.connection.withLock { $0 = connection }
        night.loop.execute { [desktop] in desktop.connect(connection) }
    }

    /// Moves the clock to a number of minutes after dose 1.
    func advance(to minutes: Int) async throws { try await night.advance(to: dose1 + .minutes(minutes)) }

    /// Moves the clock until the alarm, the third notification, is shown. Each notification is awaited, because this
    /// clock is faster than a bus.
    func alarm(on server: ScriptedNotificationServer) async throws -> ScriptedNotificationServer.Shown {
        for (count, minutes) in [150, 160, 165].enumerated() {
            try await advance(to: minutes)
            _ = try await server.awaitShown(count + 1)
            _ = try await awaitDelivered(count + 1)
        }
        return try await server.awaitShown(3)
    }

    /// The journal's texts of a message, in order.
    func said(_ message: JournalMessage) -> [String] { journal.entries(message.rawValue).map(\.message) }

    /// Waits until the journal has a message `count` times.
    func awaitSaid(_ message: JournalMessage, count: Int = 1) async throws {
        try await journal.wait(for: message.rawValue, count: count)
    }

    /// Waits for `count` deliveries on record, and returns their reminders.
    func awaitDelivered(_ count: Int) async throws -> [ReminderID] {
        try await night.plugin.received.wait { events in events.compactMap(\.delivered).count >= count }
            .compactMap(\.delivered)
    }

    /// Waits until the plugin has asked to be woken a minute later, and passes that minute. A call in progress would
    /// have asked for an earlier time, the end of its budget.
    func passMinute() async throws {
        let due = night.clock.now + .minutes(1)
        try await night.retry.armings.wait { $0.last == due }
        try await night.advance(to: due)
        await night.host.timeCame()
    }

    /// The recorded entries of the kinds that a press can make.
    func recorded() async throws -> [Event] {
        try await night.log().map(\.event).filter { event in
            [.doseRecorded, .doseSkipped, .snoozeRecorded].contains(event.type) && event.surface == .notification
        }
    }
}

extension StoredEvent {
    fileprivate var delivered: ReminderID? {
        if case .reminderDelivered(let payload) = event.payload, payload.channel.text == "notification" {
            payload.reminder
        } else {
            nil
        }
    }
}
