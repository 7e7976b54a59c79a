/// The values of one night for the lab (R34.1, R34.2). The table `night_measures` keeps the values that follow from the session,
/// so that a question about ten years does not read the log of ten years.
public struct LabNight: Hashable, Sendable {
    public var date: SessionDate
    /// The time between the doses, as counted; negative if the record has the doses in the other order.
    public var intervalMilliseconds: Int?
    /// The share of dose 1 in both doses, in percent.
    public var firstSharePercent: Double?
    /// Lights out, else going to bed, in minutes after noon by the clock of the night.
    public var bedtimeMinutes: Int?
    /// 1 to 5. An answer that nobody gave is unknown, here and in the following three.
    public var rested: Int?
    /// 0 to 4.
    public var grogginess: Int?
    /// 1 to 10.
    public var clarity: Int?
    /// 0 to 100.
    public var wellness: Int?
    /// The minutes of the naps that have a start and an end.
    public var napMinutes = 0
    public var hasUnfinishedNap = false
    public var hasCheckIn = false
    /// True if a check-in or a final wake is on record, or if the session has ended and has a dose 1.
    public var isOver = false
    /// Codes of answers of the newest pre-sleep log of the night.
    public var lateMeal: String?
    public var alcohol: String?
    public var screens: String?

    public init(date: SessionDate) { self.date = date }

    /// Creates the values that follow from a session. The pre-sleep log is no part of a session.
    public init(_ session: Session) {
        date = session.date
        // The store's query for the lab leaves out the same intervals.
        let counted = NightOutcome(session).hasInterval ? session.interval : nil
        intervalMilliseconds = counted.map { Int($0.wholeMilliseconds) }
        firstSharePercent = session.firstSharePercent
        bedtimeMinutes = session.bedtimeMinutes
        if let checkIn = session.checkIn {
            rested = checkIn.rank("feel_rested").map { $0 + 1 }
            grogginess = checkIn.rank("grogginess")
            clarity = checkIn.answer("mental_clarity")?.integerValue.flatMap { Int(exactly: $0) }
            wellness = checkIn.wellnessDefaults.isEmpty ? checkIn.wellness : nil
            hasCheckIn = true
        }
        let naps = session.naps.all
        napMinutes = naps.compactMap(\.length).reduce(0) { $0 + Int($1.wholeMinutes) }
        hasUnfinishedNap = naps.contains { $0.length == nil }
        isOver = hasCheckIn || !session.finalWakes.isEmpty || session.end != nil && session.dose1 != nil
    }

    /// Adds what a pre-sleep log says.
    public mutating func take(preSleep answers: JSONObject) {
        lateMeal = answers["late_meal"]?.stringValue
        alcohol = answers["alcohol"]?.stringValue
        screens = answers["screens"]?.stringValue
    }

    /// Returns the value in steps of the exposure; 0 or 1 for an exposure that is yes or no; nil if the value is unknown.
    public func value(_ exposure: LabExposure) -> Double? {
        let value: Double? =
            switch exposure {
            case .interval: intervalMilliseconds.flatMap { $0 >= 0 ? Double($0) / 60_000 : nil }
            case .lateMeal: lateMeal.map { $0 == "none" ? 0 : 1 }
            case .alcohol: alcohol.map { $0 == "none" ? 0 : 1 }
            case .screens: screens.map { ["none", "briefly"].contains($0) ? 0 : 1 }
            case .bedtime: bedtimeMinutes.map(Double.init)
            case .split: firstSharePercent
            }
        return value.map { $0 / exposure.step }
    }

    /// Returns the value; nil if it is unknown, and for minutes of naps, which may be of several sessions of a date.
    public func value(_ outcome: LabOutcome) -> Double? {
        switch outcome {
        case .rested: rested.map(Double.init)
        case .grogginess: grogginess.map(Double.init)
        case .clarity: clarity.map(Double.init)
        case .wellness: wellness.map(Double.init)
        case .napMinutes: nil
        }
    }

