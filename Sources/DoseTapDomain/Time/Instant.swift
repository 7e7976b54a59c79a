/// A point on the UTC time line, in whole milliseconds.
///
/// Milliseconds are the only unit of the domain: finer parts are cut off (towards the past) where they come in, so that two
/// readers of one stored text can never disagree about an order. Days have 86,400 seconds, as on every POSIX clock. The range is
/// the years 0001 to 9999; arithmetic that would leave the range stops at its ends.
public struct Instant: Hashable, Comparable, Sendable, InstantProtocol {
    /// The unit of differences between instants.
    public typealias Duration = Swift.Duration

    /// Milliseconds since 1970-01-01T00:00:00Z, negative before.
    public let milliseconds: Int64

    /// The instant that many milliseconds after 1970-01-01T00:00:00Z, held within ``min`` and ``max``.
    public init(milliseconds: Int64) {
        self.milliseconds = Swift.min(Swift.max(milliseconds, Self.earliestMilliseconds), Self.latestMilliseconds)
    }

    /// The millisecond that contains the given microsecond since 1970-01-01T00:00:00Z.
    public init(microseconds: Int64) {
        self.init(milliseconds: microseconds.flooredQuotient(1000))
    }

    /// The first instant of the given second since 1970-01-01T00:00:00Z.
    public init(seconds: Int64) {
        let product = seconds.multipliedReportingOverflow(by: 1000)
        self.init(milliseconds: product.overflow ? (seconds < 0 ? .min : .max) : product.partialValue)
    }

    /// Microseconds since 1970-01-01T00:00:00Z, always a multiple of 1000.
    public var microseconds: Int64 { milliseconds * 1000 }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded towards the past.
    public var seconds: Int64 { milliseconds.flooredQuotient(1000) }

    /// 0001-01-01T00:00:00.000Z.
    public static var min: Instant { Instant(milliseconds: earliestMilliseconds) }

    /// 9999-12-31T23:59:59.999Z.
    public static var max: Instant { Instant(milliseconds: latestMilliseconds) }

    static var earliestMilliseconds: Int64 { -62_135_596_800_000 }
    static var latestMilliseconds: Int64 { 253_402_300_799_999 }

    /// True if `lhs` is earlier than `rhs`.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.milliseconds < rhs.milliseconds }
}

extension Instant {
    /// The millisecond that contains this instant plus `duration`; ``min`` or ``max`` if that lies outside the range.
    public func advanced(by duration: Swift.Duration) -> Instant {
        Instant(clamping: Int128(milliseconds) + duration.attoseconds.flooredQuotient(attosecondsPerMillisecond))
    }

    /// The time from this instant to `other`, negative if `other` is earlier.
    public func duration(to other: Instant) -> Swift.Duration {
        .milliseconds(other.milliseconds - milliseconds)
    }

    /// ``advanced(by:)``.
    public static func + (lhs: Instant, rhs: Swift.Duration) -> Instant { lhs.advanced(by: rhs) }

    /// The millisecond that contains `lhs` minus `rhs`, held within the range.
    public static func - (lhs: Instant, rhs: Swift.Duration) -> Instant {
        let back = -(rhs.attoseconds / attosecondsPerMillisecond)
        let finer: Int128 = rhs.attoseconds % attosecondsPerMillisecond > 0 ? -1 : 0
        return Instant(clamping: Int128(lhs.milliseconds) + back + finer)
    }

    /// The time from `rhs` to `lhs`.
    public static func - (lhs: Instant, rhs: Instant) -> Swift.Duration { rhs.duration(to: lhs) }

    /// Moves this instant by `rhs`.
    public static func += (lhs: inout Instant, rhs: Swift.Duration) { lhs = lhs + rhs }

    /// Moves this instant back by `rhs`.
    public static func -= (lhs: inout Instant, rhs: Swift.Duration) { lhs = lhs - rhs }

    private init(clamping milliseconds: Int128) {
        self.init(milliseconds: Int64(clamping: milliseconds))
    }
}

