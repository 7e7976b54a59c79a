internal import DoseTapDomain

/// The facts of one night that the charts and tables need.
struct ReportNight: Hashable, Sendable {
    /// The values from which the domain calculates its figures.
    let measured: MeasuredNight
    /// Days since the first night of the report. ``NightSeries`` sets the number once all nights are known.
    var day = 0
    /// The name of the night in the page: a date, or a number in a page without dates. A second night of one date ends with `-2`.
    var key = ""
    let clock: NightClock
    /// The spans of sleep, in minutes since 18:00.
    let asleep: [ClosedRange<Double>]
    let sleepSource: SleepSource
    /// Naps that have both ends, in minutes since 18:00.
    let naps: [ClosedRange<Double>]
    let napMinutes: Int?
    /// How rested the person felt, 1 to 5.
    let rested: Int?
    let targetMinutes: Int?
    let isOnceNightly: Bool
    let doses: [Dose]
    let medicines: [Medicine]
    /// True if the record has a sign of a night; entries by day alone, such as a nap, are none.
    let isNight: Bool

    /// The source of the spans of sleep.
    enum SleepSource: String, Hashable, Sendable {
        case recorded
        case diary
        case nobody
    }

    struct Dose: Hashable, Sendable {
        let kind: DoseKind
        let at: Instant
    }

    /// An intake of a medicine beside the doses.
    struct Medicine: Hashable, Sendable {
        let name: String
        let at: Instant
        let milligrams: Int64?
        /// True if nobody gave an amount, so that the usual amount counts.
        let isUsual: Bool
    }

    var summary: NightSummary { measured.night }
    var date: CivilDate { summary.sessionDate.civil }
    var outcome: NightOutcome? { summary.outcome }
    /// Minutes between the doses, with their fraction; nil where one dose a night is prescribed (R32.5).
    var interval: Double? { summary.countedInterval.map(\.minutes) }
    /// The minutes between the doses as they are told with the night and counted in figures: whole ones; nil for an anomaly.
    var countedInterval: Double? { summary.countedInterval.flatMap { $0 < .zero ? nil : Double($0.wholeMinutes) } }

    /// Counts the dates with a night. Two sessions of one date count once, and entries by day alone are no night.
    static func dates(_ nights: [ReportNight]) -> Int { Set(nights.filter(\.isNight).map(\.date)).count }

    init(_ night: NightRecord) {
        measured = MeasuredNight(night: night.summary, sleep: night.sleepDiary, recorded: night.recordedSleep)
        let clock = NightClock(night)
        self.clock = clock
        (asleep, sleepSource) = Self.sleep(night, clock)
        let spans = night.napSpans
        naps = spans.map { clock.elapsed($0.lowerBound)...clock.elapsed($0.upperBound) }
        napMinutes = spans.isEmpty ? nil : spans.map { Int(($0.upperBound - $0.lowerBound).wholeMinutes) }.reduce(0, +)
        let checkIn = night.entries.last { $0.type == EntityType.checkin.rawValue }
        // An answer that counts by default is not the person's own.
        let defaults = checkIn?.metadata["defaults"]?.arrayValue ?? []
        let code = defaults.contains("feel_rested") ? nil : checkIn?.metadata["answers"]?["feel_rested"]?.stringValue
        rested = (Questionnaire.morning["feel_rested"]?.kind.choices.firstIndex { $0.code == code }).map { $0 + 1 }
        targetMinutes = night.rules?.targetMinutes
        isOnceNightly = night.summary.outcome == .onceNightly || night.rules?.onceNightly == true
        doses = night.entries.compactMap { entry in
            DoseKind(rawValue: entry.type).map { Dose(kind: $0, at: entry.timestamp) }
        }
        medicines = night.entries.compactMap(Medicine.init)
        isNight = night.isNight
    }

