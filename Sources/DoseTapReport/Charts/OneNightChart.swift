internal import DoseTapDomain
internal import DoseTapText

/// One night in full: stages or sleep, the window, doses and events.
struct OneNightChart {
    let night: ReportNight
    let name: String
    let stages: [StageSpan]
    let events: [Event]
    private let across: Scale
    private static let (left, right) = (70.0, 880.0)

    /// An entry of the night.
    struct Event: Hashable {
        let type: String
        let at: Instant
    }

    /// The rows of the stages, from the top.
    private static let rows: [ImportedSleep.Stage] = [.awake, .rem, .light, .asleep, .deep]

    init(_ night: ReportNight, name: String, record: NightRecord) {
        self.night = night
        self.name = name
        stages = record.hasStages ? record.stages : []
        events = Self.events(record)
        let moments =
            events.filter { $0.type != EntityType.checkin.rawValue }.map { night.clock.elapsed($0.at) }
            + night.asleep.flatMap { [$0.lowerBound, $0.upperBound] }
        let (least, most) = (moments.min() ?? 0, moments.max() ?? 720)
        // A nap on the next afternoon belongs to the chart of all nights, not to this picture.
        let end = min(most, least + 960)
        across = Scale((least - 15)...(max(end, least + 60) + 15), from: Self.left, to: Self.right)
    }

    /// Returns the index of the night to show: the newest with stages, else the newest with a dose 1.
    static func chosen(_ records: [NightRecord]) -> Int? {
        records.lastIndex { $0.hasStages } ?? records.lastIndex { $0.summary.dose1 != nil }
    }

    private static func events(_ record: NightRecord) -> [Event] {
        let own: Set<String> = [EntityType.preSleep, .medication, .regimen, .inventory, .sleepRecord].reduce(into: []) {
            $0.insert($1.rawValue)
        }
        return record.entries.filter { !own.contains($0.type) && !record.isSuperseded($0) }.map {
            Event(type: $0.type, at: $0.timestamp)
        }
    }

    private func x(_ instant: Instant) -> Double { across.place(night.clock.elapsed(instant)) }
    private func isInside(_ instant: Instant) -> Bool { across.values.contains(night.clock.elapsed(instant)) }

    func draw(_ page: inout Markup) {
        let words = words
        page.picture(
            "night", height: 172 + 15 * Double(words.map(\.row).max() ?? 0), title: ReportText.oneNightTitle(name),
            description: ReportText.oneNightDescription
        ) { svg in
            window(&svg)
            axes(&svg)
            if stages.isEmpty { sleep(&svg) } else { steps(&svg) }
            doses(&svg)
            marks(&svg, words)
        }
    }

    private func window(_ svg: inout Markup) {
        guard let dose1 = night.summary.dose1, !night.isOnceNightly else { return }
        let (opens, closes) = (dose1 + DoseWindow.opens, dose1 + DoseWindow.closes)
        guard isInside(opens), isInside(closes) else { return }
        svg.group(.band) {
            $0.shape("rect", ["x": x(opens), "y": 20, "width": x(closes) - x(opens), "height": 104])
        }
        svg.label(
            x(opens), 14, ReportText.window(night.clock.clock(Moments.roundedUp(opens)), night.clock.clock(closes)))
    }

    private func axes(_ svg: inout Markup) {
        let first = (across.values.lowerBound / 60).rounded(.up)
        let hours = stride(from: first * 60, through: across.values.upperBound, by: 60)
        svg.group(.grid) { svg in
            svg.shape("line", ["x1": Self.left, "x2": Self.right, "y1": 128, "y2": 128])
            for minutes in hours {
                svg.tickUp(Chart.number(minutes), across.place(minutes), from: 128, to: 133)
            }
        }
        let step = (across.values.upperBound - across.values.lowerBound) > 900 ? 2 : 1
        for (place, minutes) in hours.enumerated() where place % step == 0 {
            let at = night.clock.origin + .milliseconds(Int64(minutes * 60_000))
            svg.label(across.place(minutes), 146, night.clock.clock(at), anchor: "middle")
        }
    }

