public import DoseTapDomain
import GRDB
import Glibc

extension Store {
    /// Events of this time before now are brought in if the backup lacks them (R24.10).
    private static let broughtIn: Duration = .hours(24)
    /// Number of rows compared at once.
    private static let page = 1_024

    /// Takes a caller's file in beside the store, checks all of it, and compares it with the record.
    ///
    /// - Parameters:
    ///   - descriptor: stays open as long as the call lasts.
    ///   - tonight: the open night, which is brought in as a whole.
    /// - Throws: ``DoseTapDomain/StoreError``: `.unfit` for a file that cannot be used, `.noSpace`; no file is left then.
    public nonisolated func prepareRestore(
        from descriptor: CInt, now: Instant, tonight: SessionID?
    ) async throws -> PreparedRestore {
        let file = try CallersFile(descriptor, isWritten: false, store: await path)
        let copy = try await restoreFile()
        let archive = try Archive()
        do {
            let taken = try await archive.perform { () throws(StoreError) in try copy.take(file) }
            var prepared = try await compare(copy, taken.summary, archive, now, tonight)
            prepared.report.isDecrypted = taken.isDecrypted
            return prepared
        } catch {
            copy.discard()
            throw error
        }
    }

    /// Puts a prepared backup in the place of the record.
    ///
    /// - Parameters:
    ///   - fact: the event about the restore, the last one of the log.
    ///   - kept: the end of the replaced record's name, after the store's path.
    /// - Returns: the path of the replaced record; nil if there was none.
    /// - Throws: ``DoseTapDomain/StoreError``: the record is as before, except for `.outcomeUnknown`, which ``reopen()``
    ///   settles.
    public nonisolated func restore(_ prepared: PreparedRestore, _ fact: Event, keeping kept: String) async throws
        -> String?
    {
        let copy = try await restoreFile()
        let archive = try Archive()
        do {
            // Events recorded since the comparison come in first.
            var place = prepared.compared
            while case let more = try await patiently({ [place] in try await self.glances(after: place) }),
                let last = more.last
            {
                let events = more.compactMap(\.event).filter { $0.type != .storeRestored }
                try await archive.perform { () throws(StoreError) in try copy.add(events) }
                place = last.sequence
            }
            try await archive.perform { () throws(StoreError) in try copy.complete(with: fact) }
            return try await putInPlace(keeping: kept)
        } catch {
            if !StoreSwitch.isPending(copy.store) { copy.discard() }
            throw error
        }
    }

    /// Sets a key that the backup to be restored may need instead of the record's; nil ends that.
    public func know(_ key: StoreKey?) { backupKey = key }

    /// Removes a prepared backup.
    public nonisolated func dropRestore() async throws { try await restoreFile().discard() }

    private func putInPlace(keeping kept: String) throws -> String? {
        let first = beside?.damaged ?? path
        let wasThere = !isImagined
        // Two restores may happen within a second.
        var (free, number) = (kept, 1)
        while access(first + free, F_OK) == 0 {
            number += 1
            free = "\(kept)-\(number)"
        }
        let logs = (1...max(1, beside?.number ?? 0)).map { String(Self.besidePath(first, $0).dropFirst(first.count)) }
        try replace(
            by: StoreSwitch(
                purpose: "restore", prepared: RestoreFile.suffix, keeping: free, logs: beside == nil ? [] : logs))
        return wasThere ? first + free : nil
    }

    private func restoreFile() throws -> RestoreFile {
        guard !isCopy else { throw StoreError(code: .readOnly, context: sent("the store cannot be written")) }
        try makeFolderIfImagined()
        return RestoreFile(store: beside?.damaged ?? path, migrator: migrator, key: key, otherKey: backupKey)
    }

    /// Repeats a question that gave way to more urgent work.
    private nonisolated func patiently<Answer: Sendable>(
        _ question: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        while true {
            do { return try await question() } catch let error as StoreError where error.code == .interrupted {
                if Task.isCancelled { throw error }
            }
        }
    }

    // MARK: Comparing

    private func glances(after sequence: Int64) throws -> [LogGlance] {
        guard !isImagined else { return [] }
        return try read("comparing the record with the backup") {
            try LogGlance.page($0, after: sequence, limit: Self.page)
        }
    }

    private func lacks(_ ids: [String]) throws -> Set<String> {
        guard !isImagined else { return Set(ids) }
        return try read("comparing the record with the backup") { try LogGlance.lacking(ids, in: $0) }
    }

    private func hash(at sequence: Int64) throws -> String? {
        try read("comparing the record with the backup") {
            try String.fetchOne($0, sql: "SELECT hash FROM events WHERE seq = ?", arguments: [sequence])
        }
    }

