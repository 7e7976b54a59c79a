internal import DoseTapDomain

/// What is told of medicines.
enum MedicationText {
    /// `modafinil 200 mg`.
    static func what(_ metadata: JSONObject) -> String {
        let name = SafeText.line(metadata["medication_id"]?.stringValue ?? "?")
        return metadata["dose_mg"]?.integerValue.map { "\(name) \($0) mg" } ?? name
    }

    /// The sentence about another dose that was near.
    static func warning(_ metadata: JSONObject) -> String? {
        guard let warning = metadata["warning"]?.objectValue, let minutes = warning["minutes_apart"]?.integerValue,
            let span = warning["span_min"]?.integerValue
        else { return nil }
        return "Another dose of the same ingredient is on record \(Words.minutes(minutes)) apart, within "
            + "\(Words.minutes(span))."
    }

    static func list(_ entries: [NightRecord.Entry], _ context: Context) -> [String] {
        guard !entries.isEmpty else { return ["No medicine is on record."] }
        let moments = context.moments(in: context.shownZone())
        let columns = context.terminal.columns
        func detail(_ entry: NightRecord.Entry) -> String {
            var parts: [String] = []
            if entry.metadata["confirmed_duplicate"] == true { parts.append("one more, confirmed") }
            if let note = entry.metadata["note"]?.stringValue { parts.append(SafeText.line(note)) }
            return parts.joined(separator: ", ")
        }
        return Table(columns: [
            .init(heading: "Taken", cells: entries.map { moments.dateAndCell($0.timestamp) }),
            .init(heading: "Medicine", cells: entries.map { what($0.metadata) }),
            .init(heading: "Id", cells: entries.map { SafeText.line($0.id.text) }),
            .init(heading: "", cells: entries.map(detail)),
        ]).lines(width: columns)
    }

    static func catalogue(_ all: [JSONObject], _ columns: Int) -> [String] {
        func cells(_ key: String) -> [String] { all.map { SafeText.line($0[key]?.stringValue ?? "-") } }
        let usual = all.map { one in one["default_mg"]?.integerValue.map { "\($0) mg" } ?? "-" }
        return Table(columns: [
            .init(heading: "Id", cells: cells("medication_id")), .init(heading: "Name", cells: cells("display_name")),
            .init(heading: "Usual", cells: usual, alignsRight: true),
            .init(heading: "Form", cells: cells("formulation")),
            .init(heading: "Generic", cells: cells("generic_name")),
        ]).lines(width: columns)
    }

    static func one(_ medication: JSONObject, _ columns: Int) -> [String] {
        func text(_ key: String) -> String { SafeText.line(medication[key]?.stringValue ?? "-") }
        var lines = ["\(text("display_name")) (\(text("generic_name"))), id \(text("medication_id"))"]
        if let usual = medication["default_mg"]?.integerValue { lines.append("  usually \(usual) mg") }
        let strengths = medication["strengths_mg"]?.arrayValue?.compactMap(\.integerValue) ?? []
        if !strengths.isEmpty { lines.append("  there is \(strengths.map(String.init).joined(separator: ", ")) mg") }
        if let holds = medication["concentration"]?.stringValue { lines.append("  holds \(SafeText.line(holds))") }
        if let span = medication["warning_min"]?.integerValue, span > 0 {
            lines.append("  another one within \(Words.minutes(span)) is warned of")
        }
        for caution in medication["cautions"]?.arrayValue?.compactMap(Medication.Caution.init(json:)) ?? [] {
            let line = "  \(SafeText.line(caution.text)) (\(SafeText.line(caution.source)))"
            lines += SafeText.wrap(line, columns: columns, indent: 4)
        }
        return lines + ["Follow your prescriber."]
    }
}
