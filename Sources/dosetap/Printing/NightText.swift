internal import DoseTapDomain

/// What `show` prints of one night.
enum NightText {
    static func lines(_ night: NightRecord, _ moments: Moments, _ context: Context) -> [String] {
        let summary = night.summary
        let remark = NightLine.remark(summary)
        var lines = ["Night of \(Moments.date(summary.sessionDate))\(remark.isEmpty ? "" : ": \(remark)")"]
        lines.append("  id \(SafeText.line(summary.sessionID.text)), began \(moments.dateAndClock(summary.start))")
        if let minutes = summary.intervalMinutes { lines.append("  interval \(minutes) min") }
        if let bundle = night.bundle { lines.append("  \(RegimenText.bundle(bundle))") }
        if let score = summary.nightScore {
            lines.append("  night score \(score), \(Words.grade(NightScore.grade(score)))")
        }
        if let sleep = sleep(night.sleepDiary) {
            lines += SafeText.wrap("sleep: \(sleep)", columns: context.terminal.columns - 2, indent: 2).map {
                "  \($0)"
            }
        }
        if night.entries.isEmpty { lines.append("  no entry stands") }
        for entry in night.entries { lines += self.lines(entry, moments, context.terminal.columns) }
        lines += night.naps.map { "  \(nap($0, moments))" }
        if !night.corrections.isEmpty {
            lines.append("  Corrections:")
            for entry in night.corrections { lines += self.lines(entry, moments, context.terminal.columns) }
        }
        return lines
    }

    static func lines(_ entry: NightRecord.Entry, _ moments: Moments, _ columns: Int) -> [String] {
        let time = moments.cell(entry.target == nil ? entry.timestamp : entry.recordedAt)
        let type = Words.entry(entry.type)
        let pad = String(repeating: " ", count: max(1, 17 - type.count))
        var lines = ["  \(time)  \(type)\(pad)\(SafeText.line(entry.id.text))"]
        let details = details(entry, moments)
        if !details.isEmpty {
            lines += SafeText.wrap(details, columns: columns - 9, indent: 0).map { "         \($0)" }
        }
        return lines
    }

    private static func nap(_ nap: Nap, _ moments: Moments) -> String {
        let start = nap.start.map(moments.cell) ?? "?"
        let end = nap.end.map(moments.cell) ?? "?"
        return switch nap.state {
        case .complete: "Nap from \(start) to \(end): \(Words.minutes(nap.length?.wholeMinutes ?? 0))"
        case .open: "Nap from \(start): not ended"
        case .unmatched: "End of a nap at \(end): it has no start"
        }
    }

    private static func details(_ entry: NightRecord.Entry, _ moments: Moments) -> String {
        var parts: [String] = []
        if let target = entry.target { parts.append("entry \(SafeText.line(target.text))") }
        let isAnsweredAnew = entry.type == EventType.checkinRecorded.rawValue
        let known =
            isAnsweredAnew ? answers(entry.metadata, .morning, moments, all: true) : EntryText.details(entry, moments)
        if !known.isEmpty { parts.append(known) }
        if entry.surface != Surface.cli.rawValue { parts.append(Words.from(entry.surface)) }
        return parts.joined(separator: ", ")
    }
}
