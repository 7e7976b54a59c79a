internal import DoseTapDomain
internal import Logging

/// With a damaged store the night goes on in a fresh log beside it, which begins with an event that says so.
extension Engine {
    /// Reads tonight; from a fresh log beside the store if the log is damaged.
    func snapshot() async throws -> LogSnapshot {
        let now = parts.systemEnvironment.clock().wall
        while true {
            do {
                let found = try await parts.store.load(now: now)
                beside = await parts.store.beside
                return found
            } catch let error as StoreError where error.code == .damaged {
                parts.logger.error("the store is damaged", metadata: ["error": "\(error)"])
                // The number of fresh logs is bounded.
                try await parts.store.continueBeside([], because: error)
            }
        }
    }

    /// Replaces a log that turned out to be damaged in use: the store's, or a fresh one beside it.
    ///
    /// - Returns: true if a fresh log is in use now.
    func goBeside(_ error: StoreError) async -> Bool {
        guard error.code == .damaged, !mustReopen else { return false }
        let known =
            durable.sessions.flatMap(\.events) + durable.standalone.flatMap(\.events)
        do {
            try await parts.store.continueBeside(known, because: error)
            let snapshot = try await parts.store.load(now: parts.systemEnvironment.clock().wall)
            beside = await parts.store.beside
            ledger = nil
            lastSequence = snapshot.lastSequence
            durable = LogState(snapshot)
            // The event stands at the start of the fresh log's own entries, before waiting events.
            let fact = besideFact()
            unsafeEvents.insert(fact.recorded(at: unsafeEvents.first?.occurredAt ?? fact.occurredAt), at: 0)
            logState = durable.appending(unsafeEvents)
            await parts.host.begin(at: snapshot.lastSequence)
            if let beside { notify(.change(.finding(beside.sentence))) }
            return true
        } catch {
            parts.logger.error("no fresh log beside the damaged store", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Returns the event about the fresh log, for the start of the log's own entries.
    func besideFact() -> Event {
        let reason = beside.map(\.reason) ?? ""
        let restored = StoreRestored(
            expectedSequence: beside?.takenOver ?? 0, foundSequence: beside?.takenOver ?? 0,
            finding: reason.isEmpty
                ? sent("the record was damaged: this log was begun beside it")
                : sent("the record was damaged (\(reason)): this log was begun beside it"))
        return CommandHandler.fact(
            .storeRestored(restored), .store, session: nil, newest: logState.newest, context(), ids: &ids)
    }
}

/// The comparison of the tables with the log.
extension Engine {
    /// Compares the tables with the log in pages and rebuilds rows that differ; both are reported and recorded. As long
    /// as a window is unresolved only the rows of that night are compared, once.
    ///
    /// Work in the store gives way to everything else if the caller's priority is below the default.
    ///
    /// - Returns: true if all rows were compared.
    public func compareTables() async -> Bool {
        if beside != nil { await announceRepair(isAsked: false) }
        await makeDueRepairReady()
        var audit = TableAudit(next: .start)
        var isWhole = true
        while let place = audit.next, isWhole, !isStopping {
            guard fault == nil, !mustReopen else {
                isWhole = false
                break
            }
            let open = logState.open.flatMap { $0.hasUnresolvedWindow ? $0.id : nil }
            do {
                audit.add(try await asking { try await self.parts.store.audit(place, only: open) })
            } catch {
                parts.logger.error("the tables could not be compared", metadata: ["error": "\(error)"])
                isWhole = false
                guard case .store(let error, _) = error, error.code == .damaged else { break }
                let finding = sent("the tables could not be compared with the log: \(error.context)")
                audit.add(TableAudit(findings: [finding]))
            }
            if open != nil { isWhole = false }
        }
        let found = audit
        // The turn runs at the default priority: the queue must not wait for work that gives way.
        await Task(priority: .medium) { await self.announce(found) }.value
        return isWhole && !isStopping
    }

    /// The pauses before the next comparison: after a full comparison, and after one during a night.
    private static let compareAgain: (after: Duration, during: Duration) = (.seconds(86_400), .seconds(3_600))

    /// Compares the tables with the log now and once a day, until the task is cancelled. A timer that cannot be armed
    /// is reported, and tried again after the next action of the service.
    ///
    /// - Parameters:
    ///   - ticks: the signals to compare.
    ///   - arm: arms the timer behind `ticks`.
    public func keepComparing(ticks: AsyncStream<Void>, arm: @Sendable (Duration) async throws -> Void) async {
        let (retries, retry) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        while !Task.isCancelled, !isStopping {
            let wait = await compareTables() ? Self.compareAgain.after : Self.compareAgain.during
            while !Task.isCancelled {
                do {
                    try await arm(wait)
                    comparisonRetry = nil
                    findings.removeAll { $0 == Self.noComparison }
                    break
                } catch {
                    comparisonRetry = retry
                    if !findings.contains(Self.noComparison) {
                        parts.logger.error("the timer of the comparison", metadata: ["error": "\(error)"])
                        findings.append(Self.noComparison)
                        notify(.change(.finding(Self.noComparison)))
                    }
                    for await _ in retries { break }
                }
            }
            for await _ in ticks { break }
        }
    }

    /// The sentence of `status` as long as the comparison's timer cannot be armed.
    private static let noComparison =
        sent(
            "the daily comparison of the tables with the log has no timer; it is tried again after the next entry or reminder"
        )

    /// Makes the repair of a log in use ready whose chain was found broken, and tells of it (R21.18).
    public func makeRepairReady() async { await announceRepair(isAsked: true) }

    /// Makes a repair ready later that a window had delayed.
    private func makeDueRepairReady() async {
        guard isRepairDue, beside == nil, mayMakeRepairReady, let report = try? await verify() else { return }
        isRepairDue = false
        // Another record may be in the place of the damaged one by now.
        if !report.isSound { await announceRepair(isAsked: true) }
    }

    private var mayMakeRepairReady: Bool {
        fault == nil && !mustReopen && !isStopping && logState.open?.hasUnresolvedWindow != true
    }

    /// Reads the readable events of a damaged log, and tells their number. The work does not run while a window is
    /// unresolved: it ends with its step if a window begins meanwhile.
    ///
    /// - Parameter isAsked: true to read the log in use, too.
    func announceRepair(isAsked: Bool) async {
        // Another record in its place, such as the repaired one, is not damaged.
        let damaged = takeovers
        do {
            while mayMakeRepairReady, takeovers == damaged {
                guard let plan = try await takeRepairStep(isAsked: isAsked), takeovers == damaged else { continue }
                let read = Plural.of(plan.read, "event", "events")
                return announce(repair: sent("of the damaged record \(read) can be read and \(plan.missing) cannot"))
            }
            if beside == nil { isRepairDue = true }
        } catch .store(let error, _) where error.code == .unreadable {
            announce(
                repair: sent(
                    "of the damaged record nothing can be read: a backup can be restored, or the record deleted"))
        } catch { parts.logger.error("the damaged log could not be read", metadata: ["error": "\(error)"]) }
    }

    private func announce(repair finding: String) {
        findings.removeAll { $0.hasPrefix("of the damaged record") }
        findings.append(finding)
        notify(.change(.finding(finding)))
    }

    private func announce(_ audit: TableAudit) async {
        // Some findings are known from the opening of the store.
        for finding in audit.findings where !findings.contains(where: { $0.contains(finding) }) {
            findings.append(finding)
            notify(.change(.finding(finding)))
        }
        guard let sentence = audit.sentence else { return }
        await waitForTurn()
        defer { leave() }
        guard !isStopping else { return }
        findings.append(sentence)
        notify(.change(.finding(sentence)))
        // Nights loaded by the wrong tables may be incomplete.
        if unsafeEvents.isEmpty, let snapshot = try? await parts.store.load(now: parts.systemEnvironment.clock().wall) {
            durable = LogState(snapshot)
            logState = durable.appending(unsafeEvents)
            ledger = nil
        }
        let restored = StoreRestored(expectedSequence: lastSequence, foundSequence: lastSequence, finding: sentence)
        await record([
            CommandHandler.fact(
                .storeRestored(restored), .store, session: nil, newest: logState.newest, context(), ids: &ids)
        ])
    }
}
