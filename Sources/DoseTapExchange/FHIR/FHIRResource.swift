internal import DoseTapDomain

/// What all resources of a file share, and the parts they are made of.
struct FHIRParts {
    /// Id of the person they are about.
    let person: String
    /// Resources stand by themselves, one a line; else they are entries of a bundle.
    let isLines: Bool
    let namesMedicines: Bool

    /// A reference to a resource of this file.
    func reference(_ type: String, _ id: String) -> JSONValue {
        ["reference": .string(isLines ? "\(type)/\(id)" : "urn:uuid:\(id)")]
    }

    /// The first keys of a resource that has an identifier.
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

    /// A CodeableConcept.
    static func concept(_ codes: [FHIRCode], _ text: String) -> JSONValue {
        var object = JSONObject()
        if !codes.isEmpty { object["coding"] = .array(codes.map(\.coding)) }
        object["text"] = .string(text)
        return .object(object)
    }

    /// A moment by the clock on the wall, where it is known how far that was from UTC.
    static func dateTime(_ instant: Instant, offset: Int?) -> JSONValue {
        guard let offset, offset != 0, (-840...840).contains(offset) else { return .string(instant.iso8601) }
        let local = (instant + .minutes(offset)).iso8601.dropLast()
        let (hours, minutes) = (abs(offset) / 60, abs(offset) % 60)
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return .string("\(local)\(offset < 0 ? "-" : "+")\(digits(hours)):\(digits(minutes))")
    }

    static func period(_ start: Instant, _ end: Instant?, offset: Int?) -> JSONValue {
        var object: JSONObject = ["start": dateTime(start, offset: offset)]
        // An end before its start is no period.
        if let end, end >= start { object["end"] = dateTime(end, offset: offset) }
        return .object(object)
    }

    /// Annotations of the person's words; nil for none.
    static func notes(_ texts: String?...) -> JSONValue? {
        let notes = texts.compactMap(\.self).filter { !$0.isEmpty }.map { JSONValue.object(["text": .string($0)]) }
        return notes.isEmpty ? nil : .array(notes)
    }
}

extension NightRecord.Entry {
    /// How far the wall clock was from UTC, in minutes.
    var offset: Int? { metadata["local_offset_minutes"]?.integerValue.flatMap { Int(exactly: $0) } }
    /// The person's words.
    var note: String? { metadata["note"]?.stringValue }
    /// The id as a UUID.
    var uuid: String { Identity.uuid(of: id.text) }
}
