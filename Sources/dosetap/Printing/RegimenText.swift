internal import DoseTapDomain

/// What is told of regimens.
enum RegimenText {
    /// `xyrem 7.5 g a night in 2 parts from 2026-01-14`.
    static func line(_ regimen: JSONObject) -> String {
        func text(_ key: String) -> String? { regimen[key]?.stringValue.map(SafeText.line) }
        var line = "\(text("medication_id") ?? "?") \(text("total") ?? "?") a night"
        if regimen["once_nightly"] == true {
            line += " at once"
        } else if text("split") == "equal" {
            line += " in two halves"
        } else if let ratios = regimen["ratios"]?.arrayValue?.compactMap(share), !ratios.isEmpty {
            line += " as \(ratios.joined(separator: " and "))"
        }
        line += " from \(text("from") ?? "?")"
        if let until = text("until") { line += " to \(until)" }
        for step in regimen["steps"]?.arrayValue ?? [] {
            guard let from = step["from"]?.stringValue, let total = step["total"]?.stringValue else { continue }
            line += ", \(SafeText.line(total)) from \(SafeText.line(from))"
        }
        return line
    }

    private static func share(_ ratio: JSONValue) -> String? {
        switch ratio {
        case .integer(let number): "\(number * 100) %"
        case .number(let number): tenths(number * 1_000)
        default: nil
        }
    }

    private static func tenths(_ number: Double) -> String? {
        guard let tenths = Int64(exactly: number.rounded()) else { return nil }
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }

    /// What holds now, and the doses it makes.
    ///
    /// - Parameter hasBegun: dose 1 of that night is on record: it keeps what it began with.
    static func active(_ answer: JSONObject, hasBegun: Bool) -> [String] {
        let date = answer["date"]?.stringValue ?? ""
        guard let active = answer["active"]?.objectValue else {
            let all = answer["history"]?.arrayValue?.compactMap(\.objectValue) ?? []
            func from(_ regimen: JSONObject) -> String { regimen["from"]?.stringValue ?? "" }
            // Dates compare as they are written; of one date the one set last, which stands first.
            let ahead = all.filter { from($0) > date }
            let next = ahead.min { from($0) < from($1) }.map(line)
            let none =
                hasBegun
                ? "Tonight (\(SafeText.line(date))) began without a regimen and goes on so"
                : "No regimen holds for \(SafeText.line(date.isEmpty ? "tonight" : date))"
            return [none + (next.map { "; the next one is \($0)." } ?? ".")]
        }
        var lines = [line(active)]
        let parts = active["parts_mg"]?.arrayValue?.compactMap(\.integerValue) ?? []
        for (place, part) in parts.enumerated() { lines.append("  dose \(place + 1): \(part) mg") }
        if let note = active["note"]?.stringValue { lines.append("  note: \(SafeText.line(note))") }
        return lines + ["  id \(SafeText.line(active["id"]?.stringValue ?? ""))", "Follow your prescriber."]
    }

    static func history(_ answer: JSONObject) -> [String] {
        let all = answer["history"]?.arrayValue?.compactMap(\.objectValue) ?? []
        guard !all.isEmpty else { return ["No regimen is on record."] }
        return all.map { "\(line($0))\n  id \(SafeText.line($0["id"]?.stringValue ?? ""))" }
    }

    /// `taken 4500 of 4500 mg: on target`.
    static func bundle(_ bundle: DoseBundle) -> String {
        let of = "of \(bundle.targetMilligrams) mg"
        switch bundle.state {
        case .onTarget: return "taken \(bundle.knownMilligrams) \(of): on target"
        case .under: return "taken \(bundle.knownMilligrams) \(of): under it"
        case .over: return "taken \(bundle.knownMilligrams) \(of): over it"
        case .unknown: return "taken \(bundle.knownMilligrams) \(of) and an amount nobody knows"
        }
    }
}
