public import DoseTapDomain
public import DoseTapEngine
public import SDBus
internal import DoseTapPlugins
internal import SystemdJournal

/// The person's desktop in a simulation: the plugins are the real ones, the screen remembers, and no program runs.
///
/// What keeps the machine awake is not among them: a script says itself when it sleeps.
public final class SimulatedDesktop: Sendable {
    private let loop: EventLoop
    private let machine: SimulatedMachine
    private let screen: SimulatedScreen
    private let hookFolders: [String]
    private let folder: String?
    private let settings: PluginSettings

    /// - Parameters:
    ///   - loop: what the simulation runs on.
    ///   - ladder: when the alarm takes its steps.
    ///   - hookFolders: where hooks lie; they are looked for, and not run.
    ///   - folder: where one life of the service leaves the next what stands on the screen.
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

    /// The plugins of one life of the service.
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

/// What plugins write to the journal is part of what happened.
private struct SimulatedJournal: JournalSink {
    let machine: SimulatedMachine

    func send(_ entry: JournalEntry) { machine.note(.journaled(entry.message)) }
}

/// Events and reminders are in the timeline already; what is said of the window is judged.
private struct SimulatedLog: JournalSink {
    let machine: SimulatedMachine

    private static let ofWindow: Set<String> = Set(
        [JournalMessage.windowOpen, .alarm, .closing, .windowClosed, .reminder].map(\.rawValue))

    func send(_ entry: JournalEntry) {
        guard let id = entry.messageID, Self.ofWindow.contains(id) else { return }
        machine.note(.said(entry.message, stays: false))
    }
}

/// The machine's programs: they do what they should at once, or cannot be heard while the audio is dead.
private struct SimulatedPrograms: ProgramStage {
    let machine: SimulatedMachine

    /// One that plays and one that speaks.
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
