/// A change of the stock: an item of the inventory, or a dose taken.
public struct StockMovement: Hashable, Sendable {
    /// The id of the event that recorded the change: an inventory entry or a dose.
    public let id: EventID
    /// The time at which the change counts.
    public let at: Instant
    /// The session date under which the change counts.
    public let date: SessionDate
    public let what: What

    /// The item or the dose that changes the stock.
    public enum What: Hashable, Sendable {
        case item(InventoryItem)
        case dose(Dose)
    }

    /// The facts about a dose that the stock needs.
    public struct Dose: Hashable, Sendable {
        public let kind: DoseKind
        /// The amount in mg; nil is unknown.
        public let milligrams: Int?
        /// The oxybate; nil if none was named.
        public let medicationID: String?

        public init(kind: DoseKind, milligrams: Int?, medicationID: String?) {
            self.kind = kind
            self.milligrams = milligrams
            self.medicationID = medicationID
        }
    }

    public init(id: EventID, at: Instant, date: SessionDate, what: What) {
        self.id = id
        self.at = at
        self.date = date
        self.what = what
    }
}

extension [StockMovement] {
    /// The movements in order of time; those of one instant in the order of recording, which is the order of the ids.
    public var inOrder: [StockMovement] { sorted { ($0.at, $0.id.text) < ($1.at, $1.id.text) } }
}

extension LogState {
    /// All loaded changes of the stock, in order of time.
    public var stockMovements: [StockMovement] {
        let doses = sessions.flatMap { session in
            session.doses.map { dose in
                let what = StockMovement.Dose(
                    kind: dose.kind, milligrams: dose.amountMilligrams, medicationID: dose.medicationID)
                return StockMovement(id: dose.id, at: dose.wall, date: session.date, what: .dose(what))
            }
        }
        return (inventory.filter(\.isActive).map(\.movement) + doses).inOrder
    }

    public func prescribedMedicine(on date: SessionDate) -> String? { regimen(on: date)?.regimen.medicationID }

    /// Returns the cups as of a moment, by the loaded changes of the stock.
    public func cups(at moment: Instant) -> PreparedCups {
        // Most people pour nothing ahead: without entries of the inventory the doses are not searched.
        guard standalone.contains(where: { $0.entity == .inventory }) else { return PreparedCups() }
        return PreparedCups(stockMovements.filter { $0.at <= moment }, prescribedMedicine)
    }
}

/// The stock of each medicine, folded from everything that came in and went out.
public struct StockLedger: Hashable, Sendable {
    /// The lines: one for each liquid, and one for each size of packets.
    public private(set) var lines: [StockLine] = []
    /// The cups that were poured.
    public private(set) var cups = PreparedCups()
    /// The use in the last nights, by session date and medicine.
    public private(set) var nights: [SessionDate: [String: NightUse]] = [:]

    /// The use of a medicine in one night.
    public struct NightUse: Hashable, Sendable {
        /// The number of doses taken; zero for a night with only a poured cup.
        public var doses = 0
        /// The sum of the known amounts of the doses, in mg.
        public var milligrams = 0
        /// The number of doses of unknown amount.
        public var unknown = 0
    }

    /// The number of nights before a date from which the use per night is taken.
    public static let nightsLookedAt = 14

    /// Creates a ledger without any movement.
    public init() {}

    /// - Parameters:
    ///   - movements: in order of time; movements before the last count of the whole stock of a medicine may be missing.
    ///   - recent: the first session date for which the use of each night is kept.
    ///   - prescribed: the medicine prescribed for a session date.
    public init(_ movements: [StockMovement], recent: SessionDate, _ prescribed: (SessionDate) -> String?) {
        for movement in movements {
            switch movement.what {
            case .item(let item): note(item, movement, recent)
            case .dose(let dose): take(dose, movement, recent, prescribed)
            }
        }
    }

    /// Returns the line from which an amount of a medicine comes: the packets of that size, else packets of which a whole number
    /// makes the amount, else the line that came in last.
    func line(of medicationID: String?, _ milligrams: Int?) -> Int? {
        let own = lines.indices.filter { medicationID == nil || lines[$0].medicationID == medicationID }
        func fits(_ test: (Int, Int) -> Bool) -> Int? {
            own.last { place in
                guard let milligrams, let packet = lines[place].packetMilligrams else { return false }
                return test(milligrams, packet)
            }
        }
        return fits { $0 == $1 } ?? fits { $0 % max(1, $1) == 0 }
            ?? own.max { (lines[$0].order, $0) < (lines[$1].order, $1) }
    }

