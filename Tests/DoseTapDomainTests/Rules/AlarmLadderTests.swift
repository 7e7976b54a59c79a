import DoseTapDomain
import Testing

/// The ladder of an alarm nobody answers.
@Suite struct AlarmLadderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let after: Int
        var delays: [EscalationStep: Duration] = AlarmLadder.standard.delays
        var taken: Set<EscalationStep> = []
        var failed: Set<EscalationStep> = []
        /// Seconds after the alarm; the window closes 4500 s after it.
        var since: Int?
        let take: [EscalationStep]
        /// Seconds after the alarm.
        let next: Int?
        /// Seconds after the alarm; from when the next ones are spaced.
        var spacedFrom: Int?

        var testDescription: String {
            "\(after) s, taken \(taken.count), failed \(failed.count), since \(since ?? 0): \(take)"
        }
    }

    static let late: [EscalationStep: Duration] = [.sound: .seconds(30), .partner: .seconds(200)]

    static let cases: [Case] = [
        // Each rung at its time.
        Case(after: -1, take: [], next: 0),
        Case(after: 0, take: [.sound], next: 60),
        Case(after: 59, taken: [.sound], take: [], next: 60),
        Case(after: 60, taken: [.sound], take: [.speech], next: 120),
        Case(after: 120, taken: [.sound, .speech], take: [.hook], next: 300),
        Case(after: 300, taken: [.sound, .speech, .hook], take: [.partner], next: nil),
        Case(after: 301, taken: Set(EscalationStep.allCases), take: [], next: nil),
        // A little late is not missed.
        Case(after: 70, take: [.sound, .speech], next: 130, spacedFrom: 70),
        Case(after: 70, taken: [.sound], take: [.speech], next: 120),
        Case(after: 71, taken: [.sound], take: [.speech], next: 131, spacedFrom: 71),
        // The service was off meanwhile, or the machine slept: the person first, the others after their distance.
        Case(after: 600, take: [.sound, .speech], next: 660, spacedFrom: 600),
        Case(after: 659, taken: [.sound, .speech], since: 600, take: [], next: 660, spacedFrom: 600),
        Case(after: 660, taken: [.sound, .speech], since: 600, take: [.hook], next: 840, spacedFrom: 660),
        Case(after: 840, taken: [.sound, .speech, .hook], since: 660, take: [.partner], next: nil, spacedFrom: 840),
        // It slept between two rungs: the one before it was taken is no reason to call at once.
        Case(after: 600, taken: [.sound, .speech, .hook], take: [], next: 780, spacedFrom: 600),
        Case(after: 900, taken: [.sound, .speech, .hook], since: 600, take: [], next: 1_080, spacedFrom: 900),
        // It slept, and nothing comes earlier than it would have.
        Case(after: 75, taken: [.sound], take: [.speech], next: 135, spacedFrom: 75),
        Case(after: 135, taken: [.sound, .speech], since: 75, take: [.hook], next: 315, spacedFrom: 135),
        Case(after: 300, delays: late, taken: [.sound], take: [], next: 470, spacedFrom: 300),
        Case(after: 900, delays: [.partner: .seconds(300)], take: [], next: 1_200, spacedFrom: 900),
        Case(
            after: 900, delays: [.hook: .zero, .partner: .zero], take: [.hook, .partner], next: nil, spacedFrom: 900),
        // What cannot be heard costs no time then either.
        Case(after: 601, failed: [.sound, .speech], since: 600, take: [.hook], next: 781, spacedFrom: 601),
        // The window ends before all of them would have had their distance: none is left out.
        Case(after: 4_259, take: [.sound, .speech], next: 4_319, spacedFrom: 4_259),
        Case(after: 4_260, take: EscalationStep.allCases, next: nil, spacedFrom: 4_260),
        Case(after: 4_320, taken: [.sound, .speech, .hook], take: [.partner], next: nil, spacedFrom: 4_320),
        Case(after: 4_499, take: EscalationStep.allCases, next: nil, spacedFrom: 4_499),
        // What failed costs no time as long as nothing has worked.
        Case(after: 1, failed: [.sound], take: [.speech], next: 120),
        Case(after: 2, failed: [.sound, .speech], take: [.hook], next: 300),
        Case(after: 3, failed: [.sound, .speech, .hook], take: [], next: 300),
        Case(after: 61, taken: [.sound], failed: [.speech], take: [], next: 120),
        Case(after: 4, taken: [.speech], failed: [.sound], take: [], next: 120),
        // Nothing before it: the first rung waits for its time, and one that is off is never taken.
        Case(after: 0, delays: late, take: [], next: 30),
        Case(after: 30, delays: late, take: [.sound], next: 200),
        Case(after: 31, delays: late, failed: [.sound], take: [], next: 200),
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
            .step(
                alarm: alarm, taken: row.taken, failed: row.failed, since: row.since.map { alarm + .seconds($0) },
                closes: alarm + .seconds(4_500), now: alarm + .seconds(row.after))
        #expect(step.take == row.take)
        #expect(step.next == row.next.map { alarm + .seconds($0) })
        #expect(step.since == row.spacedFrom.map { alarm + .seconds($0) })
    }
}
