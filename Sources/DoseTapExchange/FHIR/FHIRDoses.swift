internal import DoseTapDomain
internal import DoseTapText

/// The doses of a night as MedicationAdministration.
struct FHIRDoses {
    let night: NightRecord
    let parts: FHIRParts

    /// A dose as it was on record at some time.
    private struct Version {
        var type: String
        var at: Instant
        var amount: Int64?
        var medicine: String?
        let offset: Int?

        init?(original: JSONValue?) {
            guard let type = original?["type"]?.stringValue, DoseKind(rawValue: type) != nil,
                let at = original?["timestamp"]?.instantValue
            else { return nil }
            self.type = type
            self.at = at
            amount = original?["amount_mg"]?.integerValue
            medicine = original?["medication_id"]?.stringValue
            offset = original?["local_offset_minutes"]?.integerValue.flatMap { Int(exactly: $0) }
        }

        init(_ entry: NightRecord.Entry) {
            type = entry.type
            at = entry.timestamp
            amount = entry.metadata["amount_mg"]?.integerValue
            medicine = entry.metadata["medication_id"]?.stringValue
            offset = entry.offset
        }
    }

    /// The doses, a dose 2 that was skipped or not recorded, and the versions that were corrected.
    var resources: [JSONObject] {
        var resources: [JSONObject] = []
        for entry in night.entries {
            if DoseKind(rawValue: entry.type) != nil {
                var resource = administration(Version(entry), entry.uuid, "completed")
                resource["note"] = FHIRParts.notes(entry.note)
                resources.append(resource)
            } else if entry.type == NightRecord.skip {
                resources.append(skipped(entry))
            }
        }
        if night.summary.outcome == .notRecorded { resources.append(notRecorded) }
        return resources + corrected
    }

    private func administration(_ dose: Version, _ id: String, _ status: String) -> JSONObject {
        var resource = parts.resource("MedicationAdministration", id, status: status)
        addExtension(dose.type, in: &resource)
        resource["medicationCodeableConcept"] = FHIRMedicines.concept(dose.medicine, parts)
        resource["subject"] = parts.subject
        resource["effectiveDateTime"] = FHIRParts.dateTime(dose.at, offset: dose.offset)
        if let amount = dose.amount, amount > 0, let milligrams = Int(exactly: amount) {
            resource["dosage"] = ["dose": FHIRUnit.milligrams.quantity(milligrams)]
        }
        return resource
    }

    private func addExtension(_ type: String, in resource: inout JSONObject) {
        resource["extension"] = [["url": .string(FHIRCode.doseExtension), "valueCode": .string(type)]]
    }

    /// Returns a dose 2 that was skipped or not recorded, with the window in which it was due.
    private func missing(
        _ id: String, _ status: String, _ reason: FHIRCode.Reason, _ text: String, _ entry: NightRecord.Entry?
    ) -> JSONObject {
        var resource = parts.resource("MedicationAdministration", id, status: status)
        addExtension(DoseKind.dose2.rawValue, in: &resource)
        resource["statusReason"] = [FHIRParts.concept([.reason(reason)], text)]
        let medicine = night.entries.first { $0.type == DoseKind.dose1.rawValue }?.metadata["medication_id"]
        resource["medicationCodeableConcept"] = FHIRMedicines.concept(medicine?.stringValue, parts)
        resource["subject"] = parts.subject
        if let dose1 = night.summary.dose1 {
            resource["effectivePeriod"] = FHIRParts.period(
                dose1 + DoseWindow.opens, dose1 + DoseWindow.closes, offset: entry?.offset ?? night.offset)
        } else {
            resource["effectiveDateTime"] = FHIRParts.dateTime(
                entry?.timestamp ?? night.summary.start, offset: entry?.offset ?? night.offset)
        }
        resource["note"] = FHIRParts.notes(entry?.note)
        return resource
    }

    private func skipped(_ entry: NightRecord.Entry) -> JSONObject {
        guard night.summary.dose2 == nil else {
            return missing(entry.uuid, "entered-in-error", .superseded, ExchangeText.superseded, entry)
        }
        return missing(
            entry.uuid, "not-done", .skipped, ExchangeText.skipped(entry.metadata["reason"]?.stringValue), entry)
    }

    private var notRecorded: JSONObject {
        let entry = night.entries.first { $0.type == NightRecord.notRecorded }
        let id = entry?.uuid ?? Identity.derived("not-recorded/\(night.summary.sessionID.text)")
        return missing(id, "unknown", .notRecorded, ExchangeText.notRecorded, entry)
    }

    /// Returns a skip that was undone or deleted.
    private func withdrawn(_ correction: NightRecord.Entry, _ active: Set<EventID>) -> JSONObject? {
        guard let original = correction.metadata["original"], original["type"]?.stringValue == NightRecord.skip,
            let target = correction.target, !active.contains(target), let at = original["timestamp"]?.instantValue
        else { return nil }
        var entry = correction
        (entry.timestamp, entry.metadata) = (at, original.objectValue ?? JSONObject())
        return missing(
            Identity.uuid(of: target.text), "entered-in-error", .corrected, ExchangeText.deleted, entry)
    }

    /// The versions that are no longer on record: each that an amendment replaced, and those that were deleted or undone.
    private var corrected: [JSONObject] {
        let undone = Set(night.corrections.filter { $0.type == EventType.actionUndone.rawValue }.compactMap(\.target))
        let active = Set(night.entries.map(\.id))
        var versions: [EventID: Version] = [:]
        var resources: [JSONObject] = []
        for correction in night.corrections where !undone.contains(correction.id) {
            guard let target = correction.target else { continue }
            if let skip = withdrawn(correction, active) { resources.append(skip) }
            guard let version = versions[target] ?? Version(original: correction.metadata["original"])
            else { continue }
            if correction.type == EventType.entryAmended.rawValue {
                var next = version
                next.at = correction.metadata["at"]?.instantValue ?? version.at
                next.amount = correction.metadata["amount_mg"]?.integerValue ?? version.amount
                versions[target] = next
                guard next.at != version.at || next.amount != version.amount else { continue }
                var resource = administration(
                    version, Identity.derived("before/\(correction.id.text)"), "entered-in-error")
                resource["statusReason"] = [FHIRParts.concept([.reason(.corrected)], ExchangeText.corrected)]
                if active.contains(target) {
                    resource["supportingInformation"] = [
                        parts.reference("MedicationAdministration", Identity.uuid(of: target.text))
                    ]
                }
                resources.append(resource)
            } else if !active.contains(target) {
                var resource = administration(version, Identity.uuid(of: target.text), "entered-in-error")
                resource["statusReason"] = [FHIRParts.concept([.reason(.corrected)], ExchangeText.deleted)]
                resources.append(resource)
            }
        }
        return resources
    }
}

extension NightRecord {
    /// The offset of the wall clock from UTC in that night, in minutes, for times without an entry.
    var offset: Int? { entries.lazy.compactMap(\.offset).first }
}