    private mutating func note(_ item: InventoryItem, _ movement: StockMovement, _ recent: SessionDate) {
        switch item {
        case .bottles(let bottles):
            let packet = bottles.concentration == nil ? bottles.milligrams : nil
            let place = place(of: bottles.medicationID, packet)
            lines[place].receive(movement, bottles)
        case .cup(let content):
            if let place = line(of: content.medicationID, content.milligrams) { lines[place].take(content.milligrams) }
            cups.pour(.init(id: movement.id, at: movement.at, content: content))
            if movement.date >= recent {
                nights[movement.date, default: [:]][content.medicationID, default: .init()] += NightUse()
            }
        case .cupDiscarded(let id): cups.discard(id)
        case .bottleDiscarded(let id):
            for place in lines.indices { lines[place].discard(id) }
        case .counted(let count):
            if let target = count.target {
                for place in lines.indices { lines[place].count(target, count.milligrams) }
            } else {
                let place = place(of: count.medicationID, count.packetMilligrams)
                lines[place].count(all: count, movement)
            }
        }
    }

    private mutating func take(
        _ dose: StockMovement.Dose, _ movement: StockMovement, _ recent: SessionDate,
        _ prescribed: (SessionDate) -> String?
    ) {
        let named = dose.medicationID ?? prescribed(movement.date)
        let cup = cups.drink(movement, dose, of: named)
        let place = line(of: cup?.content.medicationID ?? named, dose.milligrams)
        if cup == nil, let place { lines[place].take(dose.milligrams) }
        guard movement.date >= recent, let id = cup?.content.medicationID ?? place.map({ lines[$0].medicationID })
        else { return }
        let amount = dose.milligrams ?? cup?.content.milligrams
        nights[movement.date, default: [:]][id, default: .init()] +=
            NightUse(doses: 1, milligrams: amount ?? 0, unknown: amount == nil ? 1 : 0)
    }

    private mutating func place(of medicationID: String, _ packet: Int?) -> Int {
        let order = (lines.map(\.order).max() ?? 0) + 1
        if let place = lines.firstIndex(where: { $0.medicationID == medicationID && $0.packetMilligrams == packet }) {
            lines[place].order = order
            return place
        }
        lines.append(StockLine(medicationID: medicationID, packetMilligrams: packet, order: order))
        return lines.count - 1
    }
}

extension StockLedger.NightUse {
    static func += (left: inout Self, right: Self) {
        left.doses += right.doses
        left.milligrams += right.milligrams
        left.unknown += right.unknown
    }
}

extension StockLedger {
    /// Returns the amount left in the line from which a cup is poured, in mg; zero if nothing came in.
    public func left(of cup: InventoryItem.Cup) -> Int {
        line(of: cup.medicationID, cup.milligrams).map { lines[$0].milligrams } ?? 0
    }
}

/// The stock of one medicine, or of its packets of one size.
public struct StockLine: Hashable, Sendable {
    /// The id of the medicine in ``MedicationCatalogue``.
    public let medicationID: String
    /// The contents of a packet in mg; nil for a liquid.
    public let packetMilligrams: Int?
    /// The contents of a millilitre, by the bottles that came in or were counted last; nil for packets.
    public private(set) var concentration: Concentration?
    /// The lots of bottles, in the order in which they came in.
    public private(set) var lots: [Lot] = []
    /// The number of doses and cups of unknown amount that are counted to no lot.
    private var unknownElsewhere = 0
    /// The amount taken beyond the stock, in mg.
    public private(set) var overdrawnMilligrams = 0
    /// The order of the last arrival or count; the latest line has the highest number.
    var order: Int

    /// The bottles or packets of one entry.
    public struct Lot: Hashable, Sendable {
        /// The event that recorded the bottles or packets.
        public let id: EventID
        /// The time at which the lot came in or was counted.
        public let at: Instant
        /// The contents of one bottle or packet, in mg; nil for a counted liquid.
        public let unitMilligrams: Int?
        /// The amount left in the whole lot, in mg.
        public fileprivate(set) var milligrams: Int
        /// The number of doses and cups of unknown amount that came out of the lot.
        public fileprivate(set) var unknown = 0
    }

