internal import CImporters
internal import DoseTapDomain
internal import DoseTapExchange

/// A ZIP archive of another program (APPNOTE 6.3): the members in the list at its end, stored or deflated.
///
/// Names of members are never used as paths. The list has a few fixed fields, so this reader over zlib is enough: the general
/// readers of archives bring a parser for each of thirty formats.
struct ZipFile {
    static let mostMembers = 1_000
    /// Beyond this number of bytes, a member may not be more than ``ratio`` times as large as its packed form.
    static let trusted = 10_000_000
    static let ratio = 200

    struct Member {
        /// The name in the archive, with control characters replaced.
        let name: String
        let size: Int
        fileprivate let packed: Int
        fileprivate let method: UInt64
        fileprivate let isEncrypted: Bool
        fileprivate let checksum: UInt32
        fileprivate let offset: Int

        /// The last part of the name.
        var base: String { String(name.split(separator: "/", omittingEmptySubsequences: true).last ?? "") }
    }

    let members: [Member]
    private let file: ForeignFile

    /// Returns true if a file begins like an archive.
    static func isOne(_ head: [UInt8]) -> Bool {
        head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
    }

    /// Reads the list.
    init(_ file: ForeignFile) throws(ExchangeFault) {
        self.file = file
        let (start, size, count) = try Self.list(file)
        guard count <= Self.mostMembers else {
            throw Self.fault(sent("The archive has \(count) members; \(Self.mostMembers) are the most."))
        }
        guard size <= 4 << 20, let part = file.part(at: start, count: size) else {
            throw Self.fault(sent("The archive is cut, or its list of members is wrong."))
        }
        let bytes = try part.bytes(at: 0, count: size)
        var members: [Member] = []
        var place = 0
        while members.count < count {
            guard let member = Self.member(bytes, &place) else {
                throw Self.fault(sent("The archive's list of members is wrong at member \(members.count + 1)."))
            }
            members.append(member)
        }
        self.members = members
    }

    /// Returns the files with one of these names, in any folder of the archive.
    func named(_ bases: String...) -> [Member] {
        members.filter { member in
            !member.name.hasSuffix("/") && bases.contains { $0.lowercased() == member.base.lowercased() }
        }
    }

    /// Returns the bytes of a member, unpacked while they are read; the checksum is checked at the end.
    func open(_ member: Member) throws(ExchangeFault) -> ByteSource {
        let packed = try place(member)
        let check = Check(member)
        if member.method == 0 {
            var offset = 0
            return ByteSource { room throws(ExchangeFault) in
                let count = try packed.read(room, at: offset)
                offset += count
                try check.take(UnsafeRawBufferPointer(rebasing: room[..<count]), packed: offset)
                return count
            }
        }
        let inflater = try Inflater(packed)
        return ByteSource { room throws(ExchangeFault) in
            let count = try inflater.read(room)
            try check.take(UnsafeRawBufferPointer(rebasing: room[..<count]), packed: inflater.taken)
            return count
        }
    }

    /// Returns a member as a file: a part of the archive if the member is only stored, else bytes unpacked into memory.
    func file(_ member: Member, most: Int) throws(ExchangeFault) -> ForeignFile {
        if member.method == 0 { return try place(member) }
        guard member.size <= most else {
            throw Self.fault(
                sent(
                    "'\(member.base)' in the archive has \(member.size >> 20) MiB; unpack it and name the file itself.")
            )
        }
        return ForeignFile(try open(member).all(member.size))
    }

    private func place(_ member: Member) throws(ExchangeFault) -> ForeignFile {
        guard !member.isEncrypted else { throw Self.fault(sent("'\(member.base)' in the archive is encrypted.")) }
        guard member.method == 0 || member.method == 8 else {
            throw Self.fault(
                sent("'\(member.base)' in the archive is packed by method \(member.method); 0 and 8 are known."))
        }
        let head = try file.bytes(at: member.offset, count: 30)
        guard head.count == 30, head.starts(with: [0x50, 0x4B, 3, 4]) else {
            throw Self.fault(sent("'\(member.base)' is not where the archive says."))
        }
        let start = member.offset + 30 + Int(Self.number(head, 26, 2)) + Int(Self.number(head, 28, 2))
        guard member.method != 0 || member.packed == member.size, let part = file.part(at: start, count: member.packed)
        else { throw Self.fault(sent("'\(member.base)' in the archive is cut.")) }
        return part
    }

    private static func fault(_ message: String) -> ExchangeFault { ExchangeFault(.stream, message) }
}

