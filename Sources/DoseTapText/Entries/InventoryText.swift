package import DoseTapDomain

/// The text about the stock.
package enum InventoryText {
    /// Returns the content of an entry's metadata: `bottle, xyrem 2 × 180 mL`.
    static func what(_ metadata: JSONObject) -> String {
        let name = SafeText.line(metadata["medication_id"]?.stringValue ?? "")
        let amount = amount(metadata)
        switch metadata["kind"]?.stringValue.flatMap(InventoryItem.Kind.init(rawValue:)) {
        case .bottleReceived:
            let count = metadata["count"]?.integerValue ?? 1
            let unit = Figure.volume(metadata["unit_mg"]?.integerValue ?? 0, metadata["concentration"]?.stringValue)
            let what = metadata["concentration"] == nil ? Count.packets(count) : Count.bottles(count)
            return tr("\(what) of \(name), \(unit)\(count == 1 ? "" : tr(" each"))")
        case .cupPoured:
            return tr("cup poured\(dose(metadata)), \(name) \(amount)")
        case .cupDiscarded: return tr("cup thrown away")
        case .bottleDiscarded: return tr("bottle thrown away")
        case .stockCounted:
            let left = Figure.volume(metadata["left_mg"]?.integerValue ?? 0, metadata["concentration"]?.stringValue)
            return tr("counted: \(left) of \(name) left")
        case nil: return tr("inventory")
        }
    }

    /// Returns a warning if more was poured than the stock had.
    static func warning(_ metadata: JSONObject) -> String? {
        guard metadata["kind"]?.stringValue == InventoryItem.Kind.cupPoured.rawValue,
            let left = metadata["warning"]?["left_mg"]?.integerValue
        else { return nil }
        return left > 0
            ? tr("That is more than the \(left) mg that are on record.")
            : tr("No bottle is on record that it came from.")
    }

    /// Returns the text of `inventory`.
    package static func lines(_ answer: JSONObject, _ moments: Moments, now: Instant, _ page: Page) -> [String] {
        let supplies = objects(answer["supplies"])
        let columns = page.columns
        var lines: [String] = []
        if supplies.isEmpty {
            lines.append(
                page.addressed(tr("No bottle is on record: dosetap inventory add 180mL --medicine xyrem")))
        } else {
            lines += Table(columns: [
                .init(heading: tr("Medicine"), cells: supplies.map(name)),
                .init(heading: tr("Left"), cells: supplies.map(left), alignsRight: true),
                .init(heading: tr("A night"), cells: supplies.map { grams($0, "per_night_mg") }, alignsRight: true),
                .init(heading: tr("Nights"), cells: supplies.map(nights), alignsRight: true),
                .init(heading: tr("Low on"), cells: supplies.map { text($0, "low_on") }),
                .init(heading: tr("Refill by"), cells: supplies.map { text($0, "refill_by") }),
                .init(heading: tr("Level"), cells: supplies.map(level)),
            ]).lines(width: columns)
        }
        lines += supplies.flatMap { remarks($0).flatMap { SafeText.wrap($0, columns: columns, indent: 2) } }
        lines += supplies.flatMap { supply in
            objects(supply["bottles"]).map { tr("Bottles \(bottles($0, supply)), id \(text($0, "id"))") }
        }
        lines += objects(answer["cups"]).flatMap { cup in
            SafeText.wrap(self.cup(cup, moments, now), columns: columns, indent: 2)
        }
        return lines
    }

    /// Returns the lines for bare `dosetap`; empty if there is enough, or if the supply is unknown.
    package static func notice(_ answer: JSONObject) -> [String] {
        objects(answer["supplies"]).compactMap { supply in
            guard let level = supply["level"]?.stringValue.flatMap(Supply.Level.init(rawValue:)),
                supply["per_night_mg"]?.integerValue != nil
            else { return nil }
            switch level {
            case .ok, .unknown: return nil
            case .empty: return tr("The supply of \(name(supply)) is used up.")
            case .low, .critical:
                let most = supply["unknown_amounts"]?.integerValue ?? 0 > 0 ? tr("at most ") : ""
                let count = supply["days"]?.integerValue ?? 0
                return tr(
                    "The supply of \(name(supply)) is \(Label.level(level)): \(most)\(Count.nights(count)), refill by \(text(supply, "refill_by"))."
                )
            }
        }
    }

    private static func objects(_ value: JSONValue?) -> [JSONObject] {
        value?.arrayValue?.compactMap(\.objectValue) ?? []
    }

    private static func text(_ object: JSONObject, _ key: String) -> String {
        object[key]?.stringValue.map { SafeText.line($0) } ?? "-"
    }

    private static func name(_ supply: JSONObject) -> String {
        let packet = supply["packet_mg"]?.integerValue.map { " \(Figure.weight($0))" } ?? ""
        return text(supply, "medication_id") + packet
    }

    private static func grams(_ supply: JSONObject, _ key: String) -> String {
        supply[key]?.integerValue.map(Figure.weight) ?? tr("unknown")
    }

    private static func level(_ supply: JSONObject) -> String {
        supply["level"]?.stringValue.flatMap(Supply.Level.init(rawValue:)).map(Label.level) ?? text(supply, "level")
    }

    private static func most(_ supply: JSONObject) -> String {
        supply["unknown_amounts"]?.integerValue ?? 0 > 0 ? "≤ " : ""
    }

    private static func left(_ supply: JSONObject) -> String {
        if let packets = supply["left_packets"]?.integerValue { return most(supply) + Count.packets(packets) }
        return most(supply) + Figure.volume(supply["left_mg"]?.integerValue ?? 0, supply["concentration"]?.stringValue)
    }

    private static func nights(_ supply: JSONObject) -> String {
        supply["days"]?.integerValue.map { "\(most(supply))\($0)" } ?? tr("unknown")
    }

    private static func bottles(_ lot: JSONObject, _ supply: JSONObject) -> String {
        let left = Figure.volume(lot["left_mg"]?.integerValue ?? 0, supply["concentration"]?.stringValue)
        return tr("of \(name(supply)): \(left) left")
    }

    private static func remarks(_ supply: JSONObject) -> [String] {
        var remarks: [String] = []
        let unknown = supply["unknown_amounts"]?.integerValue ?? 0
        if unknown > 0 {
            remarks.append(tr("\(name(supply)): \(Count.amountsAre(unknown)) unknown, so there may be less."))
        }
        if let over = supply["overdrawn_mg"]?.integerValue, over > 0 {
            remarks.append(tr("\(name(supply)): \(over) mg more were taken than came in."))
        }
        if supply["per_night_source"]?.stringValue == Supply.PerNight.Source.mean.rawValue {
            remarks.append(tr("\(name(supply)): a night is the mean of the last two weeks, for no regimen says it."))
        }
        return remarks
    }

    /// Returns ` for dose 2`; empty for a cup without a dose.
    private static func dose(_ cup: JSONObject) -> String {
        cup["for"]?.stringValue.map { tr(" for \(Label.entry($0))") } ?? ""
    }

    private static func amount(_ cup: JSONObject) -> String {
        cup["amount_mg"]?.integerValue.map { "\($0) mg" } ?? tr("an unknown amount")
    }

    private static func cup(_ cup: JSONObject, _ moments: Moments, _ now: Instant) -> String {
        func clock(_ key: String) -> String {
            cup[key]?.instantValue.map { moments.clock($0, near: now) } ?? tr("an unknown time")
        }
        let isOver = cup["until"]?.instantValue.map { $0 <= now } ?? false
        let end = isOver ? tr("its time was over at \(clock("until"))") : tr("good until \(clock("until"))")
        return
            tr(
                "Cup\(dose(cup)): \(amount(cup)) of \(text(cup, "medication_id")), poured \(clock("poured_at")), \(end), id \(text(cup, "id"))"
            )
    }
}
