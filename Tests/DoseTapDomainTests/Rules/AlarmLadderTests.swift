import DoseTapDomain
import Testing

/// The ladder of an alarm nobody answers.
@Suite struct AlarmLadderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let after: Int
        var delays: [AlarmRung: Duration] = AlarmLadder.standard.delays
        var taken: Set<AlarmRung> = []
        var failed: Set<AlarmRung> = []
        let take: [AlarmRung]
        /// Seconds after the alarm.
        let next: Int?

        var testDescription: String { "\(after) s, taken \(taken.count), failed \(failed.count): \(take)" }
    }

    static let late: [AlarmRung: Duration] = [.sound: .seconds(30), .partner: .seconds(200)]

    static let cases: [Case] = [
        // Each rung at its time.
        Case(after: -1, take: [], next: 0),
        Case(after: 0, take: [.sound], next: 60),
        Case(after: 59, taken: [.sound], take: [], next: 60),
        Case(after: 60, taken: [.sound], take: [.speech], next: 120),
        Case(after: 120, taken: [.sound, .speech], take: [.hook], next: 300),
        Case(after: 300, taken: [.sound, .speech, .hook], take: [.partner], next: nil),
        Case(after: 301, taken: Set(AlarmRung.allCases), take: [], next: nil),
        // The service was off meanwhile: everything that is due at once.
        Case(after: 130, take: [.sound, .speech, .hook], next: 300),
        Case(after: 4_499, take: AlarmRung.allCases, next: nil),
        // What failed costs no time as long as nothing has worked.
        Case(after: 1, failed: [.sound], take: [.speech], next: 120),
        Case(after: 2, failed: [.sound, .speech], take: [.hook], next: 300),
        Case(after: 3, failed: [.sound, .speech, .hook], take: [.partner], next: nil),
        Case(after: 61, taken: [.sound], failed: [.speech], take: [], next: 120),
        Case(after: 4, taken: [.speech], failed: [.sound], take: [], next: 120),
        // Nothing before it: the first rung waits for its time, and one that is off is never taken.
        Case(after: 0, delays: late, take: [], next: 30),
        Case(after: 30, delays: late, take: [.sound], next: 200),
        Case(after: 31, delays: late, failed: [.sound], take: [.partner], next: nil),
        Case(after: 900, delays: [:], take: [], next: nil),
        // The order is that of the times, and that of the ladder where they are equal.
        Case(
            after: 0, delays: [.speech: .zero, .sound: .zero, .partner: .seconds(-1)],
            take: [.partner, .sound, .speech], next: nil),
    ]

    @Test(arguments: cases)
    func `the ladder is climbed by the clock, and at once past what does not work`(row: Case) {
        let alarm = utc("2026-01-15T01:15:00Z")
        let step = AlarmLadder(delays: row.delays)
            .step(alarm: alarm, taken: row.taken, failed: row.failed, now: alarm + .seconds(row.after))
        #expect(step.take == row.take)
        #expect(step.next == row.next.map { alarm + .seconds($0) })
    }
}
