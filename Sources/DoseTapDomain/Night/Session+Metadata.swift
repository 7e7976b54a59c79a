extension Session {
    /// The `metadata` of a dose (R5): flags are derived here, never frozen in the log.
    public func metadata(of dose: Dose) -> JSONObject {
        var object = JSONObject()
        switch dose.kind {
        case .dose1: break
        case .dose2:
            if let interval {
                if interval < DoseWindow.opens { object["is_early"] = .bool(true) }
                if interval >= DoseWindow.closes { object["is_late"] = .bool(true) }
            }
        case .extra:
            object["is_extra_dose"] = .bool(true)
            let gaps = doses.lazy.filter { $0.id != dose.id && $0.at <= dose.at }.map { dose.at - $0.at }
            if let gap = gaps.min(), gap < DoseWindow.opens { object["is_early"] = .bool(true) }
        }
        object["amount_mg"] = dose.amountMilligrams.map { .integer(Int64($0)) }
        object["regimen_id"] = dose.regimenID.map { .string($0.text) }
        object["medication_id"] = dose.medicationID.map(JSONValue.string)
        object.complete(note: dose.note, isAutomatic: false, dose.event)
        return object
    }

    /// What a dose that was moved made of itself and of the doses after it: early, late, one too many.
    public func flags(ofMoved id: EventID) -> JSONObject {
        var flags = JSONObject()
        guard let place = doses.firstIndex(where: { $0.id == id }) else { return flags }
        for dose in doses[place...] {
            let metadata = metadata(of: dose)
            for key in ["is_early", "is_late", "is_extra_dose"] where metadata[key] == true {
                // That another dose is an extra one is nothing new.
                if key != "is_extra_dose" || dose.id == id { flags[key] = true }
            }
        }
        return flags
    }

    /// The `metadata` of a skip.
    public func metadata(of skip: Skip) -> JSONObject {
        var object = JSONObject()
        object["reason"] = skip.reason.map(JSONValue.string)
        if skip.isAutomatic { object["automatic"] = .bool(true) }
        object.complete(note: skip.note, isAutomatic: skip.isAutomatic, skip.event)
        return object
    }

    /// The `metadata` of a snooze.
    public func metadata(of snooze: Snooze) -> JSONObject {
        var object = JSONObject()
        object["count"] = .integer(Int64(snooze.count))
        object.complete(note: snooze.note, isAutomatic: false, snooze.event)
        return object
    }

    /// The metadata of a sleep event: with the end of a nap its length in whole minutes.
    public func metadata(of event: SleepEvent) -> JSONObject {
        var object = JSONObject()
        if event.type == SleepEventWord.napEnd {
            object["nap_min"] = naps.ended(by: event.id).map { .integer($0.wholeMinutes) }
        }
        object.complete(note: event.note, isAutomatic: false, event.event)
        return object
    }

    /// The metadata of a check-in: its answers and how the morning feels.
    public func metadata(of checkIn: CheckIn) -> JSONObject {
        var object: JSONObject = ["answers": .object(checkIn.answers.values)]
        object["defaults"] = .array(checkIn.defaults.map(JSONValue.string))
        object["wellness_score"] = checkIn.wellness.map { .integer(Int64($0)) }
        if checkIn.wellness != nil, !checkIn.wellnessDefaults.isEmpty {
            object["wellness_defaults"] = .array(checkIn.wellnessDefaults.map(JSONValue.string))
        }
        object.complete(note: nil, isAutomatic: false, checkIn.event)
        return object
    }
}

extension JSONObject {
    /// Adds what the metadata of every entry end with.
    mutating func complete(note: String?, isAutomatic: Bool, _ event: Event) {
        self["note"] = note.map(JSONValue.string)
        self["surface"] = .string(event.surface.rawValue)
        self["source"] = .string(isAutomatic ? "automatic" : event.surface == .importer ? "imported" : "manual")
        self["local_offset_minutes"] = .integer(Int64(event.localOffsetMinutes))
    }
}
