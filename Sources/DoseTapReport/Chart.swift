/// The common parts of all charts: scales, colours, labels.
enum Chart {
    /// Width of a wide chart, in the units of its view box.
    static let width = 920.0

    /// Returns a number to a tenth; a whole number has no decimal place.
    static func number(_ value: Double) -> String {
        let tenths = whole(value * 10)
        guard tenths % 10 != 0 else { return String(tenths / 10) }
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    /// Returns the nearest whole number, at most 1e15 on either side of 0. NaN becomes 0.
    static func whole(_ value: Double) -> Int {
        let most = 1e15
        return value.isNaN ? 0 : Int(min(most, max(-most, value)).rounded())
    }

    /// Returns a number to a thousandth, as table cells have it.
    static func exact(_ value: Double) -> String {
        let thousandths = whole(value * 1_000)
        guard thousandths % 1_000 != 0 else { return String(thousandths / 1_000) }
        var digits = String(abs(thousandths) % 1_000 + 1_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(thousandths < 0 ? "-" : "")\(abs(thousandths) / 1_000).\(digits)"
    }

    /// A style of marks. WeasyPrint draws by the attributes; a dark screen recolours by the class.
    enum Style {
        case band, grid, edge, median, target, onTime, off, offLine, sleep, recorded, nap, halo, dose1, dose2, point
        case stage, weekend

        var attributes: Markup.Attributes {
            switch self {
            case .band: ["class": "band", "fill": "#e4ece6"]
            case .grid: ["class": "grid", "stroke": "#d9d5ca", "stroke-width": 1]
            case .edge: ["class": "edge", "stroke": "#5f7d68", "stroke-width": 1]
            case .median: ["class": "med", "fill": "none", "stroke": "#1c1f23", "stroke-width": 1.4]
            case .target: ["class": "edge", "fill": "none", "stroke": "#5f7d68", "stroke-dasharray": "2 4"]
            case .onTime: ["class": "on", "fill": "#1f5f8b"]
            case .off: ["class": "off", "fill": "#fbfaf7", "stroke": "#a8430f", "stroke-width": 1.8]
            case .offLine: ["class": "offl", "fill": "none", "stroke": "#a8430f", "stroke-width": 2]
            case .sleep: ["class": "sleep", "fill": "#808c98"]
            case .recorded: ["class": "rec", "fill": "#6c7f78"]
            case .nap: ["class": "nap", "fill": "#3f4952"]
            case .halo: ["class": "halo", "stroke": "#fbfaf7", "stroke-width": 3.4]
            case .dose1: ["class": "on", "fill": "#1f5f8b"]
            case .dose2: ["class": "dose2", "stroke": "#a8430f", "stroke-width": 2]
            case .point: ["class": "pt", "fill": "#808c98"]
            case .stage: ["class": "hyp", "fill": "none", "stroke": "#3f4952", "stroke-width": 1.6]
            case .weekend: ["class": "we", "fill": "#808c98"]
            }
        }
    }

    /// Returns labels at an edge in the order of their places, with at least the height of a line between two.
    static func apart(_ labels: [(y: Double, text: String)], line: Double = 14) -> [(y: Double, text: String)] {
        var placed = labels.sorted { $0.y < $1.y }
        for index in placed.indices.dropFirst() {
            placed[index].y = max(placed[index].y, placed[index - 1].y + line)
        }
        return placed
    }
}

/// A value's place on an axis.
struct Scale: Hashable {
    let values: ClosedRange<Double>
    /// The places of both ends of `values`; the second may be less than the first.
    let (start, end): (Double, Double)

    init(_ values: ClosedRange<Double>, from start: Double, to end: Double) {
        self.values = values
        (self.start, self.end) = (start, end)
    }

    /// Returns the place of a value. If the range has one value alone, the place is the middle.
    func place(_ value: Double) -> Double {
        let length = values.upperBound - values.lowerBound
        guard length > 0 else { return (start + end) / 2 }
        return start + (end - start) * (value - values.lowerBound) / length
    }

    /// Returns the nearest value inside the range.
    func held(_ value: Double) -> Double { min(max(value, values.lowerBound), values.upperBound) }

    /// Returns the multiples of a step inside the range.
    func ticks(every step: Double) -> [Double] {
        let first = Int((values.lowerBound / step).rounded(.up))
        let last = Int((values.upperBound / step).rounded(.down))
        return first <= last ? (first...last).map { Double($0) * step } : []
    }

    /// Returns the range of some values, widened to multiples of a step.
    static func range(_ values: some Sequence<Double>, step: Double, within limit: ClosedRange<Double>)
        -> ClosedRange<Double>
    {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return limit }
        let low = max(limit.lowerBound, (least / step).rounded(.down) * step)
        let high = min(limit.upperBound, max((most / step).rounded(.up) * step, low + step))
        return low < high ? low...high : limit
    }
}

extension Markup {
    /// Adds a group that draws in a style.
    mutating func group(_ style: Chart.Style, _ body: (inout Markup) -> Void) {
        element("g", style.attributes, body)
    }

