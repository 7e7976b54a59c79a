import Crypto
public import DoseTapDomain
import Glibc

/// The place beside the store for events that the log does not take: a small file, allocated and filled while there was room,
/// so that a write needs no more space.
///
/// The file has two halves, written in turn, each with its own check sum: an interrupted write leaves the other half.
final class Reserve: Sendable {
    /// Bytes of one half.
    static let half = 65_536

    /// Content of one half.
    struct Content: Hashable, Sendable {
        /// Number of the write; the half with the higher number is valid.
        var generation: UInt64
        /// The store the events belong to.
        var storeID: String
        /// The last sequence number of the log at the time of writing.
        var lastSequence: Int64
        /// The events, one on each line.
        var lines: [String]
    }

    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// Opens or makes the file; nil if that fails, which is not fatal: the configuration folder is used next.
    static func open(besides path: String) -> Reserve? {
        let descriptor = Glibc.open(path + ".reserve", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return nil }
        let reserve = Reserve(descriptor: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            status.st_uid == geteuid()
        else { return nil }
        _ = fchmod(descriptor, 0o600)
        if status.st_size < 2 * half, !reserve.allocate() { return nil }
        return reserve
    }

    /// Reads the valid half of the file beside a store; no file is made.
    static func peek(besides path: String) -> Content? {
        let descriptor = Glibc.open(path + ".reserve", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        return descriptor >= 0 ? Reserve(descriptor: descriptor).read() : nil
    }

    /// Writes the blocks: a block that was only reserved may need new space on its first write.
    private func allocate() -> Bool {
        guard posix_fallocate(descriptor, 0, off_t(2 * Self.half)) == 0 else { return false }
        let zeros = [UInt8](repeating: 0, count: Self.half)
        for place in 0..<2 where pwrite(descriptor, zeros, zeros.count, off_t(place * Self.half)) != zeros.count {
            return false
        }
        return fdatasync(descriptor) == 0
    }

    /// Returns the valid half; nil if neither half is readable.
    func read() -> Content? { [half(0), half(1)].compactMap { $0 }.max { $0.generation < $1.generation } }

    /// Replaces the content.
    ///
    /// - Returns: the number of lines on the disk; 0 if writing failed.
    func write(_ lines: [String], storeID: String, lastSequence: Int64) -> Int {
        let generation = (read()?.generation ?? 0) + 1
        var content = Content(generation: generation, storeID: storeID, lastSequence: lastSequence, lines: [])
        content.lines = Array(lines.prefix(Self.fitting(lines, content)))
        let bytes = Self.bytes(content)
        let written = pwrite(descriptor, bytes, bytes.count, off_t(Int(generation % 2) * Self.half))
        guard written == bytes.count, fdatasync(descriptor) == 0 else { return 0 }
        return content.lines.count
    }

    /// Returns the number of lines that have room.
    static func fitting(_ lines: [String], storeID: String, lastSequence: Int64) -> Int {
        fitting(lines, Content(generation: 0, storeID: storeID, lastSequence: lastSequence, lines: []))
    }

    private static func fitting(_ lines: [String], _ empty: Content) -> Int {
        var room = half - bytes(empty).count
        return lines.prefix { line in
            room -= line.utf8.count + 1
            return room >= 0
        }.count
    }

    /// Overwrites both halves with no lines and zeros: bytes of earlier entries may follow the content.
    ///
    /// - Returns: true if the zeros are on the disk.
    func scrub(storeID: String) -> Bool {
        for _ in 0..<2 {
            let last = read()
            let content = Content(
                generation: (last?.generation ?? 0) + 1, storeID: storeID, lastSequence: last?.lastSequence ?? 0,
                lines: [])
            var bytes = Self.bytes(content)
            bytes += [UInt8](repeating: 0, count: max(0, Self.half - bytes.count))
            let written = pwrite(descriptor, bytes, bytes.count, off_t(Int(content.generation % 2) * Self.half))
            guard written == bytes.count, fdatasync(descriptor) == 0 else { return false }
        }
        return true
    }

    private func half(_ place: Int) -> Content? {
        var bytes = [UInt8](repeating: 0, count: Self.half)
        let count = pread(descriptor, &bytes, bytes.count, off_t(place * Self.half))
        return count > 0 ? Self.content(bytes.prefix(count)) : nil
    }

    /// Returns a line with length and check sum of the rest, then the events.
    static func bytes(_ content: Content) -> [UInt8] {
        let body = Array(content.lines.map { $0 + "\n" }.joined().utf8)
        // Both numbers have a fixed length, so that the room for lines is known before.
        let generation = String(repeating: "0", count: max(0, 20 - String(content.generation).utf8.count))
        let length = String(repeating: "0", count: max(0, 6 - String(body.count).utf8.count))
        let head =
            "dosetap-reserve 1 \(generation)\(content.generation) \(content.storeID) \(content.lastSequence) "
            + "\(length)\(body.count)"
        return Array("\(head) \(sum(Array(head.utf8) + body))\n".utf8) + body
    }

    static func content(_ bytes: ArraySlice<UInt8>) -> Content? {
        guard let end = bytes.prefix(1_024).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 7, words[0] == "dosetap-reserve", words[1] == "1", let generation = UInt64(words[2]),
            // The next writing adds one.
            generation < .max, let lastSequence = Int64(words[4]), let length = Int(words[5]), length >= 0,
            length <= bytes.endIndex - (end + 1)
        else { return nil }
        let body = bytes[(end + 1)..<(end + 1 + length)]
        guard words[6] == sum(Array(words[0...5].joined(separator: " ").utf8) + body) else { return nil }
        // The split is by bytes: Swift takes CR LF for one character.
        let lines = body.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        return Content(generation: generation, storeID: words[3], lastSequence: lastSequence, lines: lines)
    }

    private static func sum(_ bytes: [UInt8]) -> String {
        Hexadecimal.text(SHA256.hash(data: bytes).prefix(16))
    }
}

/// A file in another folder with events for which the reserve beside the store has no room. The file exists only as long as it
/// has events.
struct SpareFile {
    /// The folder is made if its parent exists.
    let folder: String
    let storeID: String

    private var path: String { "\(folder)/unsaved-\(storeID)" }
    /// Limit of the bytes that are read.
    private static let most = 64 << 20

    var isThere: Bool { access(path, F_OK) == 0 }

    /// Nil if there is no file.
    func read() -> Reserve.Content? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: min(max(0, Int(status.st_size)), Self.most))
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { room in
                room.baseAddress.map { pread(descriptor, $0 + count, room.count - count, off_t(count)) } ?? -1
            }
            guard got > 0 else { break }
            count += got
        }
        return Reserve.content(bytes.prefix(count))
    }

    /// Writes the file under another name and renames it; without lines the file is removed.
    ///
    /// - Returns: true if all lines are on the disk.
    func write(_ lines: [String], lastSequence: Int64) -> Bool {
        guard !lines.isEmpty else { return unlink(path) == 0 || errno == ENOENT }
        _ = mkdir(folder, 0o700)
        let draft = path + ".new"
        let content = Reserve.Content(generation: 1, storeID: storeID, lastSequence: lastSequence, lines: lines)
        do {
            try SystemCall.makeFile(draft, Reserve.bytes(content), context: "keeping an entry")
            guard rename(draft, path) == 0 else {
                unlink(draft)
                return false
            }
            try SystemCall.synchronize(folder, flags: O_DIRECTORY)
        } catch { return false }
        return true
    }
}