    /// Returns the sessions and entries with events since a moment.
    private func touched(since moment: Instant) throws -> Set<String> {
        guard !isImagined else { return [] }
        return try read("comparing the record with the backup") { database in
            // All facts about the store have the same entity. An entry brings the entries that it refers to: the whole stock,
            // and plans of the lab.
            let sql = """
                SELECT session_id FROM events WHERE occurred_at >= ?1
                UNION SELECT entity_id FROM events WHERE occurred_at >= ?1 AND entity_type <> ?2
                UNION SELECT entity_id FROM events WHERE entity_type = ?3
                  AND EXISTS (SELECT 1 FROM events WHERE occurred_at >= ?1 AND entity_type = ?3)
                UNION SELECT entity_id FROM events WHERE entity_type = ?4
                  AND EXISTS (SELECT 1 FROM events WHERE occurred_at >= ?1 AND entity_type = ?5)
                """
            let kinds: [EntityType] = [.store, .inventory, .labPlan, .labNight]
            let arguments = StatementArguments([moment.iso8601] + kinds.map(\.rawValue))
            return Set(try String?.fetchAll(database, sql: sql, arguments: arguments).compactMap(\.self))
        }
    }

    private nonisolated func compare(
        _ copy: RestoreFile, _ summary: LogSummary, _ archive: Archive, _ now: Instant, _ tonight: SessionID?
    ) async throws -> PreparedRestore {
        var report = RestoreReport()
        (report.backup.events, report.backup.nights) = (summary.head.sequence, summary.nights)
        (report.backup.from, report.backup.to) = (summary.span?.lowerBound, summary.span?.upperBound)
        let (isEmpty, own) = (try await head.sequence == 0, await identities)
        report.isSameRecord = isEmpty || own.contains(summary.storeID)
        report.isForeignDevice = summary.deviceID != deviceID
        if let beside = await beside {
            report.notes.append(sent("the damaged record at \(beside.damaged) is put aside, too"))
        }
        var place = try await commonEnd(copy, summary, archive)
        // First the events that only the backup has.
        var (from, nights) = (place, Set<String>())
        while case let rows = try await archive.perform({ [from] () throws(StoreError) in
            try copy.glances(after: from, limit: Self.page)
        }), let last = rows.last {
            let new = try await patiently { try await self.lacks(rows.map(\.id)) }
            for row in rows where new.contains(row.id) {
                report.gained.add(
                    at: row.recorded, isNewNight: row.session.map { nights.insert($0).inserted } ?? false)
            }
            from = last.sequence
        }
        // Then the events that only the record has.
        let recent = now - Self.broughtIn
        let touched = try await patiently { try await self.touched(since: recent) }
        (from, nights) = (place, [])
        var brought: [Event] = []
        while case let rows = try await patiently({ [from] in try await self.glances(after: from) }),
            let last = rows.last
        {
            let ids = rows.map(\.id)
            let new = try await archive.perform { () throws(StoreError) in try copy.lacks(ids) }
            for row in rows where new.contains(row.id) {
                let isTouched = [row.session, row.entity].contains { $0.map(touched.contains) ?? false }
                let isRecent = row.recorded.map { $0 >= recent } ?? false || isTouched
                let isWanted = isRecent || tonight.map { row.session == $0.text } ?? false
                if let event = row.event, isWanted {
                    if event.type != .storeRestored { brought.append(event) }
                } else if row.event?.type != .storeRestored {
                    report.lost.add(
                        at: row.recorded, isNewNight: row.session.map { nights.insert($0).inserted } ?? false)
                }
            }
            from = last.sequence
        }
        place = from
        report.broughtIn = Int64(brought.count)
        let events = brought
        try await archive.perform { () throws(StoreError) in try copy.add(events) }
        let newest = [summary.span?.upperBound, brought.map(\.occurredAt).max()].compactMap(\.self).max()
        return PreparedRestore(
            report: report, compared: place, backupEnd: summary.head.sequence, newest: newest)
    }

    /// Returns the last event up to which both logs are the same; 0 for none.
    private nonisolated func commonEnd(
        _ copy: RestoreFile, _ summary: LogSummary, _ archive: Archive
    ) async throws -> Int64 {
        var (same, other) = (Int64(0), min(try await head.sequence, summary.head.sequence) + 1)
        while other - same > 1 {
            let middle = same + (other - same) / 2
            let hash = try await archive.perform { () throws(StoreError) in try copy.hash(at: middle) }
            let own = try await patiently { try await self.hash(at: middle) }
            if own == hash { same = middle } else { other = middle }
        }
        return same
    }
}
