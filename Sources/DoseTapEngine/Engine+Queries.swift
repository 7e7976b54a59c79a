public import DoseTapDomain

/// Queries, which change nothing and may overtake commands.
extension Engine {
    /// Status of the night, from memory.
    ///
    /// - Parameter instant: nil is now.
    public func status(at instant: Instant?) -> NightStatus {
        guard let instant else { return present(context()) }
        return promised(NightStatus(logState, at: instant, context(), warnings: warnings))
    }

    func present(_ context: DecisionContext) -> NightStatus {
        let known: Present
        if let last = lastPresent, last.holds(revision, context) {
            known = last
        } else {
            known = Present(revision, context, NightStatus(logState, at: nil, context))
            lastPresent = known
        }
        let now = context.clock
        var present = promised(known.status)
        present.at = now.wall
        present.warnings = warnings + known.status.warnings
        present.liveStage = liveStage?.report(at: now) ?? .unknown
        return present
    }

    /// The present status, with the inputs it was made from: the receipt of one command, its signals and every plugin ask
    /// for the same status.
    struct Present {
        let status: NightStatus
        /// The view for plugins that were handed no reminder.
        var view: NightView?
        private let revision: Int
        private let clock: ClockReading
        private let zone: String

        /// The time for which the status is reused while nothing is recorded.
        private static let longest: Duration = .milliseconds(10)

        init(_ revision: Int, _ context: DecisionContext, _ status: NightStatus) {
            self.revision = revision
            self.status = status
            clock = context.clock
            zone = context.zone.identifier
        }

        func holds(_ revision: Int, _ context: DecisionContext) -> Bool {
            let now = context.clock
            let passed = Duration.microseconds(now.counterMicroseconds - clock.counterMicroseconds)
            return self.revision == revision && zone == context.zone.identifier
                && now.isSynchronised == clock.isSynchronised && passed >= .zero && passed < Self.longest
                && now.wall - clock.wall < Self.longest && now.wall >= clock.wall
        }
    }

    /// Removes promises that this service cannot keep or does not know.
    private func promised(_ status: NightStatus) -> NightStatus {
        var status = status
        if !parts.deliversReminders { status.nextReminder = nil }
        // A fresh log without the last nights says nothing of doses before its own.
        let knowsDose = logState.sessions.contains { !$0.doses.isEmpty }
        let isUnknown = mustReopen || beside?.isBlank == true && !knowsDose
        status.isCertain = !isUnknown
        if isUnknown, status.next != nil { status.next = NextStep.Record(.doctor) }
        return status
    }

    /// Status of a night at another time; older nights are read from the log.
    public func status(asOf instant: Instant) async throws(EngineFailure) -> NightStatus {
        let context = context()
        guard instant < context.now - .hours(24) else { return status(at: instant) }
        let span = (instant - .hours(36))...(instant + .hours(36))
        let loaded = try await asking { try await self.parts.store.sessions(around: span) }
        var logState = LogState()
        logState.merge(loaded.compactMap(Session.init(events:)))
        logState.merge(try await entries([.preSleep, .inventory], .around(span)))
        return promised(NightStatus(logState, at: instant, context, warnings: warnings))
    }

    /// The date of a session that is in memory.
    func date(of session: SessionID) -> SessionDate? { logState.session(session)?.date }

    /// A page of nights, newest first.
    ///
    /// - Throws: ``EngineFailure``; `unknown` if the query names an unknown sleep event.
    public func nights(_ query: SessionQuery) async throws(EngineFailure) -> SessionPage {
        var query = query
        query.sleepOrder = sleepOrder
        if let event = query.event {
            do throws(CommandFailure) { try Bounds.check(sleepEvent: event) } catch { throw .command(error) }
            query.event = SleepEventCatalogue.word(event)
        }
        let page = try await asking { [query] in try await self.parts.store.summaries(query) }
        // A type that is no longer in the list may still be on record.
        if let word = query.event, page.nights.isEmpty, query.cursor.isEmpty, sleepEvents[word] == nil {
            throw .command(
                .unknown(UnknownWord(what: sent("sleep event"), word: word, nearest: sleepEvents.nearest(to: word))))
        }
        return page
    }

