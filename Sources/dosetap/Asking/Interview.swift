internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText

/// Asks a questionnaire at the terminal, one question after the other.
struct Interview {
    /// The end of an interview.
    enum End {
        /// Every question was seen.
        case complete
        /// The person stopped in the middle.
        case stopped
    }

    let questionnaire: Questionnaire
    /// The answers that stand already. They count if nothing is answered now.
    let earlier: Answers
    let context: Context
    /// The answers given now.
    private(set) var given: JSONObject
    /// True if a key was pressed that answers something.
    private(set) var isTouched = false

    /// - Parameter given: answers of an interview that was stopped.
    init(_ questionnaire: Questionnaire, continuing earlier: Answers, given: JSONObject, _ context: Context) {
        self.questionnaire = questionnaire
        self.earlier = earlier
        self.context = context
        self.given = given
    }

    /// The way one screen was left.
    enum Step {
        case next
        case back
        case stop
    }

    /// The answers that count, without the details of answers that have changed since. Those details stay in ``given``
    /// for a person who goes back once more.
    var counting: JSONObject {
        let asked = Set(questionnaire.asked(given, continuing: earlier).map(\.key))
        return JSONObject(given.filter { asked.contains($0.key) }.map { ($0.key, $0.value) })
    }

    /// Asks until the last question is answered or the person stops.
    ///
    /// - Returns: the end, and the question at which it came.
    /// - Parameter start: the question to begin with; nil is the first.
    mutating func run(from start: String?) -> (end: End, at: String?) {
        guard let terminal = RawTerminal(readsLines: context.asksByLines) else { return (.stopped, start) }
        defer { terminal.restore() }
        var screens = Screen.all(questionnaire, given, continuing: earlier)
        var place = start.flatMap { key in screens.firstIndex { $0.key == key } } ?? 0
        var last: String?
        while screens.indices.contains(place) {
            let screen = screens[place]
            last = screen.key
            var prompt = Prompt(screen, number: place + 1, of: screens.count, self)
            let step = prompt.ask(terminal)
            if step != .stop {
                isTouched = isTouched || prompt.isTouched
                for (key, value) in prompt.answers { given[key] = value }
            }
            screens = Screen.all(questionnaire, given, continuing: earlier)
            let now = screens.firstIndex { $0.key == screen.key } ?? place
            switch step {
            case .stop: return (.stopped, screen.key)
            case .next: place = now + 1
            case .back: place = max(0, now - 1)
            }
        }
        return (.complete, last)
    }

    /// Returns the answer that counts for a question if nothing more is answered.
    func active(_ item: Questionnaire.Item) -> JSONValue? {
        let value = given[item.key] ?? earlier[item.key] ?? item.defaultValue
        return value?.isNull == true ? item.defaultValue : value
    }
}

/// Answers that are no entry yet: of a check-in that was stopped in the middle, because a check-in would end the night,
/// or of an interview whose recording failed. They wait in a file beside the store until the same questions are asked
/// again. The file is plain text: the command has no key.
struct Draft {
    let kind: Questionnaire.Kind
    /// The night of a check-in; empty for an evening.
    let session: String
    /// The answers so far.
    let given: JSONObject
    /// The question to go on with.
    let at: String
    /// The file with the answers; nil if there is no place for it.
    private let path: String?

    init(kind: Questionnaire.Kind, session: String, given: JSONObject, at: String, _ context: Context) {
        (self.kind, self.session, self.given, self.at) = (kind, session, given, at)
        path = Self.path(kind, context)
    }

    private static let bytes = 65_536
    /// The answers of an evening hold for that evening: as long as a saved log is continued.
    private static let eveningLasts: Duration = .minutes(120)

    private static func name(_ kind: Questionnaire.Kind) -> String { kind == .morning ? "checkin" : "presleep" }

    private static func path(_ kind: Questionnaire.Kind, _ context: Context) -> String? {
        context.storeInUse.map { XDGDirectories.draft(name(kind), besides: $0) }
    }

    /// The file of the draft in an earlier version.
    private static func earlierPath(_ kind: Questionnaire.Kind) -> String? {
        Context.directories?.state.map { "\($0)/dosetap/\(name(kind)).json" }
    }

    /// Returns the draft for a night or for this evening; nil if there is none or it cannot be read. A draft of an
    /// earlier version moves beside the store.
    static func load(_ kind: Questionnaire.Kind, for session: String = "", _ context: Context) -> Draft? {
        guard let path = path(kind, context) else { return nil }
        if let bytes = try? PrivateFile.read(path, limit: bytes),
            let draft = read(bytes, kind, for: session, context)
        {
            return draft
        }
        guard let earlier = earlierPath(kind), let bytes = try? PrivateFile.read(earlier, limit: bytes),
            let draft = read(bytes, kind, for: session, context)
        else { return nil }
        if (try? PrivateFile.write(bytes, to: path)) != nil { PrivateFile.remove(earlier) }
        return draft
    }

