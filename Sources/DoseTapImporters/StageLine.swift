package import DoseTapDomain

/// Brings a device's stages of a night onto one line of time.
package enum StageLine {
    /// Returns stages in the order of their starts. Time in bed is a line of its own below the others, and none of the others
    /// overlaps another: of several stages at one time, the more exact one counts, and among equals the one that began last.
    /// Times without a stage stay open.
    package static func flat(_ spans: [ImportedSleep.Span]) -> [ImportedSleep.Span] {
        let inBed = line(spans.filter { $0.stage == .inBed })
        let others = line(spans.filter { $0.stage != .inBed })
        return (inBed + others).enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }.map(\.element)
    }

    private static func line(_ spans: [ImportedSleep.Span]) -> [ImportedSleep.Span] {
        let spans = spans.filter { $0.start < $0.end }.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }.map(\.element)
        let edges = Set(spans.flatMap { [$0.start, $0.end] }).sorted()
        var line: [ImportedSleep.Span] = []
        var active: [ImportedSleep.Span] = []
        var next = 0
        for (start, end) in zip(edges, edges.dropFirst()) {
            active.removeAll { $0.end <= start }
            while next < spans.count, spans[next].start <= start {
                active.append(spans[next])
                next += 1
            }
            // Among equals the last one counts.
            guard let best = active.map({ rank($0.stage) }).max(),
                let chosen = active.last(where: { rank($0.stage) == best })
            else { continue }
            if let last = line.indices.last, line[last].stage == chosen.stage, line[last].end == start {
                line[last].end = end
            } else {
                line.append(ImportedSleep.Span(chosen.stage, start, end))
            }
        }
        return line
    }

    /// Returns a rank that grows with the exactness of a stage.
    private static func rank(_ stage: ImportedSleep.Stage) -> Int {
        switch stage {
        case .inBed, .unknown: 0
        case .asleep: 1
        case .awake, .light, .deep, .rem: 2
        }
    }
}
