import DoseTapDomain
import Glibc

/// Rows of the log in the pages of an SQLite file and of its write-ahead log, read without SQLite.
///
/// The hash of each row proves the row. So a damaged page costs only its own rows, even if the header, the schema or the upper
/// pages of the trees are lost. Source: SQLite's file format, sqlite.org/fileformat2.html.
final class LogPages: LogSource {
    private let file: RawFile?
    private let log: RawFile?
    private let pageSize: Int
    /// Number of bytes of a page that SQLite uses.
    private let usable: Int
    /// Place of the newest frame of each page in the write-ahead log.
    private var frames: [UInt32: Int] = [:]

    /// Limit of a row, in bytes.
    private static let longestRow = 1 << 20
    /// Limit of rows that go beyond one page, in bytes.
    private static let mostBeyond = 4 << 20
    /// Limit of frames of a write-ahead log whose pages are known; the rows of all frames are read.
    private static let mostFrames = 1 << 17

    /// - Parameter path: the database; a file that cannot be opened has no pages.
    init(_ path: String) {
        file = RawFile(path)
        log = RawFile(path + "-wal")
        let header = file?.read(0, 100) ?? []
        let walHeader = log?.read(0, 32) ?? []
        let isWhole = header.count == 100 && header.prefix(16).elementsEqual("SQLite format 3\0".utf8)
        let stored = isWhole ? Int(header[16]) << 8 | Int(header[17]) : 0
        let sizes = [stored == 1 ? 65_536 : stored, walHeader.count == 32 ? Int(Self.word(walHeader, 8)) : 0, 4_096]
        pageSize = sizes.first { (512...65_536).contains($0) && $0.nonzeroBitCount == 1 } ?? 4_096
        usable = pageSize - (isWhole && Int(header[20]) <= pageSize - 480 ? Int(header[20]) : 0)
        for frame in 0..<min(frameCount, Self.mostFrames) {
            guard let head = log?.read(frameOffset(frame), 4), head.count == 4 else { break }
            frames[Self.word(head, 0)] = frame
        }
    }

    /// Limit of the pages that may come before the first event: the tables and indexes before it have far fewer.
    let firstPieces = 4_096

    /// Pages in the file and frames in the write-ahead log.
    var count: Int { pageCount + frameCount }

    private var pageCount: Int { ((file?.size ?? 0) + pageSize - 1) / pageSize }
    private var frameCount: Int { max(0, (log?.size ?? 0) - 32) / (24 + pageSize) }
    private func frameOffset(_ frame: Int) -> Int { 32 + frame * (24 + pageSize) }

    /// Returns the rows of a page; none for an unreadable page.
    func rows(at place: Int) -> [LogRow] {
        let page: [UInt8]?
        if place < pageCount {
            page = file?.read(place * pageSize, pageSize)
        } else {
            page = log?.read(frameOffset(place - pageCount) + 24, pageSize)
        }
        guard let page, page.count == pageSize else { return [] }
        return rows(of: page, start: place == 0 ? 100 : 0)
    }

    /// Returns the rows of a leaf of a table; none for any other page.
    private func rows(of page: [UInt8], start: Int) -> [LogRow] {
        guard page[start] == 0x0D else { return [] }
        let cells = Int(page[start + 3]) << 8 | Int(page[start + 4])
        guard start + 8 + 2 * cells <= usable else { return [] }
        let places = (0..<cells).map { index in
            let pointer = start + 8 + 2 * index
            return Int(page[pointer]) << 8 | Int(page[pointer + 1])
        }
        var beyond = Self.mostBeyond
        return Set(places).sorted().compactMap { row(of: page, at: $0, beyond: &beyond) }
    }

    /// Returns the row of a cell; nil if its hash is not that of its content.
    private func row(of page: [UInt8], at offset: Int, beyond: inout Int) -> LogRow? {
        var reader = Bytes(bytes: page[..<usable], position: offset)
        guard let length = reader.varint(), let sequence = reader.varint(), sequence > 0,
            (1...Int64(Self.longestRow)).contains(length)
        else { return nil }
        let whole = Int(length)
        let most = usable - 35
        guard whole > most else {
            return reader.take(whole).flatMap { LogRow(record: $0, sequence: sequence) }
        }
        beyond -= whole
        guard beyond >= 0 else { return nil }
        let least = (usable - 12) * 32 / 255 - 23
        let fitting = least + (whole - least) % (usable - 4)
        guard let local = reader.take(fitting <= most ? fitting : least), let next = reader.take(4) else { return nil }
        let first = Self.word(Array(next), 0)
        // The newest copies of the further pages are in the write-ahead log. After a power cut these copies may be the wrong
        // ones.
        for isFromLog in [true, false] {
            guard let rest = overflow(first, whole - local.count, isFromLog: isFromLog) else { continue }
            if let row = LogRow(record: (Array(local) + rest)[...], sequence: sequence) { return row }
        }
        return nil
    }

    private func overflow(_ first: UInt32, _ length: Int, isFromLog: Bool) -> [UInt8]? {
        var found: [UInt8] = []
        var number = first
        while found.count < length {
            guard number > 0, let page = page(number, isFromLog: isFromLog), page.count == pageSize else { return nil }
            found += page[4..<usable].prefix(length - found.count)
            number = Self.word(page, 0)
        }
        return found
    }

    private func page(_ number: UInt32, isFromLog: Bool) -> [UInt8]? {
        if isFromLog, let frame = frames[number] { return log?.read(frameOffset(frame) + 24, pageSize) }
        return file?.read((Int(number) - 1) * pageSize, pageSize)
    }

