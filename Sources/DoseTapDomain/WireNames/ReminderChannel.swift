/// A way by which a reminder reaches a person, as a short word: `notification`, `journal`, `sound`.
public struct ReminderChannel: Hashable, Sendable, CustomStringConvertible {
    /// The word.
    public let text: String

    /// - Returns: nil for anything but 1 to 32 lowercase letters, digits and underscores.
    public init?(_ text: String) {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard
            (1...32).contains(text.utf8.count),
            text.utf8.allSatisfy({ letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_") })
        else { return nil }
        self.text = text
    }

    /// ``text``.
    public var description: String { text }
}
