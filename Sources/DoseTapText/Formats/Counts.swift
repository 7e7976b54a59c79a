/// Counted things: the one place for singular and plural.
package enum Count {
    package static func nights(_ count: Int) -> String { form(count, "night", "nights") }
    package static func events(_ count: Int) -> String { form(count, "event", "events") }
    static func nights(_ count: Int64) -> String { form(count, "night", "nights") }
    static func minutes(_ count: Int64) -> String { form(count, "minute", "minutes") }
    static func bottles(_ count: Int64) -> String { form(count, "bottle", "bottles") }
    static func packets(_ count: Int64) -> String { form(count, "packet", "packets") }
    static func amountsAre(_ count: Int64) -> String { form(count, "amount is", "amounts are") }
    /// `once`, `3 times`.
    static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    private static func form(_ count: some BinaryInteger, _ one: String, _ many: String) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many)"
    }
}
