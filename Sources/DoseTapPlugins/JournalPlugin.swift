package import DoseTapDomain
package import DoseTapEngine
internal import SystemdJournal

/// Writes every event of the log, and every reminder at its instant, as one structured journal entry.
///
/// Medicine names, amounts and notes never appear.
package actor JournalPlugin: RosterPlugin {
    /// As shown by `dosetap plugins`.
    package static nonisolated let manifest = PluginManifest(
        id: "journal", summary: sent("writes events and reminders to the journal"),
        capabilities: [.reads, .notifies, .reminders], channels: ["journal"])

    package nonisolated let environment: PluginEnvironment

    package init(environment: PluginEnvironment) { self.environment = environment }

    /// Writes one entry for one event, except for a reminder, which was written when it was told.
    package func receive(_ event: StoredEvent) async throws {
        switch event.event.payload {
        case .reminderFired: return
        case .reminderDelivered(let payload) where payload.channel.text == Self.manifest.id: return
        default: break
        }
        var date: SessionDate?
        if let session = event.event.sessionID { date = await engine.date(of: session) }
        let entry = JournalEntry(
            recorded: event, date: date, phase: await engine.phase(), due: await engine.shownDue(of: event),
            moments: await engine.moments())
        // A service that crashed may have written the entry; a service that ended properly has left no event to be read.
        journal.send(await engine.isOld(event) ? entry.again : entry)
    }

    /// Writes one entry for one reminder, at its instant.
    package func reminderDue(_ due: DueReminder) async throws {
        journal.send(JournalEntry(reminder: due))
        try await engine.delivered(due, by: Self.manifest.id)
    }

    /// Writes one entry for a test.
    package func test(_ channel: String) async throws { journal.send(.channelTested(channel)) }
}
