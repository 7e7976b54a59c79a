/// A morning check-in was saved, or the check-in of the night was changed.
public struct CheckInRecorded: Hashable, Sendable {
    /// All answers, the defaults of unanswered questions included.
    public var answers: Answers
    /// The questions that the person named.
    public var given: [String]
    /// Those of them whose answer was taken back, by null or an empty text: nobody answered them (R9.5).
    public var takenBack: [String]
    /// The check-in that these answers replace; nil for the first one of its night.
    public var amends: EventID?
    /// The night as the caller named it.
    public var night: String?
    /// The person's input.
    public var request: Request

    public init(
        answers: Answers, given: [String], takenBack: [String] = [], amends: EventID?, night: String?, request: Request
    ) {
        self.answers = answers
        self.given = given
        self.takenBack = takenBack
        self.amends = amends
        self.night = night
        self.request = request
    }
}

extension CheckInRecorded {
    func write(into object: inout JSONObject) {
        object["answers"] = .object(answers.values)
        object["given"] = .array(given.map(JSONValue.string))
        if !takenBack.isEmpty { object["taken_back"] = .array(takenBack.map(JSONValue.string)) }
        object["amends"] = amends.map { .string($0.text) }
        object["night"] = night.map(JSONValue.string)
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            answers: try Answers(reader), given: try reader.strings("given"),
            takenBack: reader.value("taken_back") == nil ? [] : try reader.strings("taken_back"),
            amends: try reader.optionalEventID("amends"), night: try reader.optionalString("night"),
            request: try reader.request())
    }
}

/// The active morning check-in of a night, later saves and amendments applied.
public struct CheckIn: Hashable, Sendable {
    /// The id of the event that recorded the check-in first, which is the id of the entry.
    public let id: EventID
    /// The time at which the check-in counts, on the night's own scale (R2.16). Entries are compared by this time.
    public internal(set) var at: Instant
    /// The time by the wall clock as it stood when the time was said. This time is shown and stored.
    public internal(set) var wall: Instant
    public internal(set) var answers: Answers
    /// The questions that somebody answered.
    public internal(set) var given: Set<String>
    /// The event that recorded the check-in first.
    public let event: Event

    /// The questions that nobody answered and that count as their defaults, in the order of the answers.
    public var defaults: [String] {
        answers.values.keys.filter { key in
            !given.contains(key) && answers[key] == Questionnaire.morning[key]?.defaultValue
        }
    }

    /// The questions of the wellness score that nobody answered, in the order of the score.
    public var wellnessDefaults: [String] { WellnessScore.keys.filter(defaults.contains) }

    /// The wellness score, 0 to 100; nil if a needed answer is unknown, or if nobody gave any needed answer.
    public var wellness: Int? {
        wellnessDefaults.count == WellnessScore.keys.count ? nil : WellnessScore.of(answers)
    }
}

extension Answers {
    /// Returns the answers with another note. Without words the note is removed.
    func with(notes: String?) -> Answers {
        var values = values
        let words = notes?.trimmingBlanks ?? ""
        values["notes"] = words.isEmpty ? nil : .string(words)
        return Answers(checked: values)
    }
}

extension Session {
    /// The measures of the sleep diary for this night.
    public var sleepDiary: SleepDiary {
        var facts = SleepDiary.Facts()
        facts.inBed = first(SleepEventWord.inBed)
        facts.lightsOut = lightsOut
        facts.finalWake = finalWakes.last?.wall
        facts.briefWakes = sleepEvents.count { $0.type == SleepEventWord.briefWake }
        facts.latencyMinutes = checkIn?.answers.number("sleep_latency_min")
        facts.awakenings = checkIn?.answers.number("awakenings")
        facts.awakeMinutes = checkIn?.answers.number("awake_after_onset_min")
        return SleepDiary(facts)
    }

    /// The time of the first lights out.
    public var lightsOut: Instant? { first(SleepEventWord.lightsOut) }

    private func first(_ word: String) -> Instant? { sleepEvents.first { $0.type == word }?.wall }

    /// True if the entries are those of a night, not of a nap or a glass of water by day: a dose, the final wake, going
    /// to bed or lights out.
    public var hasSigns: Bool { hasBegun || !wakes.isEmpty }

    /// True if an entry begins a night: a dose, going to bed or lights out. A final wake alone ends a night that nobody recorded,
    /// or one of another date.
    public var hasBegun: Bool {
        let signs: Set = [SleepEventWord.inBed, SleepEventWord.lightsOut]
        return !doses.isEmpty || sleepEvents.contains { signs.contains($0.type) }
    }

    /// True if a check-in is due: the person got up, or the night ended without a check-in.
    public var isCheckInPending: Bool {
        guard checkIn == nil, hasSigns else { return false }
        switch terminalState {
        case .finalizingWake, .incompleteMissedCheckin, .incompletePrepRollover: return true
        case .incompleteSleptThrough: return !isOpen
        case .checkinCompleted, .backfilled, nil: return false
        }
    }
}
