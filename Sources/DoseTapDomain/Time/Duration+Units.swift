extension Duration {
    /// That many minutes of 60 seconds; the longest representable number of seconds where the count is absurd.
    public static func minutes(_ count: Int) -> Duration { seconds(count, each: 60) }

    /// That many hours of 3,600 seconds; the longest representable number of seconds where the count is absurd.
    public static func hours(_ count: Int) -> Duration { seconds(count, each: 3600) }

    /// Whole seconds, truncated towards zero.
    public var wholeSeconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000_000_000) }

    /// Whole minutes, truncated towards zero.
    public var wholeMinutes: Int64 { wholeSeconds / 60 }

    /// Whole milliseconds, truncated towards zero.
    public var wholeMilliseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000_000) }

    private static func seconds(_ count: Int, each: Int64) -> Duration {
        let product = Int64(count).multipliedReportingOverflow(by: each)
        return .seconds(product.overflow ? (count < 0 ? Int64.min : .max) : product.partialValue)
    }
}
