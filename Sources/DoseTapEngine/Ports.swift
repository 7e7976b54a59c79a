public import DoseTapDomain

/// The engine's store. Every write is durable when the call returns; errors are ``DoseTapDomain/StoreError``.
public protocol EventStore: Sendable {
    /// Loads what is needed at start; the cost does not grow with history.
    func load(now: Instant) async throws -> LogSnapshot
    /// Takes a batch in one durable transaction.
    ///
    /// - Returns: the events as stored.
    func commit(_ batch: CommitBatch) async throws -> [StoredEvent]
    /// The events of all sessions that touch a span of time, one array per session, in log order.
    func sessions(around span: ClosedRange<Instant>) async throws -> [[Event]]
    /// The events of the session with this id or date, or of the session an entry belongs to.
    ///
    /// - Parameter name: a session id, an entry id or an unambiguous beginning of one (8 characters or more).
    func session(named name: String) async throws -> [Event]?
    /// The sessions of a date, oldest first.
    func sessions(on date: SessionDate) async throws -> [[Event]]
    /// The events about the active standalone entries of a scope, one array per entry, in log order.
    func entries(_ kinds: [EntityType], _ scope: EntryScope) async throws -> [[Event]]
    /// The stock of each medicine.
    ///
    /// - Parameters:
    ///   - recent: from this session date on the ledger lists what each night used.
    ///   - prescribed: the medicine prescribed for a session date.
    func stock(recent: SessionDate, _ prescribed: @Sendable (SessionDate) -> String?) async throws -> StockLedger
    /// The events about one entry.
    func events(about id: EventID) async throws -> [Event]
    /// The entries whose id has this beginning, at most five: a second one means that it is ambiguous.
    func entryIDs(beginning prefix: String) async throws -> [EventID]
    /// The events whose own id has this beginning (8 characters or more), at most five: a second one means that it is
    /// ambiguous.
    func events(beginning prefix: String) async throws -> [StoredEvent]
    /// The event recorded under a caller's key.
    func event(key: String) async throws -> KeyedEvent?
    /// Events after a place in the log, oldest first, at most `limit`.
    func events(after sequence: Int64, limit: Int) async throws -> [StoredEvent]
    /// The newest events that somebody asked for, newest first.
    func newestActions(limit: Int) async throws -> [StoredEvent]
    /// A page of nights, newest first.
    func summaries(_ query: SessionQuery) async throws -> SessionPage
    /// A page of nights with their measures, newest first.
    func measuredNights(_ query: SessionQuery) async throws -> MeasuredPage
    /// The number of session dates for which each source of recorded sleep has records.
    func sleepDates() async throws -> [SleepSource: Int]
    /// The interval means of weeks or months, newest first.
    func intervalMeans(_ span: NightSpan, by grouping: Grouping) async throws -> [IntervalMean]
    /// Checks the file and its tables.
    func check() async throws -> StoreReport
    /// Recomputes the hash chain from the first event.
    func verify() async throws -> StoreReport
    /// Recreates every table from the log.
    func rebuild() async throws -> StoreReport
    /// Counts and sizes of the log, without its content.
    func shape() async throws -> LogShape
    /// Returns the files that ``wipe(includingBackups:)`` would remove and keep.
    func wipePreview(includingBackups: Bool) async throws -> WipeReport
    /// Removes the record with everything beside it, all or nothing; the store is closed afterwards.
    func wipe(includingBackups: Bool) async throws -> WipeReport
    /// Compares a page of the tables with the log, and rebuilds rows that differ.
    ///
    /// - Parameter session: compares the rows of this session only, in one page.
    func audit(_ place: TableAudit.Place, only session: SessionID?) async throws -> TableAudit
    /// Returns once the store's thread answers.
    func ping() async throws
    /// Closes the current connection and opens the file anew, verifying the end of the chain.
    func reopen() async throws
    /// Keeps events that the log does not take where a stop, a crash or a reboot does not lose them, in place of those
    /// kept before; an empty list removes them.
    ///
    /// - Returns: the worst place of the kept events; nil if there is nothing to keep.
    func keep(_ events: [Event], lastSequence: Int64) async -> KeptPlace?
    /// Events that an earlier run kept outside the log, in order of recording.
    func kept() async -> ReservedEvents
    /// The facts of a fresh log beside a damaged one; nil for the usual log.
    var beside: BesideLog? { get async }
    /// Replaces a damaged log: goes on in a fresh one beside the store, which begins with these events and those of the
    /// last nights.
    func continueBeside(_ events: [Event], because error: StoreError) async throws
    /// Takes a short step towards a repaired log beside a damaged one.
    ///
    /// - Parameter isAsked: true to read any log; else only a log that is known as damaged is read.
    /// - Returns: the plan, once the repaired log is ready; nil before.
    func prepareRepair(now: Instant, isAsked: Bool) async throws -> RepairPlan?
    /// Puts the repaired log in the place of the damaged one; `.interrupted` if something was recorded since.
    func replaceByRepaired() async throws
    /// Makes a verified backup beside the store, some pages at a time; nil if there is no record yet.
    func backUp(_ kind: Backup.Kind, at now: Instant) async throws -> Backup?
    /// Makes a verified backup and writes it into an empty file that a caller has open; nil if there is no record yet.
    func backUp(into descriptor: Int32, at now: Instant) async throws -> Backup?
    /// Streams the log, the nights or a table into a descriptor that a caller has open; nil if there is no record yet.
    ///
    /// - Parameters:
    ///   - timeout: the time for which a reader may take nothing.
    ///   - zone: returns a zone by its name.
    func export(
        _ request: ExportRequest, into descriptor: Int32, timeout: Duration,
        zone: @escaping @Sendable (String) -> Zone?
    ) async throws -> ExportReport?
    /// Reads the lines of an import from a descriptor that a caller has open.
    ///
    /// - Parameter timeout: the time for which nothing may come.
    func readImport(from descriptor: Int32, timeout: Duration) async throws -> ImportFile
    /// Plans an import, a slice of the record at a time.
    ///
    /// - Parameters:
    ///   - scene: the engine's knowledge of the present.
    /// - Throws: `.interrupted` if something was recorded since.
    func prepareImport(_ file: ImportFile, _ scene: ImportScene) async throws -> PreparedImport
    /// Plans to take an import back; nil if no import has this id, or if it is taken back.
    func prepareTakeBack(_ id: EventID, _ scene: ImportScene) async throws -> PreparedImport?
    /// Records a plan in one transaction; nil if something else was recorded since, and nothing is recorded then.
    ///
    /// - Returns: the event about the import.
    func commit(_ prepared: PreparedImport) async throws -> StoredEvent?
    /// Reads and checks an exported log from a descriptor that a caller has open; nothing of the record changes.
    ///
    /// - Parameter timeout: the time for which nothing may come.
    func readLog(from descriptor: Int32, timeout: Duration, now: Instant) async throws -> PreparedLog
    /// Returns the relation of a log to the present record.
    func relation(of log: PreparedLog) async throws -> LogRelation
    /// Returns the entries that stand at the end of a log, as lines of an import.
    func lines(of log: PreparedLog) async throws -> ImportFile
    /// Makes a log the record, which has no event; false if something was recorded since.
    ///
    /// - Parameter plugins: the plugins, which go on at the end of the log.
    func begin(with log: PreparedLog, plugins: [String]) async throws -> Bool
    /// Records the events of a log that follow those of the record; false if something was recorded since.
    ///
    /// - Parameter plugins: the plugins, which go on at the end of the log.
    func extend(by log: PreparedLog, plugins: [String]) async throws -> Bool
    /// Removes the files that were made of a log.
    func drop(_ log: PreparedLog) async
    /// The events about imports, oldest first.
    func imports() async throws -> [Event]
    /// Writes a list into an empty plain file that a caller has open.
    func write(_ bytes: @escaping @Sendable () -> [UInt8], into descriptor: Int32) async throws
    /// The backups beside the store, newest first.
    func backups() async throws -> [Backup]
    /// Removes backups beside the store.
    func remove(_ backups: [Backup]) async throws
    /// Takes in a backup that a caller has open, checks it and compares it with the record.
    ///
    /// - Parameter tonight: the open night, which is brought in as a whole.
    func prepareRestore(from descriptor: Int32, now: Instant, tonight: SessionID?) async throws -> PreparedRestore
    /// Puts a prepared backup in the place of the record.
    ///
    /// - Parameters:
    ///   - fact: the event about the restore, the last one of the log.
    ///   - kept: the ending, after the store's path, of the replaced record's name.
    /// - Returns: the path of the replaced record; nil if there was none.
    func restore(_ prepared: PreparedRestore, _ fact: Event, keeping kept: String) async throws -> String?
    /// Removes a prepared backup.
    func dropRestore() async throws
    /// Removes the backups that an earlier run did not finish.
    func sweepBackups() async throws
    /// Writes cursors at a clean stop and closes the file.
    func close(cursors: [String: Int64]) async throws
}

