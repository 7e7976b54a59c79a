internal import DoseTapDomain
internal import DoseTapText

/// The outcome of every night: a column for each week, a row for each weekday.
struct OutcomeChart {
    private let nights: NightSeries
    /// One night for each date: a judged one, else one with a dose 1, else the first. Entries by day are no night.
    private let shown: [ReportNight]
    /// Width of a column, and the number of columns side by side.
    private let pitch: Double
    private let columns: Int
    private static let left = 40.0
    private static let top = 21.0

    init(_ nights: NightSeries) {
        self.nights = nights
        func rank(_ night: ReportNight) -> Int {
            night.outcome?.isJudged == true ? 0 : night.summary.dose1 != nil ? 1 : 2
        }
        var best: [Int: ReportNight] = [:]
        for night in nights.nights where night.isNight {
            if let other = best[night.day], rank(other) <= rank(night) { continue }
            best[night.day] = night
        }
        shown = best.values.sorted { $0.day < $1.day }
        (pitch, columns) = nights.weeks <= 26 ? (21, 26) : (14, 40)
    }

    private var bands: Int { (nights.weeks + columns - 1) / columns }
    private var band: Double { 7 * pitch + 30 }

    /// Outcomes with the number of nights, and the days without a record.
    private var counts: [(outcome: NightOutcome?, text: String, count: Int)] {
        let outcomes = NightOutcome.allCases.compactMap { outcome in
            let count = shown.count { $0.outcome == outcome }
            return count > 0 || outcome == .onTime && shown.contains { !$0.isOnceNightly }
                ? (outcome as NightOutcome?, ReportText.outcome(outcome), count) : nil
        }
        let unknown = shown.count { $0.outcome == nil }
        let gaps = nights.days - shown.count
        let others = nights.nights.count(where: \.isNight) - shown.count
        return outcomes + (unknown > 0 ? [(nil, ReportText.nothingKnown, unknown)] : [])
            + (gaps > 0 ? [(nil, ReportText.noRecord, gaps)] : [])
            + (others > 0 ? [(nil, ReportText.other, others)] : [])
    }

    func draw(_ page: inout Markup) {
        let counts = counts
        let height = max(Double(bands) * band + 8, Self.top + Double(counts.count) * 21 + 8)
        page.picture(
            "every-night", height: height,
            title: nights.isNumbered ? ReportText.everyTitleNumbered : ReportText.everyTitle,
            description: ReportText.counts(counts.map { ($0.text, $0.count) })
        ) { svg in
            axes(&svg)
            let filled = shown.filter { Self.isFilled($0.outcome) }
            svg.group(.onTime) { svg in
                for night in filled { mark(&svg, night.key, night.outcome, place(day: night.day), pitch - 4) }
            }
            svg.group(.off) { svg in
                for night in shown where !Self.isFilled(night.outcome) {
                    mark(&svg, night.key, night.outcome, place(day: night.day), pitch - 4)
                }
            }
            let known = Set(shown.map(\.day))
            svg.group(.weekend) { svg in
                for day in 0..<nights.days where !known.contains(day) {
                    let place = place(day: day)
                    svg.shape("circle", ["cx": place.x + pitch / 2 - 2, "cy": place.y + pitch / 2 - 2, "r": 1.2])
                }
            }
            key(&svg, counts)
        }
    }

    private func place(day: Int) -> (x: Double, y: Double) {
        let week = nights.week(day: day)
        let row = day - nights.firstWeek - week * 7
        return (
            Self.left + Double(week % columns) * pitch,
            Self.top + Double(week / columns) * band + Double(row) * pitch
        )
    }

    private func axes(_ svg: inout Markup) {
        if !nights.isNumbered {
            for band in 0..<bands {
                for row in stride(from: 0, to: 7, by: 2) {
                    let y = Self.top + Double(band) * self.band + Double(row) * pitch
                    let name = Weekday.allCases[row].short
                    svg.label(0, y + pitch / 2 + 2, name)
                }
            }
        }
        var free = Array(repeating: 0.0, count: bands)
        for label in nights.labels(unitsPerDay: pitch / 7, width: 40) {
            let place = place(day: label.day)
            let band = nights.week(day: label.day) / columns
            guard place.x >= free[band] else { continue }
            svg.label(place.x, Self.top + Double(band) * self.band - 7, label.text)
            free[band] = place.x + (label.text.count > 4 ? 64 : 34)
        }
    }

    private static func isFilled(_ outcome: NightOutcome?) -> Bool { outcome == .onTime || outcome == .onceNightly }

    private func mark(
        _ svg: inout Markup, _ night: String?, _ outcome: NightOutcome?, _ place: (x: Double, y: Double), _ size: Double
    ) {
        let (s, t) = (Chart.number(size), Chart.number(size - 6))
        let box = "M0 0h\(s)v\(s)h-\(s)z"
        let form =
            switch outcome {
            case .onTime, .onceNightly: box
            case .late: "\(box)M3 \(Chart.number(size - 3))l\(t)-\(t)"
            case .early: "\(box)M3 3l\(t) \(t)"
            case .skipped: "\(box)M3 \(Chart.number(size / 2))h\(t)"
            case .notRecorded: "\(box)M3 3l\(t) \(t)m0-\(t)l-\(t) \(t)"
            case .pending: "\(box)M\(Chart.number(size / 2)) \(Chart.number(size / 2))h0.1"
            case .noDose1: "\(box)M\(Chart.number(size / 2)) 3v\(t)"
            case .anomaly, nil: "\(box)M\(Chart.number(size / 2)) 3v\(t)M3 \(Chart.number(size / 2))h\(t)"
            }
        svg.shape(
            "path",
            [
                "data-night": night, "data-mark": night == nil ? nil : outcome?.rawValue ?? "unknown",
                "transform": "translate(\(Chart.number(place.x)) \(Chart.number(place.y)))", "d": form,
            ])
    }

    /// Draws the counts, each beside its mark.
    private func key(_ svg: inout Markup, _ counts: [(outcome: NightOutcome?, text: String, count: Int)]) {
        let x = Self.left + Double(min(columns, nights.weeks)) * pitch + 40
        for (row, entry) in counts.enumerated() {
            let y = Self.top + Double(row) * 21
            if let outcome = entry.outcome {
                svg.group(Self.isFilled(outcome) ? .onTime : .off) { mark(&$0, nil, outcome, (x, y), 17) }
            } else {
                svg.group(.weekend) { $0.shape("circle", ["cx": x + 8.5, "cy": y + 8.5, "r": 1.2]) }
            }
            svg.label(x + 28, y + 13, entry.text)
            svg.figure(x + 190, y + 13, "\(entry.count)", anchor: "end")
        }
    }
}
