/// Identity of one event, and of the entry it created: a lowercase UUID, version 7 when we made it.
public struct EventID: Hashable, Sendable, CustomStringConvertible {
    /// Canonical text, 36 lowercase characters.
    public let text: String

    /// Takes canonical text as it stands.
    public init(_ text: String) { self.text = text }

    /// ``text``.
    public var description: String { text }
}

/// Identity of one session (night): a lowercase UUID, version 7 when we made it; not its calendar key.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// Canonical text, 36 lowercase characters.
    public let text: String

    /// Takes canonical text as it stands.
    public init(_ text: String) { self.text = text }

    /// ``text``.
    public var description: String { text }
}
