/// The person got up for good.
public struct FinalWakeRecorded: Hashable, Sendable {
    /// The person's words.
    public var note: String?
    /// The person's input.
    public var request: Request

    public init(note: String?, request: Request) {
        self.note = note
        self.request = request
    }
}

/// A sleep event happened beside the doses, at the event's effective instant.
public struct SleepEventRecorded: Hashable, Sendable {
    /// The wire word of the type.
    public var type: String
    /// The person's words.
    public var note: String?
    /// The person's input.
    public var request: Request

    public init(type: String, note: String?, request: Request) {
        self.type = type
        self.note = note
        self.request = request
    }
}

extension FinalWakeRecorded {
    func write(into object: inout JSONObject) {
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(note: try reader.optionalString("note"), request: try reader.request())
    }
}

extension SleepEventRecorded {
    func write(into object: inout JSONObject) {
        object["type"] = .string(type)
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            type: try reader.string("type"), note: try reader.optionalString("note"), request: try reader.request())
    }
}

/// An active final wake.
public struct FinalWake: Hashable, Sendable {
    /// The event that recorded the final wake.
    public let id: EventID
    /// The time of getting up on the night's own scale (R2.16). Entries are compared by this time.
    public let at: Instant
    /// The time by the wall clock as it stood when the time was said. This time is shown and stored.
    public let wall: Instant
    /// The person's words.
    public let note: String?
    /// The event that recorded the entry.
    public let event: Event
}

/// An active sleep event.
public struct SleepEvent: Hashable, Sendable {
    /// The event that recorded the entry.
    public let id: EventID
    /// The wire word of the type.
    public let type: String
    /// The time of the event on the night's own scale (R2.16). Entries are compared by this time.
    public let at: Instant
    /// The time by the wall clock as it stood when the time was said. This time is shown and stored.
    public let wall: Instant
    /// The person's words.
    public let note: String?
    /// The event that recorded the entry.
    public let event: Event
}

/// The naps of a night: each end belongs to the first start that has none yet (R8).
public struct Naps: Hashable, Sendable {
    /// Naps with start and end, in order of their ends.
    public private(set) var complete: [Nap] = []
    /// Naps without an end, in order of time.
    public private(set) var open: [Nap] = []
    /// Ends without a start, in order of time.
    public private(set) var unmatched: [Nap] = []

    /// - Parameter events: sleep events in order of time; events that are not of naps are passed over.
    init(_ events: some Sequence<SleepEvent>) {
        var starts: [SleepEvent] = []
        for event in events {
            switch event.type {
            case SleepEventWord.napStart: starts.append(event)
            case SleepEventWord.napEnd:
                if starts.isEmpty {
                    unmatched.append(Nap(start: nil, end: event))
                } else {
                    complete.append(Nap(start: starts.removeFirst(), end: event))
                }
            default: break
            }
        }
        open = starts.map { Nap(start: $0, end: nil) }
    }

    /// All naps in order of time.
    var all: [Nap] {
        (complete + open + unmatched).enumerated()
            .sorted { ($0.element.first, $0.offset) < ($1.element.first, $1.offset) }
            .map(\.element)
    }

    /// Returns the length of the nap that an entry ended.
    func ended(by id: EventID) -> Duration? { complete.first { $0.endID == id }?.length }

    /// Returns the nap to which an entry belongs.
    func nap(with id: EventID) -> Nap? { all.first { $0.startID == id || $0.endID == id } }

    /// Returns another nap that shares a moment with a nap. An open nap has no end.
    func overlapping(_ nap: Nap) -> Nap? {
        guard let start = nap.start else { return nil }
        return (complete + open).first { other in
            guard let otherStart = other.start, other.startID != nap.startID else { return false }
            return otherStart < nap.end ?? .max && start < other.end ?? .max
        }
    }
}

extension Session {
    /// The naps of the night.
    public var naps: Naps { Naps(sleepEvents) }

    func openNap(at instant: Instant) -> Nap? { Naps(sleepEvents.lazy.filter { $0.at <= instant }).open.last }
}

/// A nap: its start, its end, or both.
public struct Nap: Hashable, Sendable {
    /// The entry of the start; nil for an end without a start.
    public private(set) var startID: EventID?
    public private(set) var start: Instant?
    /// The entry of the end; nil while the nap is open.
    public private(set) var endID: EventID?
    public private(set) var end: Instant?

    init(start: SleepEvent?, end: SleepEvent?) {
        self.init(startID: start?.id, start: start?.at, endID: end?.id, end: end?.at)
    }

    private init(startID: EventID?, start: Instant?, endID: EventID?, end: Instant?) {
        self.startID = startID
        self.start = start
        self.endID = endID
        self.end = end
    }

    /// Returns the nap with another time for its start or its end.
    func moving(_ id: EventID, to instant: Instant) -> Nap {
        Nap(
            startID: startID, start: id == startID ? instant : start, endID: endID, end: id == endID ? instant : end)
    }

    /// The time that decides the place of the nap among others.
    var first: Instant { start ?? end ?? .min }

    /// The length of the nap; nil unless the nap has a start and an end.
    public var length: Duration? {
        guard let start, let end else { return nil }
        return end - start
    }

    /// `complete`, `open` or `unmatched`.
    public var state: State { end == nil ? .open : start == nil ? .unmatched : .complete }

    /// The completeness of a nap; the raw value is the wire word.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The nap has a start and an end.
        case complete
        /// The nap has not ended yet.
        case open
        /// The end has no start.
        case unmatched
    }
}

extension Nap {
    static let description = RecordDescription(
        Nap(startID: nil, start: nil, endID: nil, end: nil)
    ) { it in
        it.word("state", get: { $0.state })
        it.textOrNull("start_id", get: { $0.startID?.text }, set: { $0.startID = $1.map(EventID.init) })
        it.instantOrNull("start_utc", get: { $0.start }, set: { $0.start = $1 })
        it.textOrNull("end_id", get: { $0.endID?.text }, set: { $0.endID = $1.map(EventID.init) })
        it.instantOrNull("end_utc", get: { $0.end }, set: { $0.end = $1 })
        it.integerOrNull("nap_min", in: .minutes, get: { $0.length.map { Int($0.wholeMinutes) } })
    }
}
