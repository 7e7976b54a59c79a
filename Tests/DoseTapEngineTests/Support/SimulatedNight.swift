import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapPlugins
import DoseTapStore
import DoseTapTestSupport
import Foundation
import Logging
import SDBus
import SystemdJournal

/// A simulation on a store of its own, in a scratch folder.
final class SimulationBench: Sendable {
    let simulation: NightSimulation
    private let loop: EventLoop
    private let folder: ScratchFolder

    init(from start: Instant, in zone: Zone, ladder: AlarmLadder = .standard) throws {
        let (folder, loop) = (try ScratchFolder(inMemory: true), try EventLoop.spawn(name: "simulation"))
        (self.folder, self.loop) = (folder, loop)
        let store = try Store.open(
            StoreConfiguration(path: folder.path("dosetap.db"), surface: "test", now: start))
        let machine = SimulatedMachine(VirtualClock(start, zone: zone))
        let desktop = SimulatedDesktop(
            on: loop, machine, ladder: ladder, hookFolders: [folder.path("hooks.d")], folder: folder.path(""))
        simulation = NightSimulation(
            NightSimulation.Parts(
                executor: loop, machine: machine, store: FaultyStore(store), plugins: { desktop.plugins($0, $1) },
                logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }))
    }

    func addHook(_ name: String) throws {
        let path = folder.path("hooks.d/\(name)")
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o700])
    }

    func stop() async {
        await simulation.stop()
        loop.stop()
    }

    static func script(_ text: String) throws -> NightScript {
        try NightScript(text, zone: .utc) { try? SystemZones.named($0) }
    }

    /// - Parameter hooks: programs of the person, such as `alarm/10-light`. They are not run.
    static func run(_ text: String, hooks: [String] = []) async throws -> NightSimulation.Outcome {
        let script = try script(text)
        let bench = try SimulationBench(from: script.start, in: script.zone, ladder: script.ladder)
        for hook in hooks { try bench.addHook(hook) }
        let outcome = try await bench.simulation.run(script)
        await bench.stop()
        return outcome
    }
}

extension NightSimulation.Outcome {
    /// The events of the night, in order.
    var events: [Event] {
        timeline.compactMap { if case .recorded(let event) = $0.what { event } else { nil } }
    }

    /// The time of dose 1, by a clock that is never set.
    var dose1: Instant? {
        timeline.lazy.compactMap { entry -> Instant? in
            guard case .recorded(let event) = entry.what, case .doseRecorded(let dose) = event.payload,
                dose.kind == .dose1
            else { return nil }
            return entry.at - (event.occurredAt - event.effectiveAt)
        }.first
    }

    /// The reminders of the dose window that were told, such as `alarm@165`: whole minutes after dose 1, and `:` with
    /// the seconds if there are any.
    var told: [String] {
        timeline.compactMap { entry in
            guard case .recorded(let event) = entry.what, case .reminderFired(let payload) = event.payload, let dose1,
                payload.reminder.isOfWindow
            else { return nil }
            let seconds = (entry.at - dose1).wholeSeconds
            return "\(payload.reminder.rawValue)@\(seconds / 60)" + (seconds % 60 == 0 ? "" : ":\(seconds % 60)")
        }
    }

    /// The reasons of reminders that were not told.
    var drops: Set<ReminderDrop> {
        Set(
            events.compactMap { event in
                if case .reminderDropped(let payload) = event.payload { payload.reason } else { nil }
            })
    }

    /// The times at which the reminder of the check-in was told.
    var checkInsTold: [Instant] {
        timeline.compactMap { entry in
            guard case .recorded(let event) = entry.what, case .reminderFired(let payload) = event.payload,
                payload.reminder == .checkIn
            else { return nil }
            return entry.at
        }
    }

    /// The reminders of the dose window that were shown, such as `alarm@165`.
    var shown: [String] {
        timeline.compactMap { entry in
            guard case .shown(let item, _) = entry.what, let dose1, item.id.isOfWindow else { return nil }
            return "\(item.id.rawValue)@\((entry.at - dose1).wholeMinutes)"
        }
    }

    /// The times at which programs of a kind ran with success, in seconds after dose 1.
    func ran(_ purpose: String) -> [Int] {
        timeline.compactMap { entry in
            guard case .ran(purpose, _, worked: true) = entry.what, let dose1 else { return nil }
            return Int((entry.at - dose1).wholeSeconds)
        }
    }
}
