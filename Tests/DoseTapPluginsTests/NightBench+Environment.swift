import DoseTapEngine
import DoseTapTestSupport
import SDBus
import SystemdJournal

@testable import DoseTapPlugins

extension NightBench {
    /// The environment of a plugin: a machine without installed programs, unless a test says otherwise.
    ///
    /// - Parameters:
    ///   - bus: the bus of the machine; nil means that there is none.
    ///   - path: the folders in which programs are looked for.
    func environment(
        for manifest: PluginManifest, journal: any JournalSink, desktop: Desktop = Desktop(), bus: BusAddress? = nil,
        path: String = "", folders: PluginEnvironment.Folders = .init(), settings: PluginSettings = PluginSettings()
    ) -> PluginEnvironment {
        PluginEnvironment(
            loop: loop, clock: clock, journal: journal, desktop: desktop, system: SystemBus(on: loop, bus),
            programs: ProgramRunner(on: loop, desktop: desktop, environment: ["PATH": path]), folders: folders,
            settings: settings, engine: context(for: manifest))
    }
}
