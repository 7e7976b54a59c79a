internal import DoseTapDomain
internal import DoseTapSystem

/// A check-in that was stopped in the middle. It is no entry yet, for a check-in would end the night: the answers wait in
/// a file of the person's own until the next `dosetap checkin` for the same night.
struct CheckInDraft {
    /// The night.
    let session: String
    /// The answers so far.
    let given: JSONObject
    /// The question it was stopped at.
    let at: String

    private static let bytes = 65_536

    private static func path() -> String? {
        var environment: [String: String] = [:]
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            environment[name] = Settings.value(name)
        }
        return (try? XDGDirectories(environment: environment)).map { $0.state + "/dosetap/checkin.json" }
    }

    /// The draft for a night, if there is one; what cannot be read is none.
    static func load(for session: String) -> CheckInDraft? {
        guard let path = path(), let bytes = try? PrivateFile.read(path, limit: bytes),
            let json = try? JSONValue.parse(bytes), json["session_id"]?.stringValue == session,
            let given = json["answers"]?.objectValue, let at = json["at"]?.stringValue
        else { return nil }
        return CheckInDraft(session: session, given: given, at: at)
    }

    /// Keeps the draft.
    ///
    /// - Throws: ``DoseTapSystem/SystemFault``.
    func save() throws {
        guard let path = Self.path() else { return }
        let object: JSONObject = [
            "v": 1, "session_id": .string(session), "answers": .object(given), "at": .string(at),
        ]
        try PrivateFile.write(JSONValue.object(object).serializedBytes(), to: path)
    }

    /// There is no draft any more.
    static func remove() { if let path = path() { PrivateFile.remove(path) } }
}
