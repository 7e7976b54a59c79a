public import DoseTapDomain
internal import Logging

/// The import of files of other programs (R29). An import is planned off the doses' way; only its one transaction takes a
/// turn.
extension Engine {
    /// The time for which a file may bring nothing, or a reader of an export may take nothing, before the work is ended.
    static let readersTimeout: Duration = .seconds(30)
    /// The most plans of one import: it is planned anew if something is recorded meanwhile.
    static let attempts = 12
    /// The time before the window opens in which nothing long is begun.
    private static let beforeWindow: Duration = .minutes(10)

    /// The destination of the list of all rows.
    public struct ImportList: Sendable {
        let descriptor: Int32
        let make: @Sendable ([ImportRow]) -> [UInt8]

        /// - Parameters:
        ///   - descriptor: an empty plain file, open for as long as the import lasts.
        ///   - make: writes the rows for people.
        public init(_ descriptor: Int32, make: @escaping @Sendable ([ImportRow]) -> [UInt8]) {
            (self.descriptor, self.make) = (descriptor, make)
        }
    }

    /// Takes in the lines that a reader made of a foreign file: all of them or none.
    ///
    /// - Parameters:
    ///   - descriptor: open for as long as the call lasts.
    ///   - zone: for rows without an offset; nil is the zone in force.
    ///   - list: gets every row with its outcome.
    /// - Throws: ``EngineFailure``: `window_open` while a dose window is open or about to open; nothing is recorded then.
    public func importFile(
        from descriptor: Int32, zone: Zone?, dryRun: Bool, list: ImportList? = nil
    ) async throws(EngineFailure) -> ImportReport {
        try await begin(list)
        let file = try await once("an import") {
            try await self.parts.store.readImport(from: descriptor, timeout: Self.readersTimeout)
        }
        return try await take(file, zone: zone, dryRun: dryRun, list)
    }

    /// - Throws: ``EngineFailure`` if an import is refused now, or its list cannot be written.
    func begin(_ list: ImportList?) async throws(EngineFailure) {
        try refuseInWindow()
        guard let list else { return }
        try await once("an import") { try await self.parts.store.write({ [] }, into: list.descriptor) }
    }

    /// Plans the import of the lines read, and records it.
    func take(
        _ file: ImportFile, zone: Zone?, dryRun: Bool, _ list: ImportList?
    ) async throws(EngineFailure) -> ImportReport {
        let notes = file.header?.notes ?? []
        let prepared = try await recorded(dryRun: dryRun) { scene in
            var scene = scene
            if let zone { scene.context.zone = zone }
            return try await self.parts.store.prepareImport(file, scene)
        }
        guard let prepared else {
            throw .store(StoreError(code: .internal, context: "importing", underlying: "no plan"), kept: false)
        }
        var report = prepared.plan.report(notes: notes, isDryRun: dryRun)
        await write(prepared.plan.rows, list, &report)
        return report
    }

    /// Writes the list of the rows. A failure leaves the entries recorded.
    func write(_ rows: [ImportRow], _ list: ImportList?, _ report: inout ImportReport) async {
        guard let list else { return }
        do { try await parts.store.write({ list.make(rows) }, into: list.descriptor) } catch {
            report.notes.append(sent("the list of the rows could not be written: \(error)"))
        }
    }

    /// Takes back the entries of one import that still stand.
    ///
    /// - Throws: ``EngineFailure``: `notFound` if no import has this id, or if it is taken back.
    public func takeBackImport(_ id: EventID, dryRun: Bool) async throws(EngineFailure) -> ImportReport {
        try refuseInWindow()
        let prepared = try await recorded(dryRun: dryRun) { try await self.parts.store.prepareTakeBack(id, $0) }
        guard let prepared else { throw .command(.notFound(id.text)) }
        return prepared.plan.report(notes: [], isDryRun: dryRun)
    }

    /// Returns the imports on record, the newest first.
    public func imports() async throws(EngineFailure) -> [ImportOnRecord] {
        ImportOnRecord.of(try await asking { try await self.parts.store.imports() })
    }

