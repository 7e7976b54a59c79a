/// A line of the stream that brings records of other programs in (R29), made by the reader of a foreign file from one of
/// its rows. A stream is a header, its lines in any order, and an end with their count.
public enum ImportLine: Hashable, Sendable {
    case header(ImportHeader)
    case entry(ImportEntry)
    /// A night or a nap as a device or a program recorded it.
    case sleep(ImportedSleep)
    /// A row that is not taken, and why, in a sentence.
    case notTaken(row: String, reason: String)
    case end(ImportCount)
}

/// The first line: the source, with notes.
public struct ImportHeader: Hashable, Sendable {
    public static let format = "dosetap-import"
    public static let version = 1

    /// The word of the source on the command line; also part of every key.
    public var source: String
    /// Further notes on the file for the person, a sentence each.
    public var notes: [String]

    public init(source: String, notes: [String] = []) {
        self.source = source
        self.notes = notes
    }
}

/// The last line. A stream without it is cut.
public struct ImportCount: Hashable, Sendable {
    /// The number of entries and sleeps.
    public var records: Int
    public var notTaken: Int

    public init(records: Int = 0, notTaken: Int = 0) {
        self.records = records
        self.notTaken = notTaken
    }
}

/// An entry of another program's record.
public struct ImportEntry: Hashable, Sendable {
    /// The kind of the entry, with its values.
    public enum What: Hashable, Sendable {
        case dose(DoseKind, amountMilligrams: Int?)
        case skip(reason: String?)
        case finalWake
        /// A type of ``SleepEventCatalogue``.
        case sleepEvent(String)
        /// Answers to ``Questionnaire/morning`` by key.
        case checkIn(JSONObject)
        /// Answers to ``Questionnaire/preSleep`` by key.
        case preSleep(JSONObject, PreSleepCompletion)
        /// A medicine of ``MedicationCatalogue``.
        case medication(String, amountMilligrams: Int?)
        /// The values of `regimen set`, by key.
        case regimen(JSONObject)
    }

    public var what: What
    /// The place in the file, for people: `dose_events, row 17`, `line 4`.
    public var row: String
    /// The identity of the row in its source, the same in each file of the source; nil without one.
    public var id: String?
    /// The time at which the entry happened.
    public var at: Instant
    /// The offset from UTC in force there, in minutes east; nil if the source does not say it.
    public var offsetMinutes: Int?
    /// The session date under which the source has the entry; nil without one.
    public var night: SessionDate?
    public var note: String?
    /// The medicine of a dose from DoseTap's own log, if a medicine was named.
    public var medicationID: String?

    public init(
        _ what: What, row: String, id: String? = nil, at: Instant, offsetMinutes: Int? = nil, night: SessionDate? = nil,
        note: String? = nil
    ) {
        self.what = what
        self.row = row
        self.id = id
        self.at = at
        self.offsetMinutes = offsetMinutes
        self.night = night
        self.note = note
    }
}

/// A night or a nap as a device or a program recorded it.
public struct ImportedSleep: Hashable, Sendable {
    /// The stage of a stretch of time.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        case awake, light, deep, rem, asleep, unknown
        case inBed = "in_bed"
    }

    public enum Part: String, Hashable, Sendable, CaseIterable { case main, nap, unknown }

    /// The way in which the sleep was found.
    public enum Grade: String, Hashable, Sendable, CaseIterable {
        /// By an instrument that measures sleep itself.
        case measured
        /// From movement or pulse.
        case estimated
        /// Told by a person.
        case told
    }

    public struct Span: Hashable, Sendable {
        public var stage: Stage
        public var start: Instant
        public var end: Instant

        public init(_ stage: Stage, _ start: Instant, _ end: Instant) {
            self.stage = stage
            self.start = start
            self.end = end
        }
    }

    public enum Course: Hashable, Sendable {
        /// The stages, in order of their starts.
        case stages([Span])
        /// Seconds of each stage.
        case durations([Stage: Int])
    }

    public var row: String
    public var id: String?
    /// The device or program that recorded it, as the file names it.
    public var device: String?
    public var start: Instant
    public var end: Instant
    /// The offset from UTC at the start, in minutes east; nil if the source does not say it.
    public var offsetMinutes: Int?
    public var part: Part
    public var grade: Grade
    public var course: Course
    /// The source under which a record already had the sleep; nil for the source of the file.
    public var source: String?
    /// The person's words.
    public var note: String?

    public init(
        row: String, id: String? = nil, device: String? = nil, start: Instant, end: Instant, offsetMinutes: Int? = nil,
        part: Part, grade: Grade, course: Course
    ) {
        self.row = row
        self.id = id
        self.device = device
        self.start = start
        self.end = end
        self.offsetMinutes = offsetMinutes
        self.part = part
        self.grade = grade
        self.course = course
    }
}
