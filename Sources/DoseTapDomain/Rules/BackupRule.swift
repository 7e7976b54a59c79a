/// When the service makes a backup by itself, and which of them stay (R24).
public struct BackupRule: Hashable, Sendable {
    /// Whether the service makes any.
    public var isOn: Bool
    /// Days of which the newest stays.
    public var daily: Int
    /// Weeks of which the newest stays.
    public var weekly: Int

    public init(isOn: Bool = true, daily: Int = 7, weekly: Int = 8) {
        self.isOn = isOn
        self.daily = daily
        self.weekly = weekly
    }

    public static let standard = BackupRule()

    /// At least so long after the one before: a night is often shorter than the one before it.
    static let interval: Duration = .hours(20)
    /// After this time a night that is still open, with nothing to decide, no longer keeps it back.
    static let longest: Duration = .hours(24)

    /// The age that one has whose time is still to come.
    public static let old: Duration = .hours(72)

    /// What the next look depends on.
    public enum Due: Hashable, Sendable {
        case now
        /// Not before this much time has passed.
        case after(Duration)
        /// On nothing but a further entry.
        case withEntry
    }

    /// When a backup is due (R24.2).
    ///
    /// - Parameters:
    ///   - last: the time at which the newest one was made; nil for none.
    ///   - made: the time since this process made one; nil for none.
    ///   - isNew: the log has events that the newest one lacks.
    ///   - night: the open night.
    public func due(now: Instant, last: Instant?, made: Duration? = nil, isNew: Bool, night: Session?) -> Due {
        guard isOn, isNew, night?.hasUnresolvedWindow != true else { return .withEntry }
        // A clock that was ahead for a while must not prevent all backups until that time.
        let age = last.flatMap { $0 <= now ? now - $0 : made }
        if night != nil {
            guard let age else { return .withEntry }
            return age >= Self.longest ? .now : .after(Self.longest - age)
        }
        guard let age, age < Self.interval else { return .now }
        return .after(Self.interval - age)
    }

    /// The newest of the verified backups of the record (R24.13): not by the clock, which may have been wrong, but by the
    /// events in them.
    ///
    /// - Parameter log: events in the log.
    public static func newest(_ made: [Backup], log: Int64) -> Backup? { newestFirst(made, log).first }

    /// The verified backups of the record. One with more events than the log has is of a log that was replaced.
    private static func newestFirst(_ made: [Backup], _ log: Int64) -> [Backup] {
        made.filter { $0.isVerified && $0.isOwn }.sorted { one, other in
            let (isOfLog, otherIsOfLog) = (one.events <= log, other.events <= log)
            guard isOfLog == otherIsOfLog else { return isOfLog }
            return (one.events, one.at) > (other.events, other.at)
        }
    }

    /// The backups that are no longer needed: of each day with a backup, and of each week, the newest stays (R24.4).
    ///
    /// - Parameters:
    ///   - log: events in the log.
    ///   - latest: the name of the one that was just made, which stays.
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

    /// The backups that are removed for space: the oldest first, the newest of each log never, and none at all where
    /// the space is too little even then (R24.5).
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
