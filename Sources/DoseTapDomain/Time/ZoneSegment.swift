/// A stretch of time in which a zone's clock runs on without a jump, in seconds since 1970.
struct ZoneSegment {
    /// First second of the stretch; `Int64.min` for the first one.
    let start: Int64
    /// First second after it; `Int64.max` for the last one.
    let end: Int64
    let type: LocalTimeType

    var offset: Int64 { Int64(type.offset) }
}