    /// Returns the spans of sleep: from the one source of recorded sleep, else from the person's diary.
    private static func sleep(_ night: NightRecord, _ clock: NightClock) -> ([ClosedRange<Double>], SleepSource) {
        let spans = night.stages.filter { SleepFigures.asleep.contains($0.stage) }
        if !spans.isEmpty {
            return (merged(spans.map { clock.elapsed($0.start)...clock.elapsed($0.end) }), .recorded)
        }
        if let recorded = night.recordedSleep, recorded.start < recorded.end {
            return ([clock.elapsed(recorded.start)...clock.elapsed(recorded.end)], .recorded)
        }
        func first(_ word: String) -> Instant? { night.entries.first { $0.type == word }?.timestamp }
        // Without a complete diary nobody told when sleep began.
        guard night.sleepDiary.totalSleepMinutes != nil, let latency = night.sleepDiary.sleepOnsetLatencyMinutes,
            let trying = first(SleepEventWord.lightsOut) ?? first(SleepEventWord.inBed),
            let woke = night.finalWake, trying + .minutes(latency) < woke
        else { return ([], .nobody) }
        return ([clock.elapsed(trying + .minutes(latency))...clock.elapsed(woke)], .diary)
    }

    /// Returns the spans in their order. Spans that meet or overlap become one.
    private static func merged(_ spans: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
        var merged: [ClosedRange<Double>] = []
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, span.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
            } else {
                merged.append(span)
            }
        }
        return merged
    }
}

extension ReportNight.Medicine {
    /// Reads the entry of a medicine; nil for any other entry, and if the profile leaves out names.
    init?(_ entry: NightRecord.Entry) {
        guard entry.type == EntityType.medication.rawValue, let id = entry.metadata["medication_id"]?.stringValue else {
            return nil
        }
        self.init(
            name: MedicationCatalogue.standard.displayName(of: id), at: entry.timestamp,
            milligrams: entry.metadata["dose_mg"]?.integerValue, isUsual: entry.metadata["usual_dose"] == true)
    }
}

/// The wall clock in one night, from the offsets on record: this program reads no zone files.
struct NightClock: Hashable, Sendable {
    /// 18:00 before the night.
    let origin: Instant
    /// Known moments with the minutes that the clock was ahead of UTC.
    private let offsets: [Offset]

    struct Offset: Hashable, Sendable {
        let at: Instant
        let minutes: Int
    }

    init(_ night: NightRecord) {
        // An entry that was recorded much later may have the clock of another place.
        func isTimely(_ entry: NightRecord.Entry) -> Bool { entry.recordedAt - entry.timestamp <= .hours(12) }
        let timely = night.entries.filter { isTimely($0) && $0.metadata["local_offset_minutes"] != nil }
        let known = (timely.isEmpty ? night.entries : timely).compactMap { entry -> Offset? in
            guard let minutes = entry.metadata["local_offset_minutes"]?.integerValue,
                (-1_560...1_560).contains(minutes)
            else { return nil }
            return Offset(at: entry.timestamp, minutes: Int(minutes))
        }
        let first = night.summary.dose1 ?? night.summary.start
        self.init(offsets: known.sorted { $0.at < $1.at }, date: night.summary.sessionDate.civil, first: first)
    }

    /// The clock at an entry that belongs to no night.
    ///
    /// - Parameter minutes: the minutes that the clock was ahead of UTC, for an entry without them.
    init(_ entry: NightRecord.Entry, otherwise minutes: Int = 0) {
        let said = entry.metadata["local_offset_minutes"]?.integerValue.map { Int(min(1_560, max(-1_560, $0))) }
        let date = CivilDate(daysSinceEpoch: Int(entry.timestamp.seconds / 86_400))
        self.init(
            offsets: [Offset(at: entry.timestamp, minutes: said ?? minutes)], date: date, first: entry.timestamp)
    }

