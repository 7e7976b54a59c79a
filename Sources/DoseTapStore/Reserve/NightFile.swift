import DoseTapDomain
import Glibc

/// The events of the last nights once more, in a small file beside the store: what a night goes on with when the store
/// itself cannot be read. Written without a flush; a line that is torn is left out.
final class NightFile: Sendable {
    /// With this many bytes only the newer half is kept.
    private static let most = 1 << 20

    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    private static func path(_ store: String) -> String { store + ".night" }

    /// Opens or makes the file; where that fails nothing is written, which is never fatal.
    static func open(besides store: String) -> NightFile {
        let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = Glibc.open(path(store), flags, 0o600)
        var status = stat()
        if descriptor >= 0,
            fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG || status.st_nlink != 1
        {
            Glibc.close(descriptor)
            return NightFile(descriptor: -1)
        }
        if descriptor >= 0 { _ = fchmod(descriptor, 0o600) }
        return NightFile(descriptor: descriptor)
    }

    /// No file at all: for a store that is not made yet.
    static var none: NightFile { NightFile(descriptor: -1) }

    /// Adds events.
    func append(_ events: [Event]) {
        guard descriptor >= 0, !events.isEmpty else { return }
        halve()
        let bytes = Self.bytes(events)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    /// Writes the file anew. A crash in between costs the copy, never the log.
    func replace(_ events: [Event]) {
        guard descriptor >= 0 else { return }
        _ = ftruncate(descriptor, 0)
        append(events)
    }

    /// A service may run for months: the oldest nights make room for the newest.
    private func halve() {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size >= Self.most else { return }
        var room = [UInt8](repeating: 0, count: Self.most / 2)
        let count = pread(descriptor, &room, room.count, off_t(size - room.count))
        guard count > 0, ftruncate(descriptor, 0) == 0 else { return }
        // The first line is a part of one.
        let rest = Array(room[..<count].drop { $0 != UInt8(ascii: "\n") })
        _ = Glibc.write(descriptor, rest, rest.count)
    }

    /// The events of the file beside a store, oldest first; none where there is no such file.
    static func events(besides store: String) -> [Event] {
        let descriptor = Glibc.open(path(store), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 2 * most {
            let count = Glibc.read(descriptor, &room, room.count)
            guard count > 0 else { break }
            bytes += room.prefix(count)
        }
        var seen: Set<EventID> = []
        let events = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line -> Event? in
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[0] == HeadFile.checkWord(parts[1]),
                let event = (try? JSONValue.parse(parts[1])).flatMap(Event.init(json:)),
                seen.insert(event.id).inserted
            else { return nil }
            return event
        }
        return events.enumerated()
            .sorted { ($0.element.occurredAt, $0.offset) < ($1.element.occurredAt, $1.offset) }.map(\.element)
    }

    /// A line each, on a new one also after a line that is torn.
    private static func bytes(_ events: [Event]) -> [UInt8] {
        var bytes = [UInt8(ascii: "\n")]
        for event in events {
            let line = event.json.serializedBytes()
            bytes += HeadFile.checkWord(line).utf8
            bytes.append(UInt8(ascii: " "))
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
