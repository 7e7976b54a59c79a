package import DoseTapDomain

/// The text about sleep from outside.
package enum SleepText {
    package static func list(
        _ entries: [NightRecord.Entry], _ moments: @autoclosure () -> Moments, _ columns: Int
    ) -> [String] {
        guard !entries.isEmpty else { return [tr("No recorded sleep is on record.")] }
        let moments = moments()
        func cells(_ cell: (JSONObject) -> String) -> [String] { entries.map { cell($0.metadata) } }
        return Table(columns: [
            .init(heading: tr("From"), cells: entries.map { moments.dateAndCell($0.timestamp) }),
            .init(heading: tr("To"), cells: cells { $0["end_utc"]?.instantValue.map(moments.clock) ?? "-" }),
            .init(heading: tr("Asleep"), cells: cells { asleep($0) ?? "-" }),
            .init(heading: tr("Part"), cells: cells { SafeText.line($0["part"]?.stringValue.map(Words.sleep) ?? "-") }),
            .init(heading: tr("Source"), cells: cells(source)),
            .init(heading: tr("Id"), cells: entries.map { SafeText.line($0.id.text) }, isNeeded: true),
        ]).lines(width: columns)
    }

    /// Returns `oura, measured`, with the device if one is named.
    static func source(_ metadata: JSONObject) -> String {
        // An entry has the source under `sleep_source`, an event of the log under `source`.
        let source = (metadata["sleep_source"] ?? metadata["source"])?.stringValue
        let byHand = source == SleepRecorded.byHand ? tr("hand", context: "source") : source
        let others = [metadata["device"], metadata["grade"]].compactMap { $0?.stringValue }
        return ([byHand].compactMap(\.self) + others).map { SafeText.line(Words.sleep($0)) }.joined(separator: ", ")
    }

    /// Returns the length of the sleep; nil if it is unknown.
    static func asleep(_ metadata: JSONObject) -> String? {
        metadata["sleep"]?["total_sleep_min"]?.integerValue.map { Figure.length(minutes: $0) }
    }

    /// Returns the span of a sleep with both dates, so that times in the wrong order are seen.
    static func span(_ start: Instant, _ end: Instant, _ moments: Moments) -> String {
        let (from, to) = (moments.dateAndClock(start), moments.dateAndClock(end))
        let span = tr("It is from \(from) to \(to), \(LocalTimeFormat.interval(end - start)).")
        return end - start > .hours(16) ? span + tr(" That is long: check both times.") : span
    }

    /// Returns all facts of an entry except its kind and its beginning.
    static func details(_ metadata: JSONObject, _ moments: Moments) -> [String] {
        [
            metadata["end_utc"]?.instantValue.map { tr("until \(moments.dateAndClock($0))") },
            asleep(metadata).map { tr("asleep \($0)") }, metadata["part"] == "nap" ? tr("a nap") : nil,
            source(metadata),
        ].compactMap(\.self)
    }

    /// Returns the stage that was reported last, and its reliability.
    package static func live(_ told: LiveStage.Report) -> String {
        guard let stage = told.stage, let age = told.ageMinutes else { return tr("Stage of sleep: unknown.") }
        let ago = age == 0 ? tr("less than a minute") : Figure.length(minutes: Int64(age))
        return tr(
            "Stage of sleep: \(Words.sleep(stage.rawValue)), \(Words.sleep(told.freshness.rawValue)), reported \(ago) ago."
        )
    }

    package static func usual(_ usual: UsualInterval) -> [String] {
        guard let minutes = usual.minutes else {
            return [
                tr(
                    "No interval from 150 to 240 min is on record in \(Count.nights(usual.nights)), so there is no usual one."
                )
            ]
        }
        var lines = [median(usual.medianMinutes ?? Double(minutes), usual, minutes)]
        if let live = usual.liveMinutes, let stage = usual.live.stage {
            lines.append(
                tr("By the stage of sleep reported now (\(Words.sleep(stage.rawValue))) the figure is \(live) min."))
        }
        return lines + [tr("This is a figure of the record and no advice: take your doses as prescribed.")]
    }

    /// Returns the usual interval, with its median where that is another number.
    private static func median(_ median: Double, _ usual: UsualInterval, _ minutes: Int) -> String {
        let nights = Count.nights(usual.nights)
        if median == Double(minutes) {
            return tr("Usual interval: \(minutes) min, the median of \(usual.count) of \(nights).")
        }
        let exact = Figure.tenth(median)
        return Int(median) == minutes
            ? tr(
                "Usual interval: \(minutes) min, the whole minutes of the median of \(usual.count) of \(nights), \(exact) min."
            )
            : tr(
                "Usual interval: \(minutes) min. The median of \(usual.count) of \(nights) is \(exact) min; the figure is never below 165 or above 225."
            )
    }

    /// Returns a source's record of a night in one line.
    static func line(_ sleep: RecordedSleep) -> String? {
        guard let measures = NightText.sleep(sleep.measures) else { return nil }
        let device = sleep.device.map { " (\(SafeText.line($0)))" } ?? ""
        let others = sleep.others == 0 ? "" : tr("; recorded by \(Count.otherSources(sleep.others)), too")
        let source = sleep.source == SleepRecorded.byHand ? tr("hand", context: "recorded by") : sleep.source
        return tr(
            "recorded by \(SafeText.line(source))\(device), \(Words.sleep(sleep.grade.rawValue)): \(measures)\(others)"
        )
    }
}
