/// Bounds of what is accepted from a message before it is refused.
public struct InputLimits: Sendable, Hashable {
    /// The longest string in UTF-8 bytes.
    public var stringBytes: Int
    /// The most elements of one array or dictionary.
    public var arrayElements: Int
    /// The most variants nested in one another.
    public var variantDepth: Int
    /// The error name a refusal carries.
    public var errorName: String

    /// Bounds with the given values; the defaults suit a service that takes calls from strangers.
    public init(
        stringBytes: Int = 65_536,
        arrayElements: Int = 1_000,
        variantDepth: Int = 16,
        errorName: String = BusError.Name.invalidArgs
    ) {
        self.stringBytes = stringBytes
        self.arrayElements = arrayElements
        self.variantDepth = variantDepth
        self.errorName = errorName
    }

    /// For replies and signals one asked for: only what the bus itself bounds, and nesting.
    public static let replies = InputLimits(stringBytes: .max, arrayElements: .max, variantDepth: 32)

    func refusal(_ message: String) -> BusError {
        BusError(name: errorName, message: message)
    }
}
