import DoseTapDomain
import Testing

struct DoseWindowTests {
    static let dose1 = utc("2026-01-14T22:00:00Z")

    /// The state of a night at this time after dose 1.
    static func state(
        after elapsed: Duration, _ change: (inout DoseWindow.Input) -> Void = { _ in }
    ) -> WindowState {
        var input = DoseWindow.Input(now: dose1 + elapsed)
        input.dose1 = dose1
        change(&input)
        return DoseWindow.state(input)
    }

    struct Edge: Sendable {
        var elapsed: Duration
        var phase: Phase
        var primary: PrimaryAction
        var snooze: SnoozeOffer
        var remaining: Duration
        var errors: [WindowError] = []
    }

    static let edges = [
        Edge(
            elapsed: .milliseconds(-50), phase: .beforeWindow,
            primary: .waitingUntilEarliest(.minutes(150, milliseconds: 50)), snooze: .off(.tooEarly),
            remaining: .minutes(240, milliseconds: 50)),
        Edge(
            elapsed: .zero, phase: .beforeWindow, primary: .waitingUntilEarliest(.minutes(150)),
            snooze: .off(.tooEarly), remaining: .minutes(240)),
        Edge(
            elapsed: .minutes(150, milliseconds: -1), phase: .beforeWindow,
            primary: .waitingUntilEarliest(.milliseconds(1)), snooze: .off(.tooEarly),
            remaining: .minutes(90, milliseconds: 1)),
        Edge(
            elapsed: .minutes(150), phase: .active, primary: .takeNow, snooze: .on, remaining: .minutes(90)),
        Edge(
            elapsed: .minutes(150, milliseconds: 1), phase: .active, primary: .takeNow, snooze: .on,
            remaining: .minutes(90, milliseconds: -1)),
        Edge(
            elapsed: .minutes(225, milliseconds: -1), phase: .active, primary: .takeNow, snooze: .on,
            remaining: .minutes(15, milliseconds: 1)),
        Edge(
            elapsed: .minutes(225), phase: .nearClose, primary: .takeBeforeWindowEnds(.minutes(15)),
            snooze: .off(.nearClose), remaining: .minutes(15)),
        Edge(
            elapsed: .minutes(225, milliseconds: 1), phase: .nearClose,
            primary: .takeBeforeWindowEnds(.minutes(15, milliseconds: -1)), snooze: .off(.nearClose),
            remaining: .minutes(15, milliseconds: -1)),
        Edge(
            elapsed: .minutes(240, milliseconds: -1), phase: .nearClose,
            primary: .takeBeforeWindowEnds(.milliseconds(1)), snooze: .off(.nearClose), remaining: .milliseconds(1)),
        Edge(
            elapsed: .minutes(240), phase: .closed, primary: .takeWithOverride, snooze: .off(.windowClosed),
            remaining: .zero, errors: [.windowExceeded]),
        Edge(
            elapsed: .minutes(240, milliseconds: 1), phase: .closed, primary: .takeWithOverride,
            snooze: .off(.windowClosed), remaining: .zero, errors: [.windowExceeded]),
    ]

    @Test(arguments: edges)
    func `R3.1 each boundary of the window belongs to the phase it begins`(edge: Edge) {
        let state = Self.state(after: edge.elapsed)
        #expect(state.phase == edge.phase)
        #expect(state.primary == edge.primary)
        #expect(state.snooze == edge.snooze)
        #expect(state.skipEnabled)
        #expect(state.elapsed == edge.elapsed)
        #expect(state.remaining == edge.remaining)
        #expect(state.errors == edge.errors)
    }

    @Test(arguments: [Duration.zero, .minutes(150), .minutes(230), .minutes(250)])
    func `R3.2 the final wake without a check-in is finalizing and offers nothing`(elapsed: Duration) {
        let state = Self.state(after: elapsed) { $0.finalWake = true }
        #expect(state == over(.finalizing, .sessionEnding, elapsed))
        let taken = Self.state(after: elapsed) { input in
            input.finalWake = true
            input.dose2 = Self.dose1
            input.skipped = true
        }
        #expect(taken.phase == .finalizing)
    }

