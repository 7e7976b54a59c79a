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
        case .clock(let time): return try mostRecent(time, now: now, zone: zone)
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
        case .clock, .daysBack, .date: true
        case .now, .instant, .ago: false
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
