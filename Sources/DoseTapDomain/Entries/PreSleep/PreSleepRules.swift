extension Command {
    /// Returns the command for answers to ``Questionnaire/preSleep`` by key.
    public static func savePreSleep(_ answers: JSONObject, _ completion: PreSleepCompletion) -> Command {
        .record(
            .preSleepRecorded, ["answers": .object(answers), "completion_state": .string(completion.rawValue)])
    }
}

extension PreSleepRecorded {
    static var reach: Duration? { PreSleepLog.reach }
    static func verb(_ said: JSONObject) -> String { "presleep" }

    /// Returns the answers that are said, and the completion of the log by them.
    static func read(_ said: JSONObject) -> (answers: JSONObject, completion: PreSleepCompletion) {
        let word = said["completion_state"]?.stringValue
        return (said["answers"]?.objectValue ?? JSONObject(), word.flatMap(PreSleepCompletion.init) ?? .complete)
    }

    static func taking(note: String, _ said: JSONObject) throws(CommandFailure) -> JSONObject {
        var said = said
        said["answers"] = .object(try read(said).answers.taking(notes: note))
        return said
    }

    static func record(
        _ said: JSONObject, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording {
        try decision.checkTime()
        let (given, completion) = read(said)
        guard completion != .skipped || given.isEmpty else {
            throw .invalidInput(sent("a log that is skipped has no answers: save it as partial or complete"))
        }
        let earlier = decision.logState.preSleepLog(near: decision.at)
        let answers = try decision.checked(given, .preSleep, continuing: earlier?.answers)
        try decision.answer(.allowed, wouldRecord: entity.rawValue)
        // A log with an answer is not a skipped log.
        let before = earlier.flatMap { $0.answers.isEmpty ? nil : $0.completion }
        let payload = Self(
            answers: answers, given: given.keys, completion: max(before ?? completion, completion),
            continues: earlier?.id, request: decision.request)
        return decision.record(payload, about: earlier?.id)
    }

    static func isRepeat(_ first: Event, _ asked: EntryRequest) -> Bool {
        guard let saved: Self = first.payload.recorded() else { return false }
        let (given, completion) = read(asked.said)
        return max(completion, saved.completion) == saved.completion
            && CommandHandler.repeats(given, saved.answers, saved.given, .preSleep, at: first.effectiveAt)
    }

    static func isSameTap(_ first: Event, _ asked: EntryRequest) -> Bool {
        isRepeat(first, asked) && asked.logState.isNewestAction(first)
    }
}

extension LogState {
    /// Loaded pre-sleep logs, those undone and deleted included.
    public var preSleepLogs: [PreSleepLog] { standalone.of() }

    /// Returns the active log that a save at an instant continues: the nearest one within reach.
    func preSleepLog(near instant: Instant) -> PreSleepLog? {
        func distance(_ log: PreSleepLog) -> Duration { max(log.at - instant, instant - log.at) }
        return preSleepLogs.filter { $0.isActive && distance($0) <= PreSleepLog.reach }
            .min { distance($0) < distance($1) }
    }

    /// Returns the active logs that belong to a loaded session.
    public func preSleepLogs(of session: Session) -> [PreSleepLog] {
        let starts = sessions.map { (id: $0.id, start: $0.start) }
        return preSleepLogs.filter { $0.isActive && $0.link(among: starts) == session.id }
    }

    /// Returns the active log for a night: the log of the session; without one, the newest log of the date that belongs to no
    /// session.
    func preSleepLog(
        of session: Session?, on date: SessionDate, until moment: Instant, _ context: DecisionContext
    ) -> PreSleepLog? {
        if let session, let own = preSleepLogs(of: session).last(where: { $0.at <= moment }) { return own }
        let starts = sessions.map { (id: $0.id, start: $0.start) }
        let hour = context.rules.rolloverHour
        return preSleepLogs.last { log in
            log.isActive && log.at <= moment && log.link(among: starts) == nil
                && SessionDate.key(of: log.at, in: context.zone, rolloverHour: hour) == date
        }
    }

    /// Returns the loaded session of an event; for a pre-sleep log the session to which the log belongs.
    public func session(of event: Event) -> Session? {
        guard event.entityType == .preSleep else { return event.sessionID.flatMap { session($0) } }
        let starts = sessions.map { (id: $0.id, start: $0.start) }
        return preSleepLogs.first { $0.id.text == event.entityID }?.link(among: starts).flatMap { session($0) }
    }

    /// Returns the event that recorded an active entry of a loaded session, or a loaded entry that is part of no session.
    func entry(of event: Event) -> Event? {
        let id = EventID(event.entityID)
        if event.entityType.isStandalone { return standalone.active(id)?.event }
        return event.sessionID.flatMap { session($0) }?.entry(id)
    }
}
