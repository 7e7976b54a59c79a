/// What could be read of a damaged log, ready to take its place.
public struct RepairPlan: Hashable, Sendable {
    /// Events that cannot be read, between two that can.
    public struct Gap: Hashable, Sendable {
        /// Sequence numbers in the damaged log.
        public var first: Int64
        public var last: Int64
        /// When the event before was recorded; nil at the beginning.
        public var after: Instant?
        /// When the event behind was recorded; nil at the end.
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
    /// Events that do not follow the one before them, although none is missing there: somebody changed the log.
    public var unlinked: Int64 = 0
    /// Nights of which the first event is lost; it was made anew from the next one.
    public var opened: Int64 = 0
    /// The repaired log.
    public var head: Int64 = 0
    /// Where the damaged file is kept once it is replaced.
    public var kept = ""
    /// Where all that cannot be read is listed then.
    public var listed: String { kept + Self.reportSuffix }
    /// What follows the name of the damaged file in that of the list.
    public static let reportSuffix = ".report"

    public init() {}

    /// Events lost.
    public var missing: Int64 { max(0, gaps.reduce(0) { $0 + $1.last - $1.first + 1 } - copied) }
}

extension RepairPlan {
    /// Most gaps told one by one.
    private static let mostTold = 10

    /// What a person is told.
    ///
    /// - Parameter isDone: the repaired log is in place.
    public func report(_ moments: Moments, isDone: Bool) -> StoreReport {
        var notes = gaps.prefix(Self.mostTold).map { sentence($0, moments) }
        if gaps.count > Self.mostTold {
            notes.append("and " + Plural.of(gaps.count - Self.mostTold, "more place", "more places"))
        }
        if copied > 0 {
            notes.append(Plural.of(copied, "of these was", "of these were") + " in the copy of the last nights")
        }
        if unlinked > 0 {
            let events = Plural.of(
                unlinked, "event does not follow the one before it", "events do not follow the one before them")
            notes.append("\(events): the log was changed")
        }
        if opened > 0 {
            let nights = Plural.of(opened, "night had lost its beginning", "nights had lost their beginning")
            notes.append("\(nights), which was made anew from the entries")
        }
        let lost = missing == 0 ? "none is missing" : "\(missing) cannot be read"
        let added = since == 0 ? "" : ", and \(since) recorded since"
        let repairs = [
            "\(Plural.of(read, "event", "events")) read of the damaged record\(added); \(lost)",
            isDone
                ? sent("the damaged record is kept at \(kept)") : sent("the damaged record would be kept at \(kept)"),
            isDone
                ? sent("what cannot be read is listed in \(listed)")
                : sent("what cannot be read would be listed in \(listed)"),
        ]
        return StoreReport(events: head, rows: 0, findings: [], repairs: repairs, notes: Array(notes))
    }

    /// The list of all that cannot be read, for the file beside the damaged one.
    ///
    /// - Parameters:
    ///   - made: when the record was repaired.
    ///   - showsTimes: beside an encrypted record no time stands in plain text.
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

    /// The finding that the repaired log records of itself.
    public var finding: String {
        "the record was damaged and was repaired: \(Plural.of(read, "event", "events")) read, \(missing) missing, \(since) recorded since"
    }

    private func sentence(_ gap: Gap, _ moments: Moments) -> String {
        let what =
            gap.first == gap.last
            ? "event \(gap.first) cannot be read" : "events \(gap.first) to \(gap.last) cannot be read"
        switch (gap.after, gap.before) {
        case (let after?, let before?):
            return "\(what): recorded between \(moments.dateAndClock(after)) and \(moments.dateAndClock(before))"
        case (let after?, nil): return "\(what): recorded after \(moments.dateAndClock(after))"
        case (nil, let before?): return "\(what): recorded before \(moments.dateAndClock(before))"
        case (nil, nil): return what
        }
    }
}
