import DoseTapDomain
import DoseTapTestSupport
import Testing

@testable import DoseTapEngine

@Suite struct NightJudgeTests {
    typealias Entry = Timeline.Entry

    /// What is done to the record of a sound night, and what then has to be found.
    static let wrongs: [(fault: NightVerdict.Fault, change: @Sendable ([Entry]) -> [Entry])] = [
        (.missed, { entries in entries.filter { !isTold(.preAlarm, $0) } }),
        (.missed, { entries in entries.filter { !isReached(.closing5, $0) } }),
        (.missed, { entries in entries.filter { !isTold(.alarm, $0) && !isReached(.alarm, $0) } }),
        (.twice, { entries in entries.flatMap { isReached(.alarm, $0) ? [$0, $0] : [$0] } }),
        (.early, { entries in entries.map { isTold(.windowOpen, $0) ? moved($0, by: .seconds(-1)) : $0 } }),
        (.early, { entries in entries.map { isTold(.windowClosed, $0) ? moved($0, by: .milliseconds(-1)) : $0 } }),
        (.late, { entries in entries.map { isTold(.closing15, $0) ? moved($0, by: .seconds(2)) : $0 } }),
        (.afterClose, { entries in entries.map { isTold(.closing5, $0) ? moved($0, by: .minutes(5)) : $0 } }),
        (.afterResolved, { entries in entries + entries.filter { isReached(.alarm, $0) } }),
        (.early, { entries in entries.map { isPhase(.active, $0) ? moved($0, by: .milliseconds(-1)) : $0 } }),
    ]

    @Test func `what is wrong with a night is found`() async throws {
        let night = try await SimulationBench.run(
            "start 2026-01-14 22:30\nset target_minutes 225\n22:30 log dose1\n+241m skip\nuntil 06:00")
        #expect(verdict(night.timeline).isSound)
        for (index, wrong) in Self.wrongs.enumerated() {
            let found = verdict(wrong.change(night.timeline))
            #expect(found.count(wrong.fault) > 0, "\(index) \(wrong.fault): \(found.counts)")
        }
    }

    private func verdict(_ entries: [Entry]) -> NightVerdict {
        var judge = NightJudge()
        for (index, entry) in entries.enumerated() {
            judge.see(entry)
            // As in a simulation, what belongs to one moment is looked at together.
            if index + 1 == entries.count || entries[index + 1].at > entry.at {
                judge.settle(clock: entry.clock, at: entry.at, dead: [])
            }
        }
        return judge.verdict
    }

    private static func isTold(_ id: ReminderID, _ entry: Entry) -> Bool {
        guard case .recorded(let event) = entry.what, case .reminderFired(let payload) = event.payload else {
            return false
        }
        return payload.reminder == id
    }

    private static func isReached(_ id: ReminderID, _ entry: Entry) -> Bool {
        if case .reached(.audio, let item, _) = entry.what { item.id == id } else { false }
    }

    private static func isPhase(_ phase: Phase, _ entry: Entry) -> Bool {
        if case .phase(_, let new) = entry.what { new == phase } else { false }
    }

    private static func moved(_ entry: Entry, by time: Duration) -> Entry {
        let clock = ClockReading(
            wall: entry.clock.wall + time,
            bootMicroseconds: entry.clock.bootMicroseconds + time.wholeMilliseconds * 1_000, bootID: entry.clock.bootID)
        return Entry(at: entry.at + time, clock: clock, zone: entry.zone, what: entry.what)
    }
}
