internal import DoseTapDomain
internal import Logging

/// The tables are not believed blindly.
extension Engine {
    /// Compares the tables with the log in pages, and makes rows anew that differ; told and recorded. As long as a window
    /// is unresolved only the rows of that night are compared, once.
    ///
    /// What is done in the store gives way to everything else if the caller's priority is below the default.
    ///
    /// - Returns: whether all rows were compared.
    public func compareTables() async -> Bool {
        var audit = TableAudit(next: .start)
        var isWhole = true
        while let place = audit.next, isWhole, !isStopping {
            guard fault == nil, !mustReopen else {
                isWhole = false
                break
            }
            let open = diary.open.flatMap { $0.hasUnresolvedWindow ? $0.id : nil }
            do {
                audit.add(try await asking { try await self.parts.store.audit(place, only: open) })
            } catch {
                parts.logger.error("the tables could not be compared", metadata: ["error": "\(error)"])
                isWhole = false
                guard case .store(let error, _) = error, error.code == .damaged else { break }
                audit.add(TableAudit(findings: ["the tables could not be compared with the log: \(error.context)"]))
            }
            if open != nil { isWhole = false }
        }
        let found = audit
        // In the order of everybody else: what waits in this turn waits for nothing that gives way.
        await Task(priority: .medium) { await self.tell(found) }.value
        return isWhole && !isStopping
    }

    /// How long until the tables are compared again: after all of them were, and after a night was under way.
    static let compareAgain: (after: Duration, during: Duration) = (.seconds(86_400), .seconds(3_600))

    /// Compares the tables with the log now and once a day, until the task is cancelled. A timer that cannot be armed is
    /// told, and tried again after the next thing that the service does.
    ///
    /// - Parameters:
    ///   - ticks: says that the time has come.
    ///   - arm: arms the timer that ticks after so long.
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
                        tell(.change(.finding(Self.noComparison)))
                    }
                    for await _ in retries { break }
                }
            }
            for await _ in ticks { break }
        }
    }

    /// What status says as long as no timer for it can be had.
    static let noComparison =
        "the daily comparison of the tables with the log has no timer; it is tried again after the next entry or reminder"

    private func tell(_ audit: TableAudit) async {
        // Some of it was noticed when the store was opened.
        for finding in audit.findings where !findings.contains(where: { $0.contains(finding) }) {
            findings.append(finding)
            tell(.change(.finding(finding)))
        }
        guard let sentence = audit.sentence, !isStopping else { return }
        await waitForTurn()
        defer { leave() }
        findings.append(sentence)
        tell(.change(.finding(sentence)))
        // What was read by the tables before may have missed something.
        if unsafeEvents.isEmpty, let snapshot = try? await parts.store.load(now: parts.surroundings.clock().wall) {
            durable = Diary(snapshot)
            diary = durable.appending(unsafeEvents)
            ledger = nil
        }
        let restored = StoreRestored(expectedSequence: lastSequence, foundSequence: lastSequence, finding: sentence)
        await record([
            Rulebook.fact(
                .storeRestored(restored), .store, session: nil, newest: diary.newest, circumstances(), ids: &ids)
        ])
    }
}