    /// The keys of a night in a line of the stream.
    public static let description = RecordDescription(
        "lab-night", "", LabNight(date: SessionDate(CivilDate(daysSinceEpoch: 0)))
    ) { it in
        it.date("session_date", get: { $0.date }, set: { $0.date = $1 })
        it.integerOrNull(
            "interval_ms", in: .milliseconds, null: .absent, get: { $0.intervalMilliseconds },
            set: { $0.intervalMilliseconds = $1 })
        it.numberOrNull(
            "first_share_percent", in: .percent, null: .absent, get: { $0.firstSharePercent },
            set: { $0.firstSharePercent = $1 })
        it.integerOrNull(
            "bedtime_min", "after noon by the clock of the night", in: .minutes, null: .absent,
            get: { $0.bedtimeMinutes }, set: { $0.bedtimeMinutes = $1 })
        it.integerOrNull("rested", null: .absent, get: { $0.rested }, set: { $0.rested = $1 })
        it.integerOrNull("grogginess", null: .absent, get: { $0.grogginess }, set: { $0.grogginess = $1 })
        it.integerOrNull("clarity", null: .absent, get: { $0.clarity }, set: { $0.clarity = $1 })
        it.integerOrNull("wellness", null: .absent, get: { $0.wellness }, set: { $0.wellness = $1 })
        it.integer("nap_min", in: .minutes, get: { $0.napMinutes }, set: { $0.napMinutes = $1 })
        it.flag("naps_unfinished", get: { $0.hasUnfinishedNap }, set: { $0.hasUnfinishedNap = $1 })
        it.flag("has_checkin", get: { $0.hasCheckIn }, set: { $0.hasCheckIn = $1 })
        it.flag("is_over", get: { $0.isOver }, set: { $0.isOver = $1 })
        it.textOrNull("late_meal", null: .absent, get: { $0.lateMeal }, set: { $0.lateMeal = $1 })
        it.textOrNull("alcohol", null: .absent, get: { $0.alcohol }, set: { $0.alcohol = $1 })
        it.textOrNull("screens", null: .absent, get: { $0.screens }, set: { $0.screens = $1 })
    }

    /// A line of the stream.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads a line of the stream.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("lab-night", Self.description.shape.completed(json)))
    }
}

extension Session {
    /// The share of dose 1 in both doses, in percent; nil unless the doses are these two, both with amounts.
    fileprivate var firstSharePercent: Double? {
        guard doses.count == 2, let first = amount(.dose1), let second = amount(.dose2), first + second > 0 else {
            return nil
        }
        return 100 * first / (first + second)
    }

    /// Returns the amount as a floating-point number, because the sum of amounts in a foreign log may overflow an integer.
    private func amount(_ kind: DoseKind) -> Double? {
        doses.first { $0.kind == kind }?.amountMilligrams.map(Double.init)
    }

    fileprivate var bedtimeMinutes: Int? {
        let words = [SleepEventWord.lightsOut, SleepEventWord.inBed]
        let found = words.lazy.compactMap { word in self.sleepEvents.first { $0.type == word } }
        guard let event = found.first,
            (-1_440...1_440).contains(event.event.localOffsetMinutes)
        else { return nil }
        let minutes = event.wall.seconds / 60 + Int64(event.event.localOffsetMinutes) - 720
        return Int((minutes % 1_440 + 1_440) % 1_440)
    }
}

extension CheckIn {
    /// Returns an answer that somebody gave; nil for a default.
    fileprivate func answer(_ key: String) -> JSONValue? { defaults.contains(key) ? nil : answers[key] }

    /// Returns the place of an answer among its codes, from 0.
    fileprivate func rank(_ key: String) -> Int? {
        guard let code = answer(key)?.stringValue else { return nil }
        return Questionnaire.morning[key]?.kind.choices.firstIndex { $0.code == code }
    }
}
