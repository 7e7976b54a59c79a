public import DoseTapDomain
internal import Logging

/// The import of an exported log (R35). An empty record takes the log as it is, the record it was exported from takes the
/// events that follow, and another record takes it as entries of a file.
extension Engine {
    /// Takes in an exported log.
    ///
    /// - Parameters:
    ///   - descriptor: open for as long as the call lasts.
    ///   - merges: true to bring in the log of another record as entries.
    /// - Throws: ``EngineFailure``: `unfit` if the log is not sound, or is of another record and is not to be merged.
    public func importLog(
        from descriptor: Int32, merges: Bool, dryRun: Bool, list: ImportList? = nil
    ) async throws(EngineFailure) -> ImportReport {
        // The file of the log beside the store has one name: only one log is taken in at a time.
        guard !isTakingInLog, !backups.isRestoring, !isStopping else { throw .busy }
        isTakingInLog = true
        defer { isTakingInLog = false }
        try await begin(list)
        let now = parts.systemEnvironment.clock().wall
        let log = try await once("an import") {
            try await self.parts.store.readLog(from: descriptor, timeout: Self.readersTimeout, now: now)
        }
        let result: Result<ImportReport, EngineFailure>
        do throws(EngineFailure) {
            // From here on no restore replaces the record that is compared.
            guard !backups.isRestoring else { throw .busy }
            backups.isRestoring = true
            defer { backups.isRestoring = false }
            result = .success(try await take(log, merges, dryRun, list))
        } catch { result = .failure(error) }
        await parts.store.drop(log)
        return try result.get()
    }

    private func take(
        _ log: PreparedLog, _ merges: Bool, _ dryRun: Bool, _ list: ImportList?
    ) async throws(EngineFailure) -> ImportReport {
        for _ in 0..<Self.attempts {
            let relation: LogRelation
            do throws(EngineFailure) {
                relation = try await once("an import") { try await self.parts.store.relation(of: log) }
            } catch {
                // The comparison gave way to something more urgent.
                guard case .store(let fault, _) = error, fault.code == .interrupted, !Task.isCancelled else {
                    throw error
                }
                continue
            }
            switch relation.kind {
            case .fork, .other:
                guard merges else { throw .store(Self.refusal(relation.kind), kept: false) }
                let file = try await once("an import") { try await self.parts.store.lines(of: log) }
                return try await take(file, zone: nil, dryRun: dryRun, list)
            case .beginning where !unsafeEvents.isEmpty: throw .busy
            case .beginning, .extending, .known: break
            }
            if !dryRun, relation.kind != .known {
                guard try await inTurn({ await $0.takeOverInTurn(log, relation) }) else { continue }
            }
            var report = ImportReport(relation, isDryRun: dryRun)
            await write(Self.rows(relation), list, &report)
            return report
        }
        throw .busy
    }

    private static func refusal(_ kind: LogRelation.Kind) -> StoreError {
        if case .fork(let place) = kind {
            return StoreError(
                code: .unfit,
                context: sent(
                    "the log and the record went different ways: event \(place) is the first that differs; nothing was taken"
                ),
                underlying: "fork")
        }
        return StoreError(
            code: .unfit, context: "this is the log of another record; nothing was taken", underlying: "other_record")
    }

    /// Returns a row for each run of events in the list, for there may be very many events.
    private static func rows(_ relation: LogRelation) -> [ImportRow] {
        func row(_ first: Int64, _ last: Int64, _ outcome: ImportOutcome) -> [ImportRow] {
            guard first <= last else { return [] }
            return [ImportRow(row: "events \(first) to \(last)", kind: ImportReport.event, outcome: outcome)]
        }
        return row(1, relation.known, .known) + row(relation.known + 1, relation.events, .new)
    }

    /// - Returns: false if something was recorded since.
    private func takeOverInTurn(_ log: PreparedLog, _ relation: LogRelation) async -> Result<Bool, EngineFailure> {
        let found = findings
        do {
            if mustReopen { await reload() }
            if !unsafeEvents.isEmpty { try await commit([]) }
            try refuseInWindow()
            let plugins = await parts.host.identifiers
            let isTaken =
                relation.kind == .beginning
                ? try await parts.store.begin(with: log, plugins: plugins)
                : try await parts.store.extend(by: log, plugins: plugins)
            guard isTaken else { return .success(false) }
        } catch let failure as EngineFailure { return .failure(failure) } catch {
            let error = StoreError.of(error, doing: "importing")
            guard error.code == .outcomeUnknown else { return .failure(.store(error, kept: false)) }
            fault = error
            try? await parts.store.reopen()
            await takeOver(announcesLast: false)
            guard !mustReopen, lastSequence == relation.events else { return .failure(.store(error, kept: false)) }
        }
        if lastSequence != relation.events { await takeOver(announcesLast: false) }
        // The findings of the record still hold if it goes on.
        if relation.kind == .extending { findings = found }
        parts.logger.notice("a log was taken over", metadata: ["events": "\(relation.events - relation.known)"])
        mayBackUp()
        return .success(true)
    }
}
