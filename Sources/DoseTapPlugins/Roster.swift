public import DoseTapEngine
public import SystemdJournal

/// All plugins there are. A new plugin is one file and one line here.
public enum Roster {
    /// Made in the order in which they are started.
    public static func plugins(
        on executor: any SerialExecutor, journal: any JournalSink, link: PluginLink, desktop: Desktop,
        system: SystemBus
    ) -> [any Plugin] {
        [
            JournalPlugin(on: executor, sink: journal, context: link.context(for: JournalPlugin.manifest)),
            NotificationsPlugin(
                on: executor, sink: journal, context: link.context(for: NotificationsPlugin.manifest), desktop: desktop),
            AwakePlugin(
                on: executor, sink: journal, context: link.context(for: AwakePlugin.manifest), desktop: desktop,
                system: system),
        ]
    }
}
