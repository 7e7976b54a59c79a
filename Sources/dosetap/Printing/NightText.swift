internal import DoseTapDomain

/// What `show` prints of one night.
enum NightText {
    static func lines(_ night: NightRecord, _ moments: Moments, _ context: Context) -> [String] {
        let summary = night.summary
        let remark = NightLine.remark(summary)
        var lines = ["Night of \(summary.sessionDate.text)\(remark.isEmpty ? "" : ": \(remark)")"]
        lines.append("  id \(SafeText.line(summary.sessionID.text)), began \(moments.dateAndClock(summary.start))")
        if let minutes = summary.intervalMinutes { lines.append("  interval \(minutes) min") }
        if let sleep = sleep(night.sleepDiary) {
            lines += SafeText.wrap("  sleep: \(sleep)", columns: context.terminal.columns, indent: 2)
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
        let time = moments.bareClock(entry.target == nil ? entry.timestamp : entry.recordedAt)
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
        let start = nap.start.map(moments.bareClock) ?? "?"
        let end = nap.end.map(moments.bareClock) ?? "?"
        return switch nap.state {
        case .complete: "Nap from \(start) to \(end): \(Words.minutes(nap.length?.wholeMinutes ?? 0))"
        case .open: "Nap from \(start): not ended"
        case .unmatched: "End of a nap at \(end): it has no start"
        }
    }

    private static func details(_ entry: NightRecord.Entry, _ moments: Moments) -> String {
        var parts: [String] = []
        if let target = entry.target { parts.append("entry \(SafeText.line(target.text))") }
        if entry.type == EventType.checkinRecorded.rawValue {
            return (parts + [answers(entry.metadata, .morning, all: true)]).joined(separator: ", ")
        }
        if let score = entry.metadata["wellness_score"]?.integerValue { parts.append("wellness \(score) of 100") }
        for item in entry.metadata {
            switch (item.key, item.value) {
            case ("amount_mg", .integer(let amount)): parts.append("\(amount) mg")
            case ("wellness_score", _): break
            case ("completion_state", .string(let word)): parts.append(SafeText.line(word))
            case ("answers", .object(let values)):
                let kind: Questionnaire.Kind = entry.type == EntityType.preSleep.rawValue ? .preSleep : .morning
                if !values.isEmpty { parts.append(answers(values, kind)) }
            case ("is_early", .bool(let value)): if value { parts.append("early") }
            case ("is_late", .bool(let value)): if value { parts.append("late") }
            case ("is_extra_dose", .bool), ("local_offset_minutes", _), ("surface", _), ("nap_min", _): break
            case ("source", .string(let source)): if source != "manual" { parts.append(SafeText.line(source)) }
            case ("automatic", .bool(let value)): if value { parts.append("automatic") }
            case ("note", .string(let note)): parts.append("note: \(SafeText.line(note))")
            case ("at", .string(let at)):
                parts.append("to \((try? Instant(iso8601: at)).map(moments.dateAndClock) ?? SafeText.line(at))")
            case (let key, .string(let text)): parts.append("\(SafeText.line(key)): \(SafeText.line(text))")
            case (let key, let value): parts.append("\(SafeText.line(key)): \(SafeText.line(value.serialized()))")
            }
        }
        if entry.surface != "cli" { parts.append("by \(SafeText.line(entry.surface))") }
        return parts.joined(separator: ", ")
    }
}
