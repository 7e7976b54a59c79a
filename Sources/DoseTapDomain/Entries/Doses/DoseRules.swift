/// Decisions about doses, skips and snoozes: their night, the facts by which they are judged (R4), and the questions about
/// their corrections. ``RegistrationPolicy`` judges.
extension CommandDecision {
    /// - Parameter isOnceNightly: true for a dose of a medicine that is taken once a night.
    mutating func logDose(
        _ asked: DoseKind, medicationID: String? = nil, isOnceNightly: Bool = false
    ) throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        let session = night(forDose: asked)
        var usual = prescribed(asked, medicationID: medicationID)
        var amount = options.amountMilligrams ?? usual?.amount
        var (kind, verdict) = judge(dose: asked, isOnceNightly, amount: amount, at: at, in: session, apart: nil)
        if kind != asked, usual != nil {
            // The dose is one more than prescribed, so its amount is unknown.
            (usual, amount) = (nil, nil)
            (kind, verdict) = judge(dose: asked, isOnceNightly, amount: nil, at: at, in: session, apart: nil)
        }
        if usual != nil, case .requiresConfirmation(let kinds, var facts) = verdict {
            facts.isOfRegimen = true
            verdict = .requiresConfirmation(kinds, facts)
        }
        try answer(naming(endedNight: verdict, in: session), wouldRecord: kind.rawValue, in: session)
        let payload = EventPayload.doseRecorded(
            DoseRecorded(
                kind: kind, amountMilligrams: amount, medicationID: medicationID, regimenID: usual?.regimen,
                note: options.note, request: request, sinceDose1Milliseconds: sinceDose1(kind, in: session),
                isOnceNightly: isOnceNightly && kind == .dose1))
        return record(payload, .dose, in: session)
    }

    mutating func snooze() throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        let session = night
        let window = window(of: session)
        let elapsed = session.flatMap(elapsed(in:))
        let verdict = RegistrationPolicy.judgeSnooze(
            session, elapsed: elapsed, window: window, now: context.clock)
        try answer(naming(endedNight: verdict, in: session), wouldRecord: "snooze")
        let minutes = session?.rules.snoozeStepMinutes ?? context.rules.snoozeStepMinutes
        let doubt = elapsed.flatMap { $0.isCertain ? nil : $0.longer.wholeMilliseconds }
        let payload = SnoozeRecorded(
            stepMinutes: minutes, note: options.note, request: request, sinceDose1Milliseconds: doubt)
        return record(.snoozeRecorded(payload), .snooze, in: session)
    }

    mutating func skip() throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        let session = nightAfterDose1
        let window = window(of: session)
        let verdict = RegistrationPolicy.judgeSkip(
            session, at: asOf.map { _ in moment(in: session) }, window: window)
        try answer(naming(endedNight: verdict, in: session, isSkip: true), wouldRecord: "dose2_skipped")
        let payload = DoseSkipped(
            reason: options.reason, note: options.note, sleptThroughFrom: nil, request: request, cause: nil)
        return record(.doseSkipped(payload), .skip, in: session)
    }

    // MARK: Correcting

    /// Asks before an undo removes a dose, if another undo or a declined command came just before. A mistaken undo must not lose
    /// a dose.
    func askUndo(of action: Event) throws(CommandFailure) {
        let mayMeanDeclined = options.undoes == nil && context.declinedAfter == action.id
        guard case .doseRecorded = action.payload, logState.lastUndo != nil || mayMeanDeclined,
            !options.confirmations.contains(.undoDose)
        else { return }
        throw .needsConfirmation(
            Question(
                confirmations: [.undoDose], minutesToOpen: nil, limitMilligrams: nil, sumMilligrams: nil,
                existing: action.id, existingAt: action.effectiveAt, wouldRecord: EventType.actionUndone.rawValue,
                at: maker.occurredAt))
    }

    /// Refuses an amended time that moves a dose or a skip out of its order.
    func checkOrder(of entry: Event, in session: Session) throws(CommandFailure) {
        let moment = session.moment(of: at, now: context.clock)
        let active = session.doses.first { $0.id == entry.id }
        switch active?.kind {
        case .dose1:
            let next = session.doses.first { $0.kind != .dose1 }.map { ($0.id, $0.at, $0.wall) }
            let skip = session.skips.first { !$0.isAutomatic }.map { ($0.id, $0.at, $0.wall) }
            for (id, time, wall) in [next, skip].compactMap(\.self) where moment > time {
                throw .refused(.order, Refusal(existing: id, existingAt: wall))
            }
        case .dose2, .extra: try checkAfterDose1(session)
        case nil: if entry.entityType == .skip { try checkAfterDose1(session) }
        }
    }

    private func checkAfterDose1(_ session: Session) throws(CommandFailure) {
        guard let first = session.dose1, moment(in: session) < first.at else { return }
        throw .refused(.order, Refusal(existing: first.id, existingAt: first.wall))
    }

    /// Judges an amended dose. Only the new time or amount raises questions: too near another dose, or too much.
    func judgeAmended(_ dose: Dose, in session: Session) -> RegistrationPolicy.Verdict {
        let at = options.at == nil ? dose.at : moment(in: session)
        // The doses of this night share one scale with the amended dose. Since a dose of another night the clock may have been set.
        let others = doses(apart: dose.id, around: session).map { other in
            guard session.doses.contains(where: { $0.id == other.dose.id }) else { return other }
            return .init(dose: other.dose, date: other.date, since: ElapsedTime(certain: at - other.dose.at))
        }
        return RegistrationPolicy.judgeAmendment(
            .init(
                kind: dose.kind, at: at, asOf: at, elapsed: nil, amountMilligrams: options.amountMilligrams,
                session: session, date: session.date, window: nil,
                onceNightly: session.rules.onceNightly, doses: others),
            timeChanged: options.at != nil)
    }

    // MARK: Judging

    /// The night of an entry that follows dose 1, as a dose 2, a skip or the final wake (R2.3).
    var nightAfterDose1: Session? { night(forDose: .dose2) }

    /// Returns the night to which a dose belongs; nil if the dose begins one.
    func night(forDose kind: DoseKind) -> Session? {
        guard options.at != nil else {
            // A dose 1 that is taken now belongs to no ended night, even if a wrong clock put the end of that night later.
            return logState.open ?? (kind == .dose1 ? nil : logState.session(for: at))
        }
        return logState.session(forDose: kind, at: at, onScale: openMoment, now: context.now)
    }

    /// Returns the time from dose 1 of a night to the entry.
    private func elapsed(in session: Session) -> ElapsedTime? {
        session.elapsed(now: context.clock, isNamed: asOf != nil)?.moved(by: .zero - ago)
    }

    /// Returns the time since dose 1 by the person's answer, if the clocks leave doubt about a dose 2; else nil.
    private func sinceDose1(_ kind: DoseKind, in session: Session?) -> Int64? {
        guard kind == .dose2, let elapsed = session.flatMap(elapsed(in:)), elapsed.isDoubtful else { return nil }
        return (options.isClockRight == true ? elapsed.byWall : elapsed.counted).wholeMilliseconds
    }

    /// Returns the active doses of all nights around except one dose, with the time since each.
    private func doses(apart: EventID?, around session: Session?) -> [RegistrationPolicy.OtherDose] {
        let now = context.clock
        return logState.sessions.flatMap { other in
            other.doses.filter { $0.id != apart }.map { dose in
                let since = ElapsedTime(
                    since: dose.said, then: readings(since: dose, of: other, session), now: now, isNamed: asOf != nil)
                // Doses of tonight count as near as they may be. For another night the wall clock is believed across boots:
                // otherwise a person without a synchronised clock would be asked every evening.
                let isBelieved = other.id != session?.id && dose.said.clock.bootID != now.bootID
                let known = isBelieved ? ElapsedTime(certain: max(since.counted, since.byWall)) : since
                return .init(dose: dose, date: other.date, since: known.moved(by: .zero - ago))
            }
        }
    }

    /// Returns the clocks at all events after the event that said the time of a dose, in the night of the dose and in another
    /// night, in the order of the log.
    private func readings(since dose: Dose, of night: Session, _ other: Session?) -> [ClockReading] {
        let own = night.events.drop { $0.id != dose.saidBy }
        guard let other, other.id != night.id, let said = own.first else { return own.dropFirst().map(\.clock) }
        let later = other.events.filter { ($0.occurredAt, $0.id.text) > (said.occurredAt, said.id.text) }
        return (own.dropFirst() + later).sorted { ($0.occurredAt, $0.id.text) < ($1.occurredAt, $1.id.text) }
            .map(\.clock)
    }

    private func judge(
        dose kind: DoseKind, _ isOnceNightly: Bool, amount: Int?, at: Instant, in session: Session?, apart: EventID?
    ) -> (kind: DoseKind, verdict: RegistrationPolicy.Verdict) {
        let doses = doses(apart: apart, around: session)
        let date = date(of: session, at)
        let rules = session?.rules ?? logState.rules(context.rules, on: date)
        let onceNightly = rules.onceNightly || isOnceNightly && kind == .dose1
        return RegistrationPolicy.judge(
            .init(
                kind: kind, at: moment(in: session), asOf: asOf.map { _ in moment(in: session) },
                elapsed: session.flatMap(elapsed(in:)), amountMilligrams: amount, session: session, date: date,
                window: session.map { window(of: $0) },
                onceNightly: onceNightly, doses: doses,
                endedNight: kind == .dose1 ? endedNight(date, apart: session, doses, onceNightly) : nil))
    }

    /// Returns the date of a session; without one, the date of the session that would begin at an instant.
    private func date(of session: Session?, _ at: Instant) -> SessionDate {
        session?.date ?? .key(of: at, in: context.zone, rolloverHour: context.rules.rolloverHour)
    }

    /// Returns the last ended night of a date, apart from one session; else the one with the last doses, if the doses of other dates
    /// in the last twelve hours are as many as a night has; nil for none (R4.23).
    private func endedNight(
        _ date: SessionDate, apart session: Session?, _ doses: [RegistrationPolicy.OtherDose], _ onceNightly: Bool
    ) -> RegistrationPolicy.EndedNight? {
        let over = logState.sessions.filter { $0.id != session?.id && $0.hasSigns }
        if let end = over.filter({ $0.date == date }).compactMap(\.end).max() {
            return .init(date: date, end: end, doses: doses.count { $0.date == date })
        }
        // A file tells what happened, and of a clock that was set both figures must say that a dose is recent.
        guard options.surface != .importer else { return nil }
        let recent = doses.filter { other in
            other.date != date && other.since.shorter >= .zero && other.since.longer < RegistrationPolicy.recent
        }
        guard recent.count >= RegistrationPolicy.prescribed(onceNightly),
            let night = over.last(where: { night in recent.contains { $0.date == night.date } }), let end = night.end
        else { return nil }
        return .init(date: night.date, end: end, doses: recent.count)
    }

    /// Adds the ended night to a refusal for a missing dose 1: a night of this date, else a night with a dose less than half a day
    /// old. For a person who sleeps by day, the rollover may lie between the dose and the skip. A time before the dose 1 of that
    /// night, and a skip where that night has dose 2, get the refusal that they get within a night.
    private func naming(
        endedNight verdict: RegistrationPolicy.Verdict, in session: Session?, isSkip: Bool = false
    ) -> RegistrationPolicy.Verdict {
        guard case .blocked(.dose1Required, var refusal) = verdict, session?.dose1 == nil else { return verdict }
        let over = logState.sessions.filter { $0.id != session?.id && $0.hasSigns && $0.end != nil }
        let date = date(of: session, at)
        let ofDate = over.filter { $0.date == date }.max { $0.end ?? .min < $1.end ?? .min }
        let recent = over.last { night in
            night.doses.contains { (Duration.zero..<Duration.hours(12)).contains(at - $0.wall) }
        }
        guard let night = ofDate ?? recent, let end = night.end else { return verdict }
        if let dose1 = night.dose1, at < dose1.wall {
            return .blocked(.order, Refusal(existing: dose1.id, existingAt: dose1.wall))
        }
        if isSkip, let dose2 = night.dose2 {
            return .blocked(.dose2AlreadyTaken, Refusal(existing: dose2.id, existingAt: dose2.wall))
        }
        let times = logState.sessions.filter { $0.date == night.date }.flatMap { $0.doses.map(\.wall) }.sorted()
        // Of a night without a dose only its dose 1 is missing.
        guard !times.isEmpty || at > end else { return verdict }
        refusal.endedNight = .init(date: night.date, end: end, doses: times.count, times: times)
        return .blocked(.dose1Required, refusal)
    }
}
