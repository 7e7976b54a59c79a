package import DoseTapDomain

/// The text about medicines.
package enum MedicationText {
    /// `modafinil 200 mg`.
    static func what(_ metadata: JSONObject) -> String {
        let name = SafeText.line(metadata["medication_id"]?.stringValue ?? "?")
        return metadata["dose_mg"]?.integerValue.map { "\(name) \($0) mg" } ?? name
    }

    /// Returns the sentence about another dose that was near.
    static func warning(_ metadata: JSONObject) -> String? {
        guard let warning = metadata["warning"]?.objectValue, let minutes = warning["minutes_apart"]?.integerValue,
            let span = warning["span_min"]?.integerValue
        else { return nil }
        return tr(
            "Another dose of the same ingredient is on record \(Figure.length(minutes: minutes)) apart, within \(Figure.length(minutes: span))."
        )
    }

    package static func list(
        _ entries: [NightRecord.Entry], _ moments: @autoclosure () -> Moments, _ columns: Int
    ) -> [String] {
        guard !entries.isEmpty else { return [tr("No medicine is on record.")] }
        let moments = moments()
        func detail(_ entry: NightRecord.Entry) -> String {
            var parts: [String] = []
            if entry.metadata["confirmed_duplicate"] == true { parts.append(tr("one more, confirmed")) }
            if let note = entry.metadata["note"]?.stringValue { parts.append(SafeText.line(note)) }
            return parts.joined(separator: ", ")
        }
        return Table(columns: [
            .init(heading: tr("Taken"), cells: entries.map { moments.dateAndCell($0.timestamp) }),
            .init(heading: tr("Medicine"), cells: entries.map { what($0.metadata) }),
            .init(heading: tr("Id"), cells: entries.map { SafeText.line($0.id.text) }, isNeeded: true),
            .init(heading: "", cells: entries.map(detail)),
        ]).lines(width: columns)
    }

    package static func catalogue(_ all: [JSONObject], _ columns: Int) -> [String] {
        func cells(_ key: String) -> [String] { all.map { SafeText.line($0[key]?.stringValue ?? "-") } }
        let usual = all.map { one in one["default_mg"]?.integerValue.map { "\($0) mg" } ?? "-" }
        return Table(columns: [
            .init(heading: tr("Id"), cells: cells("medication_id")),
            .init(heading: tr("Name"), cells: cells("display_name")),
            .init(heading: tr("Usual"), cells: usual, alignsRight: true),
            .init(heading: tr("Form"), cells: cells("formulation").map(form)),
            .init(heading: tr("Generic"), cells: cells("generic_name").map(generic)),
        ]).lines(width: columns)
    }

    /// Returns a formulation in words; English shows its code.
    private static func form(_ word: String) -> String {
        switch Medication.Formulation(rawValue: word) {
        case .immediate: tr("ir", context: "formulation")
        case .extended: tr("xr", context: "formulation")
        case .liquid: tr("liquid", context: "formulation")
        case nil: word
        }
    }

    /// Returns a name without a brand. A name that a person made stays.
    private static func generic(_ name: String) -> String {
        switch name {
        case "mixed amphetamine salts": tr("mixed amphetamine salts", context: "generic")
        case "methylphenidate": tr("methylphenidate", context: "generic")
        case "lisdexamfetamine": tr("lisdexamfetamine", context: "generic")
        case "dextroamphetamine": tr("dextroamphetamine", context: "generic")
        case "modafinil": tr("modafinil", context: "generic")
        case "armodafinil": tr("armodafinil", context: "generic")
        case "solriamfetol": tr("solriamfetol", context: "generic")
        case "pitolisant": tr("pitolisant", context: "generic")
        case "sodium oxybate": tr("sodium oxybate", context: "generic")
        case "calcium, magnesium, potassium and sodium oxybates":
            tr("calcium, magnesium, potassium and sodium oxybates", context: "generic")
        default: name
        }
    }

    package static func one(_ medication: JSONObject, _ columns: Int) -> [String] {
        func text(_ key: String) -> String { SafeText.line(medication[key]?.stringValue ?? "-") }
        var lines = [tr("\(text("display_name")) (\(generic(text("generic_name")))), id \(text("medication_id"))")]
        if let usual = medication["default_mg"]?.integerValue { lines.append(tr("  usually \(usual) mg")) }
        let strengths = medication["strengths_mg"]?.arrayValue?.compactMap(\.integerValue) ?? []
        if !strengths.isEmpty {
            lines.append(tr("  strengths: \(strengths.map(String.init).joined(separator: ", ")) mg"))
        }
        if let holds = medication["concentration"]?.stringValue { lines.append(tr("  holds \(SafeText.line(holds))")) }
        if let span = medication["warning_min"]?.integerValue, span > 0 {
            lines.append(tr("  another one within \(Figure.length(minutes: span)) is warned of"))
        }
        for caution in medication["cautions"]?.arrayValue?.compactMap(Medication.Caution.init(json:)) ?? [] {
            let line = "  \(SafeText.line(Wire.told(caution.text))) (\(SafeText.line(Wire.told(caution.source))))"
            lines += SafeText.wrap(line, columns: columns, indent: 4)
        }
        return lines + [tr("Follow your prescriber.")]
    }
}

