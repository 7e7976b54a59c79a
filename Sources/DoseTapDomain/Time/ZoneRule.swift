/// What a POSIX `TZ` string says: standard time and, if the zone has it, daylight saving time between two yearly dates.
struct ZoneRule: Hashable, Sendable {
    let standard: LocalTimeType
    let daylight: Daylight?

    struct Daylight: Hashable, Sendable {
        let type: LocalTimeType
        let start: YearlyMoment
        let end: YearlyMoment
    }

    func type(at second: Int64) -> LocalTimeType {
        daylight == nil ? standard : segment(at: second).type
    }

    func segment(at second: Int64) -> ZoneSegment {
        guard let daylight else { return ZoneSegment(start: .min, end: .max, type: standard) }
        let year = CivilDate.year(ofDay: second.flooredQuotient(86_400))
        var isDaylight = false
        var segmentStart = Int64.min
        var segmentEnd = Int64.max
        func mark(_ boundary: Int64) {
            if boundary <= second { segmentStart = Swift.max(segmentStart, boundary) }
            if boundary > second { segmentEnd = Swift.min(segmentEnd, boundary) }
        }
        // Local dates reach a day and times of a rule a week beyond the UTC year.
        for candidate in (year - 2)...(year + 2) {
            let start = daylight.start.second(inYear: candidate, offset: standard.offset)
            let sameYear = daylight.end.second(inYear: candidate, offset: daylight.type.offset)
            let end =
                sameYear > start
                ? sameYear : daylight.end.second(inYear: candidate + 1, offset: daylight.type.offset)
            mark(start)
            mark(end)
            if start <= second, second < end { isDaylight = true }
        }
        return ZoneSegment(start: segmentStart, end: segmentEnd, type: isDaylight ? daylight.type : standard)
    }
}