    fileprivate static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// A file that is only read. The descriptor is kept for the life of the process: closing it would drop SQLite's locks if the
/// same file is open.
final class RawFile {
    private static let kept = Guarded<[String: CInt]>([:])

    private let descriptor: CInt
    let size: Int

    /// Nil for a missing file, or for anything but a plain file.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let name = "\(status.st_dev):\(status.st_ino)"
        let descriptor = Self.kept.withLock { kept -> CInt in
            if let known = kept[name] { return known }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            if descriptor >= 0 { kept[name] = descriptor }
            return descriptor
        }
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
        self.descriptor = descriptor
        size = min(Int(status.st_size), Self.most)
    }

    /// Limit of the bytes that are read.
    private static let most = 4 << 30

    /// Copies a file; a missing file is passed over.
    ///
    /// - Parameter mustYield: called before each piece; returns true to break off for something more urgent.
    /// - Throws: `.interrupted` after a break.
    static func copy(_ path: String, to other: String, mustYield: () -> Bool) throws(StoreError) {
        unlink(other)
        guard let file = RawFile(path) else { return }
        let doing = sent("copying the damaged record")
        let target = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { throw SystemCall.failure("open", other, errno, context: doing) }
        defer { close(target) }
        var place = 0
        while place < file.size {
            guard !mustYield() else {
                throw StoreError(code: .interrupted, context: "\(doing): \(sent("it was interrupted"))")
            }
            // Bytes that the disk does not give back become zeros, so that the rest keeps its place.
            let count = min(1 << 18, file.size - place)
            let bytes = file.read(place, count) ?? [UInt8](repeating: 0, count: count)
            guard !bytes.isEmpty else { return }
            try SystemCall.write(bytes, to: target, at: off_t(place), other, context: doing)
            place += bytes.count
        }
    }

    /// Reads bytes, fewer at the end of the file; nil if the disk does not give them.
    func read(_ offset: Int, _ count: Int) -> [UInt8]? {
        guard offset >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { room in
                room.baseAddress.map { pread(descriptor, $0 + done, count - done, off_t(offset + done)) } ?? -1
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            done += got
        }
        return Array(bytes.prefix(done))
    }
}

/// Reads numbers and texts of SQLite's records, within bounds.
private struct Bytes {
    let bytes: ArraySlice<UInt8>
    var position: Int

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, position >= bytes.startIndex, count <= bytes.endIndex - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads a number of seven bits a byte, most significant first; of a ninth byte all eight bits count.
    mutating func varint() -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard let byte = take(1)?.first else { return nil }
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return Int64(bitPattern: value) }
        }
        return nil
    }

    /// Reads a value of a serial type; nil for a double or a blob, which no log of DoseTap has.
    mutating func value(_ type: Int64) -> Value? {
        switch type {
        case 0: return .null
        case 1...6:
            guard let taken = take([1, 2, 3, 4, 6, 8][Int(type) - 1]), let first = taken.first else { return nil }
            let start: Int64 = first & 0x80 == 0 ? 0 : -1
            return .integer(taken.reduce(start) { $0 << 8 | Int64($1) })
        case 8, 9: return .integer(type - 8)
        case 13... where type % 2 == 1:
            guard type < 1 << 32, let taken = take(Int(type - 13) / 2) else { return nil }
            return String(validating: taken, as: UTF8.self).map(Value.text)
        default: return nil
        }
    }
}

private enum Value {
    case null
    case integer(Int64)
    case text(String)

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var isNull: Bool { if case .null = self { true } else { false } }
}

extension LogRow {
    /// Reads a row of `events` from a record of SQLite; nil for another record, or if the hash is not that of the content.
    fileprivate init?(record: ArraySlice<UInt8>, sequence: Int64) {
        var header = Bytes(bytes: record, position: record.startIndex)
        guard let length = header.varint(), length > 0, length <= 256, Int(length) <= record.count else { return nil }
        let end = record.startIndex + Int(length)
        var values = Bytes(bytes: record, position: end)
        var columns: [Value] = []
        while header.position < end {
            guard let type = header.varint(), let value = values.value(type), columns.count < 20 else { return nil }
            columns.append(value)
        }
        // The first column is the row's number; the last two came with schema 5.
        guard LogRow.sequences.contains(sequence), columns.count == 18 || columns.count == 20, columns[0].isNull,
            [5, 14].allSatisfy({ columns[$0].isNull || columns[$0].text != nil }),
            let offset = columns[9].integer, LogRow.offsets.contains(offset), let counter = columns[10].integer
        else { return nil }
        let texts = columns.map(\.text)
        guard let id = texts[1], let type = texts[2], let entityType = texts[3], let entityID = texts[4],
            let occurredAt = texts[6], let effectiveAt = texts[7], let timeZone = texts[8], let bootID = texts[11],
            let deviceID = texts[12], let surface = texts[13], let payload = texts[15], let previousHash = texts[16],
            let hash = texts[17]
        else { return nil }
        self.init(
            sequence: sequence, id: id, type: type, entityType: entityType, entityID: entityID, sessionID: texts[5],
            occurredAt: occurredAt, effectiveAt: effectiveAt, timeZone: timeZone, localOffsetMinutes: offset,
            counterMicroseconds: counter, bootID: bootID, deviceID: deviceID, surface: surface,
            idempotencyKey: texts[14], payload: payload, previousHash: previousHash, hash: hash,
            wall: columns.count == 20 ? texts[18] : nil, synchronised: columns.count == 20 ? columns[19].integer : nil)
        guard computedHash() == hash else { return nil }
    }
}
