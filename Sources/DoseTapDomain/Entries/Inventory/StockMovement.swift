/// Something that changes the stock: an item of the inventory, or a dose taken.
public struct StockMovement: Hashable, Sendable {
    /// The entry.
    public let id: EventID
    /// When it counts.
    public let at: Instant
    /// The session date it counts under.
    public let date: SessionDate
    /// What it is.
    public let what: What

    /// What changes the stock.
    public enum What: Hashable, Sendable {
        case item(InventoryItem)
        case dose(Dose)
    }

    /// What the stock has to know of a dose.
    public struct Dose: Hashable, Sendable {
        /// Which one.
        public let kind: DoseKind
        /// How much, in mg; nil is unknown.
        public let milligrams: Int?
        /// The oxybate, where one was named.
        public let medicationID: String?

        /// Memberwise.
        public init(kind: DoseKind, milligrams: Int?, medicationID: String?) {
            self.kind = kind
            self.milligrams = milligrams
            self.medicationID = medicationID
        }
    }

    /// Memberwise.
    public init(id: EventID, at: Instant, date: SessionDate, what: What) {
        self.id = id
        self.at = at
        self.date = date
        self.what = what
    }
}

extension [StockMovement] {
    /// In order of time; what counts at one instant in the order of recording, which ids have.
    public var inOrder: [StockMovement] { sorted { ($0.at, $0.id.text) < ($1.at, $1.id.text) } }
}

extension Diary {
    /// All that is loaded and changes the stock, in order of time.
    public var stockMovements: [StockMovement] {
        let doses = sessions.flatMap { session in
            session.doses.map { dose in
                let what = StockMovement.Dose(
                    kind: dose.kind, milligrams: dose.amountMilligrams, medicationID: dose.medicationID)
                return StockMovement(id: dose.id, at: dose.wall, date: session.date, what: .dose(what))
            }
        }
        return (inventory.filter(\.isStanding).map(\.movement) + doses).inOrder
    }

    /// The medicine prescribed for a session date.
    public func prescribedMedicine(on date: SessionDate) -> String? { regimen(on: date)?.regimen.medicationID }

    /// The cups poured of late, as of a moment.
    public func cups(at moment: Instant) -> PreparedCups {
        // Most people pour nothing ahead: they are not kept waiting for it.
        guard !inventory.isEmpty else { return PreparedCups() }
        return PreparedCups(stockMovements.filter { $0.at <= moment }, prescribedMedicine)
    }
}