    init(medicationID: String, packetMilligrams: Int?, order: Int) {
        self.medicationID = medicationID
        self.packetMilligrams = packetMilligrams
        self.order = order
    }

    /// The amount left, in mg; an upper bound if amounts are unknown.
    public var milligrams: Int { lots.reduce(0) { Self.sum($0, $1.milligrams) } }
    /// The number of doses and cups of unknown amount that came out of the line since its count.
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

    /// Removes one bottle of a lot: the open one, else a full one.
    mutating func discard(_ id: EventID) {
        guard let place = lots.firstIndex(where: { $0.id == id }) else { return }
        let lot = lots[place]
        let open = lot.milligrams % max(1, lot.unitMilligrams ?? 1)
        lots[place].milligrams -= open > 0 ? open : min(lot.milligrams, lot.unitMilligrams ?? lot.milligrams)
        // Nobody knows the real contents of that bottle.
        unknownElsewhere += lot.unknown
        lots[place].unknown = 0
    }

    mutating func count(_ id: EventID, _ milligrams: Int) {
        guard let place = lots.firstIndex(where: { $0.id == id }) else { return }
        lots[place].milligrams = milligrams
        lots[place].unknown = 0
    }

    /// Replaces everything before by a count of the whole stock.
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

/// The cups that stand ready: poured, neither drunk nor thrown away.
///
/// A dose is drunk from the last poured cup that may be meant for the dose. The fate of a cup follows from later events alone.
public struct PreparedCups: Hashable, Sendable {
    /// A poured cup.
    public struct Cup: Hashable, Sendable {
        /// The event that recorded the pouring.
        public let id: EventID
        /// The time of the pouring.
        public let at: Instant
        /// The contents of the cup.
        public let content: InventoryItem.Cup

        /// The end of the time in which a label lets the cup be drunk.
        public var until: Instant { at + (content.isSuspension ? PreparedCups.suspension : PreparedCups.diluted) }
        /// Returns true if a dose at an instant may be drunk from the cup.
        func isInReach(of instant: Instant) -> Bool { at <= instant && instant < at + PreparedCups.reach }
    }

    /// A diluted dose is used within this time.
    public static let diluted: Duration = .hours(24)
    /// A suspension of the once-nightly medicine is drunk within this time.
    public static let suspension: Duration = .minutes(30)
    /// The age from which a cup raises no question, and no dose is drunk from it.
    public static let reach: Duration = .hours(36)

    /// The cups that stand ready, in order of pouring.
    public private(set) var active: [Cup] = []
    /// The cups that were drunk, each with its dose.
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

    /// Returns the cups that stand ready at a moment and are not older than ``reach``.
    public func ready(at moment: Instant) -> [Cup] { active.filter { $0.isInReach(of: moment) } }

    mutating func pour(_ cup: Cup) { active.append(cup) }

    mutating func discard(_ id: EventID) { active.removeAll { $0.id == id } }

    /// Takes the cup from which a dose is drunk; nil if the dose comes from the bottle.
    ///
    /// - Parameter medicationID: the medicine of the dose; nil if unknown.
    mutating func drink(_ movement: StockMovement, _ dose: StockMovement.Dose, of medicationID: String?) -> Cup? {
        let place = active.lastIndex { cup in
            cup.isInReach(of: movement.at) && (medicationID.map { $0 == cup.content.medicationID } ?? true)
                && (cup.content.dose.map { $0 == dose.kind || dose.kind == .extra } ?? true)
        }
        guard let place else { return nil }
        let cup = active.remove(at: place)
        drunk[cup.id] = (movement.id, movement.at)
        return cup
    }

    /// Returns true if both have the same cups.
    public static func == (left: PreparedCups, right: PreparedCups) -> Bool {
        left.active == right.active && left.drunk.mapValues(\.id) == right.drunk.mapValues(\.id)
    }

    /// Hashes the active cups.
    public func hash(into hasher: inout Hasher) { hasher.combine(active) }
}

extension InventoryItem.Cup {
    /// True for a cup made from a packet, which is drunk at once.
    var isSuspension: Bool { MedicationCatalogue.standard[medicationID]?.formulation == .extended }
}
