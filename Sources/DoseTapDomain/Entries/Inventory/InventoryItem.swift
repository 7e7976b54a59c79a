/// An item that can be noted of the stock of an oxybate.
public enum InventoryItem: Hashable, Sendable {
    /// Bottles or packets came in.
    case bottles(Bottles)
    /// A dose was made ready in a cup.
    case cup(Cup)
    /// The cup of this entry was thrown away.
    case cupDiscarded(EventID)
    /// One bottle of this entry was thrown away with what was left in it.
    case bottleDiscarded(EventID)
    /// The stock was counted.
    case counted(Count)

    /// Bottles or packets of one size.
    public struct Bottles: Hashable, Sendable {
        /// The id of the medicine in ``MedicationCatalogue``.
        public var medicationID: String
        /// The contents of one bottle or packet, in mg.
        public var milligrams: Int
        /// The contents of a millilitre; nil for packets.
        public var concentration: Concentration?
        /// The number of bottles or packets.
        public var count: Int

        public init(medicationID: String, milligrams: Int, concentration: Concentration?, count: Int) {
            self.medicationID = medicationID
            self.milligrams = milligrams
            self.concentration = concentration
            self.count = count
        }
    }

    /// An amount that was taken out of a bottle into a cup.
    public struct Cup: Hashable, Sendable {
        /// The id of the medicine in ``MedicationCatalogue``.
        public var medicationID: String
        /// The amount in mg; nil is unknown, never zero.
        public var milligrams: Int?
        /// The dose for which the cup is meant, if any.
        public var dose: DoseKind?
        /// The regimen from which the amount is taken, if nobody said the amount.
        public var regimenID: EventID?

        public init(medicationID: String, milligrams: Int?, dose: DoseKind?, regimenID: EventID?) {
            self.medicationID = medicationID
            self.milligrams = milligrams
            self.dose = dose
            self.regimenID = regimenID
        }
    }

    /// The result of a count.
    public struct Count: Hashable, Sendable {
        /// The id of the medicine in ``MedicationCatalogue``.
        public var medicationID: String
        /// The amount left, in mg; zero is nothing.
        public var milligrams: Int
        /// The contents of a millilitre; nil for packets.
        public var concentration: Concentration?
        /// The contents in mg of one of the counted packets; nil for a liquid.
        public var packetMilligrams: Int?
        /// The entry of the counted bottles; nil for a count of the whole stock of the medicine.
        public var target: EventID?

        public init(
            medicationID: String, milligrams: Int, concentration: Concentration?, packetMilligrams: Int?,
            target: EventID?
        ) {
            self.medicationID = medicationID
            self.milligrams = milligrams
            self.concentration = concentration
            self.packetMilligrams = packetMilligrams
            self.target = target
        }
    }

    /// Kinds of items; the raw value is the wire word.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case bottleReceived = "bottle_received"
        case cupPoured = "cup_poured"
        case cupDiscarded = "cup_discarded"
        case bottleDiscarded = "bottle_discarded"
        case stockCounted = "stock_counted"
    }

    /// The kind of the item, without its data.
    public var kind: Kind {
        switch self {
        case .bottles: .bottleReceived
        case .cup: .cupPoured
        case .cupDiscarded: .cupDiscarded
        case .bottleDiscarded: .bottleDiscarded
        case .counted: .stockCounted
        }
    }

    /// The entry to which the item refers; nil for none.
    public var target: EventID? {
        switch self {
        case .cupDiscarded(let id), .bottleDiscarded(let id): id
        case .counted(let count): count.target
        case .bottles, .cup: nil
        }
    }

    /// The medicine; nil if another entry says the medicine.
    public var medicationID: String? {
        switch self {
        case .bottles(let bottles): bottles.medicationID
        case .cup(let cup): cup.medicationID
        case .counted(let count): count.medicationID
        case .cupDiscarded, .bottleDiscarded: nil
        }
    }

    /// The contents of a millilitre; nil if the item does not say them.
    var concentration: Concentration? {
        switch self {
        case .bottles(let bottles): bottles.concentration
        case .counted(let count): count.concentration
        case .cup, .cupDiscarded, .bottleDiscarded: nil
        }
    }

    /// Returns the item with another amount in mg: that of one bottle, of the cup, or of the count.
    func amended(_ milligrams: Int) -> InventoryItem {
        switch self {
        case .bottles(var bottles):
            bottles.milligrams = milligrams
            return .bottles(bottles)
        case .cup(var cup):
            (cup.milligrams, cup.regimenID) = (milligrams, nil)
            return .cup(cup)
        case .counted(var count):
            count.milligrams = milligrams
            return .counted(count)
        case .cupDiscarded, .bottleDiscarded: return self
        }
    }

    /// The item as the person said it: an amount of the regimen is left out.
    var stated: InventoryItem {
        guard case .cup(var cup) = self, cup.regimenID != nil else { return self }
        (cup.milligrams, cup.regimenID) = (nil, nil)
        return .cup(cup)
    }
}

extension InventoryItem {
    /// Writes the keys of a payload, and of an entry's metadata.
    func write(into object: inout JSONObject) {
        object["kind"] = .string(kind.rawValue)
        object["medication_id"] = medicationID.map(JSONValue.string)
        switch self {
        case .bottles(let bottles):
            object["unit_mg"] = .integer(Int64(bottles.milligrams))
            object["concentration"] = bottles.concentration.map { .string($0.text) }
            object["count"] = .integer(Int64(bottles.count))
        case .cup(let cup):
            object["amount_mg"] = cup.milligrams.map { .integer(Int64($0)) }
            object["for"] = cup.dose.map { .string($0.rawValue) }
            object["regimen_id"] = cup.regimenID.map { .string($0.text) }
        case .counted(let count):
            object["left_mg"] = .integer(Int64(count.milligrams))
            object["concentration"] = count.concentration.map { .string($0.text) }
            object["packet_mg"] = count.packetMilligrams.map { .integer(Int64($0)) }
        case .cupDiscarded, .bottleDiscarded: break
        }
        object["entry"] = target.map { .string($0.text) }
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        let kind: Kind = try reader.word("kind")
        switch kind {
        case .bottleReceived:
            self = .bottles(
                Bottles(
                    medicationID: try reader.string("medication_id"), milligrams: try reader.integer("unit_mg"),
                    concentration: try Self.concentration(reader), count: try reader.integer("count")))
        case .cupPoured:
            self = .cup(
                Cup(
                    medicationID: try reader.string("medication_id"),
                    milligrams: try reader.optionalInteger("amount_mg"), dose: try reader.optionalWord("for"),
                    regimenID: try reader.optionalEventID("regimen_id")))
        case .cupDiscarded: self = .cupDiscarded(try reader.eventID("entry"))
        case .bottleDiscarded: self = .bottleDiscarded(try reader.eventID("entry"))
        case .stockCounted:
            self = .counted(
                Count(
                    medicationID: try reader.string("medication_id"), milligrams: try reader.integer("left_mg"),
                    concentration: try Self.concentration(reader),
                    packetMilligrams: try reader.optionalInteger("packet_mg"),
                    target: try reader.optionalEventID("entry")))
        }
    }

    private static func concentration(_ reader: PayloadReader) throws(PayloadError) -> Concentration? {
        guard let text = try reader.optionalString("concentration") else { return nil }
        guard let concentration = Concentration(text: text) else { throw reader.fault("concentration") }
        return concentration
    }
}
