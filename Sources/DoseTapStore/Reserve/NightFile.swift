import DoseTapDomain
import Glibc

/// The events of the last nights once more, in a small file beside the store: what a night goes on with when the store
/// itself cannot be read. Written without a flush; a line that is torn is left out.
final class NightFile: Sendable {
    /// Beyond this many bytes nothing is added until the file is written anew at the next start.
    private static let most: off_t = 1 << 20

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
        guard descriptor >= 0, !events.isEmpty, lseek(descriptor, 0, SEEK_END) < Self.most else { return }
        let bytes = Self.bytes(events)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    /// Writes the file anew. A crash in between costs the copy, never the log.
    func replace(_ events: [Event]) {
        guard descriptor >= 0 else { return }
        _ = ftruncate(descriptor, 0)
        append(events)
    }

    /// The events of the file beside a store, oldest first; none where there is no such file.
    static func events(besides store: String) -> [Event] {
        let descriptor = Glibc.open(path(store), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 2 * Int(most) {
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

    private static func bytes(_ events: [Event]) -> [UInt8] {
        Array(
            events.map { event in
                let line = event.json.serialized()
                return "\(HeadFile.checkWord(line)) \(line)\n"
            }.joined().utf8)
    }
}
