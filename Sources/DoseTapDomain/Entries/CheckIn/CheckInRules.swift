/// Saving questionnaires: a repeated save continues the answers on record (R9, R10).
extension CommandDecision {
    /// The time after the end of the last night in which a check-in need not name that night.
    static let checkInReach: Duration = .hours(24)

    mutating func saveCheckIn(_ given: JSONObject, night name: String?) throws(CommandFailure)
        -> CommandHandler.Recording
    {
        try checkTime()
        let session = try night(named: name)
        let earlier = session.checkIn
        let answers = try checked(given, .morning, continuing: earlier?.answers)
        if earlier == nil || options.at != nil { try checkPlace(ofCheckIn: at, in: session) }
        try answer(openWindow, wouldRecord: "checkin")
        let payload = CheckInRecorded(
            answers: answers, given: given.keys, takenBack: Questionnaire.morning.takenBack(given, at: at),
            amends: earlier?.id, night: name, request: request)
        let event = maker.event(
            .checkinRecorded(payload), .checkin, about: earlier?.id.text, session.id, at: at, key: options.key)
        return finish([event], primary: event, session: session.id)
    }

    /// Returns the night of the check-in: the named night; else the night of the time, or the last night before the time.
    private func night(named name: String?) throws(CommandFailure) -> Session {
        if let name {
            let found = logState.sessions.filter { $0.isNamed(name) }
            guard let session = found.last(where: \.hasSigns) ?? found.last else { throw .notFound(name) }
            guard found.allSatisfy({ $0.id == session.id || $0.date == session.date }) else {
                throw .invalidInput(sent("more than one night begins with '\(name)': write more of the id"))
            }
            return session
        }
        let around = night.flatMap { options.at == nil || $0.start <= at ? $0 : nil }
        let nearest = around ?? logState.sessions.last { $0.start <= at }
        guard let nearest, isInReach(nearest) else { throw .notFound("") }
        if let dosed = logState.night(behind: nearest), isInReach(dosed), dosed.start <= at,
            dosed.checkIn == nil || dosed.date == nearest.date
        {
            return dosed
        }
        return nearest.hasSigns ? nearest : night(before: nearest) ?? nearest
    }

    /// Returns the last night in reach, for a session without the signs of a night. A night of another date with a check-in is
    /// left alone: its answers are not those of this morning.
    private func night(before other: Session) -> Session? {
        logState.sessions.last { night in
            night.hasSigns && night.start <= at && isInReach(night)
                && (night.checkIn == nil || night.date == other.date)
        }
    }

    private func isInReach(_ session: Session) -> Bool {
        session.end.map { at <= $0 + Self.checkInReach } ?? true
    }

    /// Refuses a check-in before its night, or after the beginning of the next night unless its own night had ended. A session
    /// whose entries were deleted is no next night, nor is a second final wake of this (R8.11).
    func checkPlace(ofCheckIn at: Instant, in session: Session) throws(CommandFailure) {
        guard options.at == nil || at >= session.start else {
            var refusal = Refusal(existingAt: session.start)
            refusal.zone = context.zone(of: session)
            throw .refused(.order, refusal)
        }
        let hadEnded = session.end.map { end in session.checkIn.map { end < $0.wall } ?? true } ?? false
        let next = logState.sessions.first { other in
            guard other.start > session.start, other.id != session.id else { return false }
            return !other.sleepEvents.isEmpty || other.hasSigns && logState.night(behind: other)?.id != session.id
        }
        guard !hadEnded, let next, at > next.start else { return }
        throw .invalidInput(sent("another night had begun by then: name an earlier time, or that night"))
    }

    func checked(
        _ given: JSONObject, _ questionnaire: Questionnaire, continuing earlier: Answers?
    ) throws(CommandFailure) -> Answers {
        do throws(AnswerFault) {
            return try questionnaire.answers(given, continuing: earlier ?? .none, at: at)
        } catch { throw .invalidInput(error.description) }
    }
}

extension Session {
    /// Returns true if a date, an id or the beginning of an id means this night.
    func isNamed(_ name: String) -> Bool {
        date.text == name || name.utf8.count >= 8 && id.text.hasPrefix(name.lowercased())
    }
}

extension Command {
    /// Returns the command with the note among its answers, if the command has answers.
    ///
    /// - Throws: `invalidInput` when both say something.
    func taking(note: String?) throws(CommandFailure) -> Command {
        guard let note else { return self }
        switch self {
        case .saveCheckIn(let answers, let night): return .saveCheckIn(try answers.taking(notes: note), night: night)
        case .record(let type, let said): return .record(type, try type.kind?.taking(note: note, said) ?? said)
        default: return self
        }
    }
}

extension JSONObject {
    /// Returns the answers with the person's words among them.
    func taking(notes: String) throws(CommandFailure) -> JSONObject {
        guard self["notes"] == nil else {
            throw .invalidInput(sent("the notes are given twice: as answer and as note"))
        }
        var answers = self
        answers["notes"] = .string(notes)
        return answers
    }
}

extension CommandHandler {
    /// Returns true if an event recorded the answers that a command would save, whatever became of the answers since.
    static func isSameSave(_ first: Event, _ command: Command) -> Bool {
        guard case .saveCheckIn(let given, let night) = command, case .checkinRecorded(let saved) = first.payload else {
            return false
        }
        // An answer that is taken back may leave the same answers as one that says the default.
        return saved.night == night && repeats(given, saved.answers, saved.given, .morning, at: first.effectiveAt)
            && Set(saved.takenBack) == Set(Questionnaire.morning.takenBack(given, at: first.effectiveAt))
    }

    /// Returns true if the given answers are to the questions that were answered before, and say the same.
    static func repeats(
        _ given: JSONObject, _ answers: Answers, _ keys: [String], _ questionnaire: Questionnaire, at moment: Instant
    ) -> Bool {
        Set(given.keys) == Set(keys) && (try? questionnaire.answers(given, continuing: answers, at: moment)) == answers
    }
}