private let attosecondsPerMillisecond: Int128 = 1_000_000_000_000_000

extension Instant: CustomStringConvertible {
    /// Reads an ISO 8601 instant with its offset: `YYYY-MM-DDTHH:MM[:SS[.fraction]]` and `Z`, `±HH:MM` or `±HHMM`.
    ///
    /// Up to nine digits of fraction are read; digits finer than milliseconds are dropped.
    ///
    /// - Throws: ``TimeParseError``, also for a text without an offset: nothing is guessed.
    public init(iso8601 text: String) throws(TimeParseError) {
        var copy = text
        let stored = copy.withUTF8 { Self.stored($0) }
        if let stored { self = stored } else { self = try Self.scanned(text) }
    }

    /// Reads an ISO 8601 instant from a part of a text.
    public init(iso8601 text: Substring) throws(TimeParseError) {
        var copy = text
        let stored = copy.withUTF8 { Self.stored($0) }
        if let stored { self = stored } else { self = try Self.scanned(text) }
    }

    /// Reads an ISO 8601 instant from bytes.
    public init(iso8601 bytes: UnsafeBufferPointer<UInt8>) throws(TimeParseError) {
        if let stored = Self.stored(bytes) {
            self = stored
        } else {
            self = try Self.scanned(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func scanned(_ text: some StringProtocol) throws(TimeParseError) -> Instant {
        var scanner = try TimeScanner(text)
        let instant = try scanner.instant()
        try scanner.end()
        return instant
    }

    /// Reads the form of ``iso8601``, which all stored times have, without the scanner; nil for any other form.
    private static func stored(_ text: UnsafeBufferPointer<UInt8>) -> Instant? {
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for index in range {
                let digit = text[index] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                value = value * 10 + Int(digit)
            }
            return value
        }
        guard text.count == 24, text[23] == UInt8(ascii: "Z"), text[10] == UInt8(ascii: "T"),
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"), text[19] == UInt8(ascii: "."),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let date = CivilDate(year: year, month: month, day: day), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), let millisecond = number(20..<23),
            let local = LocalDateTime(date: date, hour: hour, minute: minute, second: second, millisecond: millisecond)
        else { return nil }
        return Instant(milliseconds: local.millisecondsSinceEpoch)
    }

    /// `YYYY-MM-DDTHH:MM:SS.mmmZ`, in ASCII digits.
    public var iso8601: String {
        String(unsafeUninitializedCapacity: 24) { room in
            LocalDateTime(millisecondsSinceEpoch: milliseconds).write(to: room)
            room[23] = UInt8(ascii: "Z")
            return 24
        }
    }

    /// ``iso8601``.
    public var description: String { iso8601 }
}

extension TimeScanner {
    /// Reads an ISO 8601 instant with its offset.
    mutating func instant() throws(TimeParseError) -> Instant {
        let date = try date()
        try expect("T")
        let hour = try hour()
        try expect(":")
        let minute = try sexagesimal()
        var second = 0
        var millisecond = 0
        if skip(":") {
            second = try seconds()
            if skip(".") { millisecond = try fraction() }
        }
        let offset = try offset()
        let seconds = Int64(date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offset)
        let milliseconds = seconds * 1000 + Int64(millisecond)
        let instant = Instant(milliseconds: milliseconds)
        guard instant.milliseconds == milliseconds else { throw .outOfRange(text) }
        return instant
    }
}

extension Duration {
    /// The given number of minutes of 60 seconds; the longest representable number of seconds for an absurd count.
    public static func minutes(_ count: Int) -> Duration { seconds(count, each: 60) }

    /// The given number of hours of 3,600 seconds; the longest representable number of seconds for an absurd count.
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

extension FixedWidthInteger where Self: SignedInteger {
    /// The quotient rounded towards negative infinity. `divisor` must be positive.
    func flooredQuotient(_ divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The remainder of ``flooredQuotient(_:)``, in `0..<divisor`. `divisor` must be positive.
    func flooredRemainder(_ divisor: Self) -> Self {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
