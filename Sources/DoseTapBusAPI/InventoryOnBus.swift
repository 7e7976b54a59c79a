public import DoseTapDomain
public import SDBus

/// What callers say of the stock: `a{sv}` with texts as `s` and a count as any integer.
public enum InventoryOnBus {
    /// As received; what nothing here can be is refused by its key.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public static func draft(_ entries: VariantEntries) throws(ServiceError) -> JSONObject {
        var draft = JSONObject()
        for (key, variant) in entries.pairs {
            guard let value = AnswersOnBus.value(variant, depth: 0) else {
                throw ServiceError(
                    .invalidInput, "'\(key.prefix(40))' has a type that nothing here has.",
                    hint: "busctl --user introspect \(Contract.name) \(Contract.path.rawValue)")
            }
            draft[key] = value
        }
        return draft
    }
}
