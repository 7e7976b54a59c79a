extension Command {
    /// Returns the command for a sleep of a source: a word of ``ImportSource``, or ``SleepRecorded/byHand``.
    public static func recordSleep(_ sleep: ImportedSleep, source: String) -> Command {
        .record(.sleepRecorded, SleepRecorded.said(sleep, source: source))
    }
}

extension SleepRecorded {
    static func verb(_ said: JSONObject) -> String { "sleep add" }

    /// Checks everything that the rules can check before they look at the record.
    static func check(_ said: JSONObject) throws(CommandFailure) { _ = try read(said) }

    /// Reads what is said. A fault is refused in a sentence for its key.
    private static func read(_ said: JSONObject) throws(CommandFailure) -> SleepRecorded {
        if let stray = said.keys.first(where: { !keys.contains($0) }) {
            throw .invalidInput(sent("a recorded sleep has no '\(stray.prefix(40))'"))
        }
        var said = said
        if said["part"] == nil { said["part"] = .string(ImportedSleep.Part.unknown.rawValue) }
        if said["grade"] == nil { said["grade"] = .string(ImportedSleep.Grade.told.rawValue) }
        do {
            return try read(
                PayloadReader("recorded sleep", said), date: SessionDate(CivilDate(daysSinceEpoch: 0)), note: nil,
                request: Request())
        } catch {
            switch error.key {
            case "end": throw .invalidInput(sent("a recorded sleep ends after it begins, at most 24 hours later"))
            case "stages":
                throw .invalidInput(
                    sent(
                        "the stages of a recorded sleep, 1 to \(mostStages), lie within it, in their order, and none in another"
                    ))
            case "durations":
                throw .invalidInput(
                    sent("the durations of a recorded sleep are seconds of known stages, together no longer than it"))
            case "source", "device":
                throw .invalidInput(
                    sent(
                        "the \(error.key) of a recorded sleep has 1 to \(nameScalars) characters and no control characters"
                    ))
            default: throw .invalidInput(error.description)
            }
        }
    }

    private static let keys: Set<String> = [
        "source", "device", "start", "end", "offset_minutes", "part", "grade", "stages", "durations",
    ]

    static func record(
        _ said: JSONObject, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording {
        var sleep = try read(said)
        guard decision.options.at.map({ $0 == sleep.start }) ?? true else {
            throw .invalidInput(sent("a recorded sleep has its own start: name no other time"))
        }
        // A row of a file is taken as it is: its time in bed is then unknown.
        if !decision.options.isImport { try sleep.checkInBed() }
        try decision.checkTime(sleep.end)
        try decision.answer(.allowed, wouldRecord: entity.rawValue)
        sleep.date = sleep.middleDate(decision.context)
        (sleep.note, sleep.request) = (decision.options.note, decision.request)
        return decision.record(sleep, at: sleep.start)
    }

    /// Refuses a length in bed that is shorter than the lengths of sleep together.
    private func checkInBed() throws(CommandFailure) {
        guard case .durations(let seconds) = course, let inBed = seconds[.inBed] else { return }
        let asleep = seconds.filter { SleepFigures.asleep.contains($0.key) }.values.reduce(0, +)
        guard inBed < asleep else { return }
        throw .invalidInput(
            sent(
                "the time in bed of a recorded sleep, \(inBed / 60) min, is shorter than its time asleep, \(asleep / 60) min"
            ))
    }

    /// Returns the session date of the middle of the sleep, by the clock at the place of the sleep as far as that clock is known.
    private func middleDate(_ context: DecisionContext) -> SessionDate {
        let middle = start + (end - start) / 2
        let hour = context.rules.rolloverHour
        return offsetMinutes.map { .key(of: middle + .minutes($0), in: .utc, rolloverHour: hour) }
            ?? .key(of: middle, in: context.zone, rolloverHour: hour)
    }

    static func isRepeat(_ first: Event, _ asked: EntryRequest) -> Bool {
        guard let recorded: Self = first.payload.recorded(), var sleep = try? read(asked.said) else { return false }
        (sleep.date, sleep.note, sleep.request) = (recorded.date, asked.options.note, recorded.request)
        return sleep == recorded
    }

    /// Judges an amendment. Only the person's words can be said anew, because a device told the times.
    func judge(
        _ change: inout EntryAmended, of entry: StandaloneEntry, _ decision: CommandDecision
    ) throws(CommandFailure) {
        guard change.amountMilligrams == nil else {
            throw .invalidInput(sent("only a dose or a medicine has an amount"))
        }
        guard change.at == nil else {
            throw .invalidInput(sent("a recorded sleep keeps its times: delete it and record it again"))
        }
        try decision.answer(.allowed, wouldRecord: EventType.entryAmended.rawValue)
    }
}

// MARK: Nights

/// The facts about a night by which a recorded sleep finds its night.
public struct SleepNight: Hashable, Sendable {
    public var id: SessionID
    public var date: SessionDate
    public var start: Instant
    /// The end; nil while the night is open.
    public var end: Instant?

    public init(id: SessionID, date: SessionDate, start: Instant, end: Instant?) {
        self.id = id
        self.date = date
        self.start = start
        self.end = end
    }
}

extension SleepNight {
    /// Returns the night to which a sleep belongs: the night with most shared time, of equals the earlier one; else the first night
    /// of its session date (R30.3).
    ///
    /// - Parameter nights: all nights to which a sleep of this span and date may belong.
    public static func of(
        start: Instant, end: Instant, date: SessionDate, among nights: some Sequence<SleepNight>
    ) -> SessionID? {
        var best: (shared: Duration, night: SleepNight)?
        var named: SleepNight?
        for night in nights {
            let shared = min(end, night.end ?? .max) - max(start, night.start)
            if shared > .zero,
                best.map({ shared > $0.shared || shared == $0.shared && night.isBefore($0.night) }) ?? true
            {
                best = (shared, night)
            }
            if night.date == date, named.map({ night.isBefore($0) }) ?? true { named = night }
        }
        return (best?.night ?? named)?.id
    }

    private func isBefore(_ other: SleepNight) -> Bool { (start, id.text) < (other.start, other.id.text) }
}
