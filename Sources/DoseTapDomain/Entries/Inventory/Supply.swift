/// The answer of `inventory` on every surface: the stock, the time for which it lasts, and the cups that stand ready.
public struct Inventory: Hashable, Sendable {
    /// The instant for which the amounts and cups are true.
    public let at: Instant
    /// The present session date.
    public let date: SessionDate
    /// The supplies: one for each line of the ledger, the last arrival first.
    public let supplies: [Supply]
    /// The cups that stand ready, in order of pouring.
    public let cups: [PreparedCups.Cup]

    /// - Parameter logState: the log with all regimens, and with the nights of the date.
    public init(_ ledger: StockLedger, at moment: Instant, on date: SessionDate, _ logState: LogState) {
        at = moment
        self.date = date
        let cups = ledger.cups.ready(at: moment)
        self.cups = cups
        let nights = NightsAhead(
            date: date, regimens: logState.regimenHistory.map(\.regimen), doses: logState.dosesAhead(on: date),
            cups: cups)
        supplies = ledger.lines.sorted { $0.order > $1.order }.map { Supply($0, ledger, nights) }
    }

    /// The keys of `inventory --json`.
    public static let shape = Shape(
        "inventory", "inventory --json",
        [
            Key("at", .instant), Key("date", .date), Key("supplies", .list(.object { Supply.shape })),
            Key("cups", .list(.object { PreparedCups.Cup.shape })),
        ])

    /// The `inventory --json` object.
    public var json: JSONObject {
        [
            "at": .instant(at), "date": .string(date.text), "supplies": .array(supplies.map { .object($0.json) }),
            "cups": .array(cups.map { .object($0.json) }),
        ]
    }
}

extension Supply {
    static let shape = Shape([
        Key("medication_id", .text), Key("level", .words { Level.allCases.map(\.rawValue) }),
        Key("left_mg", .integer(.milligrams)), Key("left_ml", .number(.milliliters), .null),
        Key("left_packets", .integer(), .null), Key("packet_mg", .integer(.milligrams), .null),
        Key("concentration", .text, .null),
        Key("unknown_amounts", .integer(), .never, "with any of them there is at most so much"),
        Key("overdrawn_mg", .integer(.milligrams)), Key("per_night_mg", .integer(.milligrams), .null),
        Key("per_night_source", .words { PerNight.Source.allCases.map(\.rawValue) }, .null),
        Key("days", .integer(), .null), Key("low_on", .date, .null),
        Key("refill_by", .date, .null, "the first session date it does not last for"),
        Key("bottles", .list(.object { StockLine.Lot.shape })),
    ])

    /// An object of `shape`.
    public var json: JSONObject {
        var object: JSONObject = [
            "medication_id": .string(line.medicationID), "level": .string(level.rawValue),
            "left_mg": .integer(Int64(line.milligrams)),
        ]
        object["left_ml"] = line.milliliters.map { .number(Double($0) / 1_000) } ?? .null
        object["left_packets"] = line.packets.map { .integer(Int64($0)) } ?? .null
        object["packet_mg"] = line.packetMilligrams.map { .integer(Int64($0)) } ?? .null
        object["concentration"] = line.concentration.map { .string($0.text) } ?? .null
        object["unknown_amounts"] = .integer(Int64(line.unknown))
        object["overdrawn_mg"] = .integer(Int64(line.overdrawnMilligrams))
        object["per_night_mg"] = perNight.map { .integer(Int64($0.milligrams)) } ?? .null
        object["per_night_source"] = perNight.map { .string($0.source.rawValue) } ?? .null
        object["days"] = days.map { .integer(Int64($0)) } ?? .null
        object["low_on"] = lowOn.map { .string($0.text) } ?? .null
        object["refill_by"] = refillBy.map { .string($0.text) } ?? .null
        object["bottles"] = .array(line.lots.filter { $0.milligrams > 0 }.map { .object($0.json) })
        return object
    }
}

extension StockLine {
    /// The amount left in thousandths of a millilitre; nil for packets.
    var milliliters: Int64? {
        concentration.map { concentration in
            let (fine, overflow) = Int64(milligrams).multipliedReportingOverflow(by: 1_000_000)
            return overflow ? .max : fine / concentration.thousandths
        }
    }

    /// The number of whole packets left; nil for a liquid.
    var packets: Int? { packetMilligrams.map { milligrams / max(1, $0) } }
}

extension StockLine.Lot {
    static let shape = Shape([
        Key("id", .text), Key("received_at", .instant), Key("unit_mg", .integer(.milligrams), .null),
        Key("left_mg", .integer(.milligrams)),
    ])

