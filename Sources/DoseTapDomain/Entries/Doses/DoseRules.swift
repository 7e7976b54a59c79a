/// What is particular to doses, skips and snoozes: which night they are of, what they are judged by (R4), and what else
/// is asked of their corrections. ``RegistrationPolicy`` answers.
extension CommandDecision {
    /// - Parameter isOnceNightly: it is of a medicine that is taken once a night.
    mutating func logDose(
        _ asked: DoseKind, medicationID: String? = nil, isOnceNightly: Bool = false
    ) throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        let session = night(forDose: asked)
        var usual = prescribed(asked, medicationID: medicationID)
        var amount = options.amountMilligrams ?? usual?.amount
        var (kind, verdict) = judge(dose: asked, isOnceNightly, amount: amount, at: at, in: session, apart: nil)
        if kind != asked, usual != nil {
            // One more than prescribed: nobody knows how much.
            (usual, amount) = (nil, nil)
            (kind, verdict) = judge(dose: asked, isOnceNightly, amount: nil, at: at, in: session, apart: nil)
        }
        try answer(naming(endedNight: verdict, in: session), wouldRecord: kind.rawValue)
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
        let session = night
        let window = window(of: session)
        let verdict = RegistrationPolicy.judgeSkip(
            session, at: asOf.map { _ in moment(in: session) }, window: window)
        try answer(naming(endedNight: verdict, in: session), wouldRecord: "dose2_skipped")
        let payload = DoseSkipped(
            reason: options.reason, note: options.note, sleptThroughFrom: nil, request: request, cause: nil)
        return record(.doseSkipped(payload), .skip, in: session)
    }

    // MARK: Correcting

    /// Who takes back once more than was meant, or what was not recorded, must not lose a dose by it.
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

    /// An amended dose or skip stays in its order.
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

    /// An amended dose is asked only what its new time or amount raises anew: too near another dose, or too much.
    func judgeAmended(_ dose: Dose, in session: Session) -> RegistrationPolicy.Verdict {
        let at = options.at == nil ? dose.at : moment(in: session)
        // The doses of this night lie on one scale with it. From those of another night the clock may have been set since.
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

    /// The night a dose is about.
    func night(forDose kind: DoseKind) -> Session? {
        guard options.at != nil else {
            // A dose 1 that is taken now is none of a night that is over, though a clock that was wrong made that end later.
            return logState.open ?? (kind == .dose1 ? nil : logState.session(for: at))
        }
        return logState.session(forDose: kind, at: at, onScale: openMoment, now: context.now)
    }

    /// Time from dose 1 of a night to the entry.
    private func elapsed(in session: Session) -> ElapsedTime? {
        session.elapsed(now: context.clock, isNamed: asOf != nil)?.moved(by: .zero - ago)
    }

    /// Where the clocks leave doubt about a dose 2, the time since dose 1 that the answer makes of it; else nil.
    private func sinceDose1(_ kind: DoseKind, in session: Session?) -> Int64? {
        guard kind == .dose2, let elapsed = session.flatMap(elapsed(in:)), elapsed.isDoubtful else { return nil }
        return (options.isClockRight == true ? elapsed.byWall : elapsed.counted).wholeMilliseconds
    }

    /// The active doses of all nights around but one, and the time since each.
    private func doses(apart: EventID?, around session: Session?) -> [RegistrationPolicy.OtherDose] {
        let now = context.clock
        return logState.sessions.flatMap { other in
            other.doses.filter { $0.id != apart }.map { dose in
                let since = ElapsedTime(
                    since: dose.said, then: readings(since: dose, of: other, session), now: now, isNamed: asOf != nil)
                // Doses of tonight are as near as they may be. Of another night the wall clock is believed across boots:
                // who has none that is synchronised would be asked every evening.
                let isBelieved = other.id != session?.id && dose.said.clock.bootID != now.bootID
                let known = isBelieved ? ElapsedTime(certain: max(since.counted, since.byWall)) : since
                return .init(dose: dose, date: other.date, since: known.moved(by: .zero - ago))
            }
        }
    }

    /// The clocks at all that was recorded since it was said when a dose was, in its own night and another one, in the order
    /// of the log.
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
        return RegistrationPolicy.judge(
            .init(
                kind: kind, at: moment(in: session), asOf: asOf.map { _ in moment(in: session) },
                elapsed: session.flatMap(elapsed(in:)), amountMilligrams: amount, session: session, date: date,
                window: session.map { window(of: $0) },
                onceNightly: rules.onceNightly || isOnceNightly && kind == .dose1, doses: doses,
                endedAt: end(on: date, apart: session)))
    }

    /// The date of a session, else that of one that would begin then.
    private func date(of session: Session?, _ at: Instant) -> SessionDate {
        session?.date ?? .key(of: at, in: context.zone, rolloverHour: context.rules.rolloverHour)
    }

    /// When the last night of a date ended that is over; nil for none.
    private func end(on date: SessionDate, apart session: Session?) -> Instant? {
        logState.sessions.filter { $0.id != session?.id && $0.date == date && $0.hasSigns }.compactMap(\.end).max()
    }

    /// Where dose 1 is missing because its night is over, the refusal names that night: one of this date, else one with a dose
    /// that is not half a day old. Who sleeps by day has the rollover between the dose and the skip.
    private func naming(
        endedNight verdict: RegistrationPolicy.Verdict, in session: Session?
    ) -> RegistrationPolicy.Verdict {
        guard case .blocked(.dose1Required, var refusal) = verdict, session?.dose1 == nil else { return verdict }
        let over = logState.sessions.filter { $0.id != session?.id && $0.hasSigns && $0.end != nil }
        let date = date(of: session, at)
        let ofDate = over.filter { $0.date == date }.max { $0.end ?? .min < $1.end ?? .min }
        let recent = over.last { night in
            night.doses.contains { (Duration.zero..<Duration.hours(12)).contains(at - $0.wall) }
        }
        guard let night = ofDate ?? recent, let end = night.end else { return verdict }
        let doses = logState.sessions.lazy.filter { $0.date == night.date }.reduce(0) { $0 + $1.doses.count }
        refusal.endedNight = .init(date: night.date, end: end, doses: doses)
        return .blocked(.dose1Required, refusal)
    }
}
