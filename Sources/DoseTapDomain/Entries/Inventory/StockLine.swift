/// What there is of one medicine, or of its packets of one size.
public struct StockLine: Hashable, Sendable {
    /// Its id in ``MedicationCatalogue``.
    public let medicationID: String
    /// What a packet holds, in mg; nil for a liquid.
    public let packetMilligrams: Int?
    /// What a millilitre holds, by the bottles that came in last; nil for packets.
    public private(set) var concentration: Concentration?
    /// The bottles, those that came in first in front.
    public private(set) var lots: [Lot] = []
    /// Doses and cups of unknown amount that came out of no bottle that is on record.
    private var unknownElsewhere = 0
    /// More was taken than there was, in mg.
    public private(set) var overdrawnMilligrams = 0
    /// The line that something came in to last has the highest.
    var order: Int

    /// What came in with one entry.
    public struct Lot: Hashable, Sendable {
        /// The entry.
        public let id: EventID
        /// When it came in.
        public let at: Instant
        /// What one bottle holds, in mg; nil for what was counted.
        public let unitMilligrams: Int?
        /// What is left of all of them, in mg.
        public fileprivate(set) var milligrams: Int
        /// Doses and cups of unknown amount that came out of it.
        public fileprivate(set) var unknown = 0
    }

    init(medicationID: String, packetMilligrams: Int?, order: Int) {
        self.medicationID = medicationID
        self.packetMilligrams = packetMilligrams
        self.order = order
    }

    /// What is left, in mg; at most that much where amounts are unknown.
    public var milligrams: Int { lots.reduce(0) { Self.sum($0, $1.milligrams) } }
    /// How many doses and cups of unknown amount came out of it since it was counted.
    public var unknown: Int { unknownElsewhere + lots.reduce(0) { $0 + $1.unknown } }

    mutating func receive(_ movement: StockMovement, _ bottles: InventoryItem.Bottles) {
        concentration = bottles.concentration ?? concentration
        let (all, overflow) = bottles.milligrams.multipliedReportingOverflow(by: bottles.count)
        lots.append(
            Lot(
                id: movement.id, at: movement.at, unitMilligrams: bottles.milligrams,
                milligrams: overflow ? .max : all))
    }

    /// Takes an amount out of the bottle that came in first and is not empty.
    mutating func take(_ amount: Int?) {
        guard var rest = amount else {
            if let place = lots.firstIndex(where: { $0.milligrams > 0 }) {
                lots[place].unknown += 1
            } else {
                unknownElsewhere += 1
            }
            return
        }
        for place in lots.indices where rest > 0 {
            let part = min(rest, lots[place].milligrams)
            lots[place].milligrams -= part
            rest -= part
        }
        overdrawnMilligrams = Self.sum(overdrawnMilligrams, max(0, rest))
    }

    /// One bottle goes: the one that is open, else a full one.
    mutating func discard(_ id: EventID) {
        guard let place = lots.firstIndex(where: { $0.id == id }) else { return }
        let lot = lots[place]
        let open = lot.milligrams % max(1, lot.unitMilligrams ?? 1)
        lots[place].milligrams -= open > 0 ? open : min(lot.milligrams, lot.unitMilligrams ?? lot.milligrams)
        // How much really was in it nobody knows.
        unknownElsewhere += lot.unknown
        lots[place].unknown = 0
    }

    mutating func count(_ id: EventID, _ milligrams: Int) {
        guard let place = lots.firstIndex(where: { $0.id == id }) else { return }
        lots[place].milligrams = milligrams
        lots[place].unknown = 0
    }

    /// All there is was counted: what was before says nothing any more.
    mutating func count(all found: InventoryItem.Count, _ movement: StockMovement) {
        concentration = found.concentration ?? concentration
        lots = [Lot(id: movement.id, at: movement.at, unitMilligrams: packetMilligrams, milligrams: found.milligrams)]
        unknownElsewhere = 0
        overdrawnMilligrams = 0
    }

    private static func sum(_ one: Int, _ other: Int) -> Int {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
