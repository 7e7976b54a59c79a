public import DoseTapDomain
public import SDBus

/// The typed client of the contract: over a bus, or over a socket to a private service.
public struct Client: Sendable {
    public let connection: Connection
    /// The service's bus name; nil on a peer.
    let destination: String?

    /// - Parameter connection: to a bus with the service, which may be activatable; or to a peer that serves the
    ///   contract.
    public init(_ connection: Connection) {
        self.connection = connection
        destination = connection.isPeer ? nil : Contract.name
    }

    /// Time limit of a question: the person waits for the answer. A bus that has to start the service uses part of the limit.
    public static let questionTimeout: Duration = .seconds(5)
    /// Time limit of a call that records or changes something. Without an answer by then the result is unknown.
    public static let timeout: Duration = .seconds(25)

    /// - Parameter limit: nil for the usual limit of the method.
    /// - Throws: ``ServiceError`` for the service's own errors, ``Unanswered`` without an answer in time, ``SDBus/BusError``
    ///   for other faults of the bus.
    @inline(never)
    package func call<Arguments, Results>(
        _ method: Contract.Method<Arguments, Results>, _ arguments: Arguments, within limit: Duration? = nil
    ) async throws -> Results {
        let limit = limit ?? method.timeout
        do { return try await method.ask(self, arguments, limit) } catch let error as BusError {
            if let own = ServiceError(error) { throw own }
            guard error.name == BusError.Name.timeout else { throw error }
            throw Unanswered(limit: limit, mayHaveActed: method.records)
        }
    }
}

/// The open night: status and actions.
extension Client {
    /// Status of the night, now or at an instant.
    public func status(at instant: Instant? = nil) async throws -> NightStatus {
        var options = VariantEntries()
        if let instant { options["at"] = Variant(UInt64(max(0, instant.microseconds))) }
        return try NightStatus(json: try await call(Contract.Session.status, options).object)
    }

    public func submit(_ command: Command, _ options: RequestOptions) async throws -> Receipt {
        try Receipt(json: try await record(command, options.variants).object)
    }

    private func record(_ command: Command, _ options: VariantEntries) async throws -> WireObject {
        var options = options
        switch command {
        case .logDose(.dose1): return try await call(Contract.Session.logDose1, options)
        case .logDose(.dose2): return try await call(Contract.Session.logDose2, options)
        case .logDose(.extra): return try await call(Contract.Session.logExtraDose, options)
        case .snooze: return try await call(Contract.Session.snooze, options)
        case .skipDose2: return try await call(Contract.Session.skipDose2, options)
        case .logFinalWake: return try await call(Contract.Session.logFinalWake, options)
        case .undo: return try await call(Contract.Session.undo, options)
        case .amend(let id): return try await call(Contract.Session.amend, (id.text, options))
        case .delete(let id): return try await call(Contract.Session.delete, (id.text, options))
        case .logSleepEvent(let type): return try await call(Contract.Diary.logSleepEvent, (type, options))
        case .saveCheckIn(let answers, let night):
            options["night"] = night.map { Variant($0) }
            return try await call(Contract.Diary.saveCheckIn, (AnswersOnBus.entries(answers), options))
        case .record(let type, let said): return try await record(type, said, options, command)
        }
    }

    /// Records a standalone entry with the member of the entry's kind.
    private func record(
        _ type: EventType, _ said: JSONObject, _ options: VariantEntries, _ command: Command
    ) async throws -> WireObject {
        var options = options
        switch type {
        case .preSleepRecorded:
            options["completion"] = said["completion_state"]?.stringValue.map { Variant($0) }
            let answers = said["answers"]?.objectValue ?? JSONObject()
            return try await call(Contract.Diary.savePreSleep, (AnswersOnBus.entries(answers), options))
        case .medicationRecorded:
            return try await call(Contract.Medications.take, (said["medication_id"]?.stringValue ?? "", options))
        case .inventoryRecorded:
            switch InventoryAction(command) {
            case .addBottle(let draft):
                return try await call(Contract.Inventory.addBottle, (AnswersOnBus.entries(draft), options))
            case .pour(let draft):
                return try await call(Contract.Inventory.pour, (AnswersOnBus.entries(draft), options))
            case .correct(let draft):
                return try await call(Contract.Inventory.correct, (AnswersOnBus.entries(draft), options))
            case .discard(let id): return try await call(Contract.Inventory.discard, (id.text, options))
            case nil: break
            }
        default:
            if let member = Contract.recording(type) {
                return try await call(member, (AnswersOnBus.entries(said), options))
            }
        }
        throw ServiceError(.invalidInput, sent("Nothing is recorded as '\(type.rawValue)'."))
    }
}

extension Client {
    /// A page of the nights of a query, newest first.
    public func find(_ query: SessionQuery) async throws -> SessionPage {
        let (sessions, next) = try await call(Contract.History.findSessions, query.variants)
        return SessionPage(nights: try sessions.map { try NightSummary(json: $0.object) }, next: next)
    }

