internal import DoseTapDomain

/// The content of `insights_bundle.json` for a night, with the app's names.
enum StudioInsights {
    static func session(_ night: NightRecord) -> JSONObject {
        var object: JSONObject = ["sessionDate": .string(night.summary.sessionDate.text)]
        if let entry = night.entries.last(where: { $0.type == EntityType.preSleep.rawValue }) {
            object["preSleep"] = .object(preSleep(entry, night))
        }
        if let entry = night.entries.last(where: { $0.type == EntityType.checkin.rawValue }) {
            object["morning"] = .object(morning(entry))
        }
        object["medications"] = .array(
            night.entries.filter { $0.type == EntityType.medication.rawValue }.compactMap(medication))
        return object
    }

    /// Returns a time without fractions, as the app writes times here.
    static func seconds(_ instant: Instant) -> String { String(instant.iso8601.prefix(19)) + "Z" }

    private static let preSleepNames: KeyValuePairs<String, String> = [
        "stressLevel": "stress_level", "stressDrivers": "stress_drivers", "laterReason": "later_reason",
        "bodyPain": "body_pain", "caffeineSources": "caffeine_sources", "alcohol": "alcohol", "exercise": "exercise",
        "napToday": "nap", "lateMeal": "late_meal", "screensInBed": "screens", "roomTemp": "room_temperature",
        "noiseLevel": "room_noise", "sleepAids": "sleep_aids", "notes": "notes",
    ]
    private static let morningNames: KeyValuePairs<String, String> = [
        "sleepQuality": "sleep_quality", "feelRested": "feel_rested", "grogginess": "grogginess",
        "sleepInertiaDuration": "sleep_inertia_duration", "dreamRecall": "dream_recall",
        "mentalClarity": "mental_clarity", "mood": "mood", "anxietyLevel": "anxiety_level",
        "stressLevel": "stress_level", "stressDrivers": "stress_drivers", "readinessForDay": "readiness_for_day",
        "hadSleepParalysis": "had_sleep_paralysis", "hadHallucinations": "had_hallucinations",
        "hadAutomaticBehavior": "had_automatic_behavior", "fellOutOfBed": "fell_out_of_bed",
        "hadConfusionOnWaking": "had_confusion_on_waking", "notes": "notes",
    ]
    /// Lists that the app's reader requires.
    private static let lists = ["stressDrivers", "caffeineSources", "sleepAids"]

    private static func preSleep(_ entry: NightRecord.Entry, _ night: NightRecord) -> JSONObject {
        var object: JSONObject = [
            "sessionId": .string(night.summary.sessionID.text),
            "completionState": entry.metadata["completion_state"] ?? "partial",
            "loggedAtUTC": .string(entry.timestamp.iso8601),
        ]
        add(entry, preSleepNames, in: &object)
        return object
    }

    private static func morning(_ entry: NightRecord.Entry) -> JSONObject {
        var object: JSONObject = ["submittedAtUTC": .string(seconds(entry.timestamp))]
        add(entry, morningNames, in: &object)
        // The app has no unknown mental clarity and the like: a missing answer gets our default.
        for item in Questionnaire.morning.items {
            guard let name = morningNames.first(where: { $0.value == item.key })?.key, object[name] == nil else {
                continue
            }
            object[name] = item.defaultValue
        }
        return object
    }

    private static func add(
        _ entry: NightRecord.Entry, _ names: KeyValuePairs<String, String>, in object: inout JSONObject
    ) {
        let answers = entry.metadata["answers"]?.objectValue ?? JSONObject()
        for (name, key) in names {
            if let answer = answers[key] {
                object[name] = answer
            } else if lists.contains(name) {
                object[name] = []
            }
        }
    }

    /// Returns nil if the medicine is not told.
    private static func medication(_ entry: NightRecord.Entry) -> JSONValue? {
        guard let medicine = entry.metadata["medication_id"] else { return nil }
        var object: JSONObject = ["id": .string(entry.id.text), "medicationId": medicine]
        object["doseMg"] = entry.metadata["dose_mg"]
        object["doseUnit"] = "mg"
        object["formulation"] = entry.metadata["formulation"] ?? "ir"
        object["takenAtUTC"] = .string(seconds(entry.timestamp))
        object["notes"] = entry.note.map(JSONValue.string)
        return .object(object)
    }
}
