/// A ZIP archive of uncompressed files. Equal files give equal bytes: all are dated 1980-01-01.
struct ZipArchive {
    private struct Member {
        let name: [UInt8]
        let checksum: UInt32
        let size: UInt32
        let offset: UInt32
    }

    private var members: [Member] = []
    private var start: Int?

    /// Adds a file. All files together are far below the 4 GiB of the format.
    mutating func add(_ name: String, _ bytes: [UInt8], into output: inout Output) throws(ExchangeFault) {
        let begin = start ?? output.count
        start = begin
        let member = Member(
            name: Array(name.utf8), checksum: Self.checksum(bytes), size: UInt32(clamping: bytes.count),
            offset: UInt32(clamping: output.count - begin))
        members.append(member)
        try output.write(Self.number(0x0403_4B50, 4) + Self.head(member) + member.name)
        try output.write(bytes)
    }

    /// Writes the list of files.
    mutating func finish(into output: inout Output) throws(ExchangeFault) {
        let begin = output.count
        for member in members {
            // Made on Unix: an ordinary file that only its owner can read and write.
            let entry =
                Self.number(0x0201_4B50, 4) + Self.number(0x0314, 2) + Self.head(member) + Self.number(0, 2)
                + Self.number(0, 2) + Self.number(0, 2) + Self.number(0o100600 << 16, 4)
                + Self.number(member.offset, 4) + member.name
            try output.write(entry)
        }
        let count = UInt32(clamping: members.count)
        try output.write(
            Self.number(0x0605_4B50, 4) + Self.number(0, 4) + Self.number(count, 2) + Self.number(count, 2)
                + Self.number(UInt32(clamping: output.count - begin), 4)
                + Self.number(UInt32(clamping: begin - (start ?? begin)), 4) + Self.number(0, 2))
    }

    /// Returns the fields that the head of a file and the list share: version, flags (names in UTF-8), no compression, date,
    /// checksum, sizes, length of the name, nothing extra.
    private static func head(_ member: Member) -> [UInt8] {
        number(20, 2) + number(0x800, 2) + number(0, 2) + number(0, 2) + number(0x21, 2)
            + number(member.checksum, 4) + number(member.size, 4) + number(member.size, 4)
            + number(UInt32(clamping: member.name.count), 2) + number(0, 2)
    }

    private static func number(_ value: UInt32, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> UInt32($0 * 8)) }
    }

    /// Returns the CRC-32 of ZIP.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
}