extension Store {
    /// Keeps events that the log does not take in a place that survives a stop, a crash or a reboot. They replace the former
    /// content: first of the reserve beside the store, then of the spare folder. A person's entries go first.
    ///
    /// - Returns: the worst place of the events; nil if there is nothing to keep.
    public func keep(_ events: [Event], lastSequence: Int64) -> KeptPlace? {
        // The doses get room first, then a person's other entries; the numbers restore the order.
        let numbered = events.enumerated().map { (number: $0, event: $1) }
        let ordered = numbered.sorted { (Self.rank($0.event), $0.number) < (Self.rank($1.event), $1.number) }
        let lines = ordered.map { seal.seal("\($0.number) \($0.event.json.serialized())") }
        guard !lines.isEmpty || hasKept else { return nil }
        let room = reserve == nil ? 0 : Reserve.fitting(lines, storeID: keptID, lastSequence: lastSequence)
        // If both files have a part, an entry moves from one to the other. The spare file has all entries until both are
        // written, because a kill may come in between.
        if room < lines.count || spare?.isThere == true { _ = spare?.write(lines, lastSequence: lastSequence) }
        let fitting = reserve?.write(lines, storeID: keptID, lastSequence: lastSequence) ?? 0
        let rest = Array(lines.dropFirst(fitting))
        let isSpared = spare?.write(rest, lastSequence: lastSequence) ?? rest.isEmpty
        hasKept = !lines.isEmpty
        isAtRisk = !rest.isEmpty && !isSpared
        guard !lines.isEmpty else { return nil }
        return rest.isEmpty ? .reserve : isSpared ? .configuration : .journal
    }

    private static func rank(_ event: Event) -> Int {
        guard event.payload.request != nil else { return 3 }
        switch event.entityType {
        case .dose, .skip, .snooze, .wake: return 0
        // A night of stages is as long as a hundred doses.
        case .sleepRecord: return 2
        default: return 1
        }
    }

    /// Events that an earlier run kept outside the log, in order of recording.
    public func kept() -> ReservedEvents {
        let contents = [reserve?.read(), spare?.read()].compactMap { $0 }.filter { $0.storeID == keptID }
        var found: [(number: Int, event: Event)] = []
        for line in contents.flatMap(\.lines).compactMap(seal.open) {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]),
                let event = (try? JSONValue.parse(String(parts[1]))).flatMap(Event.init(json:)),
                !found.contains(where: { $0.event.id == event.id })
            else { continue }
            found.append((number, event))
        }
        let events = found.sorted { $0.number < $1.number }.map(\.event)
        hasKept = !events.isEmpty
        return ReservedEvents(
            events: events, lastSequence: contents.map(\.lastSequence).max() ?? 0, lost: lost.events,
            isOtherLog: lost.isForeign || openFindings.contains { [.differs, .otherStore].contains($0.kind) },
            isCopyUnread: lost.isUnread)
    }
}
