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

    /// - Parameter logState: the log with all regimens.
    public init(_ ledger: StockLedger, at moment: Instant, on date: SessionDate, _ logState: LogState) {
        at = moment
        self.date = date
        let nights = NightsAhead(date: date, regimens: logState.regimenHistory.map(\.regimen))
        supplies = ledger.lines.sorted { $0.order > $1.order }.map { Supply($0, ledger, nights) }
        cups = ledger.cups.ready(at: moment)
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
        // A night with a dose or a cup on record has had its part.
        let served = ledger.nights[nights.date]?[line.medicationID] != nil
        let first = served ? SessionDate(nights.date.civil.adding(days: 1)) : nights.date
        let days = perNight.map { Self.days(line, from: first, $0.milligrams, nights) }
        self.days = days
        lowOn = days.flatMap { $0 > Self.lowDays ? first.adding(days: $0 - Self.lowDays) : nil }
        refillBy = days.flatMap { first.adding(days: $0) }
        level = Self.level(line, days)
    }

    /// Returns the number of whole nights from a date on for which the stock lasts. Each takes the total of its own regimen; a
    /// night without one of the medicine takes as much as the night before.
    ///
    /// - Parameter amount: the use of a night before the first regimen, at least 1 mg.
    private static func days(_ line: StockLine, from first: SessionDate, _ amount: Int, _ nights: NightsAhead) -> Int {
        var (left, amount, days) = (line.milligrams, amount, 0)
        while days < nightsCounted {
            amount = nights.milligrams(of: line.medicationID, on: first.civil.adding(days: days)) ?? amount
            guard left >= amount else { return days }
            left -= amount
            days += 1
        }
        return days + left / amount
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

    /// Returns the regimen of a date; nil if that is of another medicine.
    func regimen(of medicationID: String, on date: SessionDate) -> Regimen? {
        regimens.first { $0.isActive(on: date) }.flatMap { $0.medicationID == medicationID ? $0 : nil }
    }

    /// Returns the amount of a medicine that is prescribed for the night of a day, at least 1 mg; nil without a regimen of it.
    func milligrams(of medicationID: String, on day: CivilDate) -> Int? {
        let date = SessionDate(day)
        return regimen(of: medicationID, on: date).map { max(1, $0.totalMilligrams(on: date)) }
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
