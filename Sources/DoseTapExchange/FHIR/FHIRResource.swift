internal import DoseTapDomain

/// The common values of all resources of a file, and the parts of a resource.
struct FHIRParts {
    /// The id of the Patient of all resources.
    let person: String
    /// True if each resource is a line of its own; false if resources are entries of a bundle.
    let isLines: Bool
    let namesMedicines: Bool

    /// Returns a reference to a resource of this file.
    func reference(_ type: String, _ id: String) -> JSONValue {
        ["reference": .string(isLines ? "\(type)/\(id)" : "urn:uuid:\(id)")]
    }

    /// Returns the first keys of a resource that has an identifier.
    func resource(_ type: String, _ id: String, status: String) -> JSONObject {
        [
            "resourceType": .string(type), "id": .string(id), "identifier": [Self.identifier(id)],
            "status": .string(status),
        ]
    }

    var subject: JSONValue { reference("Patient", person) }

    static func identifier(_ id: String) -> JSONValue {
        ["system": .string(FHIRCode.uri), "value": .string("urn:uuid:\(id)")]
    }

    /// Returns a CodeableConcept.
    static func concept(_ codes: [FHIRCode], _ text: String) -> JSONValue {
        var object = JSONObject()
        if !codes.isEmpty { object["coding"] = .array(codes.map(\.coding)) }
        object["text"] = .string(text)
        return .object(object)
    }

    /// Returns a moment by the wall clock, or in UTC if the offset of the clock is unknown.
    static func dateTime(_ instant: Instant, offset: Int?) -> JSONValue {
        guard let offset, offset != 0, (-840...840).contains(offset) else { return .string(instant.iso8601) }
        return .string(LocalTimeFormat.iso8601(instant, offsetMinutes: offset))
    }

    static func period(_ start: Instant, _ end: Instant?, offset: Int?) -> JSONValue {
        var object: JSONObject = ["start": dateTime(start, offset: offset)]
        // A period cannot end before its start.
        if let end, end >= start { object["end"] = dateTime(end, offset: offset) }
        return .object(object)
    }

    /// Returns annotations with the person's words; nil for none.
    static func notes(_ texts: String?...) -> JSONValue? {
        let notes = texts.compactMap(\.self).filter { !$0.isEmpty }.map { JSONValue.object(["text": .string($0)]) }
        return notes.isEmpty ? nil : .array(notes)
    }
}

extension NightRecord.Entry {
    /// The offset of the wall clock from UTC, in minutes.
    var offset: Int? { metadata["local_offset_minutes"]?.integerValue.flatMap { Int(exactly: $0) } }
    /// The person's words.
    var note: String? { metadata["note"]?.stringValue }
    /// The id as a UUID.
    var uuid: String { Identity.uuid(of: id.text) }
}
