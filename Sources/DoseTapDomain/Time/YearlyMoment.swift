/// A date and time of every year as a POSIX `TZ` string names it.
struct YearlyMoment: Hashable, Sendable {
    let day: Day
    /// Seconds after the local midnight that begins the day, -167 to 167 hours.
    let time: Int

    enum Day: Hashable, Sendable {
        /// `Jn`: 1 to 365, the leap day never counts.
        case julian(Int)
        /// `n`: 0 to 365, the leap day counts.
        case zeroBased(Int)
        /// `Mm.w.d`: the week-th such weekday (0 Sunday) of the month, 5 the last one.
        case weekday(month: Int, week: Int, day: Int)
    }

    /// Seconds since 1970 of the moment in that year, on a clock that is `offset` seconds east of UTC.
    func second(inYear year: Int, offset: Int) -> Int64 {
        Int64(daysSinceEpoch(inYear: year) * 86_400 + time - offset)
    }

    private func daysSinceEpoch(inYear year: Int) -> Int {
        switch day {
        case .julian(let number):
            let leapDay = number >= 60 && CivilDate.isLeap(year) ? 1 : 0
            return CivilDate.daysSinceEpoch(year: year, month: 1, day: 1) + number - 1 + leapDay
        case .zeroBased(let number):
            return CivilDate.daysSinceEpoch(year: year, month: 1, day: 1) + number
        case .weekday(let month, let week, let weekday):
            let first = CivilDate.daysSinceEpoch(year: year, month: month, day: 1)
            // 1970-01-01 was a Thursday, number 4 from Sunday.
            let firstMatch = first + (weekday - (first + 4)).flooredRemainder(7)
            let last = first + CivilDate.dayCount(month: month, year: year) - 1
            let match = firstMatch + (week - 1) * 7
            return match > last ? match - 7 : match
        }
    }
}
