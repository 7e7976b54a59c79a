internal import DoseTapDomain
internal import DoseTapText

/// Prescriptions and other medicines as MedicationStatement.
enum FHIRMedicines {
    /// Returns a medicine by its codes, if there are any, and its name.
    static func concept(_ id: String?, _ parts: FHIRParts) -> JSONValue {
        guard parts.namesMedicines else { return FHIRParts.concept([], ExchangeText.someMedicine) }
        guard let id else { return FHIRParts.concept([], ExchangeText.unnamedMedicine) }
        return FHIRParts.concept(FHIRCode.medicine(id), MedicationCatalogue.standard.displayName(of: id))
    }

    /// Returns an intake of a medicine.
    static func taken(_ entry: NightRecord.Entry, _ parts: FHIRParts) -> JSONObject {
        var resource = parts.resource("MedicationStatement", entry.uuid, status: "completed")
        resource["medicationCodeableConcept"] = concept(entry.metadata["medication_id"]?.stringValue, parts)
        resource["subject"] = parts.subject
        resource["effectiveDateTime"] = FHIRParts.dateTime(entry.timestamp, offset: entry.offset)
        resource["dateAsserted"] = FHIRParts.dateTime(entry.recordedAt, offset: entry.offset)
        resource["note"] = FHIRParts.notes(entry.note)
        if let amount = milligrams(entry.metadata["dose_mg"]) { resource["dosage"] = [dosage(amount)] }
        return resource
    }

    /// Returns a prescription, once for each period in which it is in force; none without a medicine or a date, and for a
    /// regimen that later ones replaced as a whole.
    ///
    /// This program has no clock: a regimen without an end is told as active, and the status of any other is unknown. The amounts
    /// of steps are told in words, because they change within the period.
    ///
    /// - Parameter later: the regimens that were set after it.
    static func prescribed(
        _ regimen: JSONObject, later: some Sequence<JSONObject>, _ parts: FHIRParts
    ) -> [JSONObject] {
        guard parts.namesMedicines, let id = regimen["id"]?.stringValue, regimen["medication_id"]?.stringValue != nil
        else { return [] }
        return PrescribedPeriod.all(of: regimen, later: later).enumerated().map { place, told in
            // The first period has the id of the regimen.
            let own = place == 0 ? Identity.uuid(of: id) : Identity.derived("prescribed/\(id)/\(told.from.text)")
            return statement(own, regimen, told, parts)
        }
    }

    private static func statement(
        _ id: String, _ regimen: JSONObject, _ told: PrescribedPeriod, _ parts: FHIRParts
    ) -> JSONObject {
        let (from, until) = (told.from, told.until)
        var resource = parts.resource("MedicationStatement", id, status: until == nil ? "active" : "unknown")
        resource["medicationCodeableConcept"] = concept(regimen["medication_id"]?.stringValue, parts)
        resource["subject"] = parts.subject
        var period: JSONObject = ["start": .string(from.text)]
        if let until { period["end"] = .string(until.text) }
        resource["effectivePeriod"] = .object(period)
        resource["note"] = FHIRParts.notes(regimen["note"]?.stringValue)
        let steps = told.steps(of: regimen)
        let doses = regimen["parts_mg"]?.arrayValue?.compactMap(milligrams) ?? []
        if !steps.isEmpty {
            resource["dosage"] = .array(
                steps.enumerated().map { place, step in
                    [
                        "sequence": .integer(Int64(place + 1)),
                        "text": .string(ExchangeText.aNight(step.total, from: step.from)),
                    ]
                })
        } else if !doses.isEmpty {
            resource["dosage"] = .array(
                doses.enumerated().map { place, amount in dosage(amount, sequence: place + 1) })
        } else if let total = milligrams(regimen["total_mg"]) {
            resource["dosage"] = [dosage(total, text: ExchangeText.aNight(milligrams: total))]
        }
        return resource
    }

    private static func dosage(_ milligrams: Int, sequence: Int? = nil, text: String? = nil) -> JSONValue {
        var object = JSONObject()
        object["sequence"] = sequence.map { .integer(Int64($0)) }
        object["text"] = (text ?? sequence.map { ExchangeText.dose($0, milligrams: milligrams) }).map(JSONValue.string)
        object["doseAndRate"] = [["doseQuantity": FHIRUnit.milligrams.quantity(milligrams)]]
        return .object(object)
    }

    private static func milligrams(_ value: JSONValue?) -> Int? {
        value?.integerValue.flatMap { Int(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
    }
}
