/// How much JSON is read before it is refused.
public struct JSONLimits: Hashable, Sendable {
    /// Longest text, in bytes.
    public let bytes: Int
    /// Deepest nesting of arrays and objects.
    public let depth: Int

    /// One MiB and 64 levels unless told otherwise. More than 512 levels are not given: they are read on the stack.
    public init(bytes: Int = 1 << 20, depth: Int = 64) {
        self.bytes = bytes
        self.depth = Swift.min(depth, 512)
    }

    /// One MiB and 64 levels.
    public static var standard: JSONLimits { JSONLimits() }
}
