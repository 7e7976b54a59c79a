package import DoseTapDomain

/// The words of the one page of a packet. No text advises or judges.
package enum SummaryText {
    package static var title: String { tr("Night record, summary for a clinician") }
    /// The limit in minutes: an entry that was made longer after its dose is called late.
    package static let lateMinutes = 15

    /// Returns the text below the title.
    package static func scope(
        nights: Int, gaps: (days: Int, missing: Int, longest: Int), zones: [String], first: CivilDate, last: CivilDate
    ) -> String {
        let missing =
            gaps.missing == 0
            ? tr("no date without one")
            : tr("\(gaps.missing) of \(gaps.days) dates without one, at most \(gaps.longest) in a row")
        let clock =
            switch zones.count {
            case 0: tr("the clock on the wall")
            case 1: zones[0]
            default: tr("the clock on the wall, in \(zones.joined(separator: ", "))")
            }
        return tr(
            "\(Count.nights(nights)) on record, \(ReportText.dates(first, last)); \(missing). Times are those of \(clock)."
        )
    }
    package static var nature: String {
        tr("Made from the person's own record. It is not validated, says nothing about causes, and gives no advice.")
    }

    /// The sentence about a record that could not be read as a whole. It names no place of the person's machine.
    package static var incomplete: String {
        tr("The record is damaged or not complete: what could not be read is missing here.")
    }

    // MARK: Prescribed

    package static var prescribed: String { tr("Prescribed, as recorded") }
    package static var nothingPrescribed: String { tr("No prescription is on record.") }
    package static func prescription(
        _ medicine: String, total: Int64?, parts: [Int64], steps: [(from: SessionDate, total: String)],
        from: SessionDate, until: SessionDate?
    ) -> String {
        var text = medicine
        let end = until.map { tr(" until \($0.text)") } ?? ""
        guard steps.isEmpty else {
            return text + steps.map { tr(", \($0.total) a night from \($0.from.text)") }.joined() + end
        }
        // The amounts are in mg, because grams to a tenth could not tell 2.25 g.
        if let total { text += tr(", \(total) mg a night") }
        if parts.count > 1 { text += " (\(parts.map(String.init).joined(separator: " + ")))" }
        return tr("\(text), from \(from.text)\(end)")
    }
    package static func more(_ count: Int) -> String { tr("and \(count) more") }

    // MARK: Doses

    package static var dose2: String { tr("Dose 2") }
    package static var nightsColumn: String { tr("Nights") }
    package static let shareColumn = "%"
    package static func outcome(_ outcome: NightOutcome) -> String {
        switch outcome {
        case .onTime: tr("on time, 150 to 239 min after dose 1")
        case .early: tr("early, before 150 min")
        case .late: tr("late, 240 min or more")
        case .skipped: tr("skipped by the person")
        case .notRecorded: tr("not recorded")
        case .pending: tr("still open")
        case .onceNightly: tr("one dose a night prescribed")
        case .noDose1: tr("no dose 1 on record")
        case .anomaly: tr("dose 2 before dose 1")
        }
    }
    package static func judged(_ count: Int) -> String {
        tr("of \(Count.nights(count)) that expected a dose 2 and are over")
    }
    package static func share(_ count: Int, of all: Int) -> String {
        all == 0 ? ReportText.unknown : Figure.tenth(100 * Double(count) / Double(all))
    }
    package static var interval: String { tr("Interval") }
    package static func interval(_ quartiles: Quartiles, _ count: Int) -> String {
        tr(
            "median \(Figure.minutes(quartiles.median)), quartiles \(Figure.tenth(quartiles.lower)) and \(Figure.tenth(quartiles.upper)), n \(count)"
        )
    }
    package static var extra: String { tr("Extra doses") }
    package static func extra(_ doses: Int, nights: Int) -> String {
        doses == 0 ? none : tr("\(doses) in \(Count.nights(nights))")
    }
    package static var over: String { tr("More than prescribed") }
    package static func over(_ nights: Int, of compared: Int) -> String {
        compared == 0
            ? tr("no amounts to compare") : tr("\(Count.nights(nights)) of \(compared), by more than 5 %")
    }

    // MARK: Sleep

    package static var sleep: String { tr("Sleep") }
    package static var diary: String { tr("Diary, told") }
    package static var device: String { tr("Device, recorded") }
    package static var meanColumn: String { tr("mean ± SD (n)") }
    package static var measures: [(name: String, value: @Sendable (SleepDiary) -> Int?)] {
        [
            (tr("Sleep onset latency, min"), { $0.sleepOnsetLatencyMinutes }),
            (tr("Wake after sleep onset, min"), { $0.wakeAfterSleepOnsetMinutes }),
            (tr("Awakenings"), { $0.awakenings }),
            (tr("Time in bed, min"), { $0.timeInBedMinutes }),
            (tr("Total sleep time, min"), { $0.totalSleepMinutes }),
            (tr("Sleep efficiency, %"), { $0.sleepEfficiencyPercent }),
        ]
    }
    package static var sleepNote: String {
        tr(
            "Measures of the Consensus Sleep Diary (2012). What the person told and what a device recorded are never put together."
        )
    }
    package static func recordsTold(_ count: Int) -> String {
        tr("\(Count.nights(count)) with recorded sleep that a person told are in neither.")
    }
    /// Returns the text about recorded sleep that belongs to no night.
    package static func looseSleeps(_ count: Int) -> String {
        Plural.of(
            count, tr("record of sleep belongs to no night and is not counted here."),
            tr("records of sleep belong to no night and are not counted here."))
    }
    /// - Parameter mean: minutes asleep, in the form of ``mean(_:_:_:)``.
    package static func looseMinutes(_ mean: String) -> String {
        tr("Asleep in them, without what the source calls a nap, in minutes, mean ± SD (n): \(mean).")
    }
    package static func mean(_ mean: Double, _ deviation: Double?, _ count: Int) -> String {
        "\(Figure.tenth(mean)) ± \(deviation.map(Figure.tenth) ?? "–") (\(count))"
    }

    // MARK: Habits, symptoms

    package static var habits: String { tr("Times and naps") }
    package static var bed: String { tr("To bed") }
    package static var rise: String { tr("Got up") }
    package static func clock(_ quartiles: Quartiles, _ count: Int) -> String {
        tr(
            "median \(clock(quartiles.median)), quartiles \(clock(quartiles.lower)) and \(clock(quartiles.upper)), n \(count)"
        )
    }
    /// Returns a clock time from minutes since 18:00.
    private static func clock(_ minutes: Double) -> String {
        let minute = (Int(minutes.rounded()) + 1_080) % 1_440
        return "\(minute / 60 < 10 ? "0" : "")\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
    }
    package static var naps: String { tr("Naps") }
    package static func naps(_ count: Int, days: Int, median: Double?) -> String {
        guard let median else { return none }
        return tr("\(count) on \(Count.days(days)), median \(Figure.minutes(median))")
    }
    package static var none: String { tr("none on record") }
    package static var wellness: String { tr("Morning score") }
    /// - Parameter byDefault: the number of scores that count an answer by default.
    package static func wellness(_ quartiles: Quartiles, _ count: Int, byDefault: Int) -> String {
        let defaults =
            byDefault == 0 ? "" : tr("; in \(byDefault) of them questions were left out and count as their defaults")
        return tr(
            "median \(Figure.tenth(quartiles.median)) of 100, quartiles \(Figure.tenth(quartiles.lower)) and \(Figure.tenth(quartiles.upper)), n \(count); DoseTap's own sum of answers"
        ) + defaults
    }
    package static var symptoms: String { tr("Symptoms told in the morning") }
    package static func symptom(_ key: String) -> String {
        switch key {
        case "had_sleep_paralysis": tr("sleep paralysis")
        case "had_hallucinations": tr("hallucinations at sleep onset or waking")
        case "had_automatic_behavior": tr("automatic behaviour")
        case "fell_out_of_bed": tr("fell out of bed")
        case "had_confusion_on_waking": tr("confusion on waking")
        default: String(key.map { $0 == "_" ? " " : $0 })
        }
    }
    package static func mornings(_ yes: Int, of all: Int) -> String {
        all == 0 ? tr("not answered") : tr("\(yes) of \(all)")
    }
    package static var morningsColumn: String { tr("Mornings") }

    // MARK: Other medicines, the record

    package static var medicines: String { tr("Other medicines") }
    package static func medicine(_ name: String, _ count: Int) -> String { "\(name) \(Count.times(count))" }
    package static var record: String { tr("How the doses were recorded") }
    package static func record(doses: Int, late: Int, corrected: Int, imported: Int) -> String {
        tr(
            "\(Count.doses(doses)): \(late) entered more than \(lateMinutes) min after the dose, \(corrected) corrected later, \(imported) imported from another program."
        )
    }
    package static var signature: String { tr("Signature") }
    package static func signature(made: String, fingerprint: String) -> String {
        tr("Made on \(made). The packet is signed by the key \(fingerprint)")
    }
    package static func replaces(_ lost: String) -> String { tr("It takes the place of the lost key \(lost)") }
}
