/// The readable part of a damaged log, ready to take its place.
public struct RepairPlan: Hashable, Sendable {
    /// A run of events that cannot be read.
    public struct Gap: Hashable, Sendable {
        /// Sequence numbers in the damaged log.
        public var first: Int64
        public var last: Int64
        /// The time of recording of the event before; nil at the beginning.
        public var after: Instant?
        /// The time of recording of the event behind; nil at the end.
        public var before: Instant?

        public init(first: Int64, last: Int64, after: Instant?, before: Instant?) {
            self.first = first
            self.last = last
            self.after = after
            self.before = before
        }
    }

    /// Events read from the damaged log and its backups.
    public var read: Int64 = 0
    public var gaps: [Gap] = []
    /// Events of the gaps that the copy of the last nights has.
    public var copied: Int64 = 0
    /// Events recorded in fresh logs since.
    public var since: Int64 = 0
    /// Events that do not link to the one before them although none is missing there, and doubles: the log was changed.
    public var unlinked: Int64 = 0
    /// Nights that lost their first event; a new one was made from the next entry.
    public var opened: Int64 = 0
    /// Events of the repaired log.
    public var head: Int64 = 0
    /// The path of the damaged file after its replacement.
    public var kept = ""
    /// The path of the list of all events that cannot be read.
    public var listed: String { kept + Self.reportSuffix }
    /// The suffix of the list, behind the name of the damaged file.
    public static let reportSuffix = ".report"

    public init() {}

    /// The number of lost events.
    public var missing: Int64 { max(0, gaps.reduce(0) { $0 + $1.last - $1.first + 1 } - copied) }
}

extension RepairPlan {
    /// The most gaps that are told one by one.
    private static let mostTold = 10

    /// Returns the report for a person.
    ///
    /// - Parameter isDone: true if the repaired log is in place.
    public func report(_ moments: Moments, isDone: Bool) -> StoreReport {
        var notes = gaps.prefix(Self.mostTold).map { sentence($0, moments) }
        if gaps.count > Self.mostTold {
            let more = gaps.count - Self.mostTold
            notes.append(more == 1 ? sent("and \(more) more place") : sent("and \(more) more places"))
        }
        if copied > 0 {
            notes.append(
                copied == 1
                    ? sent("\(copied) of these was in the copy of the last nights")
                    : sent("\(copied) of these were in the copy of the last nights"))
        }
        if unlinked > 0 {
            notes.append(
                unlinked == 1
                    ? sent("\(unlinked) event does not follow the one before it: the log was changed")
                    : sent("\(unlinked) events do not follow the one before them: the log was changed"))
        }
        if opened > 0 {
            notes.append(
                opened == 1
                    ? sent("\(opened) night had lost its beginning, which was made anew from the entries")
                    : sent("\(opened) nights had lost their beginning, which was made anew from the entries"))
        }
        let events = Plural.of(read, "event", "events")
        let found =
            switch (since, missing) {
            case (0, 0): sent("\(events) read of the damaged record; none is missing")
            case (0, _): sent("\(events) read of the damaged record; \(missing) cannot be read")
            case (_, 0): sent("\(events) read of the damaged record, and \(since) recorded since; none is missing")
            default:
                sent("\(events) read of the damaged record, and \(since) recorded since; \(missing) cannot be read")
            }
        let repairs = [
            found,
            isDone
                ? sent("the damaged record is kept at \(kept)") : sent("the damaged record would be kept at \(kept)"),
            isDone
                ? sent("what cannot be read is listed in \(listed)")
                : sent("what cannot be read would be listed in \(listed)"),
        ]
        return StoreReport(events: head, rows: 0, findings: [], repairs: repairs, notes: Array(notes))
    }

    /// Returns the list of all events that cannot be read, for the file beside the damaged one.
    ///
    /// - Parameters:
    ///   - made: the time of the repair.
    ///   - showsTimes: false beside an encrypted record, so that no time stands in plain text.
    public func list(made: Instant, showsTimes: Bool) -> String {
        let name = kept.split(separator: "/").last.map(String.init) ?? kept
        var lines = [
            "What could not be read of a damaged DoseTap record", "",
            "damaged record: \(name)",
        ]
        if showsTimes { lines.append("repaired: \(made.iso8601)") }
        lines += [
            "events read: \(read)", "events missing: \(missing)",
            "of these in the copy of the last nights: \(copied)", "events recorded since: \(since)",
            "events that do not follow the one before them: \(unlinked)",
            "nights whose beginning was made anew: \(opened)", "",
        ]
        lines +=
            gaps.isEmpty ? ["Every event of the log could be read."] : gaps.map { line($0, showsTimes: showsTimes) }
        if !showsTimes, !gaps.isEmpty {
            lines += ["", "Times are left out: the record is encrypted, this list is not."]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func line(_ gap: Gap, showsTimes: Bool) -> String {
        let what = gap.first == gap.last ? "event \(gap.first)" : "events \(gap.first) to \(gap.last)"
        guard showsTimes else { return what }
        let times = [gap.after.map { "after \($0.iso8601)" }, gap.before.map { "before \($0.iso8601)" }]
        return ([what] + times.compactMap(\.self)).joined(separator: ", ")
    }

    /// The sentence that the repaired log records about the repair.
    public var finding: String {
        sent(
            "the record was damaged and was repaired: \(Plural.of(read, "event", "events")) read, \(missing) missing, \(since) recorded since"
        )
    }

    private func sentence(_ gap: Gap, _ moments: Moments) -> String {
        let what =
            gap.first == gap.last
            ? sent("event \(gap.first) cannot be read") : sent("events \(gap.first) to \(gap.last) cannot be read")
        switch (gap.after, gap.before) {
        case (let after?, let before?):
            return sent(
                "\(what): recorded between \(moments.dateAndClock(after)) and \(moments.dateAndClock(before))")
        case (let after?, nil): return sent("\(what): recorded after \(moments.dateAndClock(after))")
        case (nil, let before?): return sent("\(what): recorded before \(moments.dateAndClock(before))")
        case (nil, nil): return what
        }
    }
}