/// The reader of the list at the end.
extension ZipFile {
    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64($1 * 8) }
    }

    /// Finds the list: its place, size and count of members.
    private static func list(_ file: ForeignFile) throws(ExchangeFault) -> (start: Int, size: Int, count: Int) {
        // The end has 22 bytes and a comment of up to 65,535.
        let tailStart = max(0, file.size - 65_557)
        let tail = try file.bytes(at: tailStart, count: 65_557)
        var place = tail.count - 22
        while place >= 0 {
            if tail[place] == 0x50, tail[place + 1] == 0x4B, tail[place + 2] == 5, tail[place + 3] == 6 { break }
            place -= 1
        }
        guard place >= 0 else { throw fault(sent("The archive is cut: its list of members is missing.")) }
        guard number(tail, place + 4, 2) == number(tail, place + 6, 2) || number(tail, place + 4, 2) == 0xFFFF else {
            throw fault(sent("The archive is one of several parts."))
        }
        let count = number(tail, place + 10, 2)
        let size = number(tail, place + 12, 4)
        let start = number(tail, place + 16, 4)
        guard count == 0xFFFF || size == 0xFFFF_FFFF || start == 0xFFFF_FFFF else {
            return (Int(start), Int(size), Int(count))
        }
        // The 64-bit form of the end; a locator in front of the end points at it.
        guard place >= 20, number(tail, place - 20, 4) == 0x0706_4B50,
            let end = Int(exactly: number(tail, place - 12, 8)), let part = file.part(at: end, count: 56)
        else { throw fault(sent("The archive's list of members is wrong.")) }
        let large = try part.bytes(at: 0, count: 56)
        guard number(large, 0, 4) == 0x0606_4B50, let wide = Int(exactly: number(large, 32, 8)),
            let bytes = Int(exactly: number(large, 40, 8)), let first = Int(exactly: number(large, 48, 8))
        else { throw fault(sent("The archive's list of members is wrong.")) }
        return (first, bytes, wide)
    }

    /// Reads a member of the list; nil if the list is wrong.
    private static func member(_ bytes: [UInt8], _ place: inout Int) -> Member? {
        guard place + 46 <= bytes.count, number(bytes, place, 4) == 0x0201_4B50 else { return nil }
        let (nameSize, extraSize) = (Int(number(bytes, place + 28, 2)), Int(number(bytes, place + 30, 2)))
        let end = place + 46 + nameSize + extraSize + Int(number(bytes, place + 32, 2))
        guard end <= bytes.count else { return nil }
        var sizes = [number(bytes, place + 24, 4), number(bytes, place + 20, 4), number(bytes, place + 42, 4)]
        var extra = place + 46 + nameSize
        let extraEnd = extra + extraSize
        while extra + 4 <= extraEnd {
            let (kind, length) = (number(bytes, extra, 2), Int(number(bytes, extra + 2, 2)))
            guard extra + 4 + length <= extraEnd else { return nil }
            if kind == 1 {
                var value = extra + 4
                for index in sizes.indices where sizes[index] == 0xFFFF_FFFF {
                    guard value + 8 <= extra + 4 + length else { return nil }
                    sizes[index] = number(bytes, value, 8)
                    value += 8
                }
            }
            extra += 4 + length
        }
        guard let size = Int(exactly: sizes[0]), let packed = Int(exactly: sizes[1]),
            let offset = Int(exactly: sizes[2])
        else { return nil }
        let name = String(decoding: bytes[place + 46..<place + 46 + nameSize], as: UTF8.self)
        let member = Member(
            name: PlainText.line(name), size: size, packed: packed, method: number(bytes, place + 10, 2),
            isEncrypted: number(bytes, place + 8, 2) & 1 == 1, checksum: UInt32(number(bytes, place + 16, 4)),
            offset: offset)
        place = end
        return member
    }
}

extension ZipFile {
    /// Checks size, checksum and ratio of the bytes of a member.
    private final class Check {
        private let member: Member
        private var size = 0
        private var sum: UInt = 0

        init(_ member: Member) { self.member = member }

        /// Takes over bytes; no bytes mean the end.
        func take(_ bytes: UnsafeRawBufferPointer, packed: Int) throws(ExchangeFault) {
            size += bytes.count
            let name = member.base
            guard size <= member.size else { throw ZipFile.fault(sent("'\(name)' is larger than the archive says.")) }
            guard size <= ZipFile.trusted || size / ZipFile.ratio <= packed else {
                throw ZipFile.fault(
                    sent(
                        "'\(name)' unpacks to more than \(ZipFile.ratio) times what it is packed in: it is not unpacked."
                    ))
            }
            guard !bytes.isEmpty else {
                guard size == member.size, UInt32(truncatingIfNeeded: sum) == member.checksum else {
                    throw ZipFile.fault(sent("'\(name)' in the archive is damaged: its checksum is another."))
                }
                return
            }
            sum = crc32(sum, bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count))
        }
    }

    /// Unpacks deflated bytes.
    private final class Inflater {
        /// The number of packed bytes read so far.
        private(set) var taken = 0
        private let packed: ForeignFile
        private let stream: UnsafeMutablePointer<z_stream>
        private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        private var isDone = false

        init(_ packed: ForeignFile) throws(ExchangeFault) {
            self.packed = packed
            stream = .allocate(capacity: 1)
            stream.initialize(to: z_stream())
            guard cimporters_inflate_begin(stream) == Z_OK else {
                throw ExchangeFault(.output, sent("There is no memory to unpack with."))
            }
        }

        deinit {
            inflateEnd(stream)
            stream.deallocate()
            room.deallocate()
        }

        func read(_ target: UnsafeMutableRawBufferPointer) throws(ExchangeFault) -> Int {
            guard !isDone, !target.isEmpty else { return 0 }
            stream.pointee.next_out = target.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(target.count)
            while true {
                if stream.pointee.avail_in == 0 {
                    let count = try packed.read(room, at: taken)
                    taken += count
                    stream.pointee.next_in = room.bindMemory(to: UInt8.self).baseAddress
                    stream.pointee.avail_in = UInt32(count)
                }
                let isLast = stream.pointee.avail_in == 0
                let result = inflate(stream, Z_NO_FLUSH)
                let count = target.count - Int(stream.pointee.avail_out)
                if result == Z_STREAM_END {
                    isDone = true
                    return count
                }
                guard result == Z_OK || (result == Z_BUF_ERROR && !isLast) else {
                    throw ZipFile.fault(sent("The archive is damaged at byte \(taken) of a member."))
                }
                if count > 0 { return count }
                guard !isLast else { throw ZipFile.fault(sent("A member of the archive is cut.")) }
            }
        }
    }
}
