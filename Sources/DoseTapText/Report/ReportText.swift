package import DoseTapDomain

/// The words of the report. No text advises or judges.
package enum ReportText {
    package static var title: String { tr("Night record") }
    package static var records: String { tr("It records; it gives no advice.") }

    /// `20 Aug 2026`.
    package static func date(_ date: CivilDate) -> String {
        tr("\(date.day) \(month(date.month)) \(date.year)", context: "date")
    }
    /// `20 Aug`.
    package static func day(_ date: CivilDate) -> String { tr("\(date.day) \(month(date.month))", context: "date") }
    /// `Aug`.
    package static func month(_ month: Int) -> String {
        let names = [
            tr("Jan"), tr("Feb"), tr("Mar"), tr("Apr"), tr("May"), tr("Jun"), tr("Jul"), tr("Aug"), tr("Sep"),
            tr("Oct"), tr("Nov"), tr("Dec"),
        ]
        return names.indices.contains(month - 1) ? names[month - 1] : ""
    }
    /// Returns `20 Aug to 18 Nov 2026`; one date if both are the same.
    package static func dates(_ first: CivilDate, _ last: CivilDate) -> String {
        if first == last { return date(first) }
        let start = first.year == last.year ? day(first) : date(first)
        return tr("\(start) to \(date(last))")
    }
    /// Returns the name of a night in a report without dates.
    package static func night(_ number: Int) -> String { tr("Night \(number)") }

    /// Returns the dates of the nights, and the clock of the times.
    package static func scope(_ first: CivilDate, _ last: CivilDate, zones: [String]) -> String {
        let clock =
            switch zones.count {
            case 0: tr("Times are those of the clock on the wall.")
            case 1: tr("Times are those of \(zones[0]).")
            default: tr("Times are those of the clock on the wall, in \(zones.joined(separator: ", ")).")
            }
        return tr("Nights of \(dates(first, last)). \(clock) Made from the person's own record. \(records)")
    }
    package static func scope(nights: Int) -> String {
        tr(
            "\(Count.nights(nights)), numbered from the oldest; dates, time zone and medicines are left out. Times are those of the clock on the wall. Made from the person's own record. \(records)"
        )
    }
    package static func scope(counted nights: Int) -> String {
        tr(
            "Counts and medians of \(Count.nights(nights)), and nothing of a single night. Made from the person's own record. \(records)"
        )
    }

    // MARK: No night

    package static var noNights: String { tr("No nights yet") }
    package static var beginning: String {
        tr("The record has no night of these dates. A night begins with its first entry, such as dose 1:")
    }
    package static let beginningCommand = "dosetap log dose1"
    package static var otherDates: String {
        tr("Other nights are chosen with --from and --to, or with more of --nights.")
    }

    // MARK: Figures

    package static var nightsOnRecord: String { tr("Nights on record") }
    package static func of(days: Int) -> String { tr("of \(Count.days(days)), first to last") }
    package static var onTime: String { tr("Dose 2 on time") }
    package static func percent(_ percent: Double) -> String { tr("\(Figure.tenth(percent)) %") }
    package static func share(_ count: Int, of all: Int) -> String {
        tr("\(count) of \(Count.nights(all))", context: "share")
    }
    package static var median: String { tr("Interval, median") }
    package static func middleHalf(_ quartiles: Quartiles) -> String {
        tr("middle half \(Figure.tenth(quartiles.lower)) to \(Figure.tenth(quartiles.upper))")
    }
    package static var noDose2: String { tr("Nights without dose 2") }
    package static func withoutDose2(notRecorded: Int, skipped: Int) -> String {
        tr("\(notRecorded) not recorded, \(skipped) skipped")
    }
    package static var oneDose: String { tr("One dose a night") }
    package static func extraDoses(_ count: Int) -> String {
        tr("\(Plural.of(count, tr("extra dose is"), tr("extra doses are"))) on record.")
    }
    package static var asleepDiary: String { tr("Asleep, median, diary") }
    package static var asleepRecorded: String { tr("Asleep, median, recorded") }
    package static func length(_ minutes: Double) -> String {
        let whole = Int(minutes.rounded())
        return "\(whole / 60) h \(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }
    package static func nights(_ count: Int) -> String { Count.nights(count) }
    package static let unknown = "–"
    package static var nothingKnown: String { tr("unknown") }

    // MARK: Interval

    package static var intervalHeading: String { tr("Interval between the doses") }
    package static var intervalLead: String {
        tr(
            "Minutes from dose 1 to dose 2. A filled dot lies in the window of 150 to 240 minutes; a diamond is late, a triangle early. Below: × not recorded, – skipped."
        )
    }
    package static var intervalTitle: String { tr("Minutes from dose 1 to dose 2, night by night") }
    package static func intervalDescription(inside: Int, of all: Int, median: Double?) -> String {
        let middle = median.map { tr("; their median is \(Figure.tenth($0)) minutes") } ?? ""
        return tr(
            "\(inside) of \(all) intervals lie in the window of 150 to 240 minutes\(middle). Every value is in the table of all nights."
        )
    }
    package static var noIntervals: String {
        tr("One dose a night is prescribed on these nights, so there is no interval between doses to show.")
    }
    package static var noSecondDoses: String { tr("No interval between doses is on record for these nights.") }
    package static var windowOpens: String { tr("window opens") }
    package static var windowCloses: String { tr("window closes") }
    package static func target(_ minutes: Int) -> String { tr("target \(minutes)") }
    package static var median15: String { tr("median of 15") }
    package static var withoutDose2Strip: String { tr("no interval") }
    package static func beyond(_ minutes: Int) -> String { tr("beyond \(minutes)") }

    // MARK: Nights and naps

    package static var nightsHeading: String { tr("Nights and naps") }
    package static func nightsLead(hasRecorded: Bool, hasDiary: Bool) -> String {
        var lead =
            tr(
                "One row a night, 18:00 to 18:00, oldest on top. Time is counted from 18:00, so no bar is shorter or longer because a clock was changed."
            )
        if hasRecorded { lead += tr(" A gap in a bar of recorded sleep is time that was not recorded as sleep.") }
        if hasDiary { lead += tr(" The diary tells how long somebody was awake, not when, so its bars have no gaps.") }
        return lead
    }
    package static var nightsTitle: String { tr("Nights from 18:00 to 18:00, one row each, oldest on top") }
    package static var nightsDescription: String {
        tr(
            "Bars: asleep; dots: dose 1; upright strokes: dose 2; dark bars: naps. The table of all nights has the times."
        )
    }
    package static var dose1: String { tr("dose 1") }
    package static var dose2: String { tr("dose 2") }
    package static var extraDose: String { tr("extra dose") }
    package static var asleepByDiary: String { tr("asleep (diary)") }
    package static var asleepByDevice: String { tr("asleep (recorded)") }
    package static var nap: String { tr("nap") }
    package static func clockChange(minutes: Int) -> String {
        let amount = Figure.length(minutes: Int64(abs(minutes)))
        return minutes < 0 ? tr("clock −\(amount)") : tr("clock +\(amount)")
    }
    package static func outside(_ count: Int) -> String {
        Plural.of(
            count, tr("mark lies outside these 24 hours; it stands in the table."),
            tr("marks lie outside these 24 hours; they stand in the table."))
    }

    // MARK: Every night

    package static var everyHeading: String { tr("Every night at a glance") }
    package static var everyTitle: String { tr("Outcome of every night, a column a week") }
    package static var everyTitleNumbered: String { tr("Outcome of every night, a column for seven nights") }
    /// The label of a further night of a date whose shown night is another.
    package static var other: String { tr("another night of a date") }
    package static var noRecord: String { tr("no record") }
    package static func outcome(_ outcome: NightOutcome) -> String {
        outcome == .notRecorded ? tr("not recorded") : Label.outcome(outcome)
    }
    package static func counts(_ counts: [(String, Int)]) -> String {
        counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ") + "."
    }

    // MARK: Weeks

    package static var weeksHeading: String { tr("Week by week") }
    package static var weeksLead: String {
        tr(
            "A dot is a night, the line the median of each week with at least three nights, the number its last value. Bars are the sum of a week; the first and the last may have fewer days. Diary and recorded sleep are told apart; each counts the nights that have it."
        )
    }
    package enum Measure: String, CaseIterable, Sendable {
        case score, rested, asleep, awake, efficiency
        case recordedAsleep = "recorded-asleep"
        case recordedAwake = "recorded-awake"
        case recordedEfficiency = "recorded-efficiency"
        case naps
    }
    package static func heading(_ measure: Measure) -> String {
        switch measure {
        case .score: tr("Night score")
        case .rested: tr("Rested, own answer")
        case .asleep: tr("Asleep, diary")
        case .awake: tr("Awake in the night, diary")
        case .efficiency: tr("Sleep efficiency, diary")
        case .recordedAsleep: tr("Asleep, recorded")
        case .recordedAwake: tr("Awake in the night, recorded")
        case .recordedEfficiency: tr("Sleep efficiency, recorded")
        case .naps: tr("Naps, whole week")
        }
    }
    /// Returns the range of an axis.
    package static func range(_ measure: Measure, _ low: String, _ high: String) -> String {
        switch measure {
        case .score: tr("\(low) to \(high) of 100")
        case .rested: tr("\(low) to \(high) of 5")
        case .asleep, .recordedAsleep: tr("\(low) to \(high) h")
        case .efficiency, .recordedEfficiency: tr("\(low) to \(high) %")
        case .awake, .recordedAwake, .naps: tr("\(low) to \(high) min")
        }
    }
    package static func weekDescription(_ measure: Measure, nights: Int, first: String?, last: String?) -> String {
        let course = first.flatMap { first in last.map { tr("; weekly figures from \(first) to \($0)") } } ?? ""
        return tr("\(heading(measure)): \(Count.nights(nights))\(course). Every value is in the table of all nights.")
    }

    // MARK: One night

    package static func oneNightHeading(_ name: String) -> String { tr("One night: \(name)") }
    package static var oneNightRecorded: String {
        tr("The newest night with recorded stages. Those of a device are its estimate.")
    }
    package static var oneNightPlain: String { tr("The newest night with a dose.") }
    package static func oneNightTitle(_ name: String) -> String { tr("One night, \(name): sleep, doses and events") }
    package static var oneNightDescription: String { tr("Every time of it is in the table of this night.") }
    package static func window(_ from: String, _ until: String) -> String { tr("window \(from) to \(until)") }
    package static func dose2After(minutes: Int) -> String { tr("dose 2 after \(minutes) min") }
    package static func entry(_ type: String) -> String { Label.entry(type) }
    package static func stage(_ stage: ImportedSleep.Stage) -> String {
        switch stage {
        case .awake: tr("awake")
        case .rem: tr("REM")
        case .light: tr("light")
        case .deep: tr("deep")
        case .asleep: tr("asleep")
        case .unknown: tr("unknown")
        case .inBed: tr("in bed")
        }
    }

    // MARK: Medicines

    package static var medicinesHeading: String { tr("Other medicines") }
    /// The note above a picture that a telephone shows in part.
    package static var goesOn: String { tr("It goes on at the right: push it to the left.") }
    package static var medicinesLead: String { tr("A row a medicine, by the time of day at which it was taken.") }
    package static var medicinesTitle: String { tr("Medicines by the time of day") }
    package static func medicinesDescription(_ counts: [(String, Int)]) -> String {
        counts.map { "\($0.0) \(Count.times($0.1))" }.joined(separator: ", ") + "."
    }

    // MARK: Recorded sleep without a night

    package static var looseSleepsHeading: String { tr("Recorded sleep without a night") }
    package static func looseSleeps(_ count: Int) -> String {
        Plural.of(
            count,
            tr("record of sleep belongs to no night. A night begins with an entry of the person, such as dose 1."),
            tr("records of sleep belong to no night. A night begins with an entry of the person, such as dose 1."))
    }
    package static var looseSleepsTitle: String { tr("Recorded sleep by date, 18:00 to 18:00") }
    package static var looseSleepsDescription: String {
        tr("A row a date. Every sleep is in the table of recorded sleep without a night.")
    }
    package static var looseSleepsSummary: String { tr("Table of recorded sleep without a night") }
    package static var looseSleepsCaption: String {
        tr("Recorded sleep that belongs to no night, and stands in no figure. Lengths are in minutes.")
    }

    // MARK: Tables

    package static var tableHeading: String { tr("All nights") }
    package static var tableSummary: String { tr("Table of every night: the figures behind the charts") }
    package static var tableCaption: String {
        tr(
            "Times are of the clock on the wall; lengths are in minutes; a dash is unknown. Zone and clock changes stand where they are new."
        )
    }
    package static var eventsSummary: String { tr("Table of one night") }
    package static var eventsCaption: String { tr("What is on record of the night, in order of time.") }
    package static var stagesCaption: String { tr("Stages of the night as they were recorded.") }
    package static var asleepCaption: String { tr("When the sleep of the night began and ended.") }
    package static var medicinesSummary: String { tr("Table of medicines") }
    package static var medicinesCaption: String { tr("Medicines that were recorded, in order of time.") }
    package static var columns: Columns {
        Columns(
            night: tr("Night"), dose1: tr("Dose 1"), dose2: tr("Dose 2"), interval: tr("Interval"),
            outcome: tr("Outcome"), slept: tr("Slept"),
            asleep: tr("Asleep, diary"), awake: tr("Awake, diary"), efficiency: tr("Efficiency, diary"),
            recordedAsleep: tr("Asleep, recorded"), recordedAwake: tr("Awake, recorded"),
            recordedEfficiency: tr("Efficiency, recorded"),
            naps: tr("Naps"), extra: tr("Extra doses"), rested: tr("Rested"), score: tr("Score"), clock: tr("Clock"),
            time: tr("Time"),
            what: tr("What"),
            from: tr("From"), until: tr("Until"), stage: tr("Stage"), medicine: tr("Medicine"), amount: tr("Amount"),
            date: tr("Date"), minutesAsleep: tr("Asleep"), source: tr("Source")
        )
    }

    /// The headings of the columns.
    package struct Columns: Sendable {
        package let night: String
        package let dose1: String
        package let dose2: String
        package let interval: String
        package let outcome: String
        package let slept: String
        package let asleep: String
        package let awake: String
        package let efficiency: String
        package let recordedAsleep: String
        package let recordedAwake: String
        package let recordedEfficiency: String
        package let naps: String
        package let extra: String
        package let rested: String
        package let score: String
        package let clock: String
        package let time: String
        package let what: String
        package let from: String
        package let until: String
        package let stage: String
        package let medicine: String
        package let amount: String
        package let date: String
        package let minutesAsleep: String
        package let source: String
    }
    /// Returns `100 mg`, or `100 mg (usual)` if nobody gave an amount and the usual one counts.
    package static func amount(milligrams: Int64, isUsual: Bool) -> String {
        Figure.weight(milligrams) + (isUsual ? tr(" (usual)") : "")
    }

    // MARK: How

    package static var howHeading: String { tr("How these figures are made") }
    package static var how: [String] {
        [
            tr(
                "On time: dose 2 at least 150 and less than 240 minutes after dose 1. The share is of the nights that expected a dose 2 and are over."
            ),
            tr(
                "Diary: from trying to sleep to the final wake, less the time to fall asleep and the time awake, as the person told it. Recorded: what one device or program recorded. The two are never put together."
            ),
            tr("The night score says how complete a night's doses, entries and sleep are. It is no diagnosis."),
            tr(
                "A mean or median counts the nights that have the value. Charts show what went together; they do not show what caused what."
            ),
        ]
    }
}
