internal import DoseTapDomain
internal import DoseTapText

/// The nights of a report, oldest first, with the facts that all nights share.
struct NightSeries {
    private(set) var nights: [ReportNight]
    /// True in a page without dates: the nights have numbers.
    let isNumbered: Bool
    /// Dates of the first and the last night.
    let first: CivilDate
    let last: CivilDate

    /// - Returns: nil without a night.
    init?(_ nights: [ReportNight], isNumbered: Bool) {
        guard let first = nights.map(\.date).min(), let last = nights.map(\.date).max() else { return nil }
        (self.isNumbered, self.first, self.last) = (isNumbered, first, last)
        self.nights = nights
        var seen: [Int: Int] = [:]
        for index in self.nights.indices {
            let day = nights[index].date.daysSinceEpoch - first.daysSinceEpoch
            let place = seen[day, default: 0] + 1
            seen[day] = place
            self.nights[index].day = day
            self.nights[index].key = key(day: day) + (place == 1 ? "" : "-\(place)")
        }
    }

    /// The number of days from the first night to the last.
    var days: Int { last.daysSinceEpoch - first.daysSinceEpoch + 1 }

    func date(day: Int) -> CivilDate { first.adding(days: day) }

    /// Returns the name of a day in `data-night` and `data-tick`: a date, or its number from 1.
    func key(day: Int) -> String { isNumbered ? String(day + 1) : date(day: day).iso8601 }

    /// Returns the name of a night for people.
    func name(_ night: ReportNight) -> String {
        isNumbered ? ReportText.night(night.day + 1) : ReportText.date(night.date)
    }

    /// Monday of the first week. Numbered nights have no weekdays, and their weeks begin with the first one.
    var firstWeek: Int { isNumbered ? 0 : 1 - first.weekday.rawValue }

    /// Returns the week of a day, counted from 0.
    func week(day: Int) -> Int { (day - firstWeek) / 7 }

    var weeks: Int { week(day: days - 1) + 1 }

    /// Returns the days at which an axis is named. Two labels do not overlap.
    ///
    /// - Parameter unitsPerDay: the width of a day in the units of the chart.
    func labels(unitsPerDay: Double, width: Double = 52) -> [(day: Int, text: String)] {
        guard !isNumbered else {
            let step = [1, 5, 10, 20, 50, 100, 200, 500, 1_000].first { Double($0) * unitsPerDay >= width } ?? 1_000
            return stride(from: 0, to: days, by: 1).compactMap {
                $0 == 0 || ($0 + 1) % step == 0 ? ($0, String($0 + 1)) : nil
            }.filter { $0.0 == 0 || Double($0.0) * unitsPerDay >= width / 2 }
        }
        if days <= Self.fewWeeks { return weekLabels(unitsPerDay: unitsPerDay, width: width) }
        let step = [1, 2, 3, 6, 12, 24, 60, 120].first { Double($0) * 30 * unitsPerDay >= width } ?? 120
        var labels: [(day: Int, text: String)] = []
        var (year, month) = (first.year, first.month)
        var isFirst = true
        while let start = CivilDate(year: year, month: month, day: 1), start <= last {
            let day = max(0, start.daysSinceEpoch - first.daysSinceEpoch)
            if isFirst || (month - 1) % step == 0 {
                let name = ReportText.month(month)
                let isNamed = isFirst || month == 1 || step >= 12
                if labels.count == 1, Double(day) * unitsPerDay < width + 24 { labels.removeAll() }
                labels.append((day, isNamed || labels.isEmpty ? "\(name) \(year)" : name))
                isFirst = false
            }
            (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
        }
        return labels
    }

    /// Axes up to this number of days name Mondays: names of months would say too little.
    private static let fewWeeks = 62

    /// Returns labels for the first night and for Mondays.
    private func weekLabels(unitsPerDay: Double, width: Double) -> [(day: Int, text: String)] {
        let step = [1, 2, 4].first { Double(7 * $0) * unitsPerDay >= width } ?? 8
        var labels = [(day: 0, text: ReportText.day(first))]
        for day in stride(from: firstWeek + 7, to: days, by: 7 * step) where Double(day) * unitsPerDay >= width {
            labels.append((day, ReportText.day(date(day: day))))
        }
        return labels
    }

    /// The zones of the nights in the order of their first night. The blank zone of a redacted night is left out.
    var zones: [String] {
        var zones: [String] = []
        for night in nights where !night.summary.timeZone.isEmpty && !zones.contains(night.summary.timeZone) {
            zones.append(night.summary.timeZone)
        }
        return zones
    }

    /// Returns a note on the clock of a night: that it was changed, or a zone that is new. Nil without either.
    func clockNote(_ index: Int) -> String? {
        guard !isNumbered else { return nil }
        let night = nights[index]
        let zone = night.summary.timeZone
        if index > 0, zone != nights[index - 1].summary.timeZone {
            return zone.split(separator: "/").last.map { String($0).replacing("_", with: " ") }
        }
        return night.clock.change == 0 ? nil : ReportText.clockChange(minutes: night.clock.change)
    }
}
