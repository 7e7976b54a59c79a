public import DoseTapEngine
public import SystemdJournal

/// All plugins there are. A new plugin is one file and one line here.
public enum Roster {
    /// Made in the order in which they are started.
    public static func plugins(
        on executor: any SerialExecutor, journal: any JournalSink, context: PluginContext, desktop: Desktop
    ) -> [any Plugin] {
        [
            JournalPlugin(on: executor, sink: journal, context: context),
            NotificationsPlugin(on: executor, sink: journal, context: context, desktop: desktop),
        ]
    }
}