    private func steps(_ svg: inout Markup) {
        let kinds = Set(stages.map(\.stage))
        let shown = Self.rows.filter { kinds.contains($0) }
        let up = Scale(0...Double(max(1, shown.count - 1)), from: 36, to: 104)
        for (row, stage) in shown.enumerated() {
            svg.label(Self.left - 8, up.place(Double(row)) + 4, ReportText.stage(stage), anchor: "end")
        }
        var (path, last): (String, Double?) = ("", nil)
        var marks: [(stage: StageSpan, y: Double)] = []
        for span in stages {
            guard let row = shown.firstIndex(of: span.stage), isInside(span.start), isInside(span.end) else {
                last = nil
                continue
            }
            let (y, from) = (up.place(Double(row)), Chart.number(x(span.start)))
            path += last.map { $0 == x(span.start) } ?? false ? "V\(Chart.number(y))" : "M\(from) \(Chart.number(y))"
            path += "H\(Chart.number(x(span.end)))"
            last = x(span.end)
            marks.append((span, y))
        }
        svg.group(.stage) { $0.shape("path", ["d": path]) }
        // Bars along the steps: each stage is a mark of its own.
        svg.group(.recorded) { svg in
            for (span, y) in marks {
                svg.shape(
                    "rect",
                    [
                        "data-night": night.key, "data-mark": "stage-\(span.stage.rawValue)", "x": x(span.start),
                        "y": y - 2, "width": max(0.6, x(span.end) - x(span.start)), "height": 4,
                    ])
            }
        }
    }

    private func sleep(_ svg: inout Markup) {
        guard !night.asleep.isEmpty else { return }
        svg.label(Self.left - 8, 74, ReportText.stage(.asleep), anchor: "end")
        svg.group(night.sleepSource == .diary ? .sleep : .recorded) { svg in
            for span in night.asleep where across.values.contains(span.lowerBound) {
                let start = across.place(span.lowerBound)
                svg.shape(
                    "rect",
                    [
                        "data-night": night.key, "data-mark": "asleep", "x": start, "y": 64,
                        "width": max(0.6, across.place(across.held(span.upperBound)) - start), "height": 12,
                    ])
            }
        }
    }

    private func doses(_ svg: inout Markup) {
        svg.group(.dose2) { svg in
            for dose in night.doses where dose.kind != .dose1 && isInside(dose.at) {
                svg.shape("line", ["x1": x(dose.at), "x2": x(dose.at), "y1": 20, "y2": 128])
                let mark = dose.kind == .dose2 ? "dose2" : "extra_dose"
                svg.mark(night.key, mark, x(dose.at), 128, "M0-5v10")
            }
        }
        for dose in night.doses where dose.kind == .dose1 && isInside(dose.at) {
            svg.element("g", ["class": "b1", "stroke": "#1f5f8b", "stroke-width": 1.4]) {
                $0.shape("line", ["x1": x(dose.at), "x2": x(dose.at), "y1": 20, "y2": 128])
            }
            svg.group(.dose1) { $0.dot(night.key, "dose1", x(dose.at), 128, 4.5) }
        }
    }

    /// A word below the axis. Rows keep the words apart.
    private struct Word {
        let text: String
        let place: Double
        let start: Double
        /// True at the right edge: the word ends at its place.
        let endsThere: Bool
        let row: Int
    }

    private var words: [Word] {
        var free = Array(repeating: 0.0, count: 6)
        return events.filter { $0.type != EntityType.checkin.rawValue && isInside($0.at) }.compactMap { event in
            let text = word(event)
            let width = Double(text.count) * 6.6 + 10
            let place = x(event.at)
            let endsThere = place + width > Self.right + 40
            let start = endsThere ? place - width + 6 : place - 2
            guard let row = free.firstIndex(where: { $0 <= start }) else { return nil }
            free[row] = start + width
            return Word(text: text, place: place, start: start, endsThere: endsThere, row: row)
        }
    }

    private func marks(_ svg: inout Markup, _ words: [Word]) {
        for word in words {
            svg.group(.grid) { $0.shape("line", ["x1": word.place, "x2": word.place, "y1": 133, "y2": 137]) }
            svg.label(
                word.endsThere ? word.place + 2 : word.start, 162 + Double(word.row) * 15, word.text,
                anchor: word.endsThere ? "end" : nil)
        }
    }

    private func word(_ event: Event) -> String {
        let clock = night.clock.clock(event.at)
        if event.type == DoseKind.dose2.rawValue, let minutes = night.summary.intervalMinutes, minutes >= 0 {
            return "\(clock) \(ReportText.dose2After(minutes: Int(minutes)))"
        }
        return "\(clock) \(ReportText.entry(event.type))"
    }
}
