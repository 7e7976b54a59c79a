/// The naps of a night: each end belongs to the first start that has none yet (R8).
public struct Naps: Hashable, Sendable {
    /// Naps with start and end, in order of their ends.
    public private(set) var complete: [Nap] = []
    /// Naps without an end, in order of time.
    public private(set) var open: [Nap] = []
    /// Ends without a start, in order of time.
    public private(set) var unmatched: [Nap] = []

    /// - Parameter events: sleep events in order of time; others than those of naps are passed over.
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

    /// All of them in order of time.
    var all: [Nap] {
        (complete + open + unmatched).enumerated()
            .sorted { ($0.element.first, $0.offset) < ($1.element.first, $1.offset) }
            .map(\.element)
    }

    /// The length of the nap that an entry ended.
    func ended(by id: EventID) -> Duration? { complete.first { $0.endID == id }?.length }

    /// The nap an entry belongs to.
    func nap(with id: EventID) -> Nap? { all.first { $0.startID == id || $0.endID == id } }

    /// Another nap that shares a moment with one; an open nap goes on.
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

    /// The nap that was open at an instant.
    func openNap(at instant: Instant) -> Nap? { Naps(sleepEvents.lazy.filter { $0.at <= instant }).open.last }
}
