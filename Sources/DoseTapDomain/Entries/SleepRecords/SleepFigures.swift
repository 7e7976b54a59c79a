/// The figures of one record of sleep. An unknown figure is nil (R30.5).
public struct SleepFigures: Hashable, Sendable {
    /// The seconds of each stage.
    public var seconds: [ImportedSleep.Stage: Int]
    /// The seconds of light, deep, REM and undivided sleep; nil if the record has no stage of sleep.
    public var asleepSeconds: Int?
    /// The seconds awake between the first and the last sleep; nil if only durations are known, or if the source tells sleep alone.
    public var awakeSeconds: Int?
    /// The awakenings between the first and the last sleep, nil likewise.
    public var awakenings: Int?
    /// The seconds in bed, as the source says them; nil if it does not.
    public var inBedSeconds: Int?
    /// The first time in bed by the source.
    public var inBed: Instant?
    /// The start of the first sleep; nil if only durations are known.
    public var firstAsleep: Instant?
    /// The end of the last sleep; nil if only durations are known.
    public var lastAsleep: Instant?

    /// The stages of a source that tells sleep from being awake. A source that says only when somebody slept knows of no
    /// awakening in that sleep.
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

    /// Returns the figures of a record that ends at an instant, with its time in bed as far as that can be.
    ///
    /// Time in bed that the source tells before the sleep, or after it, is a part of the time in bed, which lasts from the first of
    /// both to the end of the record. A length in bed that is shorter than the sleep says nothing.
    func withTimeInBed(until end: Instant) -> SleepFigures {
        guard let told = inBedSeconds, let asleep = asleepSeconds else { return self }
        var figures = self
        if let inBed, let firstAsleep, let lastAsleep {
            let isBeside = inBed + .seconds(told) <= firstAsleep || inBed >= lastAsleep
            guard isBeside || told < asleep else { return self }
            figures.inBedSeconds = Int((end - min(inBed, firstAsleep)).wholeSeconds)
        } else if told < asleep {
            figures.inBedSeconds = nil
        }
        return figures
    }

    /// The measures of the record alone.
    public var measures: SleepDiary { measures(lightsOut: nil) }

    /// Returns the measures as a sleep diary has them. The latency is from the first time in bed that the source tells, else
    /// from lights out.
    ///
    /// - Parameter lightsOut: the lights out of the night.
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
