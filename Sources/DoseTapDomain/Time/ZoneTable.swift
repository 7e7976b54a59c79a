/// The transitions of a zone and the rule that continues them, immutable and shared by all copies of a ``Zone``.
final class ZoneTable: Sendable {
    /// Seconds since 1970 at which a new type begins, ascending.
    let transitions: [Int64]
    /// For each transition the index of its type in ``types``.
    let typeIndices: [UInt8]
    /// The local time types, at least one. The first is in force before the first transition.
    let types: [LocalTimeType]
    /// The rule in force after the last transition, or at all times if there is none.
    let rule: ZoneRule?

    /// The indices must be as many as the transitions, each a valid index of `types`, which must not be empty.
    init(transitions: [Int64], typeIndices: [UInt8], types: [LocalTimeType], rule: ZoneRule?) {
        self.transitions = transitions
        self.typeIndices = typeIndices
        self.types = types
        self.rule = rule
    }

    /// Returns the local time type in force at `second`.
    func type(at second: Int64) -> LocalTimeType {
        let following = transitionCount(through: second)
        if following == transitions.count, let rule { return rule.type(at: second) }
        return type(beforeTransition: following)
    }

    /// Returns the stretch that contains `second`. Neighbours may have the same offset.
    func segment(at second: Int64) -> ZoneSegment {
        let following = transitionCount(through: second)
        let start = following == 0 ? Int64.min : transitions[following - 1]
        if following == transitions.count, let rule {
            let segment = rule.segment(at: second)
            return ZoneSegment(start: Swift.max(start, segment.start), end: segment.end, type: segment.type)
        }
        let end = following == transitions.count ? Int64.max : transitions[following]
        return ZoneSegment(start: start, end: end, type: type(beforeTransition: following))
    }

    private func type(beforeTransition index: Int) -> LocalTimeType {
        index == 0 ? types[0] : types[Int(typeIndices[index - 1])]
    }

    /// Returns the number of transitions at or before `second`.
    private func transitionCount(through second: Int64) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ZoneTable: Hashable {
    static func == (lhs: ZoneTable, rhs: ZoneTable) -> Bool {
        lhs === rhs
            || lhs.transitions == rhs.transitions && lhs.typeIndices == rhs.typeIndices && lhs.types == rhs.types
                && lhs.rule == rhs.rule
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(transitions.count)
        hasher.combine(transitions.last)
        hasher.combine(types)
    }
}

/// Reads the time zone information format, RFC 9636, versions 1 to 4.
///
/// Files with leap seconds (those below `right/`) are converted to POSIX time, which has none.
struct TZifReader {
    /// The largest accepted size of the data, in bytes; the largest real zone has about 4 KiB.
    static var sizeLimit: Int { 1 << 20 }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the zone's transitions and rule.
    ///
    /// - Throws: ``ZoneError`` for all data that is not well formed.
    mutating func table() throws(ZoneError) -> ZoneTable {
        guard bytes.count <= Self.sizeLimit else { throw .tooLarge(bytes: bytes.count) }
        let first = try header()
        guard first.version >= 2 else { return try block(first, timeSize: 4, rule: nil) }
        // The first block repeats in 32 bits the content of the second, which has 64.
        try skip(first.blockSize(timeSize: 4))
        let second = try header()
        let blockStart = position
        try skip(second.blockSize(timeSize: 8))
        let rule = try footer()
        position = blockStart
        return try block(second, timeSize: 8, rule: rule)
    }

    private struct Header {
        let version: Int
        let universalFlags: Int
        let standardFlags: Int
        let leapSeconds: Int
        let transitions: Int
        let types: Int
        let designationBytes: Int

        func blockSize(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + designationBytes + leapSeconds * (timeSize + 4)
                + standardFlags + universalFlags
        }
    }

    private mutating func header() throws(ZoneError) -> Header {
        guard bytes.count - position >= 44 else {
            throw bytes.starts(with: "TZif".utf8) || bytes.isEmpty ? .truncated : .notTZif
        }
        guard bytes[position..<(position + 4)].elementsEqual("TZif".utf8) else { throw .notTZif }
        let mark = bytes[position + 4]
        let version: Int
        switch mark {
        case 0: version = 1
        case UInt8(ascii: "2")...UInt8(ascii: "4"): version = Int(mark - UInt8(ascii: "0"))
        default: throw .unknownVersion(mark)
        }
        position += 20
        let header = Header(
            version: version, universalFlags: unsigned32(), standardFlags: unsigned32(), leapSeconds: unsigned32(),
            transitions: unsigned32(), types: unsigned32(), designationBytes: unsigned32())
        guard (1...256).contains(header.types), header.designationBytes >= 1,
            header.universalFlags == 0 || header.universalFlags == header.types,
            header.standardFlags == 0 || header.standardFlags == header.types
        else { throw .badCounts }
        return header
    }

