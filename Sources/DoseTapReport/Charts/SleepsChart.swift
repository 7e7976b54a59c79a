internal import DoseTapDomain
internal import DoseTapText

/// Recorded sleep that belongs to no night: one row for each date, 18:00 to 18:00.
struct SleepsChart {
    private let sleeps: [LooseSleeps.Sleep]
    private let first: CivilDate
    private let days: Int
    private let across = Scale(0...1_440, from: 64, to: 800)
    private let row: Double
    private static let top = 26.0
    /// The longest stretch of dates for a chart, about ten years. A longer one is shown in the table alone.
    private static let mostDays = 3_660

    /// - Returns: nil without a sleep, or if the dates lie too far apart.
    init?(_ sleeps: [LooseSleeps.Sleep]) {
        let dates = sleeps.map(\.evening)
        guard let first = dates.min(), let last = dates.max() else { return nil }
        let days = last.daysSinceEpoch - first.daysSinceEpoch + 1
        guard days <= Self.mostDays else { return nil }
        (self.sleeps, self.first, self.days) = (sleeps, first, days)
        row = min(6, max(2, 600 / Double(days)))
    }

    func draw(_ page: inout Markup) {
        let bottom = Self.top + row * Double(days)
        page.picture(
            "sleeps", height: bottom + 8, title: ReportText.looseSleepsTitle,
            description: ReportText.looseSleepsDescription
        ) { svg in
            axes(&svg, bottom)
            let height = max(1.4, row - 1)
            svg.group(.recorded) { svg in
                for sleep in sleeps {
                    let span = sleep.minutes
                    guard span.lowerBound < across.values.upperBound else { continue }
                    let (start, end) = (across.place(span.lowerBound), across.place(across.held(span.upperBound)))
                    svg.shape(
                        "rect",
                        [
                            "data-night": sleep.evening.iso8601, "data-mark": "sleep", "x": start,
                            "y": y(day: sleep.evening.daysSinceEpoch - first.daysSinceEpoch) - height / 2,
                            "width": max(0.6, end - start), "height": height,
                        ])
                }
            }
        }
    }

    private func y(day: Int) -> Double { Self.top + row * (Double(day) + 0.5) }

    private func axes(_ svg: inout Markup, _ bottom: Double) {
        // As many names as the room allows, including the first and the last day.
        let step = max(1, Int((16 / row).rounded(.up)))
        let named = stride(from: 0, to: days, by: step).filter { $0 == 0 || days - 1 - $0 >= step } + [days - 1]
        svg.group(.grid) { svg in
            svg.hourTicks(across, from: Self.top, to: bottom)
            for day in Set(named).sorted() {
                svg.tickAcross(first.adding(days: day).iso8601, y(day: day), from: 56, to: 62)
            }
        }
        svg.hourLabels(across, Self.top - 8)
        for day in Set(named).sorted() { svg.label(0, y(day: day) + 4, ReportText.day(first.adding(days: day))) }
    }
}
