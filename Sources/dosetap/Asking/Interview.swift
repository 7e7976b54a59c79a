internal import DoseTapDomain

/// Asks a questionnaire at the terminal, a question after the other.
struct Interview {
    /// How it ended.
    enum End {
        /// Every question was seen.
        case complete
        /// Stopped in the middle.
        case stopped
    }

    let questionnaire: Questionnaire
    /// What stands already and counts where nothing is answered now.
    let earlier: Answers
    let context: Context
    /// The answers given now.
    private(set) var given: JSONObject
    /// Whether a key was pressed that answers something.
    private(set) var isTouched = false

    /// - Parameter given: answers of an interview that was stopped.
    init(_ questionnaire: Questionnaire, continuing earlier: Answers, given: JSONObject, _ context: Context) {
        self.questionnaire = questionnaire
        self.earlier = earlier
        self.context = context
        self.given = given
    }

    /// What became of one screen.
    enum Step {
        case next
        case back
        case stop
    }

    /// The answers that count: without the details of what was answered otherwise since. They stay among the given ones,
    /// for who goes back once more.
    var counting: JSONObject {
        let asked = Set(questionnaire.asked(given, continuing: earlier).map(\.key))
        return JSONObject(given.filter { asked.contains($0.key) }.map { ($0.key, $0.value) })
    }

    /// Asks until the last question is answered or the person stops.
    ///
    /// - Returns: how it ended, and at which question.
    /// - Parameter start: the question to begin with; nil is the first.
    mutating func run(from start: String?) -> (end: End, at: String?) {
        guard let terminal = RawTerminal() else { return (.stopped, start) }
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

    /// What counts for a question if nothing more is answered.
    func active(_ item: Questionnaire.Item) -> JSONValue? {
        let value = given[item.key] ?? earlier[item.key] ?? item.defaultValue
        return value?.isNull == true ? item.defaultValue : value
    }
}
