public import DoseTapDomain

/// What one source says, before the sources are laid over each other.
public struct ConfigLayer: Sendable, Hashable {
    /// A value and where it was found.
    public struct Found<Value: Sendable & Hashable>: Sendable, Hashable {
        /// The value, within its range.
        public let value: Value
        /// Where from.
        public let source: ConfigSource
    }

    /// Settings by key.
    public internal(set) var values: [String: Found<SettingValue>] = [:]
    /// Plugins turned on or off, by id.
    public internal(set) var plugins: [String: Found<Bool>] = [:]
    /// What is wrong with the source; what is complained of is not among the values.
    public internal(set) var complaints: [ConfigComplaint] = []

    /// An empty layer.
    public init() {}
}
