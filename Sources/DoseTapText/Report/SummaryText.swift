package import DoseTapDomain

/// Words of the one page of a packet. None of them advises or judges.
package enum SummaryText {
    package static let title = "Night record, summary for a clinician"
    /// An entry is called late where it was made longer after its dose, in minutes.
    package static let lateMinutes = 15

    /// The lines below the title.
    package static func scope(
        nights: Int, gaps: (days: Int, missing: Int, longest: Int), zones: [String], first: CivilDate, last: CivilDate
    ) -> String {
        let missing =
            gaps.missing == 0
            ? "no date without one"
            : "\(gaps.missing) of \(gaps.days) dates without one, at most \(gaps.longest) in a row"
        let clock =
            switch zones.count {
            case 0: "the clock on the wall"
            case 1: zones[0]
            default: "the clock on the wall, in \(zones.joined(separator: ", "))"
            }
        return "\(Count.nights(nights)) on record, \(ReportText.dates(first, last)); \(missing). Times are those of "
            + "\(clock)."
    }
    package static let nature =
        "Made from the person's own record. It is not validated, says nothing about causes, and gives no advice."

    // MARK: Prescribed

    package static let prescribed = "Prescribed, as recorded"
    package static let nothingPrescribed = "No prescription is on record."
    package static func prescription(
        _ medicine: String, total: Int64?, parts: [Int64], steps: [(from: SessionDate, total: String)],
        from: SessionDate, until: SessionDate?
    ) -> String {
        var text = medicine
        let end = until.map { " until \($0.text)" } ?? ""
        guard steps.isEmpty else {
            return text + steps.map { ", \($0.total) a night from \($0.from.text)" }.joined() + end
        }
        // In mg: a gram to a tenth would not tell 2.25 g.
        if let total { text += ", \(total) mg a night" }
        if parts.count > 1 { text += " (\(parts.map(String.init).joined(separator: " + ")))" }
        return "\(text), from \(from.text)\(end)"
    }
    package static func more(_ count: Int) -> String { "and \(count) more" }

    // MARK: Doses

    package static let dose2 = "Dose 2"
    package static let nightsColumn = "Nights"
    package static let shareColumn = "%"
    package static func outcome(_ outcome: NightOutcome) -> String {
        switch outcome {
        case .onTime: "on time, 150 to 239 min after dose 1"
        case .early: "early, before 150 min"
        case .late: "late, 240 min or more"
        case .skipped: "skipped by the person"
        case .notRecorded: "not recorded"
        case .pending: "still open"
        case .onceNightly: "one dose a night prescribed"
        case .noDose1: "no dose 1 on record"
        case .anomaly: "dose 2 before dose 1"
        }
    }
    package static func judged(_ count: Int) -> String {
        "of \(Count.nights(count)) that expected a dose 2 and are over"
    }
    package static func share(_ count: Int, of all: Int) -> String {
        all == 0 ? ReportText.unknown : Figure.tenth(100 * Double(count) / Double(all))
    }
    package static let interval = "Interval"
    package static func interval(_ quartiles: Quartiles, _ count: Int) -> String {
        "median \(Figure.tenth(quartiles.median)) min, quartiles \(Figure.tenth(quartiles.lower)) and "
            + "\(Figure.tenth(quartiles.upper)), n \(count)"
    }
    package static let extra = "Extra doses"
    package static func extra(_ doses: Int, nights: Int) -> String {
        doses == 0 ? none : "\(doses) in \(Count.nights(nights))"
    }
    package static let over = "More than prescribed"
    package static func over(_ nights: Int, of compared: Int) -> String {
        compared == 0
            ? "no amounts to compare" : "\(Count.nights(nights)) of \(compared), by more than 5 %"
    }

    // MARK: Sleep

    package static let sleep = "Sleep"
    package static let diary = "Diary, told"
    package static let device = "Device, recorded"
    package static let meanColumn = "mean ± SD (n)"
    package static let measures: [(name: String, value: @Sendable (SleepDiary) -> Int?)] = [
        ("Sleep onset latency, min", { $0.sleepOnsetLatencyMinutes }),
        ("Wake after sleep onset, min", { $0.wakeAfterSleepOnsetMinutes }),
        ("Awakenings", { $0.awakenings }),
        ("Time in bed, min", { $0.timeInBedMinutes }),
        ("Total sleep time, min", { $0.totalSleepMinutes }),
        ("Sleep efficiency, %", { $0.sleepEfficiencyPercent }),
    ]
    package static let sleepNote =
        "Measures of the Consensus Sleep Diary (2012). What the person told and what a device recorded are never put together."
    package static func recordsTold(_ count: Int) -> String {
        "\(Count.nights(count)) with recorded sleep that a person told are in neither."
    }
    package static func mean(_ mean: Double, _ deviation: Double?, _ count: Int) -> String {
        "\(Figure.tenth(mean)) ± \(deviation.map(Figure.tenth) ?? "–") (\(count))"
    }

    // MARK: Habits, symptoms

    package static let habits = "Times and naps"
    package static let bed = "To bed"
    package static let rise = "Got up"
    package static func clock(_ quartiles: Quartiles, _ count: Int) -> String {
        "median \(clock(quartiles.median)), quartiles \(clock(quartiles.lower)) and \(clock(quartiles.upper)), n \(count)"
    }
    /// Of minutes since 18:00.
    private static func clock(_ minutes: Double) -> String {
        let minute = (Int(minutes.rounded()) + 1_080) % 1_440
        return "\(minute / 60 < 10 ? "0" : "")\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
    }
    package static let naps = "Naps"
    package static func naps(_ count: Int, nights: Int, median: Double?) -> String {
        guard let median else { return none }
        return "\(count) in \(Count.nights(nights)), median \(Figure.tenth(median)) min"
    }
    package static let none = "none on record"
    package static let wellness = "Morning score"
    package static func wellness(_ quartiles: Quartiles, _ count: Int) -> String {
        "median \(Figure.tenth(quartiles.median)) of 100, quartiles \(Figure.tenth(quartiles.lower)) and "
            + "\(Figure.tenth(quartiles.upper)), n \(count); DoseTap's own sum of answers"
    }
    package static let symptoms = "Symptoms told in the morning"
    package static func symptom(_ key: String) -> String {
        switch key {
        case "had_sleep_paralysis": "sleep paralysis"
        case "had_hallucinations": "hallucinations at sleep onset or waking"
        case "had_automatic_behavior": "automatic behaviour"
        case "fell_out_of_bed": "fell out of bed"
        case "had_confusion_on_waking": "confusion on waking"
        default: String(key.map { $0 == "_" ? " " : $0 })
        }
    }
    package static func mornings(_ yes: Int, of all: Int) -> String {
        all == 0 ? "not answered" : "\(yes) of \(all)"
    }
    package static let morningsColumn = "Mornings"

    // MARK: Other medicines, the record

    package static let medicines = "Other medicines"
    package static func medicine(_ name: String, _ count: Int) -> String { "\(name) \(Count.times(count))" }
    package static let record = "How the doses were recorded"
    package static func record(doses: Int, late: Int, corrected: Int, imported: Int) -> String {
        "\(Count.doses(doses)): \(late) entered more than \(lateMinutes) min after the dose, \(corrected) corrected later, "
            + "\(imported) imported from another program."
    }
    package static let signature = "Signature"
    package static func signature(made: String, fingerprint: String) -> String {
        "Made on \(made). The packet is signed by the key \(fingerprint)"
    }
    package static func replaces(_ lost: String) -> String { "It takes the place of the lost key \(lost)" }
}