    var json: JSONObject {
        var object: JSONObject = ["id": .string(id.text), "received_at": .instant(at)]
        object["unit_mg"] = unitMilligrams.map { .integer(Int64($0)) } ?? .null
        object["left_mg"] = .integer(Int64(milligrams))
        return object
    }
}

extension PreparedCups.Cup {
    static let shape = Shape([
        Key("id", .text), Key("medication_id", .text), Key("amount_mg", .integer(.milligrams), .null),
        Key("for", .words { DoseKind.allCases.map(\.rawValue) }, .null), Key("poured_at", .instant),
        Key("until", .instant),
    ])

    var json: JSONObject {
        var object: JSONObject = ["id": .string(id.text), "medication_id": .string(content.medicationID)]
        object["amount_mg"] = content.milligrams.map { .integer(Int64($0)) } ?? .null
        object["for"] = content.dose.map { .string($0.rawValue) } ?? .null
        object["poured_at"] = .instant(at)
        object["until"] = .instant(until)
        return object
    }
}

/// The time for which the stock of a medicine lasts; facts, no advice.
public struct Supply: Hashable, Sendable {
    /// The stock of the medicine.
    public let line: StockLine
    /// The use per night with its source; nil is unknown.
    public let perNight: PerNight?
    /// The whole nights for which the stock lasts, an upper bound if amounts are unknown; nil if the use per night is unknown.
    public let days: Int?
    /// The first session date with ``lowDays`` or fewer nights left; nil if the stock is low already, or if ``days`` is unknown.
    public let lowOn: SessionDate?
    /// The first session date for which the stock does not last; nil if ``days`` is unknown.
    public let refillBy: SessionDate?
    /// The state of the supply in one word.
    public let level: Level

    /// The use of one night.
    public struct PerNight: Hashable, Sendable {
        public let milligrams: Int
        public let source: Source

        public init(milligrams: Int, source: Source) {
            self.milligrams = milligrams
            self.source = source
        }

        /// The source of the figure; the raw value is the wire word.
        public enum Source: String, Hashable, Sendable, CaseIterable {
            /// The regimen of the present session date.
            case regimen
            /// The mean of the nights of the last two weeks with doses and without unknown amounts.
            case mean
        }
    }

    /// The state of a supply; the raw value is the wire word.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        case ok
        case low
        case critical
        case empty
        /// Amounts, or the use per night, are unknown.
        case unknown
    }

    /// The most nights that are low.
    public static let lowDays = 10
    /// The most nights that are critical.
    public static let criticalDays = 3
    /// The number of nights that are counted one by one. All nights after them take as much as the last one.
    static let nightsCounted = 400

    init(_ line: StockLine, _ ledger: StockLedger, _ nights: NightsAhead) {
        self.line = line
        let perNight = Self.perNight(line, ledger, nights)
        self.perNight = perNight
        let lasting = perNight.map { Self.lasting(line, ledger, $0.milligrams, nights) }
        let days = lasting?.nights
        self.days = days
        lowOn = lasting.flatMap { $0.nights > Self.lowDays ? $0.first.adding(days: $0.nights - Self.lowDays) : nil }
        refillBy = lasting.flatMap { $0.first.adding(days: $0.nights) }
        level = Self.level(line, days)
    }

    /// Returns the first date of the whole nights for which the stock lasts, and their number.
    ///
    /// - Parameter perNight: the use of the present night, in mg.
    private static func lasting(
        _ line: StockLine, _ ledger: StockLedger, _ perNight: Int, _ nights: NightsAhead
    ) -> (first: SessionDate, nights: Int) {
        let used = ledger.nights[nights.date]?[line.medicationID] ?? .init()
        guard let rest = nights.rest(of: line.medicationID, perNight: perNight, used: used) else {
            return (nights.date, count(line.milligrams, of: line.medicationID, from: nights.date, perNight, nights))
        }
        guard line.milligrams >= rest else { return (nights.date, 0) }
        let next = SessionDate(nights.date.civil.adding(days: 1))
        return (next, count(line.milligrams - rest, of: line.medicationID, from: next, perNight, nights))
    }

    /// Returns the number of whole nights from a date on for which an amount lasts. Each takes the total of its own regimen; a
    /// night without one of the medicine takes as much as the night before.
    ///
    /// - Parameters:
    ///   - milligrams: the amount.
    ///   - perNight: the use of a night before the first regimen, at least 1 mg.
    private static func count(
        _ milligrams: Int, of medicationID: String, from first: SessionDate, _ perNight: Int, _ nights: NightsAhead
    ) -> Int {
        var (left, amount, count) = (milligrams, perNight, 0)
        while count < nightsCounted {
            amount = nights.milligrams(of: medicationID, on: first.civil.adding(days: count)) ?? amount
            guard left >= amount else { return count }
            left -= amount
            count += 1
        }
        return count + left / amount
    }

    private static func level(_ line: StockLine, _ days: Int?) -> Level {
        guard line.milligrams > 0 else { return .empty }
        guard let days else { return .unknown }
        if days <= criticalDays { return .critical }
        if days <= lowDays { return .low }
        // With unknown amounts there may be less.
        return line.unknown > 0 ? .unknown : .ok
    }

    private static func perNight(_ line: StockLine, _ ledger: StockLedger, _ nights: NightsAhead) -> PerNight? {
        let date = nights.date
        if let milligrams = nights.milligrams(of: line.medicationID, on: date.civil) {
            return PerNight(milligrams: milligrams, source: .regimen)
        }
        let first = SessionDate(date.civil.adding(days: -StockLedger.nightsLookedAt))
        let known = ledger.nights.filter { $0.key >= first && $0.key < date }
            .compactMap { $0.value[line.medicationID] }
            .filter { $0.doses > 0 && $0.unknown == 0 }
        let sum = known.reduce(0) { $0 + $1.milligrams }
        guard sum > 0 else { return nil }
        return PerNight(milligrams: max(1, (sum + known.count / 2) / known.count), source: .mean)
    }
}

