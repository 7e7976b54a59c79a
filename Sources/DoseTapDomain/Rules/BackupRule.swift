/// The rule for the service's own backups: when one is made, and which of them stay (R24).
public struct BackupRule: Hashable, Sendable {
    /// True if the service makes backups by itself.
    public var isOn: Bool
    /// The number of days of which the newest backup stays.
    public var daily: Int
    /// The number of weeks of which the newest backup stays.
    public var weekly: Int

    public init(isOn: Bool = true, daily: Int = 7, weekly: Int = 8) {
        self.isOn = isOn
        self.daily = daily
        self.weekly = weekly
    }

    public static let standard = BackupRule()

    /// The least time between two backups without a night in between, less than a day because a night is often shorter than the
    /// one before it.
    static let interval: Duration = .hours(20)
    /// The age of the last backup from which an open night, with nothing to decide, no longer delays the next one.
    static let longest: Duration = .hours(24)

    /// The assumed age of a backup whose time is still to come.
    public static let old: Duration = .hours(72)

    /// The condition for the next look.
    public enum Due: Hashable, Sendable {
        case now
        /// After this time.
        case after(Duration)
        /// After a further entry, and not before.
        case withEntry
    }

    /// Returns the time at which a backup is due (R24.2).
    ///
    /// - Parameters:
    ///   - last: the time of the newest backup; nil for none.
    ///   - made: the time since this process made a backup; nil for none.
    ///   - isNew: true if the log has events that the newest backup lacks.
    ///   - night: the open night.
    ///   - ended: the end of the newest night with doses that is over; nil for none.
    public func due(
        now: Instant, last: Instant?, made: Duration? = nil, isNew: Bool, night: Session?, ended: Instant? = nil
    ) -> Due {
        guard isOn, isNew, night?.hasUnresolvedWindow != true else { return .withEntry }
        // A clock that was ahead for a while must not prevent all backups until that time.
        let age = last.flatMap { $0 <= now ? now - $0 : made }
        if night != nil {
            guard let age else { return .withEntry }
            return age >= Self.longest ? .now : .after(Self.longest - age)
        }
        // Without this the last night would have no copy for hours after an entry of the evening before.
        if let last, let ended, last < ended, ended <= now { return .now }
        guard let age, age < Self.interval else { return .now }
        return .after(Self.interval - age)
    }

    /// Returns the newest of the verified backups of the record (R24.13), by the number of their events: the clock may have been
    /// wrong.
    ///
    /// - Parameter log: events in the log.
    public static func newest(_ made: [Backup], log: Int64) -> Backup? { newestFirst(made, log).first }

    /// Returns the verified backups of the record. A backup with more events than the log is of a replaced log, and comes last.
    private static func newestFirst(_ made: [Backup], _ log: Int64) -> [Backup] {
        made.filter { $0.isVerified && $0.isOwn }.sorted { one, other in
            let (isOfLog, otherIsOfLog) = (one.events <= log, other.events <= log)
            guard isOfLog == otherIsOfLog else { return isOfLog }
            return (one.events, one.at) > (other.events, other.at)
        }
    }

    /// Returns the backups that are no longer needed. The newest of each day and of each week stays (R24.4).
    ///
    /// - Parameters:
    ///   - log: events in the log.
    ///   - latest: the name of the backup that was just made, which stays.
    public func superfluous(_ made: [Backup], in zone: Zone, log: Int64, latest: String? = nil) -> [Backup] {
        var (days, weeks, records) = (Set<Int>(), Set<Int>(), Set<String>())
        return Self.newestFirst(made, log).filter { backup in
            let day = zone.date(at: backup.at).daysSinceEpoch
            // 1970-01-01 was a Thursday; a week begins on Monday.
            let week = Int((Double(day + 3) / 7).rounded(.down))
            let isOfDay = days.count < daily && days.insert(day).inserted
            let isOfWeek = weeks.count < weekly && weeks.insert(week).inserted
            let isNewest = records.insert(backup.storeID).inserted
            return !isOfDay && !isOfWeek && !isNewest && backup.name != latest
        }
    }

    /// Returns the backups that give way to a new one: the oldest first, never the newest of each log, and none at all if the
    /// space is too little even then (R24.5).
    ///
    /// - Parameters:
    ///   - missing: bytes that are missing.
    ///   - log: events in the log.
    public static func givingWay(_ made: [Backup], missing: Int64, log: Int64) -> [Backup] {
        var (left, given, records) = (missing, [Backup](), Set<String>())
        let expendable = newestFirst(made, log).filter { !records.insert($0.storeID).inserted }
        for backup in expendable.reversed() {
            guard left > 0 else { break }
            left -= max(0, min(backup.bytes, left))
            given.append(backup)
        }
        return left > 0 ? [] : given
    }
}
