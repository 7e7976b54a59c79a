public import DoseTapDomain

/// The removal of all data.
extension Engine {
    /// Removes the record, the events kept outside it, and the memory of both. The call waits its turn: an entry that is
    /// being recorded is finished and answered first. The engine then takes no command; the service ends and begins anew.
    ///
    /// - Parameters:
    ///   - confirmations: `wipe`, and with an open window `window_unresolved`.
    ///   - dryRun: true to look, ask nothing and remove nothing.
    /// - Throws: ``EngineFailure`` if nothing was removed; the night goes on then. `busy` while a backup is made, or a restore
    ///   or a log is prepared.
    public func wipe(
        includingBackups: Bool, confirmations: Set<Confirmation>, dryRun: Bool
    ) async throws(EngineFailure) -> WipeReport {
        try await enter()
        defer { leave() }
        let context = context()
        let now = logState.appending(CommandHandler.settle(logState, context, ids: &ids))
        let isOpen = now.open?.hasUnresolvedWindow == true
        var report = try await asking { try await self.parts.store.wipePreview(includingBackups: includingBackups) }
        report.isWindowOpen = isOpen
        report.events = lastSequence
        guard !report.files.isEmpty || !unsafeEvents.isEmpty else {
            throw .command(.nothingToDo(sent("there is no record")))
        }
        if dryRun { return report }
        let missing = WipeQuestion.confirmations(mayBeOpen: isOpen).filter { !confirmations.contains($0) }
        guard missing.isEmpty else { throw .command(.needsConfirmation(WipeQuestion.of(missing, at: context.now))) }
        // A copy of the record that is just being made would outlive it.
        guard !backups.isRestoring, !isTakingInLog, backups.copies == 0 else { throw .busy }
        // Nothing is recorded from here on, even if something becomes due.
        isStopping = true
        do {
            var done = try await parts.store.wipe(includingBackups: includingBackups)
            (done.isWindowOpen, done.events) = (isOpen, lastSequence)
            await forget()
            return done
        } catch {
            isStopping = false
            // A reminder may have become due meanwhile.
            Task { await deadlineReached() }
            throw .store(StoreError.of(error, doing: "deleting the record"), kept: false)
        }
    }

    /// Leaves nothing in memory: plugins that stop after this take everything from the screen.
    private func forget() async {
        await parts.timer.disarm()
        durable = LogState()
        logState = LogState()
        (unsafeEvents, keptAside, fromJournal, fromCopy, deliveries) = ([], [], [], [], [])
        (ledger, beside, fault, keptPlace, lastPresent) = (nil, nil, nil, nil, nil)
        (lastSequence, firstSequence, mustReopen) = (0, 0, false)
        findings = []
        notify(.phase)
    }
}

/// The questions before the removal of all data.
public enum WipeQuestion {
    /// - Parameter mayBeOpen: true if dose 2 is open, or if that is not known.
    public static func confirmations(mayBeOpen: Bool) -> [Confirmation] {
        mayBeOpen ? [.windowUnresolved, .wipe] : [.wipe]
    }

    public static func of(_ missing: [Confirmation], at now: Instant) -> Question {
        Question(
            confirmations: missing, minutesToOpen: nil, limitMilligrams: nil, sumMilligrams: nil,
            wouldRecord: Confirmation.wipe.rawValue, at: now)
    }
}
