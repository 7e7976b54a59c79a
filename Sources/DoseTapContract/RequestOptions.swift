public import DoseTapDomain
public import SDBus

/// The `options a{sv}` of mutating calls.
public struct RequestOptions: Hashable, Sendable {
    /// The time of the entry; nil is now.
    public var at: Instant?
    /// The name of a zone; nil is the zone in force.
    public var timeZone: String?
    public var confirmations: [Confirmation] = []
    /// The answer to `clock_suspect`: `clock_suspect=right` or `clock_suspect=wrong` among the confirmations.
    public var isClockRight: Bool?
    /// True if ``at`` was said as a time ago, not as a time of day.
    public var isAgo = false
    public var key: String?
    public var amountMilligrams: UInt32?
    /// The amount as written, with its unit.
    public var amount: String?
    public var note: String?
    public var reason: String?
    /// True to decide, but record nothing.
    public var dryRun = false
    /// The surface of the caller; nil is `dbus`.
    public var surface: Surface?

    public init() {}

    public var variants: VariantEntries {
        var options = VariantEntries()
        if let at { options["at"] = Variant(UInt64(max(0, at.microseconds))) }
        if let timeZone { options["time_zone"] = Variant(timeZone) }
        let words = confirmations.map(\.rawValue) + (isClockRight.map { [Self.clockWord($0)] } ?? [])
        if !words.isEmpty { options["confirm"] = Variant(words) }
        if isAgo { options["ago"] = Variant(true) }
        if let key { options["key"] = Variant(key) }
        if let amountMilligrams { options["amount_mg"] = Variant(amountMilligrams) }
        if let amount { options["amount"] = Variant(amount) }
        if let note { options["note"] = Variant(note) }
        if let reason { options["reason"] = Variant(reason) }
        if dryRun { options["dry_run"] = Variant(true) }
        if let surface { options["surface"] = Variant(surface.rawValue) }
        return options
    }

    /// Reads options as received: unknown keys and wrong types are refused by name.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public init(_ options: VariantEntries) throws(ServiceError) {
        for (key, variant) in options.pairs {
            switch key {
            case "at":
                let microseconds = try Self.value(variant, key, UInt64.self, "t, microseconds since 1970 UTC")
                guard microseconds <= UInt64(Instant.max.microseconds) else {
                    throw ServiceError("Option 'at' lies beyond the year 9999.", option: key)
                }
                if microseconds != 0 { at = Instant(microseconds: Int64(microseconds)) }
            case "time_zone": timeZone = try Self.value(variant, key, String.self, "s")
            case "confirm": try read(confirmations: variant)
            case "ago": isAgo = try Self.value(variant, key, Bool.self, "b")
            case "key": self.key = try Self.value(variant, key, String.self, "s")
            case "amount_mg": amountMilligrams = try Self.value(variant, key, UInt32.self, "u, milligrams")
            case "amount": amount = try Self.value(variant, key, String.self, "s, such as 4.5mL")
            case "note": note = try Self.value(variant, key, String.self, "s")
            case "reason": reason = try Self.value(variant, key, String.self, "s")
            case "dry_run": dryRun = try Self.value(variant, key, Bool.self, "b")
            case "surface":
                let word = try Self.value(variant, key, String.self, "s")
                guard let known = Surface(rawValue: word), known != .service else {
                    throw ServiceError("Option 'surface' has the unknown value '\(word.prefix(40))'.", option: key)
                }
                surface = known
            default:
                throw .unknown(
                    option: key,
                    known: [
                        "at", "ago", "time_zone", "confirm", "key", "amount_mg", "amount", "note", "reason", "dry_run",
                        "surface",
                    ])
            }
        }
    }

    /// Refuses every option, for calls without options yet; options can be added later.
    public static func refuseAll(_ options: VariantEntries) throws(ServiceError) {
        guard let key = options.pairs.first?.key else { return }
        throw ServiceError("Unknown option '\(key.prefix(40))': this call takes none yet.", option: key)
    }

    /// Reads the one option of a call that says yes or no; false if it is left out.
    public static func flag(_ name: String, _ options: VariantEntries) throws(ServiceError) -> Bool {
        if let key = options.pairs.first(where: { $0.key != name })?.key {
            throw .unknown(option: key, known: [name])
        }
        return try options[name].map { variant throws(ServiceError) in try value(variant, name, Bool.self, "b") }
            ?? false
    }

    /// Returns the confirmation word about the computer's clock.
    public static func clockWord(_ isRight: Bool) -> String {
        "\(Confirmation.clockSuspect.rawValue)=\(isRight ? "right" : "wrong")"
    }

    private mutating func read(confirmations variant: Variant) throws(ServiceError) {
        for word in try Self.value(variant, "confirm", [String].self, "as") {
            if let answer = [true, false].first(where: { Self.clockWord($0) == word }) {
                guard isClockRight ?? answer == answer else {
                    throw ServiceError(
                        sent("The clock is either right or wrong, not both."), option: "confirm",
                        known: [Self.clockWord(true), Self.clockWord(false)])
                }
                isClockRight = answer
                continue
            }
            guard let confirmation = Confirmation(rawValue: word) else {
                throw ServiceError(
                    "Unknown confirmation '\(word.prefix(40))'.", option: "confirm",
                    known: Confirmation.allCases.map(\.rawValue))
            }
            confirmations.append(confirmation)
        }
    }

    private static func value<Value: DBusValue>(
        _ variant: Variant, _ key: String, _ type: Value.Type, _ expected: String
    ) throws(ServiceError) -> Value {
        guard let value = variant.as(type) else { throw .wrongType(option: key, expected: expected) }
        return value
    }
}
