public import DoseTapDomain
internal import Logging

/// The restore of a backup, which takes the place of the record (R24.8 to R24.12).
extension Engine {
    /// Restores from a file that a caller has open.
    ///
    /// - Parameters:
    ///   - descriptor: open for as long as the call lasts.
    ///   - confirmations: the questions that the person has confirmed.
    ///   - dryRun: true to change nothing and ask nothing.
    /// - Throws: ``EngineFailure``; the record is as before then, unless the outcome is unknown.
    public func restore(
        from descriptor: Int32, confirmed confirmations: Set<Confirmation>, dryRun: Bool
    ) async throws(EngineFailure) -> RestoreReport {
        // The file of a restore beside the store has one name: only one restore is prepared at a time.
        guard !backups.isRestoring, !isStopping else { throw .busy }
        backups.isRestoring = true
        defer { backups.isRestoring = false }
        let now = parts.systemEnvironment.clock().wall
        let tonight = logState.open?.id
        let prepare: @Sendable () async throws -> PreparedRestore = {
            try await self.parts.store.prepareRestore(from: descriptor, now: now, tonight: tonight)
        }
        let prepared: PreparedRestore
        do throws(EngineFailure) { prepared = try await once("a restore", prepare) } catch {
            guard case .store(let damage, _) = error, damage.code == .damaged else { throw error }
            // The present record cannot be read whole: tonight goes on beside it, and is brought in from there.
            let isBeside = await Task(priority: .medium) { await self.goBesideInTurn(damage) }.value
            guard isBeside else { throw error }
            prepared = try await once("a restore", prepare)
        }
        if dryRun {
            await dropRestore()
            return prepared.report
        }
        do {
            try ask(prepared.report, confirmations)
            try await enter()
        } catch {
            await dropRestore()
            throw error
        }
        defer { leave() }
        // The turn runs at the default priority: the queue must not wait for work that gives way.
        let result = await Task(priority: .medium) { await self.restoreInTurn(prepared, confirmations) }.value
        return try result.get()
    }

    private func goBesideInTurn(_ damage: StoreError) async -> Bool {
        await waitForTurn()
        defer { leave() }
        guard await goBeside(damage) else { return false }
        try? await commit([])
        return true
    }

    private func dropRestore() async { try? await parts.store.dropRestore() }

    /// - Throws: the open questions.
    private func ask(_ report: RestoreReport, _ confirmed: Set<Confirmation>) throws(EngineFailure) {
        var questions: [Confirmation] = [.restore]
        if !report.isSameRecord { questions.append(.otherRecord) }
        if logState.open?.hasUnresolvedWindow == true { questions.append(.windowUnresolved) }
        questions.removeAll(where: confirmed.contains)
        guard !questions.isEmpty else { return }
        throw .command(
            .needsConfirmation(
                Question(
                    confirmations: questions, minutesToOpen: nil, limitMilligrams: nil, sumMilligrams: nil,
                    wouldRecord: EventType.storeRestored.rawValue, at: parts.systemEnvironment.clock().wall)))
    }

    private func restoreInTurn(
        _ prepared: PreparedRestore, _ confirmed: Set<Confirmation>
    ) async -> Result<RestoreReport, EngineFailure> {
        do {
            // Events that the log did not take yet belong to the present record, too.
            if mustReopen { await reload() }
            if !unsafeEvents.isEmpty { try? await commit([]) }
            // A window may have begun meanwhile.
            try ask(prepared.report, confirmed)
        } catch {
            await dropRestore()
            return .failure(error)
        }
        var report = prepared.report
        let context = context()
        let end = max(lastSequence, prepared.compared)
        let payload = StoreRestored(
            expectedSequence: end, foundSequence: prepared.backupEnd, finding: Self.sentence(report),
            isByPerson: true)
        let newest = [prepared.newest, logState.newest].compactMap(\.self).max()
        let fact = CommandHandler.fact(
            .storeRestored(payload), .store, session: nil, newest: newest, context, ids: &ids)
        do {
            report.replaced = try await parts.store.restore(
                prepared, fact, keeping: ".replaced-" + Backup.time(context.clock.wall))
        } catch {
            let error = StoreError.of(error, doing: "restoring")
            if error.code == .outcomeUnknown {
                fault = error
                // The restored log may be in place.
                try? await parts.store.reopen()
                await takeOver(announcesLast: false)
            }
            return .failure(.store(error, kept: false))
        }
        report.isDryRun = false
        await takeOver(announcesLast: true)
        return .success(report)
    }

    /// Goes on with the record that was put in place: night, plugins, reminders.
    ///
    /// - Parameter announcesLast: true if plugins are told the record's last event, which is about the replacement.
    func takeOver(announcesLast: Bool) async {
        takeovers += 1
        do {
            let snapshot = try await parts.store.load(now: parts.systemEnvironment.clock().wall)
            beside = await parts.store.beside
            ledger = nil
            lastSequence = snapshot.lastSequence
            firstSequence = announcesLast ? max(0, lastSequence - 1) : lastSequence
            durable = LogState(snapshot)
            logState = durable.appending(unsafeEvents)
            // The findings of the replaced record do not hold for the new one.
            findings = []
            (mustReopen, isAnotherLog) = (false, false)
            if unsafeEvents.isEmpty { fault = nil }
            backups.beginAnew()
            await parts.host.begin(at: firstSequence)
            let stored = (try? await parts.store.events(after: firstSequence, limit: 1)) ?? []
            notify(stored.isEmpty ? .phase : .recorded(stored.map(\.event), stored))
            if !unsafeEvents.isEmpty { try? await commit([]) }
        } catch {
            parts.logger.error("the restored record could not be read", metadata: ["error": "\(error)"])
            fault = error as? StoreError
            mustReopen = true
            isAnotherLog = true
            notify(.phase)
        }
    }

    private static func sentence(_ report: RestoreReport) -> String {
        let events = Plural.of(report.backup.events, "event", "events")
        let (taken, left) = (report.broughtIn, report.lost.events)
        guard let end = report.backup.to else {
            return sent(
                "the record was restored from a backup of \(events); of the last day \(taken) brought in, \(left) left in the replaced record"
            )
        }
        return sent(
            "the record was restored from a backup of \(events) whose newest event is of \(end.iso8601); of the last day \(taken) brought in, \(left) left in the replaced record"
        )
    }
}
