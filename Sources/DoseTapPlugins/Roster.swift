public import DoseTapDomain
public import DoseTapEngine
public import SDBus
public import SystemdJournal

/// All plugins there are. A new plugin is one file and one line here.
public enum Roster {
    static let all: [any Plugin.Type] = [
        JournalPlugin.self, NotificationsPlugin.self, AwakePlugin.self, AlarmPlugin.self, HooksPlugin.self,
    ]

    /// What each of them is.
    public static var manifests: [PluginManifest] { all.map { $0.manifest } }

    /// All settings there are, in the order of the configuration file.
    public static var settings: [SettingRow] { ServiceSettings.rows(plugins: manifests.flatMap(\.settings)) }

    /// Made in the order in which they are started.
    ///
    /// - Parameters:
    ///   - environment: this service's, of which programs get a part.
    ///   - hookFolders: where hooks lie, most important first.
    ///   - runtime: where something can be left for the next process of this service, in memory; nil: nowhere.
    public static func plugins(
        on loop: EventLoop, journal: any JournalSink, link: PluginLink, desktop: Desktop, system: SystemBus,
        environment: [String: String], hookFolders: [String], runtime: String? = nil
    ) -> [any Plugin] {
        var plugins = plugins(
            on: loop, journal: journal, eventJournal: journal, link: link, desktop: desktop,
            runner: ProgramRunner(on: loop, desktop: desktop, environment: environment), hookFolders: hookFolders,
            runtime: runtime)
        plugins.insert(
            AwakePlugin(
                on: loop, sink: journal, context: link.context(for: AwakePlugin.manifest), desktop: desktop,
                system: system), at: 2)
        return plugins
    }

    /// Those that tell the person, wherever their programs run.
    ///
    /// - Parameter eventJournal: where events and reminders are written.
    package static func plugins(
        on loop: EventLoop, journal: any JournalSink, eventJournal: any JournalSink, link: PluginLink, desktop: Desktop,
        runner: ProgramRunner, hookFolders: [String], runtime: String?
    ) -> [any Plugin] {
        let folders = HookFolders(roots: hookFolders)
        // Each has its own: an event's hooks that hang must not hold up the alarm's.
        let hooks = HookRunner(runner, folders, sink: journal)
        let alarmHooks = HookRunner(runner, folders, sink: journal)
        return [
            JournalPlugin(on: loop, sink: eventJournal, context: link.context(for: JournalPlugin.manifest)),
            NotificationsPlugin(
                on: loop, sink: journal, context: link.context(for: NotificationsPlugin.manifest), desktop: desktop,
                folder: runtime),
            AlarmPlugin(
                alarmHooks, sink: journal, context: link.context(for: AlarmPlugin.manifest), desktop: desktop),
            HooksPlugin(
                hooks, roots: hookFolders, sink: journal, context: link.context(for: HooksPlugin.manifest),
                desktop: desktop),
        ]
    }
}
