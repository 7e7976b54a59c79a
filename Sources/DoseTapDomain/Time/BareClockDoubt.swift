/// The doubt about a clock time without a date as the time of an entry: the wrong half of the day, or a slip.
public enum BareClockDoubt: Hashable, Sendable {
    /// The clock time lies less than an hour ahead, at this instant; its past meaning is almost a day ago.
    case ahead(Instant)
    /// The meant instant lies in the night of that date, which is not the present one. `otherHalf` is the same clock time in the
    /// other half of the day, if that lies in the present night and is not to come.
    case otherNight(SessionDate, otherHalf: Instant?)

    /// The time before now from which a bare clock time is examined for another night or a slip.
    static var reach: Duration { .hours(2) }
    /// The time after now within which a bare clock time is a slip.
    static var slip: Duration { .hours(1) }
}

extension TimeExpression {
    /// Returns the doubt about this expression as the time of an entry made at `now`; nil for none.
    ///
    /// - Parameters:
    ///   - meant: the instant that the expression would mean.
    ///   - isOfNight: true for a dose, a skip or the final wake, which another night must not get by mistake.
    public func doubt(
        _ meant: Instant, isOfNight: Bool, now: Instant, in zone: Zone, rolloverHour: Int
    ) -> BareClockDoubt? {
        guard case .clock(let time) = form, meant < now - BareClockDoubt.reach else { return nil }
        if let ahead = occurrences(time, around: now, in: zone).first(where: {
            $0 > now + .seconds(60) && $0 < now + BareClockDoubt.slip
        }) {
            return .ahead(ahead)
        }
        func night(_ instant: Instant) -> SessionDate { .key(of: instant, in: zone, rolloverHour: rolloverHour) }
        let tonight = night(now)
        guard isOfNight, night(meant) != tonight else { return nil }
        let half = TimeOfDay(hour: (time.hour + 12) % 24, minute: time.minute, second: time.second)
        let other = occurrences(half, around: now, in: zone).last { $0 <= now && night($0) == tonight }
        return .otherNight(night(meant), otherHalf: other)
    }

    /// Returns the instant for the correction of an entry: a bare clock time means that time of the night in which the entry
    /// lies.
    ///
    /// - Parameter entry: the time of the entry.
    /// - Throws: ``TimeParseError``, as ``resolve(now:in:)``.
    public func resolve(correcting entry: Instant, now: Instant, in zone: Zone, rolloverHour: Int)
        throws(TimeParseError) -> Resolution
    {
        guard case .clock(let time) = form else { return try resolve(now: now, in: zone) }
        let night = SessionDate.key(of: entry, in: zone, rolloverHour: rolloverHour).civil
        let date = time.hour < rolloverHour ? night.adding(days: 1) : night
        // Right after the hour of rollover a time just before it is today's, and not tomorrow's. At more than twelve hours from the
        // entry such a time is a slip, and lies ahead.
        if zone.date(at: now) < date, let before = try? resolution(time, of: date.adding(days: -1), in: zone),
            (entry - before.earliest).magnitude <= .hours(12)
        {
            return before
        }
        return try resolution(time, of: date, in: zone)
    }

    /// Returns the instants at which clocks show a time from yesterday to tomorrow, in order.
    private func occurrences(_ time: TimeOfDay, around now: Instant, in zone: Zone) -> [Instant] {
        let today = zone.date(at: now)
        return (-1...1).flatMap { days -> [Instant] in
            guard let local = time.on(today.adding(days: days)) else { return [] }
            return switch zone.resolve(local) {
            case .unique(let instant): [instant]
            case .repeated(let earlier, let later): [earlier, later]
            case .skipped: []
            }
        }
    }
}

extension Command {
    /// True for a command that records a dose, a skip or the final wake: such an entry makes a night, and a bare clock time must
    /// not put it into another one by mistake.
    public var isOfNight: Bool {
        switch self {
        case .logDose, .skipDose2, .logFinalWake: true
        case .logSleepEvent(let text): SleepEventCatalogue.word(text) == SleepEventWord.finalWake
        case .record(let type, let said): type.kind?.isOfNight(said) ?? false
        default: false
        }
    }
}