    @Test(arguments: [Duration.zero, .minutes(150), .minutes(230), .minutes(250)])
    func `R3.3 a check-in completes whatever else is recorded`(elapsed: Duration) {
        for wake in [false, true] {
            let state = Self.state(after: elapsed) { input in
                input.finalWake = wake
                input.checkedIn = true
            }
            #expect(state == over(.completed, .completed, elapsed))
        }
    }

    @Test(arguments: [Duration.minutes(120), .minutes(150), .minutes(230), .minutes(250)])
    func `R3.4 dose 2 or a skip completes at any time`(elapsed: Duration) {
        #expect(Self.state(after: elapsed) { $0.dose2 = Self.dose1 } == over(.completed, .completed, elapsed))
        #expect(Self.state(after: elapsed) { $0.skipped = true } == over(.completed, .completed, elapsed))
    }

    @Test func `R3.5 without dose 1 everything waits for it`() {
        var input = DoseWindow.Input(now: Self.dose1)
        let state = DoseWindow.state(input)
        #expect(state.phase == .noDose1)
        #expect(state.primary == .disabled)
        #expect(state.snooze == .off(.dose1Required))
        #expect(!state.skipEnabled)
        #expect(state.elapsed == nil && state.remaining == nil)
        #expect(state.errors == [.dose1Required])
        input.finalWake = true
        #expect(DoseWindow.state(input).phase == .finalizing)
        #expect(DoseWindow.state(input).elapsed == nil)
    }

    @Test(arguments: [
        (0, 0, SnoozeOffer.off(.snoozeOff)), (0, 3, .off(.snoozeOff)), (1, 0, .on), (1, 1, .off(.snoozeLimit)),
        (3, 2, .on), (3, 3, .off(.snoozeLimit)), (3, 4, .off(.snoozeLimit)), (10, 9, .on), (10, 10, .off(.snoozeLimit)),
    ])
    func `R3.6 snoozes are counted against the limit and 0 switches them off`(
        maximum: Int, snoozes: Int, offer: SnoozeOffer
    ) {
        let state = Self.state(after: .minutes(160)) { input in
            input.maximumSnoozes = maximum
            input.snoozes = snoozes
        }
        #expect(state.phase == .active)
        #expect(state.snooze == offer)
        #expect(Self.state(after: .minutes(226)) { $0.maximumSnoozes = maximum }.snooze == .off(.nearClose))
    }

    @Test(arguments: [Duration.zero, .minutes(150), .minutes(239), .minutes(300)])
    func `R3.7 a once-nightly regimen is complete after dose 1`(elapsed: Duration) {
        let state = Self.state(after: elapsed) { $0.onceNightly = true }
        #expect(state == over(.completed, .completed, elapsed))
        var none = DoseWindow.Input(now: Self.dose1)
        none.onceNightly = true
        #expect(DoseWindow.state(none).phase == .noDose1)
    }

    @Test(arguments: [
        (Duration.minutes(150, milliseconds: -1), false, false), (.minutes(150), true, true),
        (.minutes(165), true, true), (.minutes(165, milliseconds: 1), true, false),
        (.minutes(240, milliseconds: -1), true, false), (.minutes(240), false, false), (.minutes(-10), false, false),
    ])
    func `R3.8 on time and optimal have one definition`(interval: Duration, onTime: Bool, optimal: Bool) {
        #expect(DoseWindow.isOnTime(interval) == onTime)
        #expect(DoseWindow.isOptimal(interval) == optimal)
    }

    private func over(_ phase: Phase, _ reason: SnoozeOffer.Reason, _ elapsed: Duration) -> ExpectedOver {
        ExpectedOver(phase: phase, reason: reason, elapsed: elapsed)
    }

    /// A state in which nothing is offered.
    struct ExpectedOver {
        var phase: Phase
        var reason: SnoozeOffer.Reason
        var elapsed: Duration

        static func == (state: WindowState, expected: ExpectedOver) -> Bool {
            state.phase == expected.phase && state.primary == .disabled && state.snooze == .off(expected.reason)
                && !state.skipEnabled && state.elapsed == expected.elapsed && state.remaining == nil
                && state.errors.isEmpty
        }
    }
}