/// The text about regimens.
package enum RegimenText {
    /// `xyrem 7.5 g a night in 2 parts from 2026-01-14`.
    static func line(_ regimen: JSONObject) -> String {
        func text(_ key: String) -> String? { regimen[key]?.stringValue.map(SafeText.line) }
        var line = tr("\(text("medication_id") ?? "?") \(text("total").map(Figure.pointed) ?? "?") a night")
        if regimen["once_nightly"] == true {
            line += tr(" at once")
        } else if text("split") == "equal" {
            line += tr(" in two halves")
        } else if let ratios = regimen["ratios"]?.arrayValue?.compactMap(share), !ratios.isEmpty {
            line += tr(" as \(ratios.joined(separator: tr(" and ")))")
        }
        line += tr(" from \(text("from") ?? "?")")
        if let until = text("until") { line += tr(" to \(until)") }
        for step in regimen["steps"]?.arrayValue ?? [] {
            guard let from = step["from"]?.stringValue, let total = step["total"]?.stringValue else { continue }
            line += tr(", \(Figure.pointed(SafeText.line(total))) from \(SafeText.line(from))")
        }
        return line
    }

    /// Returns the form in a command: `xyrem 4.5g`.
    package static func short(_ regimen: JSONObject) -> String {
        ["medication_id", "total"].compactMap { regimen[$0]?.stringValue }.joined(separator: " ")
            + (regimen["once_nightly"] == true ? tr(" once") : "")
    }

    private static func share(_ ratio: JSONValue) -> String? {
        switch ratio {
        case .integer(let number): tr("\(number * 100) %")
        case .number(let number): Figure.percent(number)
        default: nil
        }
    }

    /// Returns the regimen in force and its doses.
    ///
    /// - Parameter hasBegun: true if dose 1 of that night is on record. The night then keeps the regimen of its beginning.
    package static func active(_ answer: JSONObject, hasBegun: Bool) -> [String] {
        let date = answer["date"]?.stringValue ?? ""
        let all = answer["history"]?.arrayValue?.compactMap(\.objectValue) ?? []
        func from(_ regimen: JSONObject) -> String { regimen["from"]?.stringValue ?? "" }
        // Dates compare as text. Of one date the regimen that was set last counts, and it stands first.
        let next = all.filter { from($0) > date }.min { from($0) < from($1) }.map(line)
        guard let active = answer["active"]?.objectValue else {
            let none =
                hasBegun
                ? tr("Tonight (\(SafeText.line(date))) began without a regimen and goes on so")
                : tr("No regimen holds for \(SafeText.line(date.isEmpty ? tr("tonight") : date))")
            return [none + (next.map { tr("; the next one is \($0).") } ?? ".")]
        }
        var lines = [line(active)]
        let parts = active["parts_mg"]?.arrayValue?.compactMap(\.integerValue) ?? []
        for (place, part) in parts.enumerated() { lines.append(tr("  dose \(place + 1): \(part) mg")) }
        if let note = active["note"]?.stringValue { lines.append(tr("  note: \(SafeText.line(note))")) }
        lines.append(tr("  id \(SafeText.line(active["id"]?.stringValue ?? ""))"))
        if let next { lines.append(tr("The next one is \(next).")) }
        return lines + [tr("Follow your prescriber.")]
    }

    package static func history(_ answer: JSONObject) -> [String] {
        let all = answer["history"]?.arrayValue?.compactMap(\.objectValue) ?? []
        guard !all.isEmpty else { return [tr("No regimen is on record.")] }
        return all.map { tr("\(line($0))\n  id \(SafeText.line($0["id"]?.stringValue ?? ""))") }
    }

    /// `taken 4500 of 4500 mg: on target`.
    static func bundle(_ bundle: DoseBundle, _ outcome: NightOutcome?) -> String {
        let of = tr("of \(bundle.targetMilligrams) mg")
        switch bundle.state {
        case .onTarget: return tr("taken \(bundle.knownMilligrams) \(of): on target")
        case .under where outcome == .pending: return tr("taken \(bundle.knownMilligrams) \(of) so far")
        case .under: return tr("taken \(bundle.knownMilligrams) \(of): less than prescribed")
        case .over: return tr("taken \(bundle.knownMilligrams) \(of): more than prescribed")
        case .unknown where outcome == .notRecorded && bundle.unknown == 1:
            return tr("on record \(bundle.knownMilligrams) \(of); dose 2 is not recorded")
        case .unknown: return tr("taken \(bundle.knownMilligrams) \(of) and an amount nobody knows")
        }
    }
}