    public func statistics(_ query: StatisticsQuery) async throws(EngineFailure) -> NightStatistics {
        let wanted = min(query.range ?? StatisticsQuery.mostNights, StatisticsQuery.mostNights)
        var nights: [MeasuredNight] = []
        var cursor = ""
        repeat {
            var page = query.span.query(limit: min(1_000, max(200, wanted - nights.count)), cursor: cursor)
            page.sleepOrder = sleepOrder
            let found = try await asking { [page] in try await self.parts.store.measuredNights(page) }
            nights += found.nights.filter(\.isNight)
            cursor = found.next
        } while nights.count < wanted && !cursor.isEmpty
        return NightStatistics(Array(nights.prefix(wanted)), targetMinutes: rules.targetMinutes, by: query.grouping)
    }

    /// The interval means of weeks or months, newest first.
    public func intervalMeans(_ span: NightSpan, by grouping: Grouping) async throws(EngineFailure) -> [IntervalMean] {
        try await asking { try await self.parts.store.intervalMeans(span, by: grouping) }
    }

    /// Returns the nights of a name: a session date, a session id, or an entry's id or its beginning.
    public func nights(named name: String) async throws(EngineFailure) -> [Session] {
        if let date = try? SessionDate(text: name) {
            let found = try await asking { try await self.parts.store.sessions(on: date) }
            return found.compactMap(Session.init(events:))
        }
        let events = try await asking { try await self.parts.store.session(named: name) }
        return events.flatMap(Session.init(events:)).map { [$0] } ?? []
    }

    /// Explains one event of the log by its id or the beginning of it, or an entry by its handle.
    ///
    /// - Throws: ``EngineFailure``; `notFound` for no event, `invalidInput` for an ambiguous beginning.
    public func explain(_ name: String) async throws(EngineFailure) -> Explanation {
        let name = name.lowercased()
        if name.utf8.count >= 8, let event = unsafeEvents.first(where: { $0.id.text.hasPrefix(name) }) {
            return Explanation(event, sequence: nil, among: await events(around: event))
        }
        var found = try await asking { try await self.parts.store.events(beginning: name) }
        guard found.count <= 1 else {
            throw .command(Self.ambiguous(name, found.map(\.event.id)))
        }
        if found.isEmpty, let id = try await entry(named: name) {
            if let event = unsafeEvents.first(where: { $0.id == id }) {
                return Explanation(event, sequence: nil, among: await events(around: event))
            }
            found = try await asking { try await self.parts.store.events(beginning: id.text) }
        }
        guard let stored = found.first else { throw .command(.notFound(name)) }
        return Explanation(stored.event, sequence: stored.sequence, among: await events(around: stored.event))
    }

    /// Returns the failure for an ambiguous beginning of an id, with the candidates.
    static func ambiguous(_ name: String, _ ids: [EventID]) -> CommandFailure {
        let named = (ids.prefix(4).map(\.text) + (ids.count > 4 ? ["…"] : [])).joined(separator: ", ")
        return .invalidInput(sent("more than one id begins with '\(name)': \(named)"))
    }

    /// Returns all events of an event's session, those in memory only included. For an event without a session these are
    /// the events about its entry; for an event without an entry, the event alone.
    private func events(around event: Event) async -> [Event] {
        guard let session = event.sessionID else {
            guard event.entityType.isStandalone else { return [event] }
            let log = try? await parts.store.events(about: EventID(event.entityID))
            return (log ?? []).isEmpty ? [event] : log ?? [event]
        }
        if let night = logState.session(session) { return night.events }
        let stored = try? await parts.store.session(named: session.text)
        return (stored ?? []).isEmpty ? [event] : stored ?? [event]
    }

    /// Checks the store's file and tables.
    public func check() async throws(EngineFailure) -> StoreReport {
        try await asking { try await self.parts.store.check() }
    }