    /// Adds a picture with a name and a description for a screen reader.
    mutating func picture(
        _ chart: String, width: Double = Chart.width, height: Double, class name: String? = nil, title: String,
        description: String, _ body: (inout Markup) -> Void
    ) {
        element(
            "svg",
            [
                "class": name, "viewBox": "0 0 \(Chart.number(width)) \(Chart.number(height))",
                "width": width, "height": height, "font-size": 12,
                "font-family": "system-ui,Liberation Sans,DejaVu Sans,sans-serif", "role": "img",
                "aria-labelledby": "\(chart)-t \(chart)-d", "data-chart": chart,
            ]
        ) { svg in
            svg.element("title", ["id": "\(chart)-t"], title)
            svg.element("desc", ["id": "\(chart)-d"], description)
            body(&svg)
        }
    }

    /// Adds a word to a picture.
    mutating func label(_ x: Double, _ y: Double, _ text: String, anchor: String? = nil) {
        element("text", ["class": "t", "fill": "#55595f", "x": x, "y": y, "text-anchor": anchor], text)
    }

    /// Adds a number in bold to a picture.
    mutating func figure(_ x: Double, _ y: Double, _ text: String, size: Double = 14, anchor: String? = nil) {
        element(
            "text",
            [
                "class": "n", "font-size": size, "font-weight": 600, "fill": "#1c1f23", "x": x, "y": y,
                "text-anchor": anchor,
            ], text)
    }

    /// Adds a horizontal line at a place of the y axis.
    mutating func tickAcross(_ value: String, _ y: Double, from left: Double, to right: Double) {
        shape("line", ["data-axis": "y", "data-tick": value, "x1": left, "x2": right, "y1": y, "y2": y])
    }

    /// Adds a vertical line at a place of the x axis.
    mutating func tickUp(_ value: String, _ x: Double, from top: Double, to bottom: Double) {
        shape("line", ["data-axis": "x", "data-tick": value, "x1": x, "x2": x, "y1": top, "y2": bottom])
    }

    /// Adds vertical lines at each third hour of a day from 18:00, in minutes since then.
    mutating func hourTicks(_ across: Scale, from top: Double, to bottom: Double) {
        for minutes in stride(from: 0.0, through: 1_440, by: 180) {
            tickUp(Chart.number(minutes), across.place(minutes), from: top, to: bottom)
        }
    }

    /// Adds the names of these hours.
    mutating func hourLabels(_ across: Scale, _ y: Double) {
        for minutes in stride(from: 0, through: 1_440, by: 180) {
            let hour = (18 + minutes / 60) % 24
            label(across.place(Double(minutes)), y, (hour < 10 ? "0" : "") + "\(hour)", anchor: "middle")
        }
    }

    /// Adds a path at a place. The `d` of the path takes the place as zero.
    mutating func mark(_ night: String, _ mark: String, _ x: Double, _ y: Double, _ form: String) {
        shape(
            "path",
            [
                "data-night": night, "data-mark": mark, "transform": "translate(\(Chart.number(x)) \(Chart.number(y)))",
                "d": form,
            ])
    }

    mutating func dot(_ night: String, _ mark: String, _ x: Double, _ y: Double, _ radius: Double) {
        shape("circle", ["data-night": night, "data-mark": mark, "cx": x, "cy": y, "r": radius])
    }

    /// Adds a line through places.
    mutating func line(_ places: [(x: Double, y: Double)]) {
        guard places.count > 1 else { return }
        let d = places.enumerated().map { index, place in
            "\(index == 0 ? "M" : "L")\(Chart.number(place.x)) \(Chart.number(place.y))"
        }
        shape("path", ["d": d.joined()])
    }
}
