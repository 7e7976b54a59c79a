/// What one record of sleep says in figures. What is not known is nil (R30.5).
public struct SleepFigures: Hashable, Sendable {
    /// Seconds of each stage.
    public var seconds: [ImportedSleep.Stage: Int]
    /// Light, deep, REM and undivided sleep; nil where nothing says that somebody slept.
    public var asleepSeconds: Int?
    /// Awake between the first and the last sleep; nil where only durations are known, or the source tells sleep alone.
    public var awakeSeconds: Int?
    /// Awakenings in it, likewise.
    public var awakenings: Int?
    /// In bed; nil where the source does not say it.
    public var inBedSeconds: Int?
    /// When the source has the person in bed first.
    public var inBed: Instant?
    /// The first sleep; nil where only durations are known.
    public var firstAsleep: Instant?
    /// The end of the last sleep, likewise.
    public var lastAsleep: Instant?

    /// The stages that a source has which tells sleep from being awake. One that says only when somebody slept does not
    /// know of an awakening in it.
    private static let told: Set<ImportedSleep.Stage> = [.light, .deep, .rem, .awake]
    /// The stages that are sleep.
    public static let asleep: Set<ImportedSleep.Stage> = [.light, .deep, .rem, .asleep]

    public init(_ sleep: SleepRecorded) { self.init(sleep.course) }

    init(_ course: ImportedSleep.Course) {
        switch course {
        case .durations(let said):
            seconds = said
            if said.keys.contains(where: Self.asleep.contains) {
                asleepSeconds = said.filter { Self.asleep.contains($0.key) }.values.reduce(0, +)
            }
            inBedSeconds = said[.inBed]
        case .stages(let spans):
            var milliseconds: [ImportedSleep.Stage: Int64] = [:]
            for span in spans { milliseconds[span.stage, default: 0] += (span.end - span.start).wholeMilliseconds }
            seconds = milliseconds.mapValues { Int($0 / 1_000) }
            inBedSeconds = seconds[.inBed]
            inBed = spans.first { $0.stage == .inBed }?.start
            let sleeping = spans.filter { Self.asleep.contains($0.stage) }
            guard let first = sleeping.first, let last = sleeping.last else { return }
            asleepSeconds = Int(sleeping.reduce(0) { $0 + ($1.end - $1.start).wholeMilliseconds } / 1_000)
            (firstAsleep, lastAsleep) = (first.start, last.end)
            guard spans.contains(where: { Self.told.contains($0.stage) }) else { return }
            let awake = spans.filter { $0.stage == .awake && $0.start >= first.start && $0.end <= last.end }
            awakeSeconds = Int(awake.reduce(0) { $0 + ($1.end - $1.start).wholeMilliseconds } / 1_000)
            // Two spans that meet are one awakening.
            awakenings = awake.count - zip(awake, awake.dropFirst()).count { $0.end == $1.start }
        }
    }

    /// The measures of the record alone.
    public var measures: SleepDiary { measures(lightsOut: nil) }

    /// The measures as a sleep diary has them. The latency is from the first time in bed that the source tells, else from
    /// lights out.
    ///
    /// - Parameter lightsOut: that of its night.
    public func measures(lightsOut: Instant?) -> SleepDiary {
        var measures = SleepDiary(kept: [])
        measures.timeInBedMinutes = inBedSeconds.map { $0 / 60 }
        measures.totalSleepMinutes = asleepSeconds.map { $0 / 60 }
        measures.wakeAfterSleepOnsetMinutes = awakeSeconds.map { $0 / 60 }
        measures.awakenings = awakenings
        if let first = firstAsleep, let from = inBed ?? lightsOut, from <= first {
            measures.sleepOnsetLatencyMinutes = Int((first - from).wholeMinutes)
        }
        if let asleep = asleepSeconds, let inBed = inBedSeconds, inBed > 0 {
            measures.sleepEfficiencyPercent = min(100, (200 * asleep + inBed) / (2 * inBed))
        }
        return measures
    }
}
