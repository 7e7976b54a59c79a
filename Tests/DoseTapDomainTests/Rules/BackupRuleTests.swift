import DoseTapDomain
import Testing

@Suite struct BackupRuleTests {
    private static let morning = Instant(seconds: 1_768_464_000)

    private static func made(_ hoursAgo: [Int]) -> [Backup] {
        hoursAgo.map { Backup(kind: .daily, at: morning - .hours($0), events: 1, head: "0123456789abcdef") }
    }

    @Test func `the name of a backup says what is in it, and nothing else is taken for one`() {
        let backup = Backup(kind: .daily, at: Self.morning, events: 1_234, head: "0123456789abcdef")
        #expect(backup.name == "daily-2026-01-15T080000Z-1234-0123456789abcdef.db")
        #expect(Backup(name: backup.name) == backup)
        for name in [
            "", ".db", "daily.db", "daily-2026-01-15T080000Z-1234-0123456789abcdef", ".new-1",
            "other-2026-01-15T080000Z-1234-0123456789abcdef.db", "daily-2026-01-15T080000Z--1-0123456789abcdef.db",
            "daily-2026-01-15T080000Z-1234-0123456789abcde.db", "daily-2026-01-15T08000éZ-1234-0123456789abcdef.db",
            "daily-2026-02-30T080000Z-1234-0123456789abcdef.db", "daily-2026-01-15T080000Z-01234-0123456789abcdef.db",
        ] { #expect(Backup(name: name) == nil, "\(name)") }
    }

    @Test func `R24.2 a backup is due with a new head and without an open window, once a day`() {
        let rule = BackupRule.standard
        func due(_ hoursAgo: Int?, isNew: Bool = true, night: Session? = nil) -> BackupRule.Due {
            rule.due(now: Self.morning, last: hoursAgo.map { Self.morning - .hours($0) }, isNew: isNew, night: night)
        }
        #expect(due(nil) == .now && due(20) == .now && due(19) == .after(.hours(1)))
        #expect(due(nil, isNew: false) == .withEntry && due(1_000, isNew: false) == .withEntry)
        // A backup dated ahead of the clock does not prevent another one.
        #expect(due(-1_000) == .now)
        // A backup after every entry would be too many, so the time since the last one counts.
        let ahead = Self.morning + .hours(1_000)
        #expect(
            rule.due(now: Self.morning, last: ahead, made: .hours(3), isNew: true, night: nil) == .after(.hours(17)))
        #expect(rule.due(now: Self.morning, last: ahead, made: .hours(20), isNew: true, night: nil) == .now)
        #expect(BackupRule(isOn: false).due(now: Self.morning, last: nil, isNew: true, night: nil) == .withEntry)
    }

    @Test func `R24.2 a night with doses that is over is backed up at once, whatever was backed up the evening before`()
    {
        let rule = BackupRule.standard
        func due(last: Int, ended: Int, isNew: Bool = true) -> BackupRule.Due {
            rule.due(
                now: Self.morning, last: Self.morning - .hours(last), isNew: isNew, night: nil,
                ended: Self.morning - .hours(ended))
        }
        #expect(due(last: 10, ended: 0) == .now && due(last: 10, ended: 9) == .now)
        // That night is in the backup, and what came after it is not urgent.
        #expect(due(last: 1, ended: 1) == .after(.hours(19)) && due(last: 1, ended: 2) == .after(.hours(19)))
        #expect(due(last: 10, ended: 0, isNew: false) == .withEntry)
        // An end that the clock has not reached says nothing, else a backup would follow each entry.
        #expect(due(last: 1, ended: -5) == .after(.hours(19)))
    }

