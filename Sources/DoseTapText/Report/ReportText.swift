package import DoseTapDomain

/// Words of the report. None of them advises or judges.
package enum ReportText {
    package static let title = "Night record"
    package static let records = "It records; it gives no advice."

    /// `20 Aug 2026`.
    package static func date(_ date: CivilDate) -> String { "\(date.day) \(month(date.month)) \(date.year)" }
    /// `Aug`.
    package static func month(_ month: Int) -> String {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return names.indices.contains(month - 1) ? names[month - 1] : ""
    }
    /// `20 Aug to 18 Nov 2026`; one date where both are the same.
    package static func dates(_ first: CivilDate, _ last: CivilDate) -> String {
        if first == last { return date(first) }
        let start = first.year == last.year ? "\(first.day) \(month(first.month))" : date(first)
        return "\(start) to \(date(last))"
    }
    /// The name of a night whose date is not told.
    package static func night(_ number: Int) -> String { "Night \(number)" }

    /// Which nights these are, and whose clock shows the times.
    package static func scope(_ first: CivilDate, _ last: CivilDate, zones: [String]) -> String {
        let clock =
            switch zones.count {
            case 0: "Times are those of the clock on the wall."
            case 1: "Times are those of \(zones[0])."
            default: "Times are those of the clock on the wall, in \(zones.joined(separator: ", "))."
            }
        return "Nights of \(dates(first, last)). \(clock) Made from the person's own record. \(records)"
    }
    package static func scope(nights: Int) -> String {
        "\(Count.nights(nights)), numbered from the oldest; dates, time zone and medicines are left out. Times are those "
            + "of the clock on the wall. Made from the person's own record. \(records)"
    }
    package static func scope(counted nights: Int) -> String {
        "Counts and medians of \(Count.nights(nights)), and nothing of a single night. Made from the person's own record. "
            + records
    }

    // MARK: No night

    package static let noNights = "No nights yet"
    package static let beginning =
        "The record has no night of these dates. A night begins with its first entry, such as dose 1:"
    package static let beginningCommand = "dosetap log dose1"
    package static let otherDates = "Other nights are chosen with --from and --to, or with more of --nights."

    // MARK: Figures

    package static let nightsOnRecord = "Nights on record"
    package static func of(days: Int) -> String { "of \(Count.days(days)), first to last" }
    package static let onTime = "Dose 2 on time"
    package static func percent(_ percent: Double) -> String { "\(Figure.tenth(percent)) %" }
    package static func share(_ count: Int, of all: Int) -> String { "\(count) of \(Count.nights(all))" }
    package static let median = "Interval, median"
    package static func minutes(_ minutes: Double) -> String { "\(Figure.tenth(minutes)) min" }
    package static func middleHalf(_ quartiles: Quartiles) -> String {
        "middle half \(Int(quartiles.lower.rounded())) to \(Int(quartiles.upper.rounded()))"
    }
    package static let noDose2 = "Dose 2 not on record"
    package static func withoutDose2(notRecorded: Int, skipped: Int) -> String {
        "\(notRecorded) not recorded, \(skipped) skipped"
    }
    package static let oneDose = "One dose a night"
    package static func extraDoses(_ count: Int) -> String {
        Plural.of(count, "extra dose is", "extra doses are") + " on record."
    }
    package static let asleepDiary = "Asleep, median, diary"
    package static let asleepRecorded = "Asleep, median, recorded"
    package static func length(_ minutes: Double) -> String {
        let whole = Int(minutes.rounded())
        return "\(whole / 60) h \(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }
    package static func nights(_ count: Int) -> String { Count.nights(count) }
    package static let unknown = "–"
    package static let nothingKnown = "unknown"

    // MARK: Interval

    package static let intervalHeading = "Interval between the doses"
    package static let intervalLead =
        "Minutes from dose 1 to dose 2. A filled dot lies in the window of 150 to 240 minutes; a diamond is late, a "
        + "triangle early. Below: × not recorded, – skipped."
    package static let intervalTitle = "Minutes from dose 1 to dose 2, night by night"
    package static func intervalDescription(inside: Int, of all: Int, median: Double?) -> String {
        let middle = median.map { "; their median is \(Figure.tenth($0)) minutes" } ?? ""
        return "\(inside) of \(all) intervals lie in the window of 150 to 240 minutes\(middle). Every value is in the "
            + "table of all nights."
    }
    package static let noIntervals =
        "One dose a night is prescribed on these nights, so there is no interval between doses to show."
    package static let noSecondDoses =
        "No interval between doses is on record for these nights."
    package static let windowOpens = "window opens"
    package static let windowCloses = "window closes"
    package static func target(_ minutes: Int) -> String { "target \(minutes)" }
    package static let median15 = "median of 15"
    package static let withoutDose2Strip = "no interval"
    package static func beyond(_ minutes: Int) -> String { "beyond \(minutes)" }

    // MARK: Nights and naps

    package static let nightsHeading = "Nights and naps"
    package static func nightsLead(hasRecorded: Bool, hasDiary: Bool) -> String {
        var lead =
            "One row a night, 18:00 to 18:00, oldest on top. Time is counted from 18:00, so no bar is shorter or "
            + "longer because a clock was changed."
        if hasRecorded { lead += " A gap in a bar of recorded sleep is time that was not recorded as sleep." }
        if hasDiary { lead += " The diary tells how long somebody was awake, not when, so its bars have no gaps." }
        return lead
    }
    package static let nightsTitle = "Nights from 18:00 to 18:00, one row each, oldest on top"
    package static let nightsDescription =
        "Bars: asleep; dots: dose 1; upright strokes: dose 2; dark bars: naps. The table of all nights has the times."
    package static let dose1 = "dose 1"
    package static let dose2 = "dose 2"
    package static let extraDose = "extra dose"
    package static let asleepByDiary = "asleep (diary)"
    package static let asleepByDevice = "asleep (recorded)"
    package static let nap = "nap"
    package static func clockChange(minutes: Int) -> String {
        let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
        let amount = rest == 0 ? "\(hours) h" : hours == 0 ? "\(rest) min" : "\(hours) h \(rest) min"
        return "clock \(minutes < 0 ? "−" : "+")\(amount)"
    }
    package static func outside(_ count: Int) -> String {
        Plural.of(
            count, "mark lies outside these 24 hours; it stands in the table.",
            "marks lie outside these 24 hours; they stand in the table.")
    }

    // MARK: Every night

    package static let everyHeading = "Every night at a glance"
    package static let everyTitle = "Outcome of every night, a column a week"
    package static let everyTitleNumbered = "Outcome of every night, a column for seven nights"
    package static let noRecord = "no record"
    package static func outcome(_ outcome: NightOutcome) -> String {
        outcome == .notRecorded ? "not recorded" : Label.outcome(outcome)
    }
    package static func counts(_ counts: [(String, Int)]) -> String {
        counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ") + "."
    }

    // MARK: Weeks

    package static let weeksHeading = "Week by week"
    package static let weeksLead =
        "A dot is a night, the line the median of each week with at least three nights, the number its last value. Bars "
        + "are the sum of a week; the first and the last may have fewer days. Diary and recorded sleep are told apart; each counts the nights that have it."
    package enum Measure: String, CaseIterable, Sendable {
        case score, rested, asleep, awake, efficiency
        case recordedAsleep = "recorded-asleep"
        case recordedAwake = "recorded-awake"
        case recordedEfficiency = "recorded-efficiency"
        case naps
    }
    package static func heading(_ measure: Measure) -> String {
        switch measure {
        case .score: "Night score"
        case .rested: "Rested, own answer"
        case .asleep: "Asleep, diary"
        case .awake: "Awake in the night, diary"
        case .efficiency: "Sleep efficiency, diary"
        case .recordedAsleep: "Asleep, recorded"
        case .recordedAwake: "Awake in the night, recorded"
        case .recordedEfficiency: "Sleep efficiency, recorded"
        case .naps: "Naps, whole week"
        }
    }
    /// The range of an axis.
    package static func range(_ measure: Measure, _ low: String, _ high: String) -> String {
        switch measure {
        case .score: "\(low) to \(high) of 100"
        case .rested: "\(low) to \(high) of 5"
        case .asleep, .recordedAsleep: "\(low) to \(high) h"
        case .efficiency, .recordedEfficiency: "\(low) to \(high) %"
        case .awake, .recordedAwake, .naps: "\(low) to \(high) min"
        }
    }
    package static func weekDescription(_ measure: Measure, nights: Int, first: String?, last: String?) -> String {
        let course = first.flatMap { first in last.map { "; weekly figures from \(first) to \($0)" } } ?? ""
        return "\(heading(measure)): \(Count.nights(nights))\(course). Every value is in the table of all nights."
    }

    // MARK: One night

    package static func oneNightHeading(_ name: String) -> String { "One night: \(name)" }
    package static let oneNightRecorded =

        "The newest night with recorded stages. Stages are what a device made of the night."
    package static let oneNightPlain = "The newest night with a dose."
    package static func oneNightTitle(_ name: String) -> String { "One night, \(name): sleep, doses and events" }
    package static let oneNightDescription = "Every time of it is in the table of this night."
    package static func window(_ from: String, _ until: String) -> String { "window \(from) to \(until)" }
    package static func dose2After(minutes: Int) -> String { "dose 2 after \(minutes) min" }
    package static func entry(_ type: String) -> String { Label.entry(type) }
    package static func stage(_ stage: ImportedSleep.Stage) -> String {
        switch stage {
        case .awake: "awake"
        case .rem: "REM"
        case .light: "light"
        case .deep: "deep"
        case .asleep: "asleep"
        case .unknown: "unknown"
        case .inBed: "in bed"
        }
    }

    // MARK: Medicines

    package static let medicinesHeading = "Other medicines"
    /// Above a picture that a telephone shows a part of.
    package static let goesOn = "It goes on at the right: push it to the left."
    package static let medicinesLead = "A row a medicine, by the time of day at which it was taken."
    package static let medicinesTitle = "Medicines by the time of day"
    package static func medicinesDescription(_ counts: [(String, Int)]) -> String {
        counts.map { "\($0.0) \(Count.times($0.1))" }.joined(separator: ", ") + "."
    }

    // MARK: Tables

    package static let tableHeading = "All nights"
    package static let tableSummary = "Table of every night: the figures behind the charts"
    package static let tableCaption =
        "Times are of the clock on the wall; lengths are in minutes; a dash is unknown. Zone and clock changes stand where "
        + "they are new."
    package static let eventsSummary = "Table of one night"
    package static let eventsCaption = "What is on record of the night, in order of time."
    package static let stagesCaption = "Stages of the night as a device recorded them."
    package static let medicinesSummary = "Table of medicines"
    package static let medicinesCaption = "Medicines that were recorded, in order of time."
    package static let columns = (
        night: "Night", dose1: "Dose 1", dose2: "Dose 2", interval: "Interval", outcome: "Outcome", slept: "Slept",
        up: "Up", asleep: "Asleep, diary", awake: "Awake, diary", efficiency: "Efficiency, diary",
        recordedAsleep: "Asleep, recorded", recordedAwake: "Awake, recorded",
        recordedEfficiency: "Efficiency, recorded",
        naps: "Naps", extra: "Extra doses", rested: "Rested", score: "Score", clock: "Clock", time: "Time",
        what: "What",
        from: "From", until: "Until", stage: "Stage", medicine: "Medicine", amount: "Amount"
    )
    /// `100 mg`, `100 mg (usual)` where nobody said it and the usual one counts.
    package static func amount(milligrams: Int64, isUsual: Bool) -> String {
        Figure.weight(milligrams) + (isUsual ? " (usual)" : "")
    }

    // MARK: How

    package static let howHeading = "How these figures are made"
    package static let how = [
        "On time: dose 2 at least 150 and less than 240 minutes after dose 1. The share is of the nights that expected a "
            + "dose 2 and are over.",
        "Diary: from trying to sleep to the final wake, less the time to fall asleep and the time awake, as the person "
            + "told it. Recorded: what one device or program recorded. The two are never put together.",
        "The night score says how complete a night's doses, entries and sleep are. It is no diagnosis.",
        "A mean or median counts the nights that have the value. Charts show what went together; they do not show what "
            + "caused what.",
    ]
}
