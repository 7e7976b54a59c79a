public import DoseTapDomain
public import SDBus

/// A regimen as callers send it: `a{sv}` by the keys of `Regimen`; dates and amounts as `s`, ratios as `ad` or `as`,
/// steps as `as`.
public enum RegimenOnBus {
    /// As received; what no regimen can hold is refused by its key.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public static func draft(_ entries: VariantEntries) throws(ServiceError) -> JSONObject {
        var draft = JSONObject()
        for (key, variant) in entries.pairs {
            guard let value = AnswersOnBus.value(variant, depth: 0) else {
                throw ServiceError(
                    .invalidInput, "The regimen's '\(key.prefix(40))' has a type that no regimen has.",
                    hint: "busctl --user introspect \(Contract.name) \(Contract.path.rawValue)")
            }
            draft[key] = value
        }
        return draft
    }
}