    public func verify() async throws(EngineFailure) -> StoreReport {
        try await asking { try await self.parts.store.verify() }
    }

    public func rebuild() async throws(EngineFailure) -> StoreReport {
        try await asking { try await self.parts.store.rebuild() }
    }

    /// Counts and sizes of the log, without its content.
    public func shape() async throws(EngineFailure) -> LogShape {
        try await asking { try await self.parts.store.shape() }
    }

    /// Returns once the store's thread answers; the watchdog asks. A timer that could not be armed is tried again.
    ///
    /// - Throws: ``EngineFailure``, also as long as a timer cannot be armed: a service that cannot deliver reminders
    ///   must be restarted.
    public func ping() async throws(EngineFailure) {
        if timerFault != nil { await rearm() }
        if hostTimerFault != nil { await parts.host.armTimer() }
        if let why = timerFault ?? hostTimerFault {
            throw .store(StoreError(code: .internal, context: "a timer cannot be armed", underlying: why), kept: false)
        }
        try await asking { try await self.parts.store.ping() }
    }

    /// The host is on the engine's own executor.
    private var hostTimerFault: String? { parts.host.assumeIsolated { $0.timerFault } }

    /// Takes note that the store's thread did not answer ``ping()`` within the watchdog's limit.
    ///
    /// - Returns: true if the service must stay alive all the same: in an open window its memory has the reminders, and
    ///   a restarted service would wait for the same disk and deliver none.
    public func storeIsSilent() -> Bool {
        if fault == nil { noteSilence([]) }
        return parts.deliversReminders && timerFault == nil && logState.open?.hasUnresolvedWindow == true
    }

    /// The service's health in one word: `ok`, or the fault.
    public var health: String {
        if timerFault != nil { return "timer" }
        if let fault { return fault.code.rawValue }
        if beside != nil { return StoreError.Code.damaged.rawValue }
        return findings.isEmpty ? "ok" : "warning"
    }

    /// The number of events known to be in the log, and the number that wait to be written.
    public var logSize: (events: Int64, waiting: Int) { (lastSequence, unsafeEvents.count) }

    /// Warnings for the person, the worst first.
    public var warnings: [Warning] {
        var told: [Warning] = []
        if !parts.deliversReminders {
            told.append(Warning(.noService, sent("No reminders will come: no service keeps running.")))
        }
        if timerFault != nil {
            told.append(
                Warning(.timer, sent("No reminder will come: the service's timer cannot be set. Set an alarm clock.")))
        }
        if let beside { told.append(Warning(.store, beside.sentence)) }
        if let fault {
            told.append(
                Warning(
                    .store,
                    unsafeEvents.isEmpty
                        ? sent("the store is at fault: \(fault.context)")
                        : unsafeEvents.count == 1
                            ? sent("\(unsafeEvents.count) event is not yet safe on disk: \(fault.context)")
                            : sent("\(unsafeEvents.count) events are not yet safe on disk: \(fault.context)")))
        }
        told += findings.map { Warning(.finding, $0) }
        if let settingsWarning { told.append(Warning(.settings, settingsWarning)) }
        return told
    }
}

extension Engine {
    /// Returns the nights of a name: a session date, a session id, or an entry's id or its beginning.
    ///
    /// - Throws: ``EngineFailure``; `invalidInput` for a beginning of entries in several nights.
    public func records(named name: String) async throws(EngineFailure) -> ShownNights {
        var shown = ShownNights()
        let name = try await nameOrID(name)
        for session in try await nights(named: name) { shown.nights.append(try await record(session)) }
        if let date = try? SessionDate(text: name) {
            for entry in try await entries(EntityType.standalone, .day(date)) {
                // Entries listed with their night are in it already.
                if shown.nights.isEmpty || !EntityType.shownInNight.contains(entry.entity) { shown.add(entry) }
            }
            for log in try await logsWithoutNight(on: date) { shown.add(log) }
            return shown
        }
        guard shown.nights.isEmpty else { return shown }
        let ids = try await asking { try await self.parts.store.entryIDs(beginning: name) }
        guard ids.count <= 1 else { throw .command(Self.ambiguous(name, ids)) }
        guard let id = ids.first,
            let entry = StandaloneEntry(events: try await asking { try await self.parts.store.events(about: id) }),
            entry.isActive
        else { return shown }
        if let log = PreSleepLog(entry), let session = try await session(of: log) {
            shown.nights = [try await record(session)]
        } else {
            shown.add(entry)
        }
        return shown
    }