    private mutating func block(
        _ header: Header, timeSize: Int, rule: ZoneRule?
    ) throws(ZoneError) -> ZoneTable {
        guard header.blockSize(timeSize: timeSize) <= bytes.count - position else { throw .truncated }
        var transitions = times(header.transitions, size: timeSize)
        let indices = Array(bytes[position..<(position + header.transitions)])
        position += header.transitions
        guard indices.allSatisfy({ Int($0) < header.types }) else { throw .badTypeIndex }
        let types = try localTimeTypes(header)
        let leaps = try leapSeconds(header, timeSize: timeSize)
        if !leaps.isEmpty { transitions = transitions.map { leaps.posix($0) } }
        // No zone has transitions before the Big Bang; the arithmetic relies on this bound.
        let bounds = -(Int64(1) << 59)...(Int64(1) << 59)
        guard transitions.allSatisfy(bounds.contains),
            zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw .badTransitionTimes }
        return ZoneTable(transitions: transitions, typeIndices: indices, types: types, rule: rule)
    }

    private mutating func times(_ count: Int, size: Int) -> [Int64] {
        var times: [Int64] = []
        times.reserveCapacity(count)
        for _ in 0..<count { times.append(size == 8 ? signed64() : signed32()) }
        return times
    }

    private mutating func localTimeTypes(_ header: Header) throws(ZoneError) -> [LocalTimeType] {
        let names = position + header.types * 6
        let namesEnd = names + header.designationBytes
        var types: [LocalTimeType] = []
        types.reserveCapacity(header.types)
        for _ in 0..<header.types {
            let offset = Int(signed32())
            let daylight = bytes[position]
            let start = names + Int(bytes[position + 1])
            position += 2
            guard LocalTimeType.offsetRange.contains(offset), daylight <= 1, start < namesEnd,
                let end = bytes[start..<namesEnd].firstIndex(of: 0)
            else { throw .badLocalTimeType }
            // The names of a zone are printed, so only the characters of RFC 9636 section 3.2 pass.
            guard bytes[start..<end].allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .badLocalTimeType }
            let name = String(decoding: bytes[start..<end], as: UTF8.self)
            types.append(LocalTimeType(offset: offset, isDaylight: daylight == 1, abbreviation: name))
        }
        position = namesEnd
        return types
    }

    private mutating func leapSeconds(_ header: Header, timeSize: Int) throws(ZoneError) -> LeapSecondTable {
        var table = LeapSecondTable()
        for _ in 0..<header.leapSeconds {
            let occurrence = timeSize == 8 ? signed64() : signed32()
            guard table.append(occurrence: occurrence, correction: signed32()) else { throw .badLeapSeconds }
        }
        return table
    }

    /// Reads the rule between the two line feeds that end the data; nil if nothing stands there.
    private mutating func footer() throws(ZoneError) -> ZoneRule? {
        let lineFeed = UInt8(ascii: "\n")
        guard position < bytes.count else { throw .truncated }
        guard bytes[position] == lineFeed else { throw .badRule("") }
        let start = position + 1
        guard let end = bytes[start...].firstIndex(of: lineFeed) else { throw .truncated }
        return start == end ? nil : try ZoneRule(posix: bytes[start..<end])
    }

    private mutating func skip(_ count: Int) throws(ZoneError) {
        guard count <= bytes.count - position else { throw .truncated }
        position += count
    }

    private mutating func unsigned32() -> Int { Int(UInt32(truncatingIfNeeded: bigEndian(4))) }

    private mutating func signed32() -> Int64 { Int64(Int32(truncatingIfNeeded: bigEndian(4))) }

    private mutating func signed64() -> Int64 { Int64(truncatingIfNeeded: bigEndian(8)) }

    private mutating func bigEndian(_ count: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in position..<(position + count) { value = value << 8 | UInt64(bytes[index]) }
        position += count
        return value
    }
}
