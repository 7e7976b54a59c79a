internal import DoseTapDomain

/// The treatment of a value of the stream in a redacted file.
///
/// The tables are closed: a key that is in no table is taken out.
enum Treatment {
    /// The value stays. Addresses and identifiers in its text are still replaced.
    case keep
    /// The person's words: taken out, except in a packet with notes.
    case words
    /// The name of a device: taken out, because people give their devices names.
    case device
    /// A description of the machine: blank, because its key must be present.
    case machine
    /// An identifier: hashed.
    case id
    /// A moment: in `share` moved to the file's own calendar.
    case instant
    /// A session date: in `share` moved to the file's own calendar.
    case date
    /// Part of a medicine's name or amount: taken out in `share`.
    case medicine
    /// A time zone or an offset from UTC: in `share` the zone is blank, and the offset is taken out.
    case zone
    /// The type of an entry: the person's own word becomes `other`, except in a packet with notes.
    case type
    /// The source of a sleep: a source that files are imported from stays, and so does the person. Any other word may be a name.
    case source
    /// A reason: a word of the service stays; the person's words are taken out, except in a packet with notes.
    case reason
    /// Codes that may name medicines.
    case aids
    /// An object, by a table.
    case object(Table)
    /// A list of objects, by a table.
    case list(Table)
    /// Entries, by a table. Entries of the inventory are taken out, and in `share` those about medicines.
    case entries

    /// Returns the treatment of a key; nil takes the key out.
    typealias Table = @Sendable (_ key: String) -> Treatment?
}

extension Treatment {
    /// The keys of a line.
    static func line(_ key: String) -> Treatment? {
        switch key {
        case "nights": .list(night)
        case "history": .list(regimen)
        case let list where EntityType.listsOfDays.contains(list): .entries
        default: nil
        }
    }

    /// The keys of a night.
    static func night(_ key: String) -> Treatment? {
        switch key {
        case "session_id", "belongs_to": .id
        case "session_date": .date
        case "start_utc", "end_utc", "dose1_time", "dose2_time": .instant
        case "terminal_state", "dose2_skipped", "extra_doses", "snooze_count", "interval_min", "interval_ms", "on_time",
            "wellness_score", "pre_sleep", "outcome", "night_score", "sleep_diary", "rules":
            .keep
        case "time_zone": .zone
        case "entries", "corrections": .entries
        case "naps": .list(nap)
        case "bundle": .medicine
        case "recorded_sleep": .object(recorded)
        default: nil
        }
    }

    private static func nap(_ key: String) -> Treatment? {
        switch key {
        case "state", "nap_min": .keep
        case "start_id", "end_id": .id
        case "start_utc", "end_utc": .instant
        default: nil
        }
    }

    /// The keys of an entry or a correction.
    static func entry(_ key: String) -> Treatment? {
        switch key {
        case "id", "target": .id
        case "type": .type
        case "timestamp", "recorded_at": .instant
        case "surface": .machine
        case "metadata": .object(metadata)
        default: nil
        }
    }

    private static func metadata(_ key: String) -> Treatment? {
        switch key {
        case "is_early", "is_late", "is_extra_dose", "count", "automatic", "source", "nap_min", "defaults",
            "wellness_score", "wellness_defaults", "completion_state", "confirmed_duplicate", "usual_dose", "part",
            "grade", "sleep", "stage_s":
            .keep
        case "sleep_source": .source
        case "device": .device
        case "note": .words
        case "end_utc": .instant
        case "stages": .list(stage)
        case "amount_mg", "medication_id", "dose_mg", "dose_unit", "formulation", "plan_over_limit": .medicine
        case "regimen_id": .id
        case "local_offset_minutes": .zone
        case "reason": .reason
        case "at": .instant
        case "answers": .object(answer)
        case "original": .object(original)
        // A correction of a check-in has its answers at this level.
        default: answer(key)
        }
    }

    private static func recorded(_ key: String) -> Treatment? {
        switch key {
        case "device": .device
        case "start_utc", "end_utc": .instant
        case "source": .source
        case "grade", "records", "other_sources", "deep_sleep_min": .keep
        default: SleepDiary.keys.contains(key) ? .keep : nil
        }
    }

    private static func stage(_ key: String) -> Treatment? {
        switch key {
        case "stage": .keep
        case "start_utc", "end_utc": .instant
        default: nil
        }
    }

    private static func original(_ key: String) -> Treatment? {
        switch key {
        case "type": .type
        case "timestamp": .instant
        case "amount_mg", "medication_id": .medicine
        case "local_offset_minutes": .zone
        default: nil
        }
    }

    private static func answer(_ key: String) -> Treatment? {
        if key.hasPrefix("dose_plan") { return .medicine }
        if key == "sleep_aids" { return .aids }
        guard let item = Questionnaire.morning[key] ?? Questionnaire.preSleep[key] else { return nil }
        switch item.kind {
        case .whole, .decimal, .yesNo, .choice, .choices: return .keep
        case .text: return .words
        case .instant: return .instant
        case .pains: return .list(pain)
        }
    }

    private static func pain(_ key: String) -> Treatment? {
        switch key {
        case "area", "side", "intensity", "sensations", "pattern": .keep
        default: nil
        }
    }

    private static func regimen(_ key: String) -> Treatment? {
        switch key {
        case "id": .id
        case "note": .words
        case "medication_id", "total", "concentration", "split", "once_nightly", "ratios", "steps", "total_mg",
            "parts_mg", "from", "until":
            .keep
        case "recorded_at": .instant
        default: nil
        }
    }
}

extension EntityType {
    /// The key of the list of medicines that belong to no night.
    static let listOfMedicines = "medications"

    /// Returns true if the type of an entry is a word of the person.
    static func isOwnWord(_ type: String) -> Bool {
        DoseKind(rawValue: type) == nil && EntityType(rawValue: type) == nil && EventType(rawValue: type) == nil
            && SleepEventCatalogue.standard[type] == nil
            && !["dose2_skipped", NightRecord.notRecorded, "snooze", SleepEventWord.finalWake].contains(type)
    }
}
