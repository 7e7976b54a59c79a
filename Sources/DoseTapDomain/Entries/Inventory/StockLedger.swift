/// What there is of each medicine, folded from all that came in and went out.
public struct StockLedger: Hashable, Sendable {
    /// One line a medicine; of packets one for each size.
    public private(set) var lines: [StockLine] = []
    /// The cups that were poured.
    public private(set) var cups = PreparedCups()
    /// What was taken or poured in the last nights, by session date and medicine.
    public private(set) var nights: [SessionDate: [String: NightUse]] = [:]

    /// What one night took of a medicine.
    public struct NightUse: Hashable, Sendable {
        /// Doses taken; a night may have only a cup that is still standing.
        public var doses = 0
        /// What is known of them, in mg.
        public var milligrams = 0
        /// Those of unknown amount.
        public var unknown = 0
    }

    /// The nights before a date from which is told how much one takes.
    public static let nightsLookedAt = 14

    /// Nothing on record.
    public init() {}

    /// - Parameters:
    ///   - movements: in order of time; what lies before the last count of all there is of a medicine may be missing.
    ///   - recent: from this session date on it is kept what each night took.
    ///   - prescribed: the medicine prescribed for a session date.
    public init(_ movements: [StockMovement], recent: SessionDate, _ prescribed: (SessionDate) -> String?) {
        for movement in movements {
            switch movement.what {
            case .item(let item): note(item, movement, recent)
            case .dose(let dose): take(dose, movement, recent, prescribed)
            }
        }
    }

    /// The line of a medicine that an amount comes out of: the packets of that size, else those it is made of, else
    /// what came in last.
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
    /// What is left where a cup is poured from, in mg; nothing where nothing came in.
    public func left(of cup: InventoryItem.Cup) -> Int {
        line(of: cup.medicationID, cup.milligrams).map { lines[$0].milligrams } ?? 0
    }
}
