internal import DoseTapDomain
internal import DoseTapText

/// iCalendar (RFC 5545): an event for each dose, with a summary and a time and nothing else of the record.
package struct CalendarFormat: ExchangeFormat {
    /// Longest line in bytes, without its end.
    private static let longestLine = 75

    private var isOpen = false

    package init() {}

    package mutating func take(_ line: NightsLine, into output: inout Output) throws(ExchangeFault) {
        for night in line.nights {
            for entry in night.entries {
                guard let kind = DoseKind(rawValue: entry.type) else { continue }
                try put(entry, kind, Self.corrections(of: entry.id, in: night), into: &output)
            }
            for (entry, original) in Self.removed(night) {
                try put(removed: entry, original, Self.corrections(of: entry.target, in: night), into: &output)
            }
        }
    }

    package mutating func finish(into output: inout Output) throws(ExchangeFault) {
        try open(&output)
        try Self.write("END:VCALENDAR", &output)
    }

    private mutating func open(_ output: inout Output) throws(ExchangeFault) {
        guard !isOpen else { return }
        isOpen = true
        for line in [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//DoseTap//DoseTap for Linux//EN", "CALSCALE:GREGORIAN",
        ] { try Self.write(line, &output) }
    }

    /// Returns the corrections of an entry, and those of its corrections. Each raises the sequence number of the calendar's
    /// event.
    private static func corrections(of id: EventID?, in night: NightRecord) -> [NightRecord.Entry] {
        var about = Set([id])
        return night.corrections.filter { correction in
            guard about.contains(correction.target) else { return false }
            about.insert(correction.id)
            return true
        }
    }

    private mutating func put(
        _ entry: NightRecord.Entry, _ kind: DoseKind, _ corrections: [NightRecord.Entry], into output: inout Output
    ) throws(ExchangeFault) {
        let stamp = corrections.map(\.recordedAt).max() ?? entry.recordedAt
        try put(
            [
                "UID:\(entry.uuid)", "DTSTAMP:\(Self.time(stamp))", "DTSTART:\(Self.time(entry.timestamp))",
                "SUMMARY:\(Self.text(ExchangeText.calendarSummary(kind)))", "SEQUENCE:\(corrections.count)",
                "STATUS:CONFIRMED",
            ], &output)
    }

    /// Writes a cancelled event, by which a calendar removes a dose that it had before.
    private mutating func put(
        removed correction: NightRecord.Entry, _ original: JSONValue, _ corrections: [NightRecord.Entry],
        into output: inout Output
    ) throws(ExchangeFault) {
        guard let target = correction.target, let at = original["timestamp"]?.instantValue,
            let kind = original["type"]?.stringValue.flatMap(DoseKind.init(rawValue:))
        else { return }
        try put(
            [
                "UID:\(Identity.uuid(of: target.text))", "DTSTAMP:\(Self.time(correction.recordedAt))",
                "DTSTART:\(Self.time(at))", "SUMMARY:\(Self.text(ExchangeText.calendarSummary(kind)))",
                "SEQUENCE:\(corrections.count)", "STATUS:CANCELLED",
            ], &output)
    }

    private mutating func put(_ lines: [String], _ output: inout Output) throws(ExchangeFault) {
        try open(&output)
        let whole = ["BEGIN:VEVENT"] + lines + ["CLASS:PRIVATE", "TRANSP:TRANSPARENT", "END:VEVENT"]
        for line in whole { try Self.write(line, &output) }
    }

    /// Returns the doses that were deleted or undone, each with its last correction.
    private static func removed(_ night: NightRecord) -> [(NightRecord.Entry, JSONValue)] {
        let active = Set(night.entries.map(\.id))
        var told: Set<EventID> = []
        return night.corrections.reversed().compactMap { correction in
            guard correction.type != EventType.entryAmended.rawValue, let target = correction.target,
                !active.contains(target), let original = correction.metadata["original"],
                told.insert(target).inserted
            else { return nil }
            return (correction, original)
        }
    }

    /// Returns a time such as `20260103T223000Z`; iCalendar has no fractions of a second.
    private static func time(_ instant: Instant) -> String {
        let text = instant.iso8601.utf8.prefix(19).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        return String(decoding: text, as: UTF8.self) + "Z"
    }

    /// Escapes the characters that have a meaning of their own.
    static func text(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\", ";", ",": escaped += "\\\(character)"
            case "\n", "\r\n", "\r": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// Writes a line, folded to the longest length without a cut inside a character.
    static func write(_ line: String, _ output: inout Output) throws(ExchangeFault) {
        var part: [UInt8] = []
        for scalar in line.unicodeScalars {
            let bytes = UTF8.encode(scalar).map { Array($0) } ?? []
            if part.count + bytes.count > longestLine {
                try output.write(part)
                try output.write("\r\n")
                part = [UInt8(ascii: " ")]
            }
            part += bytes
        }
        try output.write(part)
        try output.write("\r\n")
    }
}
