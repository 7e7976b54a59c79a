extension CommandDecision {
    mutating func finalWake() throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        let session = nightAfterDose1
        // One before dose 1 ended another sleep (R2.14).
        let isFinal = session?.dose1.map { moment(in: session) >= $0.at } ?? true
        if isFinal, let wake = session?.finalWakes.last {
            throw .refused(
                .phase,
                Refusal(phase: window(of: session).phase, existing: wake.id, existingAt: wake.wall))
        }
        try answer(isFinal ? openWindow : .allowed, wouldRecord: "wake_final")
        return record(.finalWakeRecorded(FinalWakeRecorded(note: options.note, request: request)), .wake, in: session)
    }

    mutating func logSleepEvent(_ word: String) throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        guard let type = context.sleepEvents[word] else {
            throw .unknown(
                UnknownWord(
                    what: sent("sleep event"), word: word, nearest: context.sleepEvents.nearest(to: word)))
        }
        let session = options.at.flatMap(logState.night(begunBy:)) ?? night
        try checkCooldown(type)
        if type.word == SleepEventWord.napStart, let nap = session?.openNap(at: moment(in: session)) {
            var refusal = Refusal(existing: nap.startID, existingAt: nap.start)
            refusal.isNapOpen = nap.startID.flatMap { session?.naps.nap(with: $0) }?.end == nil
            throw .refused(.napOpen, refusal)
        }
        try answer(.allowed, wouldRecord: type.word)
        let payload = SleepEventRecorded(type: type.word, note: options.note, request: request)
        return record(.sleepEventRecorded(payload), .sleepEvent, in: session)
    }

    /// Refuses an event that comes too soon after the last one. An event that is said to have happened before is no second tap.
    private func checkCooldown(_ type: SleepEventType) throws(CommandFailure) {
        guard type.cooldownSeconds > 0, asOf == nil else { return }
        let same = logState.sessions.flatMap { session in
            let now = moment(in: session)
            return session.sleepEvents.filter { $0.type == type.word }.map { (event: $0, since: now - $0.at) }
        }
        guard let last = same.filter({ $0.since >= .zero }).min(by: { $0.since < $1.since }) else { return }
        let left = (.seconds(type.cooldownSeconds) - last.since).wholeMilliseconds
        guard left > 0 else { return }
        throw .refused(
            .cooldown,
            Refusal(existing: last.event.id, existingAt: last.event.wall, secondsLeft: (left + 999) / 1_000))
    }

    /// Refuses an amended time with which a nap ends before it begins, or newly shares time with another nap.
    func checkNap(of id: EventID, in session: Session) throws(CommandFailure) {
        let naps = session.naps
        guard let nap = naps.nap(with: id) else { return }
        let moved = nap.moving(id, to: session.moment(of: at, now: context.clock))
        if let start = moved.start, let end = moved.end, end < start {
            let partner = id == nap.startID ? (id: nap.endID, at: nap.end) : (id: nap.startID, at: nap.start)
            throw .refused(.order, Refusal(existing: partner.id, existingAt: partner.at))
        }
        guard naps.overlapping(nap) == nil, let other = naps.overlapping(moved) else { return }
        throw .refused(.napOpen, Refusal(existing: other.startID, existingAt: other.start))
    }
}

extension Command {
    /// Returns the command in wire words: a sleep event by the word of its type, the final wake as the command for it, a
    /// medicine by its id.
    func inWireWords(_ context: DecisionContext) -> Command {
        switch self {
        case .logSleepEvent(let text):
            let word = SleepEventCatalogue.word(text)
            return word == SleepEventWord.finalWake ? .logFinalWake : .logSleepEvent(word)
        case .record(let type, let said): return .record(type, type.kind?.inWireWords(said, context) ?? said)
        default: return self
        }
    }
}
