/// Something this machine does not give, or gives in a state that must not be used.
public struct SystemFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing is wrong, for callers that act on it.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// No home directory can be named.
        case noHome
        /// A name for a time zone is not one, or not one of this machine's.
        case unknownZone
        /// The machine's zone data is missing or not readable.
        case zoneData
        /// A directory is not safe for private data.
        case unsafeDirectory
        /// A call of the operating system failed.
        case system
    }

    /// The kind.
    public let code: Code
    /// One sentence: what and why.
    public let message: String
    /// What to do about it, or nil where nothing is known to help.
    public let hint: String?
    /// A directory that other users can change, where they must lose that right.
    public let openDirectory: String?
    /// errno of the failed call, 0 where there was none.
    public let underlying: Int32

    /// The sentence.
    public var description: String { message }

    init(_ code: Code, _ message: String, hint: String? = nil, openDirectory: String? = nil, underlying: Int32 = 0) {
        self.code = code
        self.message = message
        self.hint = hint
        self.openDirectory = openDirectory
        self.underlying = underlying
    }
}
