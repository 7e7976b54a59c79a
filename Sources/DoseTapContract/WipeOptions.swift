public import DoseTapDomain
public import SDBus

/// The `options a{sv}` of `Wipe`.
public struct WipeOptions: Hashable, Sendable {
    public var confirmations: [Confirmation] = []
    public var includesBackups = false
    /// True to look, and remove nothing.
    public var dryRun = false

    public init() {}

    public var variants: VariantEntries {
        var options = VariantEntries()
        if !confirmations.isEmpty { options["confirm"] = Variant(confirmations.map(\.rawValue)) }
        if includesBackups { options["backups"] = Variant(true) }
        if dryRun { options["dry_run"] = Variant(true) }
        return options
    }

    /// Reads options as received: unknown keys and wrong types are refused by name.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public init(_ options: VariantEntries) throws(ServiceError) {
        var others = VariantEntries()
        for (key, variant) in options.pairs {
            switch key {
            case "confirm", "dry_run": others[key] = variant
            case "backups":
                guard let value = variant.unwrapped.boolValue else {
                    throw .wrongType(option: key, expected: "b")
                }
                includesBackups = value
            default:
                throw .unknown(option: key, known: ["confirm", "backups", "dry_run"])
            }
        }
        let known = try RequestOptions(others)
        (confirmations, dryRun) = (known.confirmations, known.dryRun)
    }
}