/// The present night and those after it, as far as the record says what they take from the stock.
struct NightsAhead {
    /// The present session date.
    let date: SessionDate
    /// The regimens, the one set last first.
    let regimens: [Regimen]
    /// The doses of the present night that are still to be taken.
    let doses: [DoseKind]
    /// The cups that stand ready.
    let cups: [PreparedCups.Cup]

    /// Returns the regimen of a date; nil if that is of another medicine.
    func regimen(of medicationID: String, on date: SessionDate) -> Regimen? {
        regimens.first { $0.isActive(on: date) }.flatMap { $0.medicationID == medicationID ? $0 : nil }
    }

    /// Returns the amount of a medicine that is prescribed for the night of a day, at least 1 mg; nil without a regimen of it.
    func milligrams(of medicationID: String, on day: CivilDate) -> Int? {
        let date = SessionDate(day)
        return regimen(of: medicationID, on: date).map { max(1, $0.totalMilligrams(on: date)) }
    }

    /// Returns the amount of a medicine that the present night still takes from the stock, in mg; nil if it takes a whole night's
    /// amount. It is at least so much if amounts of the night are unknown.
    ///
    /// - Parameter used: the use of the medicine in the present night.
    func rest(of medicationID: String, perNight: Int, used: StockLedger.NightUse) -> Int? {
        let ready = cups.filter { $0.content.medicationID == medicationID }
        // A dose is drunk from its cup, and takes nothing more out of a bottle.
        var left = ready
        let fromBottle = doses.filter { kind in
            let place = left.lastIndex { cup in cup.content.dose.map { $0 == kind } ?? true }
            if let place { left.remove(at: place) }
            return place == nil
        }
        guard !fromBottle.isEmpty else { return 0 }
        if fromBottle == doses, doses.contains(.dose1) { return nil }
        if let regimen = regimen(of: medicationID, on: date), !regimen.parts(on: date).isEmpty {
            return fromBottle.reduce(0) { $0 + (regimen.milligrams(of: $1, on: date) ?? 0) }
        }
        // Nobody said how the night is divided.
        let known = ready.compactMap(\.content.milligrams)
        guard used.unknown == 0, known.count == ready.count else { return 0 }
        return max(0, perNight - known.reduce(used.milligrams, +))
    }
}

extension LogState {
    /// Returns the doses of a session date that are still to be taken: both before dose 1, then dose 2 as long as it is open.
    fileprivate func dosesAhead(on date: SessionDate) -> [DoseKind] {
        let begun = sessions.filter { $0.date == date && $0.dose1 != nil }
        guard !begun.isEmpty else { return [.dose1, .dose2] }
        return begun.contains { NightOutcome($0) == .pending } ? [.dose2] : []
    }
}

extension SessionDate {
    /// Returns the date so many days later; nil beyond the years that are written with four digits.
    fileprivate func adding(days: Int) -> SessionDate? {
        guard days <= 1_000_000 else { return nil }
        let later = SessionDate(civil.adding(days: days))
        return later.civil.year <= 9_999 ? later : nil
    }
}
