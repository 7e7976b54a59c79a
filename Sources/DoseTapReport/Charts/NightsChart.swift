internal import DoseTapDomain
internal import DoseTapText

/// One row for each night, 18:00 to 18:00: sleep, doses and naps.
struct NightsChart {
    private let nights: NightSeries
    private let across = Scale(0...1_440, from: 64, to: 800)
    /// Height of a row.
    private let row: Double
    private static let top = 26.0

    init(_ nights: NightSeries) {
        self.nights = nights
        row = min(6, max(2, 600 / Double(nights.days)))
    }

    /// The number of moments outside the row, whose marks are not drawn.
    var outside: Int { nights.nights.map { night in Self.moments(night).count { !isInside($0) } }.reduce(0, +) }

    func draw(_ page: inout Markup) {
        let bottom = Self.top + row * Double(nights.days)
        page.picture(
            "nights", height: bottom + 34, title: ReportText.nightsTitle,
            description: ReportText.nightsDescription
        ) { svg in
            axes(&svg, bottom)
            let recorded = nights.nights.filter { $0.sleepSource == .recorded }
            let diary = nights.nights.filter { $0.sleepSource == .diary }
            svg.group(.sleep) { bars(&$0, diary, "asleep") { $0.asleep } }
            svg.group(.recorded) { bars(&$0, recorded, "asleep") { $0.asleep } }
            svg.group(.nap) { bars(&$0, nights.nights, "nap") { $0.naps } }
            doses(&svg)
            notes(&svg)
            key(&svg, bottom + 26, hasDiary: !diary.isEmpty, hasRecorded: !recorded.isEmpty)
        }
    }

    private func y(_ night: ReportNight) -> Double { Self.top + row * (Double(night.day) + 0.5) }

    private func isInside(_ minutes: Double) -> Bool { across.values.contains(minutes) }

    private static func moments(_ night: ReportNight) -> [Double] {
        (night.asleep + night.naps).flatMap { [$0.lowerBound, $0.upperBound] }
            + night.doses.map { night.clock.elapsed($0.at) }
    }

    private func axes(_ svg: inout Markup, _ bottom: Double) {
        svg.group(.grid) { svg in
            svg.hourTicks(across, from: Self.top, to: bottom)
            for label in nights.labels(unitsPerDay: row, width: 16) {
                let y = Self.top + row * (Double(label.day) + 0.5)
                svg.tickAcross(nights.key(day: label.day), y, from: 56, to: 62)
            }
            if nights.days > 1 {
                let y = Self.top + row * (Double(nights.days) - 0.5)
                svg.tickAcross(nights.key(day: nights.days - 1), y, from: 60, to: 62)
            }
        }
        svg.hourLabels(across, Self.top - 8)
        for label in nights.labels(unitsPerDay: row, width: 16) {
            svg.label(0, Self.top + row * (Double(label.day) + 0.5) + 4, label.text)
        }
    }

    private func bars(
        _ svg: inout Markup, _ nights: [ReportNight], _ mark: String,
        _ spans: (ReportNight) -> [ClosedRange<Double>]
    ) {
        let height = max(1.4, row - 1)
        for night in nights {
            for span in spans(night) where isInside(span.lowerBound) && isInside(span.upperBound) {
                let start = across.place(span.lowerBound)
                svg.shape(
                    "rect",
                    [
                        "data-night": night.key, "data-mark": mark, "x": start, "y": y(night) - height / 2,
                        "width": max(0.6, across.place(span.upperBound) - start), "height": height,
                    ])
            }
        }
    }

    private func doses(_ svg: inout Markup) {
        let radius = min(2.4, max(1.2, row * 0.4))
        let half = max(1.6, row * 0.5)
        svg.group(.dose1) { each(.dose1, &$0) { $0.dot($1.key, "dose1", $2, y($1), radius) } }
        let stroke = "M0-\(Chart.number(half))v\(Chart.number(2 * half))"
        svg.element("g", ["aria-hidden": "true"]) { svg in
            svg.group(.halo) { svg in
                each(.dose2, &svg) { svg, night, x in
                    svg.shape("line", ["x1": x, "x2": x, "y1": y(night) - half, "y2": y(night) + half])
                }
            }
        }
        svg.group(.dose2) { each(.dose2, &$0) { $0.mark($1.key, "dose2", $2, y($1), stroke) } }
        svg.group(.off) { svg in
            each(.extra, &svg) { svg, night, x in
                let (half, whole) = (Chart.number(max(1.6, row * 0.4)), Chart.number(2 * max(1.6, row * 0.4)))
                svg.mark(
                    night.key, "extra_dose", x, y(night), "M-\(half)-\(half)h\(whole)v\(whole)h-\(whole)z")
            }
        }
    }

    private func each(
        _ kind: DoseKind, _ svg: inout Markup, _ draw: (inout Markup, ReportNight, Double) -> Void
    ) {
        for night in nights.nights {
            for dose in night.doses where dose.kind == kind {
                let minutes = night.clock.elapsed(dose.at)
                if isInside(minutes) { draw(&svg, night, across.place(minutes)) }
            }
        }
    }

    /// Draws clock changes and new zones, as far as there is room.
    private func notes(_ svg: inout Markup) {
        var free = 0.0
        for (index, night) in nights.nights.enumerated() {
            guard let note = nights.clockNote(index) else { continue }
            svg.group(.grid) { $0.shape("line", ["x1": 802, "x2": 808, "y1": y(night), "y2": y(night)]) }
            guard y(night) >= free else { continue }
            svg.label(812, y(night) + 4, note)
            free = y(night) + 13
        }
    }

    /// Draws the legend: each mark in its own form with its name.
    private func key(_ svg: inout Markup, _ y: Double, hasDiary: Bool, hasRecorded: Bool) {
        var x = 64.0
        func word(_ svg: inout Markup, _ text: String, _ width: Double) {
            svg.label(x + 14, y, text)
            x += 14 + width
        }
        func bar(_ svg: inout Markup, _ style: Chart.Style, _ text: String, _ width: Double) {
            svg.group(style) { $0.shape("rect", ["x": x - 8, "y": y - 7, "width": 18, "height": 5]) }
            word(&svg, text, width)
        }
        svg.group(.dose1) { $0.shape("circle", ["cx": x, "cy": y - 4, "r": 3]) }
        word(&svg, ReportText.dose1, 62)
        if nights.nights.contains(where: { $0.doses.contains { $0.kind == .dose2 } }) {
            svg.group(.dose2) { $0.shape("line", ["x1": x, "x2": x, "y1": y - 9, "y2": y + 1]) }
            word(&svg, ReportText.dose2, 66)
        }
        if nights.nights.contains(where: { $0.doses.contains { $0.kind == .extra } }) {
            svg.group(.off) { $0.shape("rect", ["x": x - 3, "y": y - 7, "width": 6, "height": 6]) }
            word(&svg, ReportText.extraDose, 86)
        }
        if hasDiary { bar(&svg, .sleep, ReportText.asleepByDiary, 106) }
        if hasRecorded { bar(&svg, .recorded, ReportText.asleepByDevice, 128) }
        if nights.nights.contains(where: { !$0.naps.isEmpty }) { bar(&svg, .nap, ReportText.nap, 40) }
    }
}
