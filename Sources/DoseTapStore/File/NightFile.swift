import DoseTapDomain
import Glibc

/// A copy of the events of the last nights, in a small file beside the store, for a night with an unreadable store. The file is
/// written without a flush; a torn line is left out.
final class NightFile: Sendable {
    /// Size, in bytes, from which only the newer half is kept.
    private static let most = 1 << 20
    /// Longest line, in bytes: answers, notes and names are bounded.
    private static let longestLine = 1 << 16

    private let descriptor: CInt
    private let seal: LineSeal

    private init(descriptor: CInt, _ seal: LineSeal) {
        self.descriptor = descriptor
        self.seal = seal
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    private static func path(_ store: String) -> String { store + ".night" }

    /// Opens or makes the file. If that fails, nothing is written, which is not fatal.
    static func open(besides store: String, _ key: StoreKey?) -> NightFile {
        let seal = LineSeal(key)
        let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        var descriptor = Glibc.open(path(store), flags, 0o600)
        if descriptor < 0, SystemCall.leavesUnknown(errno) { descriptor = Glibc.open(path(store), flags, 0o600) }
        var status = stat()
        if descriptor >= 0,
            fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG || status.st_nlink != 1
        {
            Glibc.close(descriptor)
            return NightFile(descriptor: -1, seal)
        }
        if descriptor >= 0 { _ = fchmod(descriptor, 0o600) }
        return NightFile(descriptor: descriptor, seal)
    }

    /// The file of a store without a file.
    static var none: NightFile { NightFile(descriptor: -1, LineSeal(nil)) }

    func append(_ events: [Event]) {
        guard descriptor >= 0, !events.isEmpty else { return }
        halve()
        let bytes = bytes(events)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    /// Rewrites the file. A crash in between loses the copy, never the log.
    func replace(_ events: [Event]) {
        guard descriptor >= 0 else { return }
        _ = ftruncate(descriptor, 0)
        append(events)
    }

    /// Drops the older half: a service may run for months.
    private func halve() {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size >= Self.most else { return }
        var room = [UInt8](repeating: 0, count: Self.most / 2)
        let count = pread(descriptor, &room, room.count, off_t(size - room.count))
        guard count > 0, ftruncate(descriptor, 0) == 0 else { return }
        // The first line is incomplete.
        let rest = Array(room[..<count].drop { $0 != UInt8(ascii: "\n") })
        _ = Glibc.write(descriptor, rest, rest.count)
    }

    /// Returns the events of the file beside a store, oldest first; none if there is no such file.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` if the file cannot be read, as on a failing disk: it may be all that is left of an
    ///   event.
    static func events(besides store: String, _ key: StoreKey?) throws(StoreError) -> [Event] {
        let seal = LineSeal(key)
        var seen: Set<EventID> = []
        let events = try lines(besides: store, most: 2 * most).compactMap { line -> Event? in
            guard let text = text(of: line).flatMap(seal.open),
                let event = (try? JSONValue.parse(text)).flatMap(Event.init(json:)),
                seen.insert(event.id).inserted
            else { return nil }
            return event
        }
        return events.enumerated()
            .sorted { ($0.element.occurredAt, $0.offset) < ($1.element.occurredAt, $1.offset) }.map(\.element)
    }

    /// Returns the event of the newest line; nil without one.
    ///
    /// - Throws: as ``events(besides:_:)``.
    static func newest(besides store: String, _ key: StoreKey?) throws(StoreError) -> Event? {
        let lines = try lines(besides: store, most: longestLine, isEnd: true)
        let line = lines.reversed().lazy.compactMap(text(of:)).first.flatMap(LineSeal(key).open)
        return line.flatMap { try? JSONValue.parse($0) }.flatMap(Event.init(json:))
    }

    /// Returns the key of the newest line; nil if that line is not sealed.
    static func keyID(besides store: String) -> StoreKeyID? {
        let lines = try? lines(besides: store, most: 2 * most)
        return lines?.reversed().lazy.compactMap(text(of:)).first.flatMap { LineSeal.keyID(of: $0) }
    }

    /// Returns the lines, oldest first.
    ///
    /// - Parameter isEnd: true to read the last bytes of the file.
    private static func lines(
        besides store: String, most: Int, isEnd: Bool = false
    ) throws(StoreError) -> [ArraySlice<UInt8>] {
        let bytes: [UInt8]
        // A disk may give back the second time what it did not give back the first time.
        do { bytes = try content(path(store), most: most, isEnd: isEnd) } catch {
            bytes = try content(path(store), most: most, isEnd: isEnd)
        }
        return bytes.split(separator: UInt8(ascii: "\n"))
    }

    /// Returns a line without its check word; nil if the line is not whole.
    private static func text(of line: ArraySlice<UInt8>) -> String? {
        guard let blank = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let text = line[(blank + 1)...]
        guard HeadFile.checkWord(text).utf8.elementsEqual(line[..<blank]) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a plain file; none if there is no such file.
    private static func content(_ path: String, most: Int, isEnd: Bool) throws(StoreError) -> [UInt8] {
        let doing = sent("reading the copy of the last nights")
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard SystemCall.leavesUnknown(errno) else { return [] }
            throw SystemCall.failure("open", path, errno, context: doing)
        }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        if isEnd { _ = lseek(descriptor, max(0, lseek(descriptor, 0, SEEK_END) - off_t(most)), SEEK_SET) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < most {
            let count = Glibc.read(descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemCall.failure("read", path, errno, context: doing) }
            guard count > 0 else { break }
            bytes += room.prefix(count)
        }
        return bytes
    }

    /// Returns one line for each event. A newline comes first, in case the line before is torn.
    private func bytes(_ events: [Event]) -> [UInt8] {
        var bytes = [UInt8(ascii: "\n")]
        for event in events {
            let line = Array(seal.seal(event.json.serialized()).utf8)
            bytes += HeadFile.checkWord(line).utf8
            bytes.append(UInt8(ascii: " "))
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
