import DoseTapDomain
import DoseTapSimulation
import DoseTapTestSupport
import Foundation
import SDBus
import SystemdJournal
import Testing

@testable import DoseTapEngine
@testable import DoseTapPlugins

/// A night with the real alarm and hooks plugins and clocks that the test moves. The programs are scripts that write
/// down their calls.
final class AlarmBench: Sendable {
    let night: NightBench
    let folder: ScratchFolder
    let desktop = Desktop()
    let journal = RecordingJournal()
    let dose1: Instant
    private let changes: FileChange

    /// Opens a night whose dose 1 was just taken.
    ///
    /// - Parameter programs: names and texts of scripts, in `bin/` or `hooks.d/…/`.
    static func open(
        _ programs: [String: String], in folder: ScratchFolder? = nil, clock: VirtualClock? = nil,
        alarm: AlarmPreferences = AlarmPreferences(), showsDetails: Bool = false
    ) async throws -> AlarmBench {
        try await AlarmBench(programs, folder ?? ScratchFolder(), clock, alarm, showsDetails)
    }

    private init(
        _ programs: [String: String], _ folder: ScratchFolder, _ clock: VirtualClock?, _ alarm: AlarmPreferences,
        _ showsDetails: Bool
    ) async throws {
        self.folder = folder
        for name in ["bin", "hooks.d", "log"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        for (name, text) in programs {
            let path = folder.path(name)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let head = "#!/bin/bash\nexec 3>>\(folder.path("log/calls"))\n"
            try (head + text + "\n").write(toFile: path, atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        }
        changes = try FileChange(in: folder.path("log"))
        let (desktop, journal) = (desktop, journal)
        var values = SettingValues()
        values[ServiceSettings.details] = showsDetails
        values[NotificationsPlugin.soundName] = ""
        alarm.write(into: &values)
        let settings = PluginSettings(values)
        var setup = NightBench.Setup()
        setup.plugins = { bench in
            Roster.plugins { manifest in
                // The plugin gets no other folder, so no installed sound of this machine is played.
                bench.environment(
                    for: manifest, journal: journal, desktop: desktop, path: folder.path("bin"),
                    folders: .init(hooks: [folder.path("hooks.d")]), settings: settings)
            }
        }
        night = try await NightBench.open(setup, in: folder, clock: clock)
        let status = await night.engine.status(at: nil)
        if let known = status.dose1 {
            dose1 = known
        } else {
            dose1 = try await night.submit(.logDose(.dose1)).timestamp
        }
    }

    /// Moves the clock to a time after dose 1, for the reminders and for the plugins.
    func advance(to minutes: Int, seconds: Int = 0) async throws {
        let target = dose1 + .minutes(minutes) + .seconds(seconds)
        try await rest()
        while let due = night.timer.armed, due <= target {
            try await night.advance(to: max(due, night.clock.now))
            try await rest()
        }
        try await night.advance(to: target)
        await night.host.timeCame()
        try await rest()
    }

    /// The plugins did not finish their work in time.
    struct StillBusy: Error {
        let reports: [PluginReport]
    }

    /// Lets the plugins finish their work. Their budgets go by the test's clock, which is faster than they are.
    private func rest() async throws {
        try await awaitReports { $0.lag == 0 || $0.state != .running }
        for _ in 0..<64 { try await night.loop.perform {} }
    }

    /// Waits until a plugin is done with every recorded event, so its hooks have run.
    func awaitDone(_ id: String) async throws {
        try await awaitReports { [host = night.host] report in
            guard report.manifest.id == id else { return true }
            return await host.hasFinished(id)
        }
    }

    private func awaitReports(_ isDone: (PluginReport) async -> Bool) async throws {
        var reports: [PluginReport] = []
        for _ in 0..<20_000 {
            await night.engine.published()
            reports = await night.host.reports()
            var isOver = true
            for report in reports where isOver { isOver = await isDone(report) }
            if isOver { return }
            poll(nil, 0, 1)
        }
        throw StillBusy(reports: reports)
    }

    /// The lines that the scripts wrote.
    var calls: [String] {
        let text = (try? String(contentsOfFile: folder.path("log/calls"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits until the lines of the scripts satisfy a condition.
    @discardableResult
    func awaitCalls(_ isMet: ([String]) -> Bool) throws -> [String] {
        while !isMet(calls) {
            do { try changes.next() } catch {
                Issue.record("\(calls), \(journal.entries.map(\.message))")
                throw error
            }
        }
        return calls
    }

    /// Waits for deliveries by the channels, in any order.
    func awaitDelivered(_ channels: Set<String>) async throws {
        try await night.plugin.received.wait { events in
            channels.isSubset(
                of: events.compactMap { stored in
                    if case .reminderDelivered(let payload) = stored.event.payload { payload.channel.text } else { nil }
                })
        }
    }

    /// Waits until the alarm plugin has asked to be woken at a time after dose 1.
    func awaitWish(_ minutes: Int, seconds: Int) async throws {
        let wish = dose1 + .minutes(minutes) + .seconds(seconds)
        try await night.retry.armings.wait { $0.contains(wish) }
    }

    /// The journal's texts of a message, in order.
    func said(_ message: JournalMessage) -> [String] { journal.entries(message.rawValue).map(\.message) }

    /// The report of a plugin.
    func report(_ id: String) async -> PluginReport? { await night.host.reports().first { $0.manifest.id == id } }
}

extension PluginHost {
    /// True when a plugin has read every event and holds none back.
    fileprivate func hasFinished(_ id: String) -> Bool {
        runners.contains { $0.manifest.id == id && $0.lag == 0 && $0.heldFrom == nil }
    }
}