    /// The interval means of weeks or months, newest first.
    public func intervalMeans(_ span: NightSpan, by grouping: Grouping) async throws -> [IntervalMean] {
        let (keys, counts, means, shortest, longest) = try await call(
            Contract.History.intervals, IntervalOptions.variants(span, by: grouping))
        return IntervalColumns.intervals(keys, counts, means, shortest, longest)
    }

    /// The nights of a date, a session id or an entry id.
    public func show(_ name: String) async throws -> [NightRecord] { try await shown(name).nights }

    /// Returns the same as ``show(_:)``, and a pre-sleep log without a night.
    public func shown(_ name: String) async throws -> ShownNights {
        try ShownNights(json: try await call(Contract.History.show, name).object)
    }

    /// Explains why an event stands in the log.
    ///
    /// - Parameter id: the event's id, or the first characters of it, 8 or more.
    public func why(_ id: String) async throws -> Explanation {
        try Explanation(json: try await call(Contract.History.why, id).object)
    }

    public func statistics(_ query: StatisticsQuery) async throws -> NightStatistics {
        let answer = try await call(Contract.History.stats, query.variants)
        return try NightStatistics(json: answer.object)
    }
}

/// Medicines, prescription and stock, recorded sleep and the lab.
extension Client {
    /// The newest recorded medicines, newest first.
    ///
    /// - Parameter limit: 1 to 1,000.
    public func medications(limit: Int) async throws -> [NightRecord.Entry] {
        try await call(Contract.Medications.list, UInt32(clamping: limit)).map {
            try NightRecord.Entry(json: $0.object)
        }
    }

    /// The newest recorded sleep, newest first, without its stages.
    ///
    /// - Parameter limit: 1 to 1,000.
    public func sleepRecords(limit: Int) async throws -> [NightRecord.Entry] {
        try await call(Contract.Sleep.records, UInt32(clamping: limit)).map { try NightRecord.Entry(json: $0.object) }
    }

    /// Returns the questions and plans of the lab, and the answers about nights of plans, newest first.
    ///
    /// - Parameter limit: entries of each kind, 1 to 1,000.
    public func lab(limit: Int = 1_000) async throws -> [NightRecord.Entry] {
        try await call(Contract.Lab.list, UInt32(clamping: limit)).map { try NightRecord.Entry(json: $0.object) }
    }

    /// Reports the present stage of sleep.
    public func report(stage: String) async throws -> LiveStage.Report {
        try LiveStage.Report(json: try await call(Contract.Sleep.reportStage, (stage, [:])).object)
    }

    public func medicationCatalogue() async throws -> [JSONObject] {
        try await call(Contract.Medications.catalogue, ()).map(\.object)
    }

    /// The prescription: `active` if there is one, its `date`, and `history`, newest first.
    public func regimen() async throws -> JSONObject { try await call(Contract.Medications.regimen, ()).object }

    /// The stock of the night's medicines, the time it lasts, and the poured cups.
    ///
    /// - Parameter limit: time limit of the answer.
    public func inventory(within limit: Duration = Client.questionTimeout) async throws -> JSONObject {
        Inventory.shape.completed(try await call(Contract.Inventory.show, (), within: limit).object)
    }
}

extension Client {
    /// Tonight's reminders and their state, in order of time.
    public func reminders() async throws -> [ReminderRecord] {
        try await call(Contract.Reminders.list, ()).map { try ReminderRecord(json: $0.object) }
    }

    /// Acknowledges the last reminder with an id; this stops nothing.
    public func acknowledge(reminder id: String) async throws -> JSONObject {
        try await call(Contract.Reminders.acknowledge, (id, [:])).object
    }

    /// Sends a real test to a channel.
    public func test(channel: String) async throws { _ = try await call(Contract.Reminders.test, (channel, [:])) }

    /// The plugins and their state.
    public func plugins() async throws -> [JSONObject] {
        try await call(Contract.Service.plugins, ()).map { Schemas.pluginReport.completed($0.object) }
    }

    /// Every link of the chain between a reminder and the person, checked anew. Beside the keys of ``DoseTapDomain/Finding``
    /// the link `service` has its `version`.
    ///
    /// - Parameter limit: time limit of the answer.
    public func doctor(within limit: Duration = Client.questionTimeout) async throws -> [JSONObject] {
        try await call(Contract.Service.doctor, (), within: limit).map(\.object)
    }

    /// Switches a plugin on or off, for good; the receipt names the file.
    public func setPlugin(_ id: String, enabled: Bool) async throws -> JSONObject {
        try await call(Contract.Service.setPlugin, (id, enabled, [:])).object
    }

    public func config() async throws -> [JSONObject] { try await call(Contract.Service.config, ()).map(\.object) }

    /// Changes a setting in the person's file; the receipt has the active value and its source.
    public func set(_ key: String, to value: String) async throws -> JSONObject {
        try await call(Contract.Service.setConfig, (key, Variant(value), [:])).object
    }

    /// Faults of the settings files; empty for none.
    public func checkConfig() async throws -> [JSONObject] {
        try await call(Contract.Service.checkConfig, ()).map(\.object)
    }

    /// The path of the store in use.
    package func storePath() async throws -> String {
        try await connection.property(
            destination, Contract.path, Contract.InterfaceName.service, Contract.Service.storePath.name,
            as: String.self, timeout: Self.questionTimeout)
    }