/// Clocks and zones of the machine; injected, so that tests own the time.
public protocol SystemEnvironment: Sendable {
    func clock() -> ClockReading
    func zone() -> Zone
    /// 12 or 24 hours.
    var clockStyle: ClockStyle { get }
    /// A zone by identifier; nil when this machine does not know it.
    func zone(named identifier: String) -> Zone?
    /// Recorded with every event.
    var deviceID: String { get }
}

extension SystemEnvironment {
    public var clockStyle: ClockStyle { .hours24 }

    /// Shows times in the zone in force, and those of a night in the zone of the night.
    public var moments: Moments {
        let zone = zone()
        return Moments(zone: zone, inForce: zone, style: clockStyle)
    }
}

/// One timer; arming replaces what was armed.
public protocol DeadlineTimer: Sendable {
    /// Fires once for the next deadline. It may fire early, so that the remaining wait is read anew.
    ///
    /// - Parameter clock: the clocks at which the wait begins.
    /// - Throws: if the timer cannot be armed; nothing will fire then.
    func arm(_ next: NextDue, _ clock: ClockReading) async throws
    func disarm() async
}

/// Gets the engine's changes after the reply, in the order of the log.
public protocol EngineObserver: Sendable {
    func changed(_ change: EngineChange) async
}

public enum EngineChange: Sendable {
    /// Events are in the log.
    case recorded([Event], NightStatus)
    case phase(old: Phase, new: Phase, NightStatus)
    /// A command was refused or needs a confirmation; nothing was recorded.
    case declined(Command, CommandFailure, Surface, SessionDate?)
    /// Events could not be written; they are kept in memory.
    case unsafe([Event], StoreError)
    /// Events kept in memory are durable now.
    case recovered(Int)
    /// The service stops while events are not in the log; the next start finds them in this place.
    case left([Event], KeptPlace)
    /// A finding of opening the store.
    case finding(String)
    /// The reason why the timer cannot be armed; nil once it can again.
    case timer(String?)
}
