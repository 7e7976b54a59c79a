/// Counted things in a sentence. The choice between singular and plural is made here only.
public enum Plural {
    /// `1 night`, `3 nights`. Zero is plural.
    public static func of(_ count: Int64, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }

    /// `1 night`, `3 nights`. Zero is plural.
    public static func of(_ count: Int, _ one: String, _ many: String) -> String { of(Int64(count), one, many) }
}
