/// What was chosen of the options that every verb has.
struct GlobalChoices: Hashable, Sendable {
    var json: Bool
    var timeZone: String?
    var bus: String?
    var store: String?
    var plain: Bool
    var quiet: Bool

    /// The flags, and the options that take a value, by their names on the command line.
    static let flags = ["--json", "--plain", "--quiet"]
    static let options = ["--time-zone", "--bus", "--store"]
}
