/// The cups that stand ready: poured, neither drunk nor thrown away.
///
/// A dose is drunk from the cup poured last that may be meant for it, so what becomes of a cup follows from what comes
/// after it alone.
public struct PreparedCups: Hashable, Sendable {
    /// One of them.
    public struct Cup: Hashable, Sendable {
        /// The entry.
        public let id: EventID
        /// When it was poured.
        public let at: Instant
        /// What it holds.
        public let content: InventoryItem.Cup

        /// When the time is over in which a label lets it be drunk.
        public var until: Instant { at + (content.isSuspension ? PreparedCups.suspension : PreparedCups.diluted) }
        /// Whether a dose at an instant may be drunk from it.
        func isInReach(of instant: Instant) -> Bool { at <= instant && instant < at + PreparedCups.reach }
    }

    /// A diluted dose is used within this time.
    public static let diluted: Duration = .hours(24)
    /// A suspension of the once-nightly medicine is drunk within this time.
    public static let suspension: Duration = .minutes(30)
    /// A cup older than this is asked about no more, and no dose is drunk from it.
    public static let reach: Duration = .hours(36)

    /// Those that stand, in order of pouring.
    public private(set) var standing: [Cup] = []
    /// Those that were drunk, and by which dose.
    private(set) var drunk: [EventID: (id: EventID, at: Instant)] = [:]

    init() {}

    /// - Parameter movements: in order of time.
    public init(_ movements: [StockMovement], _ prescribed: (SessionDate) -> String?) {
        for movement in movements {
            switch movement.what {
            case .item(.cup(let content)): pour(Cup(id: movement.id, at: movement.at, content: content))
            case .item(.cupDiscarded(let id)): discard(id)
            case .item: break
            case .dose(let dose):
                _ = drink(movement, dose, of: dose.medicationID ?? prescribed(movement.date))
            }
        }
    }

    /// Those that stand at a moment and are not long forgotten.
    public func ready(at moment: Instant) -> [Cup] { standing.filter { $0.isInReach(of: moment) } }

    mutating func pour(_ cup: Cup) { standing.append(cup) }

    mutating func discard(_ id: EventID) { standing.removeAll { $0.id == id } }

    /// Takes the cup that a dose is drunk from; nil when it comes from the bottle.
    ///
    /// - Parameter medicationID: nil where nobody said which.
    mutating func drink(_ movement: StockMovement, _ dose: StockMovement.Dose, of medicationID: String?) -> Cup? {
        let place = standing.lastIndex { cup in
            cup.isInReach(of: movement.at) && (medicationID.map { $0 == cup.content.medicationID } ?? true)
                && (cup.content.dose.map { $0 == dose.kind || dose.kind == .extra } ?? true)
        }
        guard let place else { return nil }
        let cup = standing.remove(at: place)
        drunk[cup.id] = (movement.id, movement.at)
        return cup
    }

    /// Whether both have the same cups.
    public static func == (left: PreparedCups, right: PreparedCups) -> Bool {
        left.standing == right.standing && left.drunk.mapValues(\.id) == right.drunk.mapValues(\.id)
    }

    /// Hashes the standing cups.
    public func hash(into hasher: inout Hasher) { hasher.combine(standing) }
}

extension InventoryItem.Cup {
    /// Made from a packet: it is drunk at once.
    var isSuspension: Bool { MedicationCatalogue.standard[medicationID]?.formulation == .extended }
}