    public func reload() async throws { _ = try await call(Contract.Service.reload, [:]) }

    /// Every signal of the service and every change of its properties, from now on.
    public func changes() async throws -> AsyncStream<Signal> {
        try await connection.signals(SignalMatch(sender: destination, path: Contract.path))
    }

    /// Makes a backup beside the store, or in a file that is empty and open for writing.
    public func backUp(into file: UnixFD? = nil) async throws -> Backup {
        guard let file else { return try Backup(json: try await call(Contract.Data.backUpHere, [:]).object) }
        return try Backup(json: try await call(Contract.Data.backup, (file, [:])).object)
    }

    /// Puts a backup in the place of the record, or returns what a restore would change.
    public func restore(
        from file: UnixFD, confirmed: [Confirmation] = [], dryRun: Bool = false
    ) async throws -> RestoreReport {
        var options = RequestOptions()
        (options.confirmations, options.dryRun) = (confirmed, dryRun)
        return try RestoreReport(json: try await call(Contract.Data.restore, (file, options.variants)).object)
    }

    /// Streams the log, the nights or a table into a descriptor that is open for writing.
    public func export(_ request: ExportRequest, into target: UnixFD) async throws -> ExportReport {
        try ExportReport(
            json: try await call(Contract.Data.export, (request.content.word, target, request.variants)).object)
    }

    /// Returns the key that signs packets; makes a key if there is none.
    public func packetSigner() async throws -> SignerReport {
        try SignerReport(json: try await call(Contract.Data.packetSigner, [:]).object)
    }

    /// Signs the list of a packet's files.
    ///
    /// - Parameter fingerprint: of the key that the packet names.
    /// - Returns: the signature in OpenSSH's format.
    public func signPacket(_ sums: String, by fingerprint: String) async throws -> String {
        try await call(Contract.Data.signPacket, (sums, fingerprint, [:]))
    }

    /// Takes in the lines of an import.
    ///
    /// - Parameters:
    ///   - zone: the name of the zone for rows without an offset.
    ///   - list: an empty file that gets every row.
    public func `import`(
        _ lines: UnixFD, zone: String? = nil, dryRun: Bool = false, list: UnixFD? = nil
    ) async throws -> ImportReport {
        var options = ImportOptions()
        (options.dryRun, options.timeZone, options.list) = (dryRun, zone, list)
        return try ImportReport(json: try await call(Contract.Data.import, (lines, options.variants)).object)
    }

    /// Takes in an exported log.
    ///
    /// - Parameters:
    ///   - merges: the log of another record is brought in as entries.
    ///   - list: an empty file that gets every row.
    public func importLog(
        _ log: UnixFD, merges: Bool = false, dryRun: Bool = false, list: UnixFD? = nil
    ) async throws -> ImportReport {
        var options = ImportOptions()
        (options.source, options.merge, options.dryRun, options.list) = (.log, merges, dryRun, list)
        return try ImportReport(json: try await call(Contract.Data.import, (log, options.variants)).object)
    }

    public func takeBackImport(_ id: String, dryRun: Bool = false) async throws -> ImportReport {
        let options: VariantEntries = dryRun ? ["dry_run": Variant(true)] : [:]
        return try ImportReport(json: try await call(Contract.Data.takeBackImport, (id, options)).object)
    }

    /// The imports on record, newest first.
    public func imports() async throws -> [ImportOnRecord] {
        try await call(Contract.Data.imports, ()).map { try ImportOnRecord(json: $0.object) }
    }

    /// The backups beside the store, newest first.
    public func backups() async throws -> [Backup] {
        try await call(Contract.Data.backups, ()).map { try Backup(json: $0.object) }
    }

    /// Calls `Check`, `Verify`, `Rebuild` or `Repair`.
    public func examine(_ member: Examination) async throws -> JSONObject {
        let report =
            switch member {
            case .check: try await call(Contract.Data.check, ())
            case .verify: try await call(Contract.Data.verify, ())
            case .rebuild: try await call(Contract.Data.rebuild, [:])
            case .repair(let replaces):
                try await call(Contract.Data.repair, replaces ? ["replace": Variant(true)] : [:])
            }
        return StoreReport.description.shape.completed(report.object)
    }

    /// Calls `Encrypt`, `Decrypt` or `Rekey`.
    public func changeKey(_ change: KeyChange, isDry: Bool) async throws -> JSONObject {
        var options = VariantEntries()
        if isDry { options["dry_run"] = Variant(true) }
        let report =
            switch change {
            case .encrypt: try await call(Contract.Data.encrypt, options)
            case .decrypt: try await call(Contract.Data.decrypt, options)
            case .rekey: try await call(Contract.Data.rekey, options)
            }
        return StoreReport.description.shape.completed(report.object)
    }

    /// Members that examine the store.
    public enum Examination: Hashable, Sendable { case check, verify, rebuild, repair(replaces: Bool) }
}

public struct Unanswered: Error, Hashable, Sendable {
    public let limit: Duration
    /// True if the action may have been done, or may still be done.
    public let mayHaveActed: Bool
}