    @Test func `R24.4 of seven days and of eight weeks the newest stays`() {
        // The list has two backups a day for 100 days.
        let all = Self.made((0..<200).map { $0 * 12 })
        let gone = Set(BackupRule.standard.superfluous(all, in: .utc, log: 1).map(\.at))
        let kept = all.map(\.at).filter { !gone.contains($0) }
        // 2026-01-15 is a Thursday: the days from the 15th to the 9th at 08:00, then Sundays at 20:00.
        let days = (0..<7).map { Self.morning - .hours($0 * 24) }.map { day in
            day == Self.morning ? day : day + .hours(12)
        }
        #expect(Array(kept.prefix(7)) == days)
        #expect(kept.dropFirst(7).allSatisfy { Zone.utc.date(at: $0).weekday.short == "Sun" })
        // The days include the newest two of the eight weeks.
        #expect(kept.count == 7 + 6)
        #expect(BackupRule(daily: 1, weekly: 0).superfluous(all, in: .utc, log: 1).count == all.count - 1)
        #expect(BackupRule(daily: 0, weekly: 0).superfluous(all, in: .utc, log: 1).count == all.count - 1)
        #expect(BackupRule.standard.superfluous([], in: .utc, log: 1).isEmpty)
    }

    @Test func `R24.5 as many as are needed give way to space, the oldest first, the newest never, none for nothing`() {
        let all = Self.made([24, 0, 48]).map { backup in
            var backup = backup
            backup.bytes = 1_000
            return backup
        }
        func hours(_ missing: Int64) -> [Instant] {
            BackupRule.givingWay(all, missing: missing, log: 1).map(\.at)
        }
        #expect(hours(1_001) == [Self.morning - .hours(48), Self.morning - .hours(24)])
        #expect(hours(1_000) == [Self.morning - .hours(48)] && hours(0).isEmpty && hours(-5).isEmpty)
        #expect(hours(2_001).isEmpty && hours(.max).isEmpty)
        #expect(BackupRule.givingWay([all[0]], missing: 1, log: 1).isEmpty)
        #expect(BackupRule.givingWay([], missing: 1, log: 1).isEmpty)
    }

    @Test func `R24.13 the newest is the one with the most events, whatever its clock said`() {
        func backup(_ events: Int64, _ hoursAgo: Int) -> Backup {
            Backup(
                kind: .daily, at: Self.morning - .hours(hoursAgo), events: events, head: "0123456789abcdef", bytes: 10)
        }
        // The first backup is ten days ahead; the clock was set back after it.
        let all = [backup(10, -240), backup(20, 24), backup(30, 0)]
        #expect(BackupRule.newest(all, log: 30) == all[2])
        #expect(BackupRule(daily: 1, weekly: 0).superfluous(all, in: .utc, log: 30) == [all[1], all[0]])
        #expect(BackupRule.givingWay(all, missing: 1, log: 30) == [all[0]])
        // After a restore the log has fewer events than the first backup.
        let restored = [backup(40, 3), backup(20, 1), backup(25, 0)]
        #expect(BackupRule.newest(restored, log: 25) == restored[2])
        #expect(BackupRule.givingWay(restored, missing: 1, log: 25) == [restored[0]])
        let none = BackupRule(daily: 0, weekly: 0)
        #expect(none.superfluous(restored, in: .utc, log: 25, latest: restored[1].name) == [restored[0]])
    }

    @Test func `R24.4 what is not verified or of another record is not removed and takes no place of another`() {
        var all = Self.made([0, 1, 2, 3])
        all[0].problem = "it cannot be read"
        all[1].isOwn = false
        let rule = BackupRule(daily: 1, weekly: 0)
        #expect(rule.superfluous(all, in: .utc, log: 1) == [all[3]])
        #expect(BackupRule.newest(all, log: 1) == all[2])
        #expect(BackupRule.givingWay(all, missing: 1, log: 1).isEmpty)
        for place in all.indices { all[place].bytes = 10 }
        #expect(BackupRule.givingWay(all, missing: 1, log: 1) == [all[3]])
        // While a fresh log is in use, the newest of the log before it stays.
        all[3].storeID = "before"
        #expect(rule.superfluous(all, in: .utc, log: 1).isEmpty)
    }
}
