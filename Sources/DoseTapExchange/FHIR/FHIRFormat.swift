package import DoseTapDomain
internal import DoseTapText

/// FHIR R4: one Bundle of the type `collection`, or one resource on each line. The resources are written as the nights come.
package struct FHIRFormat: ExchangeFormat {
    private let isLines: Bool
    private let profile: ExportProfile
    private let identity: Identity
    private var figures = ProfileFigures()
    private var person: String?
    private var isOpen = false

    package init(isLines: Bool, profile: ExportProfile, identity: Identity) {
        self.isLines = isLines
        self.profile = profile
        self.identity = identity
    }

    package mutating func take(_ line: NightsLine, into output: inout Output) throws(ExchangeFault) {
        guard profile != .figures else { return line.nights.forEach { figures.take($0) } }
        guard let parts = try parts(line, into: &output) else { return }
        // The regimen that was set last comes first.
        for (place, regimen) in line.regimens.enumerated() {
            let later = line.regimens[..<place]
            for resource in FHIRMedicines.prescribed(regimen, later: later, parts) {
                try put(resource, into: &output)
            }
        }
        for night in line.nights {
            for resource in FHIRDoses(night: night, parts: parts).resources { try put(resource, into: &output) }
            for resource in FHIRSleep(night: night, parts: parts).resources { try put(resource, into: &output) }
            let amended = Set(
                night.standingCorrections.filter { $0.type == EventType.checkinRecorded.rawValue }
                    .compactMap(\.target))
            try put(night.entries, amended: amended, parts, into: &output)
        }
        try put(line.entries, amended: [], parts, into: &output)
    }

    package mutating func finish(into output: inout Output) throws(ExchangeFault) {
        if profile == .figures, figures.nights > 0 {
            let person = identity.hashed("person")
            try put(Self.patient(person), into: &output)
            let parts = FHIRParts(person: person, isLines: isLines, namesMedicines: false)
            try put(FHIRFigures.resource(figures, identity.hashed("figures"), parts), into: &output)
        }
        if !isLines {
            try output.write(isOpen ? "\n]}\n" : "{\"resourceType\":\"Bundle\",\"type\":\"collection\"}\n")
        }
    }

    /// Writes questionnaires, other medicines and recorded sleep.
    private mutating func put(
        _ entries: [NightRecord.Entry], amended: Set<EventID>, _ parts: FHIRParts, into output: inout Output
    ) throws(ExchangeFault) {
        for entry in entries {
            if let answers = FHIRAnswers(entry, parts) {
                try put(answers.resource(isAmended: amended.contains(entry.id)), into: &output)
            } else if entry.type == EntityType.medication.rawValue {
                try put(FHIRMedicines.taken(entry, parts), into: &output)
            } else if entry.type == EntityType.sleepRecord.rawValue {
                try put(FHIRSleep.recorded(parts)(entry), into: &output)
            }
        }
    }

    /// Returns the common parts of a line's resources; nil for an empty line. The first call with parts also writes the Patient.
    private mutating func parts(_ line: NightsLine, into output: inout Output) throws(ExchangeFault) -> FHIRParts? {
        let first =
            line.nights.first?.summary.sessionID.text ?? line.regimens.first?["id"]?.stringValue
            ?? line.entries.first?.id.text
        guard let first else { return nil }
        if person == nil {
            // The file does not name the person, so the id of the Patient follows from the first id of the file.
            let made = Identity.derived("person/\(first)")
            person = made
            try put(Self.patient(made), into: &output)
        }
        return person.map { FHIRParts(person: $0, isLines: isLines, namesMedicines: profile.namesMedicines) }
    }

    private static func patient(_ id: String) -> JSONObject { ["resourceType": "Patient", "id": .string(id)] }

    private mutating func put(_ resource: JSONObject, into output: inout Output) throws(ExchangeFault) {
        guard !isLines else {
            try output.write(JSONValue.object(resource).serializedBytes())
            return try output.write("\n")
        }
        try output.write(isOpen ? ",\n" : "{\"resourceType\":\"Bundle\",\"type\":\"collection\",\"entry\":[\n")
        isOpen = true
        let entry: JSONValue = [
            "fullUrl": .string("urn:uuid:\(resource["id"]?.stringValue ?? "")"), "resource": .object(resource),
        ]
        try output.write(entry.serializedBytes())
    }
}