    /// - Parameters:
    ///   - date: the date of the evening.
    ///   - first: the time of dose 1, else of the beginning of the night.
    init(offsets: [Offset], date: CivilDate, first: Instant) {
        self.offsets = offsets
        let offset = Int64(Self.minutes(at: first, offsets)) * 60
        let evening = Instant(seconds: Int64(date.daysSinceEpoch) * 86_400 + 18 * 3_600 - offset)
        // If the session date begins at another hour, the night may lie before that evening.
        let distance = Double((first - evening).wholeMilliseconds) / 86_400_000
        origin = evening + .milliseconds(Int64(distance.rounded(.down)) * 86_400_000)
    }

    /// Returns the minutes counted since 18:00: a clock change takes none away.
    func elapsed(_ instant: Instant) -> Double { (instant - origin).minutes }

    /// Returns the minutes that the clock was ahead of UTC, from the entry nearest in time.
    func offset(_ instant: Instant) -> Int { Self.minutes(at: instant, offsets) }

    func local(_ instant: Instant) -> LocalDateTime { Zone(fixedOffsetMinutes: offset(instant)).local(instant) }

    /// `22:30`.
    func clock(_ instant: Instant) -> String { local(instant).time.description }

    /// `2026-01-14T22:30:00.000+01:00`, in the format of HTML.
    func stamp(_ instant: Instant) -> String { LocalTimeFormat.iso8601(instant, offsetMinutes: offset(instant)) }

    /// The minutes by which the clock was put forward in the night; negative for back, 0 without a change.
    var change: Int { (offsets.last?.minutes ?? 0) - (offsets.first?.minutes ?? 0) }

    private static func minutes(at instant: Instant, _ offsets: [Offset]) -> Int {
        func distance(_ offset: Offset) -> Int64 { abs((offset.at - instant).wholeMilliseconds) }
        return offsets.min { distance($0) < distance($1) }?.minutes ?? 0
    }
}

/// A stage of sleep from the one source of the night.
struct StageSpan: Hashable, Sendable {
    let stage: ImportedSleep.Stage
    let (start, end): (Instant, Instant)
}

extension NightRecord {
    /// The last final wake. One before dose 1 ended another sleep (R2.14).
    var finalWake: Instant? {
        let begun = summary.dose1 ?? .min
        return entries.last { $0.type == SleepEventWord.finalWake && $0.timestamp >= begun }?.timestamp
    }

    /// True if the source tells stages; a single span of sleep has none.
    var hasStages: Bool { stages.contains { ![.asleep, .unknown].contains($0.stage) } }

    /// The stages from the one source of the night, without time in bed; empty if only durations are known.
    var stages: [StageSpan] {
        guard let recordedSleep else { return [] }
        let own = entries.filter {
            $0.type == EntityType.sleepRecord.rawValue && $0.metadata["part"] != "nap"
                && ($0.metadata["sleep_source"] ?? $0.metadata["source"])?.stringValue == recordedSleep.source
                && $0.metadata["device"]?.stringValue == recordedSleep.device
        }
        // If a profile takes out the names of devices, two devices of a source look the same: the longer record counts.
        func span(_ entry: NightRecord.Entry) -> (start: Instant, end: Instant) {
            (entry.timestamp, entry.metadata["end_utc"]?.instantValue ?? entry.timestamp)
        }
        var kept: [NightRecord.Entry] = []
        for entry in own.sorted(by: { span($1).end - span($1).start < span($0).end - span($0).start })
        where !kept.contains(where: { span($0).start < span(entry).end && span(entry).start < span($0).end }) {
            kept.append(entry)
        }
        return kept.flatMap { entry in
            (entry.metadata["stages"]?.arrayValue ?? []).compactMap { value in
                guard let stage = value["stage"]?.stringValue.flatMap(ImportedSleep.Stage.init), stage != .inBed,
                    let start = value["start_utc"]?.instantValue, let end = value["end_utc"]?.instantValue, start < end
                else { return nil }
                return StageSpan(stage: stage, start: start, end: end)
            }
        }.sorted { $0.start < $1.start }
    }
}
