internal import DoseTapDomain
internal import DoseTapSystem

/// What stands on the screen, in a file that outlives this process.
///
/// The ids a server gave hold as long as it lives, whoever asked for them. A process that is killed leaves its
/// notifications behind, with buttons nobody hears; by this file the next one takes them over. Nothing private is in it.
struct ShownFile: Sendable {
    /// One notification.
    struct Entry: Hashable, Sendable {
        let place: NotificationsPlugin.Place
        /// The server's, never 0.
        let id: UInt32
        let session: SessionID
        let made: Instant
    }

    /// What the file says.
    struct Content: Hashable, Sendable {
        /// Whose ids they are: ``NotificationServer/identity``.
        let server: String
        let shown: [Entry]
    }

    /// The file says nothing that can be used.
    struct Garbage: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path): not what was written there" }
    }

    let path: String

    /// Most bytes of it.
    private static let limit = 4_096

    /// - Parameter folder: in memory, as the runtime directory is: it is read and written on the loop.
    init(in folder: String) { path = folder + "/notifications.json" }

    /// What was written last; nil when there is none.
    ///
    /// - Throws: `SystemFault` where it cannot be read, ``Garbage``.
    func read() throws -> Content? {
        guard let bytes = try PrivateFile.read(path, limit: Self.limit) else { return nil }
        guard let value = try? JSONValue.parse(bytes), let content = Content(value) else { throw Garbage(path: path) }
        return content
    }

    /// Puts it in place as a whole; it goes when nothing is shown. Like the screen it need not survive a power cut.
    func write(_ content: Content) throws(SystemFault) {
        guard !content.shown.isEmpty else { return PrivateFile.remove(path) }
        try PrivateFile.write(content.json.serializedBytes(), to: path, isFlushed: false)
    }
}

extension ShownFile.Content {
    fileprivate var json: JSONValue {
        let entries = shown.map { entry -> JSONValue in
            [
                "place": .string(entry.place.rawValue), "id": .integer(Int64(entry.id)),
                "session_id": .string(entry.session.text), "made": .instant(entry.made),
            ]
        }
        return ["server": .string(server), "shown": .array(entries)]
    }

    fileprivate init?(_ json: JSONValue) {
        guard let server = json["server"]?.stringValue, let entries = json["shown"]?.arrayValue else { return nil }
        var shown: [ShownFile.Entry] = []
        for entry in entries {
            guard let place = entry["place"]?.stringValue.flatMap(NotificationsPlugin.Place.init),
                !shown.contains(where: { $0.place == place }),
                let id = entry["id"]?.integerValue.flatMap(UInt32.init(exactly:)), id != 0,
                let session = entry["session_id"]?.stringValue, session.utf8.count == 36,
                let made = entry["made"]?.instantValue
            else { return nil }
            shown.append(ShownFile.Entry(place: place, id: id, session: SessionID(session), made: made))
        }
        self.init(server: server, shown: shown)
    }
}
