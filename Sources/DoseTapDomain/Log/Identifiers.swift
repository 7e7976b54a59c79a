/// Identity of one event, and of the entry it created: a lowercase UUID, version 7 if DoseTap made it.
public struct EventID: Hashable, Sendable, CustomStringConvertible {
    /// Canonical text, 36 lowercase characters.
    public let text: String

    /// Takes canonical text without a check.
    public init(_ text: String) { self.text = text }

    /// ``text``.
    public var description: String { text }
}

/// Identity of one session (night): a lowercase UUID, version 7 if DoseTap made it; not its calendar key.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// Canonical text, 36 lowercase characters.
    public let text: String

    /// Takes canonical text without a check.
    public init(_ text: String) { self.text = text }

    /// ``text``.
    public var description: String { text }
}

/// Makes time-ordered UUIDs (version 7, RFC 9562 5.7), strictly increasing within one generator.
public struct IdentifierGenerator: Sendable {
    private var random: any RandomNumberGenerator & Sendable
    private var lastMilliseconds: Int64 = -1
    private var counter: UInt16 = 0

    /// - Parameter random: source of the random bits; a seeded one makes tests repeatable.
    public init(random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        self.random = random
    }

    /// Returns the next identifier for a moment, as canonical lowercase text.
    public mutating func next(at instant: Instant) -> String {
        let wanted = max(0, instant.milliseconds)
        if wanted > lastMilliseconds {
            lastMilliseconds = wanted
            counter = UInt16.random(in: 0...0x7FF, using: &random)
        } else if counter == 0xFFF {
            lastMilliseconds += 1
            counter = 0
        } else {
            counter += 1
        }
        let high = UInt64(lastMilliseconds) << 16 | 0x7000 | UInt64(counter)
        let low = UInt64.random(in: .min ... .max, using: &random) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return Self.text(high, low)
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for nibble in 0..<32 {
                if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = nibble < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: word >> UInt64((15 - nibble % 16) * 4)) & 0xF
                buffer[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                position += 1
            }
            return position
        }
    }
}
