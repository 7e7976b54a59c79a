internal import DoseTapDomain
internal import DoseTapText

/// A small chart of one measure: a dot for each night, and the median of each week.
struct WeekChart {
    private let nights: NightSeries
    private let measure: ReportText.Measure
    /// The nights that have a value, in the unit of the axis.
    private let values: [(night: ReportNight, value: Double)]
    private let across: Scale
    private static let (left, right, top, bottom) = (6.0, 216.0, 30.0, 104.0)
    /// Fewest nights for the median of a week.
    private static let fewest = 3

    /// - Returns: nil if no night has a value.
    init?(_ nights: NightSeries, _ measure: ReportText.Measure) {
        values = nights.nights.compactMap { night in Self.value(night, measure).map { (night, $0) } }
        guard !values.isEmpty else { return nil }
        self.nights = nights
        self.measure = measure
        across = Scale(-0.5...(Double(nights.days) - 0.5), from: Self.left, to: Self.right)
    }

    private static func value(_ night: ReportNight, _ measure: ReportText.Measure) -> Double? {
        let (diary, recorded) = (night.measured.sleep, night.measured.recorded?.measures)
        func hours(_ minutes: Int?) -> Double? { minutes.map { Double($0) / 60 } }
        func plain(_ value: Int?) -> Double? { value.map { Double($0) } }
        return switch measure {
        case .score: plain(night.summary.nightScore)
        case .rested: plain(night.rested)
        case .asleep: hours(diary.totalSleepMinutes)
        case .awake: plain(diary.wakeAfterSleepOnsetMinutes)
        case .efficiency: plain(diary.sleepEfficiencyPercent)
        case .recordedAsleep: hours(recorded?.totalSleepMinutes)
        case .recordedAwake: plain(recorded?.wakeAfterSleepOnsetMinutes)
        case .recordedEfficiency: plain(recorded?.sleepEfficiencyPercent)
        case .naps: plain(night.napMinutes)
        }
    }

    private func range(_ shown: [Double]) -> ClosedRange<Double> {
        switch measure {
        case .score: Scale.range(shown, step: 10, within: 0...100)
        case .rested: 1...5
        case .asleep, .recordedAsleep: Scale.range(shown, step: 1, within: 0...24)
        case .awake, .recordedAwake: Scale.range(shown + [0], step: 30, within: 0...1_440)
        case .efficiency, .recordedEfficiency: Scale.range(shown, step: 10, within: 0...100)
        case .naps: Scale.range(shown + [0], step: 30, within: 0...10_080)
        }
    }

    /// The medians of the weeks with enough nights; for naps the sum of each week.
    private var weeks: [(week: Int, value: Double)] {
        Dictionary(grouping: values) { nights.week(day: $0.night.day) }.sorted { $0.key < $1.key }
            .compactMap { week, values in
                if measure == .naps { return (week, values.map(\.value).reduce(0, +)) }
                guard values.count >= Self.fewest else { return nil }
                return Quartiles(values.map(\.value)).map { (week, $0.median) }
            }
    }

    /// True if the chart shows more than single nights.
    var hasCourse: Bool { measure != .naps && !weeks.isEmpty }

    /// Returns the middle of a week, in days.
    private func middle(week: Int) -> Double { Double(nights.firstWeek + week * 7) + 3 }

    func draw(_ page: inout Markup) {
        let weeks = weeks
        let isBars = measure == .naps
        let range = range(isBars ? weeks.map(\.value) : values.map(\.value))
        let up = Scale(range, from: Self.bottom, to: Self.top)
        page.picture(
            "weeks-\(measure.rawValue)", width: 280, height: 124, class: "s", title: ReportText.heading(measure),
            description: ReportText.weekDescription(
                measure, nights: values.count, first: weeks.first.map { Figure.pointed(Chart.number($0.value)) },
                last: weeks.last.map { Figure.pointed(Chart.number($0.value)) })
        ) { svg in
            svg.figure(Self.left, 14, ReportText.heading(measure), size: 13)
            axes(&svg, up)
            if isBars { bars(&svg, up, weeks) } else { dots(&svg, up, weeks) }
            if let last = weeks.last {
                svg.figure(224, up.place(up.held(last.value)) + 4, Figure.pointed(Chart.number(last.value)))
            }
            svg.label(
                Self.left, 120,
                ReportText.range(
                    measure, Figure.pointed(Chart.number(range.lowerBound)),
                    Figure.pointed(Chart.number(range.upperBound))))
        }
    }

    private func axes(_ svg: inout Markup, _ up: Scale) {
        svg.group(.grid) { svg in
            for value in [up.values.lowerBound, up.values.upperBound] {
                svg.tickAcross(Chart.number(value), up.place(value), from: Self.left, to: Self.right)
            }
            for day in Set([0, nights.days - 1]).sorted() {
                svg.tickUp(
                    nights.key(day: day), across.place(Double(day)), from: Self.bottom, to: Self.bottom + 3)
            }
        }
    }

    private func dots(_ svg: inout Markup, _ up: Scale, _ weeks: [(week: Int, value: Double)]) {
        let radius = nights.days > 200 ? 1.0 : 1.6
        svg.group(.point) { svg in
            for (night, value) in values {
                svg.dot(night.key, measure.rawValue, across.place(Double(night.day)), up.place(up.held(value)), radius)
            }
        }
        let places = weeks.map { (x: across.place(across.held(middle(week: $0.week))), y: up.place(up.held($0.value))) }
        svg.group(.median) { $0.line(places) }
        if let last = places.last {
            svg.group(.onTime) { $0.shape("circle", ["cx": last.x, "cy": last.y, "r": 3]) }
        }
    }

    private func bars(_ svg: inout Markup, _ up: Scale, _ weeks: [(week: Int, value: Double)]) {
        svg.group(.nap) { svg in
            for (week, value) in weeks {
                let start = nights.firstWeek + week * 7
                let (from, until) = (max(0, start), min(nights.days, start + 7))
                let x = across.place(Double(from) - 0.5)
                let width = max(0.8, across.place(Double(until) - 0.5) - x - min(2, 70 / Double(nights.weeks)))
                svg.shape(
                    "rect",
                    [
                        "data-week": nights.key(day: from), "data-mark": measure.rawValue, "x": x,
                        "y": up.place(up.held(value)), "width": width,
                        "height": Self.bottom - up.place(up.held(value)),
                    ])
            }
        }
    }
}