    /// The pre-sleep logs of a session date that no night followed, or none so far.
    private func logsWithoutNight(on date: SessionDate) async throws(EngineFailure) -> [StandaloneEntry] {
        let noon = Instant(seconds: Int64(date.civil.daysSinceEpoch) * 86_400 + 43_200)
        var logs: [StandaloneEntry] = []
        for entry in try await entries([.preSleep], .around((noon - .hours(48))...(noon + .hours(48)))) {
            let zone = parts.systemEnvironment.zone(named: entry.event.timeZone) ?? .utc
            guard SessionDate.key(of: entry.at, in: zone, rolloverHour: rules.rolloverHour) == date,
                let log = PreSleepLog(entry), try await session(of: log) == nil
            else { continue }
            logs.append(entry)
        }
        return logs
    }

    private func session(of log: PreSleepLog) async throws(EngineFailure) -> Session? {
        let span = log.at...(log.at + PreSleepLog.reach)
        let loaded = try await asking { try await self.parts.store.sessions(around: span) }
        var around = LogState()
        around.merge(loaded.compactMap(Session.init(events:)))
        around.merge([log.entry])
        return around.session(of: log.event)
    }

    private func night(behind session: Session) async throws(EngineFailure) -> Session? {
        guard !session.hasBegun else { return nil }
        let span = (session.start - LogState.joinsBefore)...session.start
        let loaded = try await asking { try await self.parts.store.sessions(around: span) }
        var around = LogState()
        around.merge(loaded.compactMap(Session.init(events:)))
        return around.night(behind: session)
    }

    private func record(_ session: Session) async throws(EngineFailure) -> NightRecord {
        let entries = try await entries(EntityType.shownInNight, .night(session.id, session.date))
        var sources = SleepSources(order: sleepOrder)
        if entries.contains(where: { $0.entity == .sleepRecord }) {
            sources.dates = try await asking { try await self.parts.store.sleepDates() }
        }
        return NightRecord(
            session, behind: try await night(behind: session), standalone: entries,
            regimen: logState.regimen(on: session.date)?.regimen, sources: sources)
    }

    /// All active regimens, newest first, and the one in force on the present session date.
    public var regimens: (active: RegimenEntry?, date: SessionDate, history: [RegimenEntry]) {
        let date = logState.presentDate(context())
        return (logState.regimen(on: date), date, logState.regimenHistory)
    }

    /// The newest active sleep records, at most `limit`.
    public func sleepRecords(newest limit: Int) async throws(EngineFailure) -> [NightRecord.Entry] {
        try await entries([.sleepRecord], .newest(limit)).map(NightRecord.Entry.init)
    }

    /// Questions and plans of the lab and what was kept of them, the newest of each, at most `limit`; questions and plans that
    /// were deleted come last, marked `withdrawn`.
    public func lab(newest limit: Int) async throws(EngineFailure) -> [NightRecord.Entry] {
        let found = try await entries([.labQuestion, .labPlan, .labNight], .newest(limit))
        let deleted = try await entries([.labQuestion, .labPlan], .deleted(limit)).filter { !$0.isActive }
        return found.map(NightRecord.Entry.init)
            + deleted.map { entry in
                var withdrawn = NightRecord.Entry(entry)
                withdrawn.metadata["withdrawn"] = true
                return withdrawn
            }
    }

    /// The newest active medicines, at most `limit`.
    public func medications(newest limit: Int) async throws(EngineFailure) -> [NightRecord.Entry] {
        try await entries([.medication], .newest(limit)).map(NightRecord.Entry.init)
    }
}
