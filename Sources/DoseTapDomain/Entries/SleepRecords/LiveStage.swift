/// The stage of sleep that a program reported last. The stage is in memory only, and moves no reminder (R30.8).
public struct LiveStage: Hashable, Sendable {
    public var stage: IntervalRecommendation.Stage
    /// The clocks at the time of the report.
    public var clock: ClockReading

    public init(_ stage: IntervalRecommendation.Stage, _ clock: ClockReading) {
        self.stage = stage
        self.clock = clock
    }

    /// The reliability of a report by its age.
    public enum Freshness: String, Hashable, Sendable, CaseIterable {
        /// At most 5 minutes old.
        case green
        /// At most 15 minutes old.
        case yellow
        /// Older, or never reported.
        case unknown

        init(age: Duration) {
            self = age <= .minutes(5) ? .green : age <= .minutes(15) ? .yellow : .unknown
        }
    }

    /// The stage as it is told at a moment.
    public struct Report: Hashable, Sendable {
        /// The stage; nil once ``freshness`` is unknown.
        public var stage: IntervalRecommendation.Stage?
        public var freshness: Freshness
        /// Whole minutes since the report; nil without one.
        public var ageMinutes: Int?

        /// The report without a known stage.
        public static let unknown = Report(stage: nil, freshness: .unknown, ageMinutes: nil)

        public init(stage: IntervalRecommendation.Stage?, freshness: Freshness, ageMinutes: Int?) {
            self.stage = stage
            self.freshness = freshness
            self.ageMinutes = ageMinutes
        }
    }

    /// Returns the report as it is at a moment. The age is by the counter, since a wall clock may be set.
    public func report(at now: ClockReading) -> Report {
        guard now.bootID == clock.bootID, now.counterMicroseconds >= clock.counterMicroseconds else { return .unknown }
        let age = Duration.microseconds(now.counterMicroseconds - clock.counterMicroseconds)
        let freshness = Freshness(age: age)
        return Report(
            stage: freshness == .unknown ? nil : stage, freshness: freshness, ageMinutes: Int(age.wholeMinutes))
    }
}

extension LiveStage.Report {
    public static let description = RecordDescription(
        "sleep-live", "sleep live STAGE --json", LiveStage.Report.unknown
    ) { it in
        it.wordOrNull("stage", "null where it is unknown", get: { $0.stage }, set: { $0.stage = $1 })
        it.word(
            "freshness", "green up to 5 minutes after the report, yellow up to 15, then unknown", get: { $0.freshness },
            set: { $0.freshness = $1 })
        it.integerOrNull("age_min", in: .minutes, get: { $0.ageMinutes }, set: { $0.ageMinutes = $1 })
    }

    /// The object with the keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("live stage", Self.description.shape.completed(json)))
    }
}

/// The usual time between dose 1 and dose 2: a figure of the record, and no advice (R30.9).
public struct UsualInterval: Hashable, Sendable {
    /// The whole minutes of the median of the intervals within the window, held within 165 to 225; nil without an interval.
    public var minutes: Int?
    /// The median itself; nil without an interval. It is told where it differs from the figure, and is no key of the answer.
    public private(set) var medianMinutes: Double?
    /// The number of intervals in the median.
    public var count: Int
    /// The number of nights that were looked at.
    public var nights: Int
    /// The figure for the running night by a green stage; nil without such a stage, and without an open dose 2.
    public var liveMinutes: Int?
    public var live: LiveStage.Report

    /// - Parameters:
    ///   - intervals: whole minutes.
    ///   - elapsedMinutes: since dose 1 of the night whose dose 2 is open; nil without such a night, or if the clocks leave doubt.
    public init(_ intervals: [Int], nights: Int, elapsedMinutes: Int?, live: LiveStage.Report) {
        let counted = intervals.filter(IntervalRecommendation.window.contains)
        count = counted.count
        self.nights = nights
        self.live = live
        guard !counted.isEmpty else { return }
        minutes = IntervalRecommendation.baseline(counted)
        medianMinutes = IntervalRecommendation.median(counted)
        if live.freshness == .green, let stage = live.stage, let elapsedMinutes {
            liveMinutes = IntervalRecommendation.minutes(counted, live: .init(minutes: elapsedMinutes, stage: stage))
        }
    }

    /// Creates the figure from statistics and the present status.
    public init(_ statistics: NightStatistics, _ status: NightStatus) {
        // After the window, and if the clocks are in doubt, tonight has no figure.
        let isKnown = status.isCertain && status.window.isCertain
        let isAhead = [.beforeWindow, .active, .nearClose].contains(status.window.phase)
        let elapsed = status.isDose2Open && isKnown && isAhead ? status.window.elapsed : nil
        self.init(
            statistics.intervals.map { Int($0.minutes) }, nights: statistics.figures.nights,
            elapsedMinutes: elapsed.map { Int($0.wholeMinutes) }, live: status.liveStage)
    }

    /// The keys, for writing and the JSON Schema.
    public static let description = RecordDescription(
        "usual", "usual --json", UsualInterval([], nights: 0, elapsedMinutes: nil, live: .unknown)
    ) { it in
        it.integerOrNull("usual_interval_min", "null without an interval", in: .minutes, get: { $0.minutes })
        it.integer("count", "intervals it is made from", get: { $0.count })
        it.integer("nights", "nights that were looked at", get: { $0.nights })
        it.integerOrNull(
            "live_interval_min", "by a green stage of sleep, while dose 2 is open", in: .minutes,
            get: { $0.liveMinutes })
        it.record("live_stage", LiveStage.Report.description, get: { $0.live })
    }

    /// The object with the keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }
}
