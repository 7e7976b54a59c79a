package import DoseTapDomain

/// The effect of a profile on the last nights, shown before a file is written: each entry as it is on record (`-`) and as the
/// file tells it (`+`).
package struct Preview {
    /// The number of nights to show. A day without a night counts as one.
    package static let nights = 3

    private var shown: [(before: JSONObject, after: JSONObject?)] = []
    /// The key that marks a day without a night.
    private static let day = "day"

    package init() {}

    /// Takes over a line before and after the redaction.
    package mutating func take(_ before: JSONObject, _ after: JSONObject) {
        let told = after["nights"]?.arrayValue ?? []
        for (place, night) in (before["nights"]?.arrayValue ?? []).enumerated() {
            guard let night = night.objectValue else { continue }
            shown.append((night, place < told.count ? told[place].objectValue : nil))
        }
        let entries = NightStream.entriesOfDay(before)
        if let first = entries.first {
            // A day has no `session_date`; its date is that of the first entry.
            let day = Self.text(first["timestamp"]).prefix(10)
            shown.append(
                (
                    [Self.day: .string(String(day)), "entries": .array(entries)],
                    ["entries": .array(NightStream.entriesOfDay(after))]
                ))
        }
        shown.removeFirst(max(0, shown.count - Self.nights))
    }

    /// Returns the lines to show. The texts are escaped as in JSON, so that they cannot move a cursor.
    package func lines(_ profile: ExportProfile) -> [String] {
        var lines: [String] = []
        for (before, after) in shown {
            let date = Self.text(before["session_date"])
            // Counts and medians have no nights, and the profile tells nothing of other days.
            if profile == .figures, before[Self.day] != nil { continue }
            guard profile != .figures, let after else {
                lines.append(tr("Night \(date): only counts and medians of all nights are written."))
                continue
            }
            if let day = before[Self.day] {
                lines.append(tr("Day \(Self.text(day)), without a night"))
            } else {
                let told = Self.text(after["session_date"])
                lines.append(date == told ? tr("Night \(date)") : tr("Night \(date), written as \(told)"))
            }
            let written = after["entries"]?.arrayValue ?? []
            var place = 0
            for entry in before["entries"]?.arrayValue ?? [] {
                let was = Self.line(entry)
                lines.append("  - \(was)")
                // Entries keep their order, and the redaction adds none.
                if place < written.count, Self.isSame(entry, written[place]) {
                    let now = Self.line(written[place])
                    if now == was { lines[lines.count - 1] = "    \(was)" } else { lines.append("  + \(now)") }
                    place += 1
                } else {
                    lines.append(tr("  + (left out)"))
                }
            }
        }
        return lines.isEmpty ? [tr("There are no nights.")] : lines
    }

    /// Returns true if an entry is told as the other one: with the same type, or with the word that hides the type.
    private static func isSame(_ entry: JSONValue, _ told: JSONValue) -> Bool {
        told["type"] == entry["type"] || told["type"]?.stringValue == Redactor.otherType
    }

    private static func line(_ entry: JSONValue) -> String {
        let head = ["type", "timestamp", "id"].compactMap { entry[$0].map(text) }
        let rest = (entry["metadata"]?.objectValue ?? JSONObject()).map { "\(plain($0.key))=\($0.value.serialized())" }
        return (head + rest).joined(separator: " ")
    }

    private static func text(_ value: JSONValue?) -> String { value?.stringValue.map(plain) ?? "?" }

    /// Returns a text without quotation marks, escaped as in JSON.
    private static func plain(_ text: String) -> String {
        String(JSONValue.string(text).serialized().dropFirst().dropLast())
    }
}
