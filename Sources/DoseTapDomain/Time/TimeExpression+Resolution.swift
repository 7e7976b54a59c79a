extension TimeExpression {
    /// The instant that is meant by somebody who says this at `now` in `zone`.
    ///
    /// A bare clock time is the most recent one: today's unless that lies more than a minute ahead, else the one of
    /// the day before. Of a time shown twice, the second of which is still to come, the first is meant.
    ///
    /// - Throws: ``TimeParseError/skipped(_:zone:)`` for a local time that never was, ``TimeParseError/outOfRange(_:)``.
    public func resolve(now: Instant, in zone: Zone) throws(TimeParseError) -> Resolution {
        switch form {
        case .now: return .instant(now)
        case .instant(let instant): return .instant(instant)
        case .ago(let duration):
            guard Instant.min + duration <= now else { throw .outOfRange(text) }
            return .instant(now - duration)
        case .ahead(let duration):
            guard now <= Instant.max - duration else { throw .outOfRange(text) }
            return .instant(now + duration)
        case .clock(let time): return try mostRecent(time, now: now, zone: zone)
        case .tomorrow(let time): return try resolution(time, of: zone.date(at: now).adding(days: 1), in: zone)
        case .tonight(let time):
            let (today, isMorning) = (zone.date(at: now), zone.local(now).hour < 12)
            let evening = isMorning ? zone.date(before: today, days: 1) : today
            return try resolution(time, of: time.hour < 12 ? evening.adding(days: 1) : evening, in: zone)
        case .weekday(let weekday, let time):
            let today = zone.date(at: now)
            let back = (today.weekday.rawValue - weekday.rawValue + 7) % 7
            let meant = try resolution(time, of: today.adding(days: -back), in: zone)
            guard back == 0, meant.first > now + .seconds(60) else { return meant }
            return try resolution(time, of: today.adding(days: -7), in: zone)
        case .day(let month, let day, let time):
            guard let date = zone.date(at: now).latest(month: month, day: day) else { throw .noSuchDate(text) }
            return try resolution(time, of: date, in: zone)
        case .daysBack(let days, let time):
            return try resolution(time, of: zone.date(before: zone.date(at: now), days: days), in: zone)
        case .date(let date, let time): return try resolution(time, of: date, in: zone)
        }
    }

    /// Whether it is a clock time without a date.
    public var isBareClock: Bool {
        if case .clock = form { true } else { false }
    }

    /// Whether it depends on the zone which instant is meant.
    public var isLocal: Bool {
        switch form {
        case .clock, .daysBack, .tomorrow, .tonight, .weekday, .day, .date: true
        case .now, .instant, .ago, .ahead: false
        }
    }

    private func mostRecent(_ time: TimeOfDay, now: Instant, zone: Zone) throws(TimeParseError) -> Resolution {
        // A person reads a clock that may run a little ahead of this one, even over midnight.
        let latest = now + .seconds(60)
        let today = zone.date(at: now)
        for date in [today.adding(days: 1), today] {
            guard let local = time.on(date) else { throw .noSuchClockTime(text) }
            let meant = zone.resolve(local)
            guard meant.first <= latest else { continue }
            if case .repeated(let earlier, let later) = meant, later > latest { return .instant(earlier) }
            return try resolution(meant, in: zone)
        }
        return try resolution(time, of: zone.date(before: today, days: 1), in: zone)
    }

    func resolution(
        _ time: TimeOfDay, of date: CivilDate, in zone: Zone
    ) throws(TimeParseError) -> Resolution {
        guard let local = time.on(date) else { throw .noSuchClockTime(text) }
        return try resolution(zone.resolve(local), in: zone)
    }

    private func resolution(_ meant: LocalResolution, in zone: Zone) throws(TimeParseError) -> Resolution {
        switch meant {
        case .unique(let instant): return .instant(instant)
        case .repeated(let earlier, let later): return .repeated(earlier: earlier, later: later)
        case .skipped: throw .skipped(text, zone: zone.identifier)
        }
    }
}

extension TimeExpression.Resolution {
    /// The earlier of the instants that may be meant.
    fileprivate var first: Instant {
        switch self {
        case .instant(let instant), .repeated(let instant, _): instant
        }
    }
}

extension CivilDate {
    /// The most recent date with that month and day, this one included; nil where the calendar never has it.
    func latest(month: Int, day: Int) -> CivilDate? {
        // Eight years hold a leap day, also around a full century.
        for back in 0...8 {
            let found = CivilDate(year: year - back, month: month, day: day)
            if let found, found <= self { return found }
        }
        return nil
    }
}

extension TimeExpression.TimeOfDay {
    func on(_ date: CivilDate) -> LocalDateTime? {
        LocalDateTime(date: date, hour: hour, minute: minute, second: second)
    }
}

extension Zone {
    /// The date that many days before `date`, days that this zone never had not counted.
    fileprivate func date(before date: CivilDate, days: Int) -> CivilDate {
        var result = date
        for _ in 0..<days {
            result = result.adding(days: -1)
            if first(ClockTime(hour: 0), of: result) == nil { result = result.adding(days: -1) }
        }
        return result
    }
}