    /// Refuses while a dose window is open or nearly open: the store is for the doses then.
    func refuseInWindow() throws(EngineFailure) {
        let now = parts.systemEnvironment.clock()
        for night in logState.sessions where night.hasUnresolvedWindow {
            guard let elapsed = night.elapsed(now: now), let dose1 = night.dose1,
                elapsed.longer >= DoseWindow.opens - Self.beforeWindow, elapsed.shorter < DoseWindow.closes
            else { continue }
            var refusal = Refusal(phase: night.window(asOf: nil, now: now).phase)
            (refusal.existing, refusal.existingAt) = (dose1.id, dose1.wall)
            refusal.zone = context().zone(of: night)
            refusal.again = now.wall + (DoseWindow.closes - elapsed.shorter)
            throw .command(.refused(.windowOpen, refusal))
        }
    }

    /// Plans an import until nothing was recorded meanwhile, and records the plan.
    ///
    /// - Returns: nil if there is nothing to plan.
    private func recorded(
        dryRun: Bool, _ plan: @escaping @Sendable (ImportScene) async throws -> PreparedImport?
    ) async throws(EngineFailure) -> PreparedImport? {
        for _ in 0..<Self.attempts {
            let scene = ImportScene(
                context(), tonight: logState.open, newest: logState.newest, sequence: lastSequence)
            let prepared: PreparedImport?
            do throws(EngineFailure) {
                prepared = try await once("an import") { try await plan(scene) }
            } catch {
                guard case .store(let fault, _) = error, fault.code == .interrupted, !Task.isCancelled else {
                    throw error
                }
                continue
            }
            guard let prepared, !dryRun, !prepared.plan.events.isEmpty else { return prepared }
            if try await inTurn({ await $0.commitInTurn(prepared) }) { return prepared }
        }
        throw .busy
    }

    /// Records a plan in a turn of its own, unless the import was ended meanwhile.
    ///
    /// - Parameter work: records the plan; false if something else was recorded since the plan was made.
    func inTurn(
        _ work: @escaping @Sendable (isolated Engine) async -> Result<Bool, EngineFailure>
    ) async throws(EngineFailure) -> Bool {
        try await enter()
        guard !Task.isCancelled else {
            leave()
            throw .store(StoreError(code: .interrupted, context: "the import was ended"), kept: false)
        }
        // The turn runs at the default priority: the queue must not wait for work that gives way.
        let result = await Task(priority: .medium) { await work(self) }.value
        leave()
        return try result.get()
    }

    /// - Returns: false if something else was recorded since the plan was made.
    private func commitInTurn(_ prepared: PreparedImport) async -> Result<Bool, EngineFailure> {
        do throws(EngineFailure) {
            if mustReopen { await reload() }
            // Events that the log did not take yet go first.
            if !unsafeEvents.isEmpty { try await commit([]) }
            // A window may have opened meanwhile.
            try refuseInWindow()
        } catch { return .failure(error) }
        let (before, isFirst) = (lastSequence, lastSequence == 0)
        do {
            newestInFlight = prepared.plan.events.map(\.occurredAt).max()
            defer { newestInFlight = nil }
            guard let stored = try await parts.store.commit(prepared) else { return .success(false) }
            await takeUp(stored, after: before, isFirst: isFirst)
            return .success(true)
        } catch {
            let error = StoreError.of(error, doing: "importing")
            guard error.code == .outcomeUnknown, let last = prepared.plan.events.last else {
                return .failure(.store(error, kept: false))
            }
            fault = error
            return await reload().contains(last.id) ? .success(true) : .failure(.store(error, kept: false))
        }
    }

    /// Goes on with the new content of the record. Observers and plugins learn of the one event about the import.
    private func takeUp(_ stored: StoredEvent, after before: Int64, isFirst: Bool) async {
        lastSequence = stored.sequence
        ledger = nil
        if isFirst, let path = parts.newRecord { findings.removeAll { $0 == Self.noRecord(at: path) } }
        await parts.host.passOver(from: before, to: stored.sequence - 1)
        do {
            let snapshot = try await parts.store.load(now: parts.systemEnvironment.clock().wall)
            let tonight = durable.open
            durable = LogState(snapshot)
            // No import touches tonight, whatever else is in the log since.
            if let tonight { durable.merge([tonight]) }
            logState = durable.appending(unsafeEvents)
        } catch {
            parts.logger.error("what was imported could not be read", metadata: ["error": "\(error)"])
            mustReopen = true
        }
        notify(.recorded([stored.event], [stored]))
        mayBackUp()
    }
}
