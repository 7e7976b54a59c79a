import DoseTapDomain
import DoseTapEngine
import DoseTapPlugins
import SystemdJournal

/// A sample plugin with a setting of its own, which Contrib/CONTRIBUTING.md explains. The plugin writes to the journal
/// how many sleep events were recorded since its start.
actor TallyPlugin: RosterPlugin {
    static nonisolated let manifest = PluginManifest(
        id: "tally", summary: "writes the number of sleep events to the journal", capabilities: [.reads],
        settings: [every.row])

    static nonisolated let every = Setting(
        "tally.every", .integer(1...100), default: 10, "Sleep events from one entry in the journal to the next.")

    nonisolated let environment: PluginEnvironment
    private var count = 0

    init(environment: PluginEnvironment) { self.environment = environment }

    func receive(_ event: StoredEvent) async throws {
        guard event.event.type == .sleepEventRecorded else { return }
        count += 1
        guard count.isMultiple(of: settings[Self.every]) else { return }
        journal.send(JournalEntry(message: "\(count) sleep events were recorded"))
    }
}
