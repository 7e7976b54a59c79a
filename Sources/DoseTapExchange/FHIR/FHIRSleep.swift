internal import DoseTapDomain
internal import DoseTapText

/// Sleep events, naps and the sleep diary of a night as Observation, and recorded sleep.
struct FHIRSleep {
    let night: NightRecord
    let parts: FHIRParts

    var resources: [JSONObject] {
        night.entries.filter { Self.isSleepEvent($0.type) }.map(event) + night.naps.compactMap(nap) + deleted + diary
    }

    /// Returns true if an entry of this type is a sleep event: no dose, no questionnaire, no medicine.
    static func isSleepEvent(_ type: String) -> Bool {
        switch type {
        case "dose2_skipped", NightRecord.notRecorded, "snooze": false
        default: DoseKind(rawValue: type) == nil && EntityType(rawValue: type) == nil
        }
    }

    private func observation(_ id: String, _ status: String, _ codes: [FHIRCode], _ text: String) -> JSONObject {
        var resource = parts.resource("Observation", id, status: status)
        resource["category"] = [.object(["coding": [FHIRCode.survey.coding]])]
        resource["code"] = FHIRParts.concept(codes, text)
        resource["subject"] = parts.subject
        return resource
    }

    private func event(_ entry: NightRecord.Entry) -> JSONObject {
        var resource = observation(entry.uuid, "final", [.sleepEvent(entry.type)], Label.entry(entry.type))
        resource["effectiveDateTime"] = FHIRParts.dateTime(entry.timestamp, offset: entry.offset)
        resource["note"] = FHIRParts.notes(entry.note)
        return resource
    }

    private func nap(_ nap: Nap) -> JSONObject? {
        guard let start = nap.start, let end = nap.end, let length = nap.length, let id = nap.endID else { return nil }
        var resource = observation(
            Identity.derived("nap/\(id.text)"), "final", [.sleepEvent("nap")], ExchangeText.nap)
        resource["effectivePeriod"] = FHIRParts.period(start, end, offset: night.offset)
        resource["valueQuantity"] = FHIRUnit.minutes.quantity(Int(length.wholeMinutes))
        return resource
    }

    /// The sleep events that were deleted or undone.
    private var deleted: [JSONObject] {
        let active = Set(night.entries.map(\.id))
        var told: Set<EventID> = []
        return night.corrections.compactMap { correction in
            guard correction.type != EventType.entryAmended.rawValue, let target = correction.target,
                !active.contains(target), told.insert(target).inserted,
                let original = correction.metadata["original"], let type = original["type"]?.stringValue,
                Self.isSleepEvent(type), let at = original["timestamp"]?.instantValue
            else { return nil }
            var resource = observation(
                Identity.uuid(of: target.text), "entered-in-error", [.sleepEvent(type)], Label.entry(type))
            resource["effectiveDateTime"] = FHIRParts.dateTime(
                at, offset: original["local_offset_minutes"]?.integerValue.flatMap { Int(exactly: $0) })
            return resource
        }
    }

    /// The sleep by the morning's diary: told, not measured.
    private var diary: [JSONObject] {
        let diary = night.sleepDiary
        let quantities: [(FHIRCode, JSONValue?)] = [
            (.latency, diary.sleepOnsetLatencyMinutes.map(FHIRUnit.minutes.quantity)),
            (.wakeAfterOnset, diary.wakeAfterSleepOnsetMinutes.map(FHIRUnit.minutes.quantity)),
            (.efficiency, diary.sleepEfficiencyPercent.map(FHIRUnit.percent.quantity)),
        ]
        var components = quantities.compactMap { code, value in
            value.map {
                JSONValue.object(["code": FHIRParts.concept([code], code.display ?? ""), "valueQuantity": $0])
            }
        }
        if let awakenings = diary.awakenings {
            components.append([
                "code": FHIRParts.concept([.awakenings], FHIRCode.awakenings.display ?? ""),
                "valueInteger": .integer(Int64(awakenings)),
            ])
        }
        guard diary.totalSleepMinutes != nil || !components.isEmpty else { return [] }
        var resource = observation(
            Identity.derived("sleep/\(night.summary.sessionID.text)"), "final", [.sleepDuration],
            ExchangeText.sleepDiary)
        resource["effectivePeriod"] = FHIRParts.period(
            night.summary.start, night.summary.end, offset: night.offset)
        if let total = diary.totalSleepMinutes {
            resource["valueQuantity"] = FHIRUnit.minutes.quantity(total)
        } else {
            resource["dataAbsentReason"] = FHIRParts.concept([.unknown], ExchangeText.unknown)
        }
        if !components.isEmpty { resource["component"] = .array(components) }
        return [resource]
    }

    /// Returns a sleep from a device, a program or the person, each by itself and apart from the diary.
    static func recorded(_ parts: FHIRParts) -> (NightRecord.Entry) -> JSONObject {
        { entry in
            let sleep = entry.metadata["sleep"]
            let isTold = entry.metadata["grade"]?.stringValue == ImportedSleep.Grade.told.rawValue
            var resource = parts.resource("Observation", entry.uuid, status: "final")
            resource["category"] = [.object(["coding": [(isTold ? FHIRCode.survey : .activity).coding]])]
            resource["code"] = FHIRParts.concept(
                [.sleepDuration],
                ExchangeText.recordedSleep(
                    source: entry.metadata["sleep_source"]?.stringValue, grade: entry.metadata["grade"]?.stringValue,
                    isNap: entry.metadata["part"]?.stringValue == ImportedSleep.Part.nap.rawValue))
            resource["subject"] = parts.subject
            resource["effectivePeriod"] = FHIRParts.period(
                entry.timestamp, entry.metadata["end_utc"]?.instantValue, offset: entry.offset)
            if let total = minutes(sleep?["total_sleep_min"]) {
                resource["valueQuantity"] = FHIRUnit.minutes.quantity(total)
            } else {
                resource["dataAbsentReason"] = FHIRParts.concept([.unknown], ExchangeText.unknown)
            }
            let stages = entry.metadata["stage_s"]
            let durations: [(FHIRCode, Int?)] = [
                (.deepSleep, minutes(stages?["deep"], 60)), (.lightSleep, minutes(stages?["light"], 60)),
                (.remSleep, minutes(stages?["rem"], 60)), (.latency, minutes(sleep?["sleep_onset_latency_min"])),
                (.wakeAfterOnset, minutes(sleep?["wake_after_sleep_onset_min"])),
            ]
            var components = durations.compactMap { code, value in
                value.map { component(code, ["valueQuantity": FHIRUnit.minutes.quantity($0)]) }
            }
            if let percent = minutes(sleep?["sleep_efficiency_percent"]) {
                components.append(component(.efficiency, ["valueQuantity": FHIRUnit.percent.quantity(percent)]))
            }
            if let awakenings = minutes(sleep?["awakenings"]) {
                components.append(component(.awakenings, ["valueInteger": .integer(Int64(awakenings))]))
            }
            if !components.isEmpty { resource["component"] = .array(components) }
            resource["note"] = FHIRParts.notes(entry.note)
            return resource
        }
    }

    private static func component(_ code: FHIRCode, _ value: JSONObject) -> JSONValue {
        var object: JSONObject = ["code": FHIRParts.concept([code], code.display ?? "")]
        for entry in value { object[entry.key] = entry.value }
        return .object(object)
    }

    private static func minutes(_ value: JSONValue?, _ divisor: Int64 = 1) -> Int? {
        value?.integerValue.flatMap { Int(exactly: $0 / divisor) }
    }
}
