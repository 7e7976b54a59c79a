internal import DoseTapDomain

/// A code of a code system, with the source from which it was taken. A file has no other codes than these.
struct FHIRCode: Hashable, Sendable {
    let system: String
    let code: String
    let display: String?
    /// The publication from which the code was taken.
    let source: String

    private init(_ system: String, _ code: String, _ display: String? = nil, source: String) {
        self.system = system
        self.code = code
        self.display = display
        self.source = source
    }

    /// The code as a Coding.
    var coding: JSONValue {
        var object: JSONObject = ["system": .string(system), "code": .string(code)]
        object["display"] = display.map(JSONValue.string)
        return .object(object)
    }
}

// MARK: Code systems of others

extension FHIRCode {
    private static let labels = "National Drug Code in the product's label"
    private static let phr = "HL7 Personal Health Records, CodeSystem sleep-episode-codes 1.0.0-ballot2, trial use"
    private static let r4 = "HL7 FHIR R4 terminology"

    private static func ndc(_ code: String) -> FHIRCode {
        FHIRCode("http://hl7.org/fhir/sid/ndc", code, source: labels)
    }
    private static func episode(_ code: String, _ display: String) -> FHIRCode {
        FHIRCode("http://hl7.org/fhir/uv/phr/CodeSystem/sleep-episode-codes", code, display, source: phr)
    }

    private static let oxybate = FHIRCode("http://www.whocc.no/atc", "N07XX04", source: "WHO ATC index")

    /// Returns the codes of a medicine; none if nobody verified them, so that the medicine has its name alone.
    static func medicine(_ id: String) -> [FHIRCode] {
        switch id {
        case "xyrem": [oxybate, ndc("68727-100")]
        case "xywav":
            [
                oxybate, ndc("68727-150"),
                FHIRCode(
                    "http://www.nlm.nih.gov/research/umls/rxnorm", "2393795", source: "DailyMed, search by RxCUI"),
            ]
        case "lumryz": [oxybate, ndc("13551-001")]
        default: MedicationCatalogue.standard[id]?.isOxybate == true ? [oxybate] : []
        }
    }

    static let sleepDuration = FHIRCode(
        "http://loinc.org", "93832-4", "Sleep duration", source: "LOINC, value set of HL7 Personal Health Records")
    private static func loinc(_ code: String, _ display: String) -> FHIRCode {
        FHIRCode("http://loinc.org", code, display, source: "LOINC, value set of HL7 Personal Health Records")
    }
    static let deepSleep = loinc("93831-6", "Deep sleep duration")
    static let lightSleep = loinc("93830-8", "Light sleep duration")
    static let remSleep = loinc("93829-0", "REM sleep duration")
    static let latency = episode("latencyToSleepOnset", "Latency to sleep onset")
    static let wakeAfterOnset = episode("wakeAfterSleepOnset", "Wake after sleep onset")
    static let awakenings = episode("numberOfAwakenings", "Number of awakenings")
    static let efficiency = episode("sleepEfficiencyPercentage", "Sleep efficiency percentage")
    static let survey = FHIRCode(
        "http://terminology.hl7.org/CodeSystem/observation-category", "survey", "Survey", source: r4)
    static let activity = FHIRCode(
        "http://terminology.hl7.org/CodeSystem/observation-category", "activity", "Activity", source: r4)
    static let unknown = FHIRCode(
        "http://terminology.hl7.org/CodeSystem/data-absent-reason", "unknown", "Unknown", source: r4)
}

// MARK: Our own

extension FHIRCode {
    private static let own = "the words of DoseTap's contract"

    /// Returns the code of a status reason.
    static func reason(_ word: Reason) -> FHIRCode { FHIRCode("urn:dosetap:reason", word.rawValue, source: own) }
    static func sleepEvent(_ word: String) -> FHIRCode { FHIRCode("urn:dosetap:sleep-event", word, source: own) }
    /// Returns the code of an answer in a questionnaire.
    static func answer(_ code: String) -> FHIRCode { FHIRCode("urn:dosetap:answer", code, source: own) }
    /// Returns the code of a figure of many nights.
    static func figure(_ word: String) -> FHIRCode { FHIRCode("urn:dosetap:figure", word, source: own) }

    /// The reasons for the status of a dose.
    enum Reason: String, CaseIterable {
        /// The person skipped the dose.
        case skipped = "skipped-by-person"
        /// Nobody recorded the dose or a skip.
        case notRecorded = "not-recorded"
        /// The dose was skipped first and taken after all.
        case superseded = "superseded-by-dose2"
        /// The dose or the skip was corrected or deleted.
        case corrected
    }

    /// The extension that names the dose of the night.
    static let doseExtension = "urn:dosetap:extension:dose"
    /// The system of identifiers that are URIs.
    static let uri = "urn:ietf:rfc:3986"
    /// Returns the URI of a questionnaire, with its version.
    static func questionnaire(_ kind: Questionnaire.Kind) -> String { "urn:dosetap:questionnaire:\(kind.rawValue)|1" }
}

/// Units of UCUM.
enum FHIRUnit: String {
    case milligrams = "mg"
    case minutes = "min"
    case percent = "%"
    /// The unit of numbers without one.
    case one = "1"

    /// Returns a Quantity in this unit.
    func quantity(_ value: Int) -> JSONValue { object(.integer(Int64(value))) }

    /// Returns a Quantity in this unit. A whole number has no decimals.
    func quantity(_ value: Double) -> JSONValue {
        object(Int64(exactly: value).map(JSONValue.integer) ?? .number(value))
    }

    private func object(_ value: JSONValue) -> JSONValue {
        [
            "value": value, "unit": .string(rawValue), "system": "http://unitsofmeasure.org", "code": .string(rawValue),
        ]
    }
}
