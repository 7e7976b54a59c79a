internal import DoseTapDomain
internal import DoseTapPlugins
internal import DoseTapSystem
internal import Glibc
internal import SystemdJournal

/// Finds events in the journal that the service acknowledged while the log did not take them. The journal is asked only after a
/// run with a bad end, before the service is ready, and for no longer than ``limit``.
enum JournalMemory {
    /// Time limit of the answer, in milliseconds.
    private static let limit: Int32 = 2_000
    /// Most bytes read.
    private static let most = 4 << 20

    /// The events of the last week, without details, in the order in which they were recorded.
    static func events(of deviceID: String) -> [Event] {
        let text = output([
            "/usr/bin/journalctl", "--no-pager", "--quiet", "-o", "cat", "--output-fields=\(JournalEntry.entryField)",
            "--since=-7d", "-n", "1000", "_UID=\(geteuid())", "MESSAGE_ID=\(JournalMessage.storeFault.rawValue)",
        ])
        var seen: Set<EventID> = []
        return text.split(separator: "\n").compactMap { line in
            guard let json = try? JSONValue.parse(String(line)), let event = Event(json: json),
                event.deviceID == deviceID, seen.insert(event.id).inserted
            else { return nil }
            return event
        }
    }

    private static func output(_ words: [String]) -> String {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return "" }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let child = try? Spawn.start(
            words[0], Array(words.dropFirst()), [0: .null, 1: .copy(ends[1]), 2: .null], takesSignals: true)
        close(ends[1])
        guard let child else { return "" }
        let text = read(ends[0])
        kill(child, SIGKILL)
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return text
    }

    private static func read(_ descriptor: CInt) -> String {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        let clock = SystemClock()
        let begin = clock.counterMicroseconds
        while bytes.count < most {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = limit - Int32(clamping: (clock.counterMicroseconds - begin) / 1_000)
            guard left > 0, poll(&wait, 1, left) > 0 else { break }
            let count = Glibc.read(descriptor, &room, room.count)
            guard count > 0 else { break }
            bytes += room.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
