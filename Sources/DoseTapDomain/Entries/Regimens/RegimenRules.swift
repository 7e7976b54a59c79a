extension CommandDecision {
    /// Records a regimen. For the open night the regimen counts at once.
    fileprivate mutating func setRegimen(_ draft: JSONObject) throws(CommandFailure) -> CommandHandler.Recording {
        guard options.at == nil else {
            throw .invalidInput(sent("a regimen begins with its date 'from', not at a time"))
        }
        let regimen: Regimen
        do throws(RegimenFault) {
            regimen = try Regimen(draft, context.medications, today: firstUnbegunDate)
        } catch { throw .invalidInput(error.description) }
        let earlier = logState.regimen(on: SessionDate(regimen.from.civil.adding(days: -1)))?.regimen
        let payload = RegimenSet(
            regimen: regimen, cautions: regimen.cautions(after: earlier), note: options.note, request: request)
        let event = maker.event(.regimenSet(payload), .regimen, nil, at: maker.occurredAt, key: options.key)
        let change = change(ofOpenNightBy: [event], cause: event.id)
        try answer(verdict(on: change), wouldRecord: "regimen_set")
        return finish([event] + (change.map { [$0] } ?? []), primary: event, session: change?.sessionID)
    }

    /// Deletes a regimen. The regimen that was set before it counts again.
    fileprivate mutating func delete(
        regimen entry: StandaloneEntry, _ payload: EventPayload
    ) throws(CommandFailure) -> CommandHandler.Recording {
        let event = maker.event(
            payload, .regimen, about: entry.id.text, nil, at: maker.occurredAt, key: options.key)
        let change = change(ofOpenNightBy: [event], cause: event.id)
        try answer(verdict(on: change), wouldRecord: "entry_deleted")
        return finish([event] + (change.map { [$0] } ?? []), primary: event, session: change?.sessionID)
    }

    /// Returns the verdict on a change of the open night. The prescription at dose 1 decides the night, so another number of doses
    /// raises a question.
    private func verdict(on change: Event?) -> RegistrationPolicy.Verdict {
        change != nil && logState.open?.dose1 != nil ? .requiresConfirmation([.nightBegun], .init()) : .allowed
    }

    /// The first date of a regimen that names none: the present session date, or the next one if the present one has a dose 1.
    var firstUnbegunDate: SessionDate {
        let date = date(of: at)
        let hasBegun = logState.sessions.contains { $0.date == date && $0.dose1 != nil }
        return hasBegun ? SessionDate(date.civil.adding(days: 1)) : date
    }

    /// Returns the event by which the open night follows the regimens; nil if its rules agree with them.
    private mutating func change(ofOpenNightBy events: [Event], cause: EventID) -> Event? {
        guard let open = logState.open else { return nil }
        let after = logState.appending(events).rules(context.rules, on: open.date)
        guard after.onceNightly != open.rules.onceNightly else { return nil }
        // A setting that was changed since dose 1 waits for the next night. These events change nothing about tonight.
        let before = logState.rules(context.rules, on: open.date)
        guard open.dose1 == nil || after.onceNightly != before.onceNightly else { return nil }
        var rules = open.rules
        rules.onceNightly = after.onceNightly
        return maker.event(
            .settingChanged(SettingChanged(rules: rules, cause: cause)), .setting, open.id, at: maker.occurredAt)
    }

    /// Returns the session date of an instant: the date of its session, or of the session that it would open.
    func date(of instant: Instant) -> SessionDate {
        // The night of the entry goes by its own scale, whatever the wall clock says.
        (instant == at ? night?.date : nil) ?? logState.date(of: instant, context)
    }

    /// Returns the prescribed amount for a dose whose amount nobody said, with the regimen.
    func prescribed(_ kind: DoseKind, medicationID: String?) -> (amount: Int, regimen: EventID)? {
        let date = date(of: at)
        guard options.amountMilligrams == nil, let entry = logState.regimen(on: date),
            medicationID == nil || medicationID == entry.regimen.medicationID
        else { return nil }
        return entry.regimen.milligrams(of: kind, on: date).map { ($0, entry.id) }
    }
}

extension Command {
    /// Returns the command to set a regimen, by the keys of ``Regimen/json``.
    public static func setRegimen(_ draft: JSONObject) -> Command { .record(.regimenSet, draft) }
}

extension RegimenSet {
    static func verb(_ said: JSONObject) -> String { "regimen set" }

    static func record(
        _ said: JSONObject, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording { try decision.setRegimen(said) }

    static func isRepeat(_ first: Event, _ asked: EntryRequest) -> Bool {
        isSameTap(first, asked) && first.payload.recorded(as: Self.self)?.note == asked.options.note
    }

    /// Returns true for the same regimen. Without a named first date, the first date is that of the recorded regimen.
    static func isSameTap(_ first: Event, _ asked: EntryRequest) -> Bool {
        guard let set: Self = first.payload.recorded() else { return false }
        let again = try? Regimen(asked.said, asked.context.medications, today: set.regimen.from)
        return again == set.regimen
    }

    func isOvertaken(by later: Event) -> Bool { later.entityType == .regimen }

    func delete(
        _ entry: StandaloneEntry, _ payload: EventPayload, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording { try decision.delete(regimen: entry, payload) }
}

extension LogState {
    /// Returns the session date now: the date of the open night, or of the night that would open.
    public func presentDate(_ context: DecisionContext) -> SessionDate {
        date(of: context.now, context)
    }

    func date(of instant: Instant, _ context: DecisionContext) -> SessionDate {
        session(for: instant)?.date
            ?? .key(of: instant, in: context.zone, rolloverHour: context.rules.rolloverHour)
    }
}
