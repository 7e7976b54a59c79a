public import DoseTapDomain
public import DoseTapEngine
public import SystemdJournal

/// Writes every event of the log, and every reminder at its instant, as one structured journal entry.
///
/// Medicine names, amounts and notes never appear.
public actor JournalPlugin: Plugin {
    /// As shown by `dosetap plugins`.
    public static nonisolated let manifest = PluginManifest(
        id: "journal", summary: "writes events and reminders to the journal",
        capabilities: [.reads, .notifies, .deadlines], channels: ["journal"])

    private let executor: any SerialExecutor
    private let sink: any JournalSink
    private let context: PluginContext

    /// Runs where the host runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter sink: the journal, or a recorder in tests.
    public init(on executor: any SerialExecutor, sink: any JournalSink, context: PluginContext) {
        self.executor = executor
        self.sink = sink
        self.context = context
    }

    /// One entry for one event; a reminder was written when it was told.
    public func receive(_ event: StoredEvent) async throws {
        switch event.event.payload {
        case .reminderFired: return
        case .reminderDelivered(let payload) where payload.channel.text == Self.manifest.id: return
        default: break
        }
        var date: SessionDate?
        if let session = event.event.sessionID { date = await context.date(of: session) }
        let entry = JournalEntry(
            recorded: event, date: date, phase: await context.phase(), due: await context.shownDue(of: event),
            moments: await context.moments())
        // A service that crashed may have written it; one that ended properly has left nothing to be read.
        sink.send(await context.isOld(event) ? entry.again : entry)
    }

    /// One entry for one reminder, at its instant.
    public func deadline(_ due: Deadline) async throws {
        sink.send(JournalEntry(reminder: due))
        try await context.delivered(due, by: Self.manifest.id)
    }

    /// One entry that says to be a test.
    public func test(_ channel: String) async throws { sink.send(.channelTested(channel)) }

    /// Nothing is held back, so there is nothing to finish.
    public func stop() async {}
}
