import DoseTapDomain
import Testing

/// The ladder of an unanswered alarm.
@Suite struct AlarmLadderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let after: Int
        var delays: [EscalationStep: Duration] = AlarmLadder.standard.delays
        var taken: Set<EscalationStep> = []
        var failed: Set<EscalationStep> = []
        /// Seconds after the alarm. The window closes 4500 s after the alarm.
        var since: Int?
        let take: [EscalationStep]
        /// Seconds after the alarm.
        let next: Int?
        /// Seconds after the alarm, from which the next rungs are spaced.
        var spacedFrom: Int?

        var testDescription: String {
            "\(after) s, taken \(taken.count), failed \(failed.count), since \(since ?? 0): \(take)"
        }
    }

    static let late: [EscalationStep: Duration] = [.sound: .seconds(30), .partner: .seconds(200)]

    static let cases: [Case] = [
        // Each rung comes at its time.
        Case(after: -1, take: [], next: 0),
        Case(after: 0, take: [.sound], next: 60),
        Case(after: 59, taken: [.sound], take: [], next: 60),
        Case(after: 60, taken: [.sound], take: [.speech], next: 120),
        Case(after: 120, taken: [.sound, .speech], take: [.hook], next: 300),
        Case(after: 300, taken: [.sound, .speech, .hook], take: [.partner], next: nil),
        Case(after: 301, taken: Set(EscalationStep.allCases), take: [], next: nil),
        // A rung that is a little late is not missed.
        Case(after: 70, take: [.sound, .speech], next: 130, spacedFrom: 70),
        Case(after: 70, taken: [.sound], take: [.speech], next: 120),
        Case(after: 71, taken: [.sound], take: [.speech], next: 131, spacedFrom: 71),
        // After a stop of the service or a sleep of the machine the person comes first, the others after their
        // distance.
        Case(after: 600, take: [.sound, .speech], next: 660, spacedFrom: 600),
        Case(after: 659, taken: [.sound, .speech], since: 600, take: [], next: 660, spacedFrom: 600),
        Case(after: 660, taken: [.sound, .speech], since: 600, take: [.hook], next: 840, spacedFrom: 660),
        Case(after: 840, taken: [.sound, .speech, .hook], since: 660, take: [.partner], next: nil, spacedFrom: 840),
        // After a sleep between two rungs the next rung does not come at once.
        Case(after: 600, taken: [.sound, .speech, .hook], take: [], next: 780, spacedFrom: 600),
        Case(after: 900, taken: [.sound, .speech, .hook], since: 600, take: [], next: 1_080, spacedFrom: 900),
        // After a sleep no rung comes earlier than its own time.
        Case(after: 75, taken: [.sound], take: [.speech], next: 135, spacedFrom: 75),
        Case(after: 135, taken: [.sound, .speech], since: 75, take: [.hook], next: 315, spacedFrom: 135),
        Case(after: 300, delays: late, taken: [.sound], take: [], next: 470, spacedFrom: 300),
        Case(after: 900, delays: [.partner: .seconds(300)], take: [], next: 1_200, spacedFrom: 900),
        Case(
            after: 900, delays: [.hook: .zero, .partner: .zero], take: [.hook, .partner], next: nil, spacedFrom: 900),
        // A rung that fails after a sleep costs no time either.
        Case(after: 601, failed: [.sound, .speech], since: 600, take: [.hook], next: 781, spacedFrom: 601),
        // Too little is left of the window for every distance, and no rung is left out.
        Case(after: 4_259, take: [.sound, .speech], next: 4_319, spacedFrom: 4_259),
        Case(after: 4_260, take: EscalationStep.allCases, next: nil, spacedFrom: 4_260),
        Case(after: 4_320, taken: [.sound, .speech, .hook], take: [.partner], next: nil, spacedFrom: 4_320),
        Case(after: 4_499, take: EscalationStep.allCases, next: nil, spacedFrom: 4_499),
        // A failed rung costs no time as long as no rung has worked.
        Case(after: 1, failed: [.sound], take: [.speech], next: 120),
        Case(after: 2, failed: [.sound, .speech], take: [.hook], next: 300),
        Case(after: 3, failed: [.sound, .speech, .hook], take: [], next: 300),
        Case(after: 61, taken: [.sound], failed: [.speech], take: [], next: 120),
        Case(after: 4, taken: [.speech], failed: [.sound], take: [], next: 120),
        // The first rung waits for its time. A rung that is off is never taken.
        Case(after: 0, delays: late, take: [], next: 30),
        Case(after: 30, delays: late, take: [.sound], next: 200),
        Case(after: 31, delays: late, failed: [.sound], take: [], next: 200),
        Case(after: 900, delays: [:], take: [], next: nil),
        // The order follows the times, and the ladder where times are equal.
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
