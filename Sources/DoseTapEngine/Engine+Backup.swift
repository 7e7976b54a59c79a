public import DoseTapDomain
internal import Logging

/// Backups. They never take a turn of the command queue: a dose does not wait for one.
extension Engine {
    /// Makes a backup for a person, beside the store.
    public func backUp() async throws(EngineFailure) -> Backup {
        let now = parts.systemEnvironment.clock()
        let backup = try await made { try await self.parts.store.backUp(.manual, at: now.wall) }
        (backups.made, backups.trouble) = (now, nil)
        // A person's backup counts as one that the service makes by itself.
        if let all = try? await parts.store.backups() { note(all, log: max(lastSequence, backup.events)) }
        return backup
    }

    /// Makes a backup in an empty file that a caller has open.
    ///
    /// - Parameter descriptor: open for as long as the call lasts.
    public func backUp(into descriptor: Int32) async throws(EngineFailure) -> Backup {
        let now = parts.systemEnvironment.clock().wall
        return try await made { try await self.parts.store.backUp(into: descriptor, at: now) }
    }

    private func made(
        _ make: @Sendable () async throws -> Backup?
    ) async throws(EngineFailure) -> Backup {
        guard !isStopping else { throw .busy }
        backups.copies += 1
        defer { backups.copies -= 1 }
        guard let backup = try await once("a backup", make) else {
            throw .command(.nothingToDo(sent("there is no record yet, so there is nothing to back up"), night: nil))
        }
        return backup
    }

    /// The backups beside the store, newest first.
    public func listBackups() async throws(EngineFailure) -> [Backup] {
        try await asking { try await self.parts.store.backups() }
    }
}

/// The backups that the service makes by itself (R24).
extension Engine {
    /// The pause after a backup that could not be made.
    static let backupRetry: Duration = .hours(6)

    /// The known facts about the last backup.
    struct BackupState {
        var rule: BackupRule
        /// The newest backup; nil before the folder was looked at, and if there is none.
        var newest: Backup?
        /// The clocks when this process made the last one.
        var made: ClockReading?
        /// True once the folder was looked at.
        var isKnown = false
        /// The reason why the last backup could not be made.
        var trouble: String?
        /// Wakes the task that makes the backups.
        var tick: AsyncStream<Void>.Continuation?
        /// True while a restore is prepared or done, or an exported log is compared and taken in.
        var isRestoring = false
        /// The number of backups that are being made.
        var copies = 0

        init(rule: BackupRule = .standard, tick: AsyncStream<Void>.Continuation? = nil) {
            self.rule = rule
            self.tick = tick
        }

        /// Forgets the backups of a replaced record. Work under way goes on and counts.
        mutating func beginAnew() { (newest, made, isKnown, trouble) = (nil, nil, false, nil) }
    }

    /// The age of the newest backup, and the reason why the last attempt failed.
    public var backupFacts: ChainFacts.Backups {
        get async {
            if !backups.isKnown, let found = try? await parts.store.backups() { note(found) }
            let now = parts.systemEnvironment.clock()
            // A time in the future says nothing: without another measure the backup is told as old.
            let age = backups.newest.map { newest in
                newest.at <= now.wall ? now.wall - newest.at : sinceBackup(now) ?? BackupRule.old
            }
            return ChainFacts.Backups(
                isOn: backups.rule.isOn, age: age, events: lastSequence,
                isNew: backups.newest?.events != lastSequence, trouble: backups.trouble)
        }
    }

    /// Changes the rule; a backup that is due by it is made.
    public func update(backups rule: BackupRule) {
        guard rule != backups.rule else { return }
        backups.rule = rule
        backups.tick?.yield()
    }

    /// Makes a backup whenever one is due, until the task is cancelled. The priority of the task is that of the work.
    ///
    /// - Parameters:
    ///   - first: the time from the start to the first look, unless an entry comes before.
    ///   - ticks: the signals to look; `tick` makes one after an entry.
    ///   - arm: arms the timer behind `ticks`.
    public func keepBackups(
        first: Duration = .zero, ticks: AsyncStream<Void>, tick: AsyncStream<Void>.Continuation,
        arm: @Sendable (Duration) async throws -> Void
    ) async {
        backups.tick = tick
        defer { backups.tick = nil }
        do { try await parts.store.sweepBackups() } catch { complain(error) }
        var isFirst = first > .zero
        while !Task.isCancelled, !isStopping {
            let wait = isFirst ? first : await backUpIfDue()
            isFirst = false
            if let wait {
                do { try await arm(wait) } catch {
                    parts.logger.error("the timer of the backups", metadata: ["error": "\(error)"])
                }
            }
            for await _ in ticks { break }
        }
    }

    /// Wakes the backups after a commit outside a night, for one may be due.
    func mayBackUp() { if logState.open == nil { backups.tick?.yield() } }

    /// - Returns: the wait until the next look; nil: after an entry.
    func backUpIfDue() async -> Duration? {
        let now = parts.systemEnvironment.clock()
        if !backups.isKnown {
            guard let found = try? await parts.store.backups() else { return Self.backupRetry }
            note(found)
        }
        // Events in memory only would not be in the backup either.
        guard fault == nil, !mustReopen, lastSequence > 0 else { return nil }
        let newest = backups.newest
        switch backups.rule.due(
            now: now.wall, last: newest?.at, made: sinceBackup(now), isNew: newest?.events != lastSequence,
            night: logState.open, ended: logState.sessions.last { !$0.isOpen && !$0.doses.isEmpty }?.end)
        {
        case .withEntry: return nil
        case .after(let wait): return wait
        case .now: break
        }
        do {
            try await makeDaily(now)
            backups.trouble = nil
            return nil
        } catch {
            guard !Task.isCancelled, !isStopping else { return nil }
            complain(error)
            // The check of the copy may have found a broken chain of the log in use. Its repair is then made ready, as for a
            // log that cannot be opened (R21.18); the night is over, and the work gives way.
            if (error as? StoreError)?.code == .damaged, beside == nil, let report = try? await verify(),
                !report.isSound
            {
                await announceRepair(isAsked: true)
            }
            return Self.backupRetry
        }
    }

    /// Time since this process made a backup, by the counter, which nothing sets.
    private func sinceBackup(_ now: ClockReading) -> Duration? {
        backups.made.map { .microseconds(now.counterMicroseconds - $0.counterMicroseconds) }
    }

    /// Makes the daily backup, then removes the backups that are no longer needed.
    private func makeDaily(_ now: ClockReading) async throws {
        guard !isStopping else { return }
        backups.copies += 1
        defer { backups.copies -= 1 }
        guard let made = try await parts.store.backUp(.daily, at: now.wall) else { return }
        backups.made = now
        // The log may have grown in the file, and not yet here.
        let (all, log) = (try await parts.store.backups(), max(lastSequence, made.events))
        note(all, log: log)
        try await parts.store.remove(
            backups.rule.superfluous(
                all.filter { $0.kind == .daily }, in: parts.systemEnvironment.zone(), log: log, latest: made.name))
    }

    /// Takes note of the newest backup. One from before a change of the schema is no measure: its log may have had a
    /// fault.
    private func note(_ all: [Backup], log: Int64? = nil) {
        backups.isKnown = true
        backups.newest = BackupRule.newest(all.filter { $0.kind != .migration }, log: log ?? lastSequence)
    }

    private func complain(_ error: any Error) {
        parts.logger.error("a backup could not be made", metadata: ["error": "\(error)"])
        backups.trouble = (error as? StoreError)?.context ?? sent("the service could not make it")
    }
}
