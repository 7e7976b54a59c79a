/// One night in a line.
public struct NightSummary: Hashable, Sendable {
    public var sessionID: SessionID
    /// The grouping key.
    public var sessionDate: SessionDate
    public var start: Instant
    /// The end of the night; nil while the night is open.
    public var end: Instant?
    public var dose1: Instant?
    public var dose2: Instant?
    /// True if the person skipped dose 2.
    public var dose2Skipped: Bool
    public var extraDoses: Int
    public var snoozeCount: Int
    /// The time between the doses as counted (R5). A negative interval is an anomaly and is shown.
    public var interval: Duration?
    /// The way in which the session ended, or what the session waits for.
    public var terminalState: TerminalState?
    /// The zone of the session.
    public var timeZone: String
    /// The wellness of the morning, 0 to 100; nil without a check-in.
    public var wellnessScore: Int?
    /// The completion of the night's pre-sleep log; nil without a log.
    public var preSleep: PreSleepCompletion?
    /// The outcome of the doses; nil if unknown.
    public var outcome: NightOutcome?
    /// The completeness of the night, 0 to 100; nil while the night is open, and for a session that is no night (R13.1).
    public var nightScore: Int?
    /// The night with doses to which the session belongs, as a second final wake does; such a session is no night (R8.11).
    public var belongsTo: SessionID?

    public init(
        sessionID: SessionID, sessionDate: SessionDate, start: Instant, end: Instant?, dose1: Instant?,
        dose2: Instant?, dose2Skipped: Bool, extraDoses: Int, snoozeCount: Int, interval: Duration?,
        terminalState: TerminalState?, timeZone: String, wellnessScore: Int? = nil,
        preSleep: PreSleepCompletion? = nil, outcome: NightOutcome? = nil, nightScore: Int? = nil
    ) {
        self.sessionID = sessionID
        self.sessionDate = sessionDate
        self.start = start
        self.end = end
        self.dose1 = dose1
        self.dose2 = dose2
        self.dose2Skipped = dose2Skipped
        self.extraDoses = extraDoses
        self.snoozeCount = snoozeCount
        self.interval = interval
        self.terminalState = terminalState
        self.timeZone = timeZone
        self.wellnessScore = wellnessScore
        self.preSleep = preSleep
        self.outcome = outcome
        self.nightScore = nightScore
    }

    /// Sums up a session.
    ///
    /// - Parameters:
    ///   - night: the night to which the session belongs (R8.11).
    ///   - preSleep: the active pre-sleep logs of the session.
    public init(_ session: Session, behind night: Session? = nil, preSleep: [PreSleepLog] = []) {
        self.init(
            sessionID: session.id, sessionDate: session.date, start: session.start, end: session.end,
            dose1: session.dose1?.wall, dose2: session.dose2?.wall, dose2Skipped: session.isSkippedByPerson,
            extraDoses: session.doses.count { $0.kind == .extra }, snoozeCount: session.snoozes.count,
            interval: session.interval, terminalState: session.terminalState,
            timeZone: session.timeZone, wellnessScore: session.checkIn?.wellness,
            preSleep: preSleep.map(\.completion).max(), outcome: NightOutcome(session),
            nightScore: night == nil ? session.nightScore : nil)
        belongsTo = night?.id
    }
}

// MARK: Keys

extension NightSummary {
    static let blank = NightSummary(
        sessionID: SessionID(""), sessionDate: SessionDate(CivilDate(daysSinceEpoch: 0)), start: .min, end: nil,
        dose1: nil, dose2: nil,
        dose2Skipped: false, extraDoses: 0, snoozeCount: 0, interval: nil, terminalState: nil, timeZone: "")

    public static let description = RecordDescription(
        "night", "One night in a line", NightSummary.blank
    ) { it in
        it.text("session_id", get: { $0.sessionID.text }, set: { $0.sessionID = SessionID($1) })
        it.date("session_date", get: { $0.sessionDate }, set: { $0.sessionDate = $1 })
        it.instant("start_utc", get: { $0.start }, set: { $0.start = $1 })
        it.instantOrNull("end_utc", "null while it is open", get: { $0.end }, set: { $0.end = $1 })
        it.wordOrNull("terminal_state", get: { $0.terminalState }, set: { $0.terminalState = $1 })
        it.instantOrNull("dose1_time", get: { $0.dose1 }, set: { $0.dose1 = $1 })
        it.instantOrNull("dose2_time", get: { $0.dose2 }, set: { $0.dose2 = $1 })
        it.bool("dose2_skipped", "by the person", get: { $0.dose2Skipped }, set: { $0.dose2Skipped = $1 })
        it.integer("extra_doses", as: .count, get: { $0.extraDoses }, set: { $0.extraDoses = $1 })
        it.integer("snooze_count", as: .count, get: { $0.snoozeCount }, set: { $0.snoozeCount = $1 })
        it.integerOrNull(
            "interval_min", "between the doses, truncated", in: .minutes,
            get: { $0.intervalMinutes.map { Int($0) } })
        it.integerOrNull(
            "interval_ms", in: .milliseconds, get: { $0.interval.map { Int($0.wholeMilliseconds) } },
            set: { $0.interval = $1.map { .milliseconds($0) } })
        it.value("on_time", .bool, null: .null, get: { $0.onTime.map(JSONValue.bool) })
        it.text("time_zone", "that of the session", get: { $0.timeZone }, set: { $0.timeZone = $1 })
        it.integerOrNull(
            "wellness_score", "how the morning felt, 0 to 100", get: { $0.wellnessScore },
            set: { $0.wellnessScore = $1 })
        it.wordOrNull("pre_sleep", get: { $0.preSleep }, set: { $0.preSleep = $1 })
        // An outcome that only a newer service knows is read as unknown.
        it.value(
            "outcome", .words { NightOutcome.allCases.map { $0.rawValue } }, null: .null,
            get: { $0.outcome.map { .string($0.rawValue) } },
            set: { (night, value) throws(PayloadError) in
                night.outcome = value?.stringValue.flatMap(NightOutcome.init)
                return true
            })
        it.integerOrNull(
            "night_score", "how complete the night was, 0 to 100; null while it is open and for what is no night",
            get: { $0.nightScore },
            set: { $0.nightScore = $1 })
        it.textOrNull(
            "belongs_to",
            "the session id of the night with doses to which it belongs, as a second final wake does; it is no night",
            null: .absent, get: { $0.belongsTo?.text }, set: { $0.belongsTo = $1.map(SessionID.init) })
    }

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    /// Whole minutes between the doses, truncated.
    public var intervalMinutes: Int64? { interval?.wholeMinutes }

    /// The interval that is judged and that figures count; nil where none was awaited (R13.6).
    public var countedInterval: Duration? { outcome?.hasInterval == false ? nil : interval }

    /// True if dose 2 was on time (R5); nil without both doses, and where no second one was awaited.
    public var onTime: Bool? { countedInterval.map(DoseWindow.isOnTime) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("night", json))
    }
}
