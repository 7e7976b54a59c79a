package import DoseTapDomain

/// Whole numbers with their median, in constant memory: a count for each number.
package struct Distribution: Hashable, Sendable {
    private var counts: [Int]
    /// The number of values.
    package private(set) var count = 0

    /// - Parameter most: the largest number with a count of its own; larger ones count as this number.
    package init(to most: Int) { counts = [Int](repeating: 0, count: most + 1) }

    package mutating func add(_ value: Int?) {
        guard let value else { return }
        counts[min(max(value, 0), counts.count - 1)] += 1
        count += 1
    }

    /// The median. With an even count, the mean of both middle values, which may be a half. Nil without a value.
    package var median: Double? {
        guard count > 0 else { return nil }
        return Double(value(at: (count - 1) / 2) + value(at: count / 2)) / 2
    }

    private func value(at place: Int) -> Int {
        var passed = 0
        for (value, count) in counts.enumerated() {
            passed += count
            if passed > place { return value }
        }
        return counts.count - 1
    }
}

/// Counts and medians of nights: the whole content of the profile `figures`.
package struct ProfileFigures: Hashable, Sendable {
    private var dates: Set<SessionDate> = []
    package private(set) var outcomes: [NightOutcome: Int] = [:]
    package private(set) var extraDoses = 0
    package private(set) var naps = 0
    package private(set) var checkIns = 0
    package private(set) var interval = Distribution(to: 1_440)
    package private(set) var totalSleep = Distribution(to: 1_440)
    package private(set) var latency = Distribution(to: 1_440)
    package private(set) var awake = Distribution(to: 1_440)
    package private(set) var awakenings = Distribution(to: 100)
    package private(set) var efficiency = Distribution(to: 100)
    package private(set) var wellness = Distribution(to: 100)

    package init() {}

    /// The number of dates with a night. Two sessions of one date count once (R33.1).
    package var nights: Int { dates.count }

    /// Takes over a night.
    package mutating func take(_ night: NightRecord) {
        naps += night.napSpans.count
        guard night.isNight else { return }
        dates.insert(night.summary.sessionDate)
        if let outcome = night.summary.outcome { outcomes[outcome, default: 0] += 1 }
        extraDoses = extraDoses.addingReportingOverflow(max(0, night.summary.extraDoses)).partialValue
        checkIns += night.entries.contains { $0.type == EntityType.checkin.rawValue } ? 1 : 0
        let minutes = night.summary.countedInterval?.wholeMinutes
        interval.add(minutes.flatMap { $0 < 0 ? nil : Int(clamping: $0) })
        totalSleep.add(night.sleepDiary.totalSleepMinutes)
        latency.add(night.sleepDiary.sleepOnsetLatencyMinutes)
        awake.add(night.sleepDiary.wakeAfterSleepOnsetMinutes)
        awakenings.add(night.sleepDiary.awakenings)
        efficiency.add(night.sleepDiary.sleepEfficiencyPercent)
        wellness.add(night.summary.wellnessScore)
    }

    /// The counts, each with its word.
    var counts: [(word: String, count: Int)] {
        [("nights", nights)] + NightOutcome.allCases.map { ("nights_\($0.rawValue)", outcomes[$0] ?? 0) }
            + [("extra_doses", extraDoses), ("naps", naps), ("check_ins", checkIns)]
    }

    /// The distributions, each with its word and unit.
    var distributions: [(word: String, unit: FHIRUnit, values: Distribution)] {
        [
            ("interval", .minutes, interval), ("total_sleep", .minutes, totalSleep),
            ("sleep_onset_latency", .minutes, latency), ("wake_after_sleep_onset", .minutes, awake),
            ("awakenings", .one, awakenings), ("sleep_efficiency", .percent, efficiency), ("wellness", .one, wellness),
        ]
    }
}
