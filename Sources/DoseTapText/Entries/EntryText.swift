internal import DoseTapDomain

/// One entry, correction or event of the log in words.
enum EntryText {
    /// Returns the kind of an event in words: `dose 2, 2250 mg`, `amended`, `session closed`.
    static func what(_ entry: NightRecord.Entry) -> String {
        let metadata = entry.metadata
        let type = EventType(rawValue: entry.type)
        switch type {
        case .doseRecorded: return Label.entry(metadata["kind"]?.stringValue ?? entry.type)
        case .sleepEventRecorded: return Label.entry(metadata["type"]?.stringValue ?? entry.type)
        case .doseSkipped:
            return Label.entry(metadata["slept_through_from"] == nil ? "dose2_skipped" : NightRecord.notRecorded)
        case .snoozeRecorded: return Label.entry(tr("snooze"))
        case .checkinRecorded: return Label.entry(EntityType.checkin.rawValue)
        case .regimenSet: return tr("regimen set")
        case .inventoryRecorded: return InventoryText.what(metadata)
        case .finalWakeRecorded: return Label.entry(SleepEventWord.finalWake)
        case .reminderFired: return tr("told: \(reminder(metadata))")
        case .reminderDropped: return tr("not told: \(reminder(metadata))")
        case .reminderDelivered: return tr("delivered: \(reminder(metadata))")
        case .reminderAcknowledged: return tr("answered: \(reminder(metadata))")
        case .sessionOpened: return tr("session opened")
        case .sessionClosed: return tr("session closed")
        case .settingChanged: return tr("settings changed")
        case .clockStepped: return tr("the clock was set")
        case .storeRestored: return tr("the store was found older")
        case .importRecorded: return tr("import")
        default: return Label.entry(type?.entity?.rawValue ?? entry.type)
        }
    }

    private static func reminder(_ metadata: JSONObject) -> String {
        metadata["reminder"]?.stringValue.flatMap(ReminderID.init(rawValue:)).map(ReminderText.name) ?? tr("a reminder")
    }

    /// Returns the other known facts of an entry in one line; empty for none.
    static func details(_ entry: NightRecord.Entry, _ moments: Moments) -> String {
        let isPreSleep = [EntityType.preSleep.rawValue, EventType.preSleepRecorded.rawValue].contains(entry.type)
        let stock: Set = [EntityType.inventory.rawValue, EventType.inventoryRecorded.rawValue]
        let isStock = stock.contains(entry.type)
        let sleep: Set = [EntityType.sleepRecord.rawValue, EventType.sleepRecorded.rawValue]
        if sleep.contains(entry.type) {
            let note = entry.metadata["note"].flatMap { detail("note", $0, moments) }
            return (SleepText.details(entry.metadata, moments) + [note].compactMap(\.self)).joined(separator: ", ")
        }
        let what = entry.type == EntityType.inventory.rawValue ? [InventoryText.what(entry.metadata)] : []
        return
            (what
            + entry.metadata.compactMap { item in
                // The kind of a stock entry tells most facts already.
                if isStock, !["note", "reason", "source"].contains(item.key) { return nil }
                if item.key == "wellness_score" { return Label.wellness(entry.metadata) }
                guard item.key == "answers", case .object(let answers) = item.value else {
                    return detail(item.key, item.value, moments)
                }
                let defaults = entry.metadata["defaults"]?.arrayValue?.compactMap(\.stringValue) ?? []
                return Self.answers(answers, defaults, isPreSleep ? .preSleep : .morning, moments)
            }).joined(separator: ", ")
    }

    /// Returns the person's answers, and apart from them the answers by default.
    private static func answers(
        _ answers: JSONObject, _ defaults: [String], _ kind: Questionnaire.Kind, _ moments: Moments
    ) -> String? {
        var (given, assumed) = (JSONObject(), JSONObject())
        for entry in answers {
            if defaults.contains(entry.key) { assumed[entry.key] = entry.value } else { given[entry.key] = entry.value }
        }
        let said = given.isEmpty ? "" : NightText.answers(given, kind, moments)
        let unsaid = assumed.isEmpty ? "" : NightText.answers(assumed, kind, moments)
        let parts = [said, unsaid.isEmpty ? "" : tr("not answered, by default: \(unsaid)")].filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func detail(_ key: String, _ value: JSONValue, _ moments: Moments) -> String? {
        if let instant = value.instantValue {
            let time = moments.dateAndClock(instant)
            switch key {
            case "at": return tr("to \(time)")
            case "due": return tr("due \(time)")
            case "slept_through_from": return tr("270 min after dose 1 at \(time)")
            default: break
            }
        }
        switch (key, value) {
        case ("dose_mg", .integer(let amount)): return "\(amount) mg"
        case ("medication_id", .string(let id)): return SafeText.line(id)
        case ("confirmed_duplicate", .bool(let isSo)): return isSo ? tr("one more, confirmed") : nil
        case ("regimen", .object(let regimen)): return RegimenText.line(regimen)
        case ("cautions", _): return nil
        case ("usual_dose", .bool(let isSo)): return isSo ? tr("the usual dose") : nil
        case ("warning", .object(let warning)):
            return warning["minutes_apart"]?.integerValue.map { tr("another dose \(Figure.length(minutes: $0)) apart") }
        case ("amount_mg", .integer(let amount)): return "\(amount) mg"
        case ("completion_state", .string(let word)):
            return PreSleepCompletion(rawValue: word).map(Label.completion) ?? SafeText.line(word)
        case ("is_early", .bool(let isSo)): return isSo ? tr("early") : nil
        case ("is_late", .bool(let isSo)): return isSo ? tr("late") : nil
        case ("automatic", .bool(true)): return tr("270 min after dose 1 nobody had recorded it")
        case ("source", .string(let source)):
            // The surface tells the source already.
            return ["manual", "automatic", "imported"].contains(source) ? nil : SafeText.line(source)
        case ("reason", .string("slept_through")), ("defaults", _), ("automatic", _), ("wellness_defaults", _):
            return nil
        case ("terminal_state", .string(let word)):
            return TerminalState(rawValue: word).map(Label.terminal) ?? SafeText.line(word)
        case ("is_extra_dose", _), ("regimen_id", _), ("dose_unit", _), ("formulation", _), ("local_offset_minutes", _),
            ("surface", _), ("original", _),
            ("nap_min", _), ("kind", _),
            ("type", _), ("reminder", _), ("rules", _), ("session_date", _), ("given", _), ("night", _),
            ("taken_back", _),
            ("backfilled", .bool(false)),
            ("suspect", .bool(false)):
            return nil
        case (let key, .string(let text)): return "\(SafeText.line(name(of: key))): \(SafeText.line(text))"
        case (let key, let value): return "\(SafeText.line(name(of: key))): \(SafeText.line(value.serialized()))"
        }
    }

    /// Returns the key of a fact in words.
    private static func name(of key: String) -> String {
        switch key {
        case "note": tr("note", context: "detail")
        case "reason": tr("reason", context: "detail")
        case "exposure": tr("exposure")
        case "outcome": tr("outcome")
        case "routine": tr("routine", context: "detail")
        case "nights": tr("nights", context: "detail")
        case "pairs": tr("pairs", context: "detail")
        case "from_date": tr("from_date", context: "detail")
        default: Words.answer(key)
        }
    }
}
