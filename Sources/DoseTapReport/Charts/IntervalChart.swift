internal import DoseTapDomain
internal import DoseTapText

/// Minutes from dose 1 to dose 2, night by night.
struct IntervalChart {
    private let nights: NightSeries
    private let across: Scale
    private let up: Scale
    /// The number of nights around each point of the median line, and the fewest nights for which the line is drawn.
    private static let span = 15
    private static let (left, right, top, bottom) = (44.0, 810.0, 14.0, 204.0)
    private static let strip = 222.0

    /// - Returns: nil if no night has an interval or misses one.
    init?(_ nights: NightSeries) {
        guard nights.nights.contains(where: { $0.interval != nil || Self.strip($0) != nil }) else { return nil }
        self.nights = nights
        let known = nights.nights.compactMap(\.interval).filter { $0 >= 0 }
        up = Scale(
            Scale.range(known + [120, 270], step: 30, within: 0...360), from: Self.bottom, to: Self.top)
        across = Scale(
            -0.5...(Double(nights.days) - 0.5), from: Self.left, to: Self.right)
    }

    func draw(_ page: inout Markup) {
        let intervals = nights.nights.compactMap(\.interval).filter { $0 >= 0 }
        let counted = nights.nights.compactMap(\.countedInterval)
        let inside = nights.nights.count { $0.outcome == .onTime }
        page.picture(
            "interval", height: 256, title: ReportText.intervalTitle,
            description: ReportText.intervalDescription(
                inside: inside, of: intervals.count, median: Quartiles(counted)?.median)
        ) { svg in
            axes(&svg)
            var labels = [
                (up.place(150), ReportText.windowOpens), (up.place(240), ReportText.windowCloses),
                (Self.strip, ReportText.withoutDose2Strip),
            ]
            targets(&svg, &labels)
            median(&svg, &labels)
            marks(&svg)
            if intervals.contains(where: { $0 > up.values.upperBound }) {
                labels.append((Self.top, ReportText.beyond(Int(up.values.upperBound))))
            }
            for label in Chart.apart(labels.map { (y: $0.0, text: $0.1) }) {
                svg.label(Self.right + 8, label.y + 4, label.text)
            }
        }
    }

    private func x(_ night: ReportNight) -> Double { across.place(Double(night.day)) }

    private func axes(_ svg: inout Markup) {
        let height = abs(up.place(240) - up.place(150))
        svg.group(.band) {
            $0.shape(
                "rect", ["x": Self.left, "y": up.place(240), "width": Self.right - Self.left, "height": height])
        }
        svg.group(.grid) { svg in
            for value in up.ticks(every: 30) where value != 150 && value != 240 {
                svg.tickAcross(Chart.number(value), up.place(value), from: Self.left, to: Self.left + 4)
            }
            svg.shape("line", ["x1": Self.left, "x2": Self.right, "y1": 210, "y2": 210])
            for label in nights.labels(unitsPerDay: across.place(1) - across.place(0)) {
                let place = across.place(Double(label.day))
                svg.tickUp(nights.key(day: label.day), place, from: Self.top, to: 232)
            }
            if nights.days > 1 {
                let end = across.place(Double(nights.days - 1))
                svg.tickUp(nights.key(day: nights.days - 1), end, from: 210, to: 214)
            }
        }
        svg.group(.edge) { svg in
            for value in [150.0, 240] {
                svg.tickAcross(Chart.number(value), up.place(value), from: Self.left, to: Self.right)
            }
        }
        for value in up.ticks(every: 30) {
            svg.label(Self.left - 8, up.place(value) + 4, Chart.number(value), anchor: "end")
        }
        for label in nights.labels(unitsPerDay: across.place(1) - across.place(0)) {
            svg.label(across.place(Double(label.day)) - 2, 248, label.text)
        }
    }

    /// Draws the target of each stretch of nights with the same target.
    private func targets(_ svg: inout Markup, _ labels: inout [(Double, String)]) {
        var stretches: [(minutes: Int, from: Int, until: Int)] = []
        for night in nights.nights where !night.isOnceNightly {
            guard let minutes = night.targetMinutes else { continue }
            if let last = stretches.last, last.minutes == minutes {
                stretches[stretches.count - 1].until = night.day
            } else {
                stretches.append((minutes, night.day, night.day))
            }
        }
        svg.group(.target) { svg in
            for stretch in stretches {
                let y = up.place(up.held(Double(stretch.minutes)))
                svg.shape(
                    "line",
                    [
                        "data-mark": "target", "data-value": stretch.minutes,
                        "x1": across.place(Double(stretch.from) - 0.5), "x2": across.place(Double(stretch.until) + 0.5),
                        "y1": y, "y2": y,
                    ])
            }
        }
        guard let last = stretches.last else { return }
        labels.append((up.place(up.held(Double(last.minutes))), ReportText.target(last.minutes)))
    }

    /// Draws the median of the nights around each night, if there are enough nights.
    private func median(_ svg: inout Markup, _ labels: inout [(Double, String)]) {
        let known = nights.nights.filter { $0.interval.map { $0 >= 0 } ?? false }
        guard known.count >= Self.span else { return }
        let places = known.indices.map { index -> (x: Double, y: Double) in
            let around = known[max(0, index - Self.span / 2)...min(known.count - 1, index + Self.span / 2)]
            let middle = Quartiles(around.compactMap(\.interval))?.median ?? 0
            return (x(known[index]), up.place(up.held(middle)))
        }
        svg.group(.median) { $0.line(places) }
        labels.append((places[places.count - 1].y, ReportText.median15))
    }

    private func marks(_ svg: inout Markup) {
        let radius = min(3, max(1.4, (across.place(1) - across.place(0)) * 0.42))
        let size = radius + 1.6
        svg.group(.onTime) { svg in
            for night in nights.nights where night.outcome == .onTime {
                guard let y = y(night) else { continue }
                svg.dot(night.key, "on_time", x(night), y, radius)
            }
        }
        let n = Chart.number(size)
        svg.group(.off) { svg in
            for night in nights.nights where night.outcome == .late {
                guard let y = y(night) else { continue }
                svg.mark(night.key, "late", x(night), y, "M0-\(n)l\(n) \(n)-\(n) \(n)-\(n)-\(n)z")
            }
            for night in nights.nights where night.outcome == .early {
                guard let y = y(night) else { continue }
                svg.mark(night.key, "early", x(night), y, "M0-\(n)L\(n) \(n)H-\(n)z")
            }
        }
        svg.group(.offLine) { svg in
            for night in nights.nights {
                guard let form = Self.strip(night) else { continue }
                svg.mark(night.key, form.mark, x(night), Self.strip, form.path)
            }
        }
    }

    /// Returns the y of an interval; an interval beyond the axis lies at its edge.
    private func y(_ night: ReportNight) -> Double? { night.interval.map { up.place(up.held($0)) } }

    /// Returns the mark of a night without an interval.
    private static func strip(_ night: ReportNight) -> (mark: String, path: String)? {
        switch night.outcome {
        case .notRecorded: ("not_recorded", "M-3.5-3.5l7 7m0-7l-7 7")
        case .skipped: ("skipped", "M-4 0h8")
        case .anomaly: ("anomaly", "M-3-3h6v6h-6z")
        default: nil
        }
    }
}
