extension Zone {
    /// What clock and calendar show at `instant`.
    public func local(_ instant: Instant) -> LocalDateTime {
        LocalDateTime(millisecondsSinceEpoch: instant.milliseconds + Int64(offset(at: instant)) * 1000)
    }

    /// The calendar date at `instant`.
    public func date(at instant: Instant) -> CivilDate { local(instant).date }

    /// When the local clock shows `local`: once, twice, or never because it jumps past it.
    public func resolve(_ local: LocalDateTime) -> LocalResolution {
        let wanted = local.secondsSinceEpoch
        let range = LocalTimeType.offsetRange
        var second = wanted - Int64(range.upperBound)
        let last = wanted - Int64(range.lowerBound)
        var first: Int64?
        var latest = wanted
        var jump: Int64?
        var previousEnd: Int64?
        while second <= last {
            let segment = table.segment(at: second)
            let candidate = wanted - segment.offset
            if candidate >= segment.start, candidate < segment.end {
                first = first ?? candidate
                latest = candidate
            } else if jump == nil, let previousEnd, previousEnd <= wanted, candidate < segment.start {
                jump = segment.start
            }
            guard segment.end < Int64.max else { break }
            previousEnd = segment.end + segment.offset
            second = segment.end
        }
        guard let first else { return .skipped(jump: Instant(seconds: jump ?? wanted)) }
        if first == latest { return .unique(Instant(second: first, of: local)) }
        return .repeated(earlier: Instant(second: first, of: local), later: Instant(second: latest, of: local))
    }

    /// The first moment at which the local clock reached or jumped past `time` of `date`; nil if the zone never had
    /// that date, as 2011-12-30 in Pacific/Apia.
    func first(_ time: ClockTime, of date: CivilDate) -> Instant? {
        let resolution = resolve(LocalDateTime(date: date, time: time))
        guard case .skipped(let jump) = resolution else { return resolution.first }
        let lastBefore = Instant(milliseconds: jump.milliseconds - 1)
        return self.date(at: lastBefore) == date || self.date(at: jump) == date ? jump : nil
    }
}

extension Instant {
    /// That second with the milliseconds of `local`.
    fileprivate init(second: Int64, of local: LocalDateTime) {
        self.init(milliseconds: second * 1000 + Int64(local.millisecond))
    }
}
