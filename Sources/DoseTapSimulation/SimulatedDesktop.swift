public import DoseTapDomain
public import DoseTapEngine
internal import DoseTapPlugins
public import SDBus
internal import Synchronization
internal import SystemdJournal

/// The desktop in a simulation: real plugins, a recorded screen, and no programs.
///
/// The plugin that keeps the machine awake is left out: the script says when the machine sleeps.
public final class SimulatedDesktop: Sendable {
    private let loop: EventLoop
    private let machine: SimulatedMachine
    private let screen: SimulatedScreen
    private let hookFolders: [String]
    private let folder: String?
    private let settings: PluginSettings

    /// - Parameters:
    ///   - loop: the loop that the simulation runs on.
    ///   - ladder: times of the alarm's steps.
    ///   - hookFolders: folders of hooks, which are looked up and not run.
    ///   - folder: keeps the state of the screen of one run of the service for the next run.
    public init(
        on loop: EventLoop, _ machine: SimulatedMachine, ladder: AlarmLadder = .standard, hookFolders: [String] = [],
        folder: String? = nil
    ) {
        self.loop = loop
        self.machine = machine
        self.hookFolders = hookFolders
        self.folder = folder
        var (alarm, values) = (AlarmPreferences(), SettingValues())
        alarm.ladder = ladder
        alarm.write(into: &values)
        settings = PluginSettings(values)
        screen = SimulatedScreen(on: loop, machine)
    }

    /// The plugins of one run of the service.
    public func plugins(_ engine: Engine, _ host: PluginHost) -> SimulatedPlugins {
        let desktop = Desktop()
        let plugins = Roster.plugins {
            $0.id != AwakePlugin.manifest.id
        } _: { manifest in
            let isLog = manifest.id == JournalPlugin.manifest.id
            return PluginEnvironment(
                loop: loop, clock: machine.clock,
                journal: isLog ? SimulatedLog(machine: machine) : SimulatedJournal(machine: machine), desktop: desktop,
                system: SystemBus(on: loop, nil),
                programs: ProgramRunner(on: loop, stage: SimulatedPrograms(machine: machine)),
                folders: .init(hooks: hookFolders, runtime: folder), settings: settings,
                engine: PluginContext(manifest, engine: engine, host: host))
        }
        return SimulatedPlugins(plugins) { [loop, screen] in
            loop.execute { desktop.begin(Desktop.Session(connection: nil, notifications: screen)) }
        }
    }
}

/// Notes journal entries of plugins in the timeline.
private struct SimulatedJournal: JournalSink {
    let machine: SimulatedMachine

    func send(_ entry: JournalEntry) { machine.note(.journaled(entry.message)) }
}

/// Leaves out events and reminders, which are in the timeline already. Texts about the window are noted and checked.
private struct SimulatedLog: JournalSink {
    let machine: SimulatedMachine

    private static let ofWindow: Set<String> = Set(
        [JournalMessage.windowOpen, .alarm, .closing, .windowClosed, .reminder].map(\.rawValue))

    func send(_ entry: JournalEntry) {
        guard let id = entry.messageID, Self.ofWindow.contains(id) else { return }
        machine.note(.said(entry.message, stays: false))
    }
}

/// The machine's programs. They succeed at once, or cannot be heard while the audio is dead.
private struct SimulatedPrograms: ProgramStage {
    let machine: SimulatedMachine

    /// A player and a speech program.
    private static let installed = ["pw-play", "espeak-ng"]

    func find(_ name: String) -> String? {
        if name.hasPrefix("/") { return name }
        return Self.installed.contains(name) ? "/usr/bin/\(name)" : nil
    }

    func act(_ program: Program) -> ProgramResult.End {
        let isHeard = program.purpose == "hook" || !machine.isDead(.audio)
        machine.note(.ran(purpose: program.purpose, path: program.path, worked: isHeard))
        if program.purpose == "speech", let words = program.arguments.last {
            machine.note(.said(words, stays: false))
        }
        return .exited(isHeard ? 0 : 1)
    }
}

/// A notification server in a simulation. It keeps the screen over all runs of the service. While notifications reach
/// nobody it shows nothing new, but closes on request.
final class SimulatedScreen: NotificationBus {
    private struct State {
        /// The boot of the screen. Another boot begins with an empty screen.
        var bootID = ""
        var lastID: UInt32 = 0
        var shown: [UInt32: DueReminder?] = [:]
        /// The text about the window on the screen.
        var words = ""
    }

    private let loop: EventLoop
    private let machine: SimulatedMachine
    private let state = Mutex(State())

    init(on loop: EventLoop, _ machine: SimulatedMachine) {
        self.loop = loop
        self.machine = machine
    }

    /// Listens to nothing: no button is pressed, and the server stays.
    func listen(
        _ changed: @escaping @Sendable (_ owner: String) -> Void,
        _ heard: @escaping @Sendable (_ sender: String, NotificationNews) -> Void
    ) async throws(BusError) {}

    func ask(starts: Bool) async throws(BusError) -> NotificationServer {
        let bootID = machine.clock.clock().bootID
        state.withLock { state in
            if state.bootID != bootID { state = State(bootID: bootID) }
        }
        return NotificationServer(
            owner: ":1.1", identity: bootID, title: "the screen",
            capabilities: Set(NotificationServer.Capability.allCases), keepsClosed: false)
    }

    func canBeStarted() async -> Bool { false }

    func show(
        _ content: NotificationContent, of due: DueReminder?, replacing id: UInt32, sound: String,
        on server: NotificationServer, answered: @escaping @Sendable (NotificationServer.Answer) -> Void
    ) {
        let answer: NotificationServer.Answer
        if machine.isDead(.notifications) {
            if let due { machine.note(.unshown(due.item)) }
            answer = .failed("nobody would see it")
        } else {
            let (shown, before) = state.withLock { state -> (UInt32, DueReminder?) in
                let before = state.shown[id] ?? nil
                if state.shown[id] == nil { state.lastID += 1 }
                let shown = state.shown[id] == nil ? state.lastID : id
                state.shown[shown] = due
                return (shown, before)
            }
            note(due, inPlaceOf: before)
            if let due, due.item.id.isOfWindow { note(content) }
            answer = .shown(shown)
        }
        Task(executorPreference: loop.preference) { answered(answer) }
    }

    func close(_ id: UInt32, on server: NotificationServer?) async {
        note(nil, inPlaceOf: state.withLock { $0.shown.removeValue(forKey: id) } ?? nil)
    }

    private func note(_ content: NotificationContent) {
        let words = ([content.summary] + content.lines).joined(separator: " ")
        let isNew = state.withLock { state in
            defer { state.words = words }
            return state.words != words
        }
        if isNew { machine.note(.said(words, stays: true)) }
    }

    private func note(_ due: DueReminder?, inPlaceOf before: DueReminder?) {
        // The same notification shown again by the next run of the service is not new to the person.
        guard due?.item != before?.item || due?.session != before?.session else { return }
        if let before { machine.note(.withdrawn(before.item, before.session)) }
        if let due { machine.note(.shown(due.item, due.session)) }
    }
}
