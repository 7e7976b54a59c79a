public import DoseTapDomain

/// What a name means, as `Show` answers it.
public struct ShownNights: Hashable, Sendable {
    /// The nights, with all that belongs to them.
    public var nights: [NightRecord]
    /// A pre-sleep log that belongs to no night.
    public var preSleep: [NightRecord.Entry]
    /// Medicines that belong to no night.
    public var medications: [NightRecord.Entry]
    /// What was noted of the stock.
    public var inventory: [NightRecord.Entry]

    /// Memberwise.
    public init(
        nights: [NightRecord], preSleep: [NightRecord.Entry] = [], medications: [NightRecord.Entry] = [],
        inventory: [NightRecord.Entry] = []
    ) {
        self.nights = nights
        self.preSleep = preSleep
        self.medications = medications
        self.inventory = inventory
    }

    /// The `show --json` object.
    public var json: JSONObject {
        var object: JSONObject = ["nights": .array(nights.map { .object($0.json) })]
        if !preSleep.isEmpty { object["pre_sleep"] = .array(preSleep.map { .object($0.json) }) }
        if !medications.isEmpty { object["medications"] = .array(medications.map { .object($0.json) }) }
        if !inventory.isEmpty { object["inventory"] = .array(inventory.map { .object($0.json) }) }
        return object
    }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        nights = []
        for value in json["nights"]?.arrayValue ?? [] {
            if let object = value.objectValue { nights.append(try NightRecord(json: object)) }
        }
        preSleep = try Self.entries(json["pre_sleep"])
        medications = try Self.entries(json["medications"])
        inventory = try Self.entries(json["inventory"])
    }

    private static func entries(_ value: JSONValue?) throws(PayloadError) -> [NightRecord.Entry] {
        var entries: [NightRecord.Entry] = []
        for value in value?.arrayValue ?? [] {
            if let object = value.objectValue { entries.append(try NightRecord.Entry(json: object)) }
        }
        return entries
    }

    /// Whether nothing was found.
    public var isEmpty: Bool { nights.isEmpty && preSleep.isEmpty && medications.isEmpty && inventory.isEmpty }
}