    private static func read(
        _ bytes: [UInt8], _ kind: Questionnaire.Kind, for session: String, _ context: Context
    ) -> Draft? {
        let now = context.now
        guard let json = try? JSONValue.parse(bytes), json["session_id"]?.stringValue == session,
            let given = json["answers"]?.objectValue, let at = json["at"]?.stringValue
        else { return nil }
        if kind == .preSleep {
            guard let kept = json["kept_at"]?.stringValue.flatMap({ try? Instant(iso8601: $0) }), kept <= now,
                now - kept <= eveningLasts
            else { return nil }
        }
        return Draft(kind: kind, session: session, given: given, at: at, context)
    }

    /// Writes the draft to its file.
    ///
    /// - Throws: ``DoseTapSystem/SystemFault``.
    func save(now: Instant) throws {
        guard let path else { throw Self.homeless }
        let object: JSONObject = [
            "v": 1, "session_id": .string(session), "answers": .object(given), "at": .string(at),
            "kept_at": .instant(now),
        ]
        try PrivateFile.write(JSONValue.object(object).serializedBytes(), to: path)
    }

    private static let homeless = Failure.usage(tr("there is no folder for it: HOME is not set"))

    /// Removes the draft of this night or evening. A draft of another night stays.
    static func remove(_ kind: Questionnaire.Kind, for session: String = "", _ context: Context) {
        for path in [path(kind, context), earlierPath(kind)].compactMap(\.self) {
            guard let bytes = try? PrivateFile.read(path, limit: bytes), let json = try? JSONValue.parse(bytes),
                json["session_id"]?.stringValue == session
            else { continue }
            PrivateFile.remove(path)
        }
    }

    /// Leaves of a draft what answers that were just recorded do not say, and tells that it waits. A draft of which
    /// nothing is left is removed.
    ///
    /// - Parameters:
    ///   - answers: the answers on the command line.
    ///   - command: the command that goes on with the draft.
    static func leave(
        _ kind: Questionnaire.Kind, for session: String = "", beside answers: JSONObject, _ context: Context,
        goingOnBy command: String
    ) {
        guard let draft = load(kind, for: session, context) else { return remove(kind, for: session, context) }
        let rest = JSONObject(draft.given.filter { answers[$0.key] == nil }.map { ($0.key, $0.value) })
        guard !rest.isEmpty else { return remove(kind, for: session, context) }
        if rest.count < draft.given.count {
            let smaller = Draft(kind: kind, session: session, given: rest, at: draft.at, context)
            // What cannot be written anew stays as it is: nothing that was answered gets lost.
            try? smaller.save(now: context.now)
        }
        context.notice(InterviewText.waiting(rest.count, command))
    }

    /// Returns the drafts that exist and that the service does not see: they do not lie beside its store.
    static func apart(_ context: Context) -> [String] {
        let kinds: [Questionnaire.Kind] = [.morning, .preSleep]
        let own = context.ownStore.map { store in kinds.map { XDGDirectories.draft(name($0), besides: store) } } ?? []
        let seen = Set(kinds.compactMap { path($0, context) })
        return (own + kinds.compactMap(earlierPath)).filter { !seen.contains($0) && PrivateFile.exists($0) }
    }
}

extension Draft {
    /// Records answers. If that fails, the draft is kept, and the failure says how to go on.
    ///
    /// - Throws: ``Failure``.
    func recorded(_ context: Context, by record: () throws -> Receipt) throws -> Receipt {
        do {
            return try record()
        } catch let error as Failure {
            throw kept(error, context)
        }
    }

    private func kept(_ error: Failure, _ context: Context) -> Failure {
        let next = context.line.again(adding: [])
        let asks = error.kind == ServiceError.Kind.requiresConfirmation.word
        let message = "\(Wire.told(error.message)) \(keptSentence(context))"
        // The hint of an unanswered question has the command with its answer already. The hint for wrong answers is for
        // --set.
        let advice = error.kind == ServiceError.Kind.invalidInput.word ? nil : error.hint
        let hint = asks ? error.hint : advice.map { "\($0); then: \(next)" } ?? next
        return Failure(
            exitCode: error.exitCode, kind: error.kind, message: message, hint: hint, details: error.details,
            isOneLine: error.isOneLine)
    }

    private func keptSentence(_ context: Context) -> String {
        do { try save(now: context.now) } catch { return tr("Your answers could not be kept: \(Self.words(error))") }
        return tr("Your answers are kept.")
    }

    /// Returns the reason in words why a draft could not be kept.
    static func words(_ error: any Error) -> String { (error as? Failure)?.message ?? "\(error)" }
}
