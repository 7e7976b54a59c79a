package import DoseTapDomain
package import DoseTapEngine
package import SDBus
internal import Synchronization
package import SystemdJournal

/// A plugin of the roster, made by `init(environment:)`. The environment gives a plugin everything it needs. The engine
/// may not be asked before the first call from the host.
///
/// The initializer is no requirement: with one, Swift 6.3 takes an actor's own for `nonisolated`, and refuses that.
package protocol RosterPlugin: Plugin {
    /// The environment that the plugin was made with.
    nonisolated var environment: PluginEnvironment { get }
}

extension RosterPlugin {
    /// The plugin's way to the engine.
    package nonisolated var engine: PluginContext { environment.engine }
    package nonisolated var settings: PluginSettings { environment.settings }
    /// The journal, for people who look things up.
    package nonisolated var journal: any JournalSink { environment.journal }
    /// Plugins run on the loop, as their host does.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { environment.loop.asUnownedSerialExecutor() }
}

/// The parts of this process and this machine that a plugin may use.
package struct PluginEnvironment: Sendable {
    package let loop: EventLoop
    /// The clocks and the zone in force.
    package let clock: any SystemEnvironment
    package let journal: any JournalSink
    /// The person's desktop: the bus of the session, as soon as there is one.
    package let desktop: Desktop
    /// The bus of the machine.
    package let system: SystemBus
    package let programs: ProgramRunner
    package let folders: Folders
    package let settings: PluginSettings
    /// The plugin's way to the engine, within the capabilities of its manifest.
    package let engine: PluginContext

    /// Folders that plugins look into.
    package struct Folders: Hashable, Sendable {
        /// The folders of hooks, most important first.
        package var hooks: [String]
        /// A folder in memory for files that the next process of this service reads; nil: there is none.
        package var runtime: String?
        /// The folder in which the kernel shows the machine's clocks; see rtc(4).
        package var clocks: String

        /// The folder of clocks of this machine.
        package static let machineClocks = "/sys/class/rtc"

        package init(hooks: [String] = [], runtime: String? = nil, clocks: String = Self.machineClocks) {
            self.hooks = hooks
            self.runtime = runtime
            self.clocks = clocks
        }
    }

    package init(
        loop: EventLoop, clock: any SystemEnvironment, journal: any JournalSink, desktop: Desktop, system: SystemBus,
        programs: ProgramRunner, folders: Folders, settings: PluginSettings, engine: PluginContext
    ) {
        self.loop = loop
        self.clock = clock
        self.journal = journal
        self.desktop = desktop
        self.system = system
        self.programs = programs
        self.folders = folders
        self.settings = settings
        self.engine = engine
    }
}

/// The settings in force, as plugins read them. A change is in force from the next read.
package final class PluginSettings: Sendable {
    private let current: Mutex<SettingValues>

    /// Makes settings with these first values.
    package init(_ values: SettingValues = SettingValues()) { current = Mutex(values) }

    /// All values, as they are now.
    package var values: SettingValues { current.withLock(\.self) }

    /// The value of a setting that the plugin's manifest names.
    package subscript<Value>(setting: Setting<Value>) -> Value {
        get { values[setting] }
        set { current.withLock { $0[setting] = newValue } }
    }

    /// Puts other values in force.
    package func replace(_ values: SettingValues) { current.withLock { $0 = values } }
}
