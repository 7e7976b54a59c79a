internal import DoseTapDomain

/// Intervals on a terminal: one line that shows their course, and a line for each against the window of 150 to 240 minutes.
struct IntervalChart {
    let lines: [String]

    /// What the chart spans, in minutes; what lies beyond stands at its edge.
    private static let span = (first: 120, last: 270)
    /// Nights that are drawn one by one.
    private static let mostRows = 14
    /// Taken by date, minutes and blanks.
    private static let margin = 22

    init(_ intervals: [NightStatistics.Interval], _ terminal: Terminal) {
        let course = Self.course(intervals.suffix(terminal.columns - 12).map(\.minutes), terminal)
        let width = min(60, terminal.columns - Self.margin)
        guard width >= 20 else {
            lines = ["Intervals   \(course)"]
            return
        }
        let blanks = String(repeating: " ", count: Self.margin)
        lines =
            ["Intervals   \(course)", "", blanks + Self.scale(width)]
            + intervals.suffix(Self.mostRows).map { Self.row($0, width, terminal) }
    }

    private static func course(_ minutes: [Int64], _ terminal: Terminal) -> String {
        let steps = Array(terminal.usesUnicode ? "▁▂▃▄▅▆▇█" : "_.-~=+*#")
        guard let least = minutes.min(), let most = minutes.max() else { return "" }
        return String(
            minutes.map { value in
                let place = most == least ? 3 : Int((value - least) * 7 / (most - least))
                return steps[min(7, max(0, place))]
            })
    }

    /// The place of a number of minutes in a row.
    private static func place(_ minutes: Int64, _ width: Int) -> Int {
        let held = min(Int64(span.last), max(Int64(span.first), minutes))
        return Int(held - Int64(span.first)) * (width - 1) / (span.last - span.first)
    }

    private static func scale(_ width: Int) -> String {
        var text = ""
        for mark in ["150", "240"] {
            let place = place(Int64(mark) ?? 0, width)
            text += String(repeating: " ", count: max(1, place - text.count)) + mark
        }
        return text
    }

    private static func row(_ interval: NightStatistics.Interval, _ width: Int, _ terminal: Terminal) -> String {
        let opens = place(150, width)
        let closes = place(240, width)
        let own = place(interval.minutes, width)
        var cells = Array(repeating: Character(" "), count: width)
        for cell in opens...closes { cells[cell] = terminal.usesUnicode ? "·" : "." }
        for edge in [opens, closes] { cells[edge] = terminal.usesUnicode ? "│" : "|" }
        cells[own] = terminal.usesUnicode ? "●" : "o"
        let isOnTime = DoseWindow.isOnTime(.minutes(Int(clamping: interval.minutes)))
        let bar =
            String(cells[..<own]) + terminal.paint(String(cells[own]), isOnTime ? .green : .yellow)
            + String(cells[(own + 1)...])
        let minutes = "\(interval.minutes)"
        let pad = String(repeating: " ", count: max(0, 5 - minutes.count))
        return "  \(interval.date.text)\(pad) \(minutes) min"
            .padded(to: margin) + bar
    }
}

extension String {
    /// Filled up with blanks.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
