import DoseTapDomain
import DoseTapEngine
import DoseTapTestSupport
import Testing

@testable import DoseTapSimulation

@Suite struct NightTwinTests {
    /// Clock changes that must move no reminder, made at a minute by a number of minutes.
    static let steps: [(name: String, acts: @Sendable (Int, Int) -> [(Int, NightScript.Act)])] = [
        ("set back by hand", { minute, shift in [(minute, .clock(.minutes(-abs(shift))))] }),
        (
            "set back by hand, and set right again",
            { minute, shift in
                [
                    (minute, .clock(.minutes(-abs(shift)))),
                    (minute + 40, .clock(.minutes(abs(shift)), synchronised: true)),
                ]
            }
        ),
        (
            "wrong at dose 1, and set right by the first synchronisation",
            { minute, shift in
                [(-1, .clock(.minutes(-shift))), (minute, .clock(.minutes(shift), synchronised: true))]
            }
        ),
        (
            "never synchronised, and set back by hand",
            { minute, shift in [(-1, .clock(.zero)), (minute, .clock(.minutes(-abs(shift))))] }
        ),
    ]

    /// Shifts from -6 h to +6 h in steps of 40 minutes. `Contrib/faults/run nights` runs every minute.
    static let shifts = Array(stride(from: -360, through: 360, by: 40))

    /// A night with a target. The service is killed at a minute, and dose 2 is logged after the reminder at 235
    /// minutes.
    private static func night(_ number: Int, target: Int, _ acts: [(Int, NightScript.Act)]) -> NightScript {
        let start = Instant(seconds: 1_768_429_800) + .hours(48 * number)
        let dose1 = start + .minutes(10)
        var rules = NightRules.standard
        rules.targetMinutes = target
        func ask(_ command: NightCommand) -> NightScript.Act {
            .asks(command, CommandOptions(surface: .cli), ago: nil)
        }
        var all: [(Int, NightScript.Act)] = [(0, ask(.logDose(.dose1)))]
        all += acts
        all.append((30 + number * 7 % 200, .crash(.seconds(1))))
        all += [(160, ask(.snooze)), (237, ask(.logDose(.dose2)))]
        let steps = all.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map { step in
            NightScript.Step(line: 0, at: dose1 + .minutes(step.element.0), act: step.element.1)
        }
        return NightScript(
            zone: .utc, start: start, end: dose1 + .minutes(300), rules: rules, steps: Self.spread(steps))
    }

    /// Moves steps to after the outage of a crash.
    private static func spread(_ steps: [NightScript.Step]) -> [NightScript.Step] {
        var (spread, away): ([NightScript.Step], Instant) = ([], .min)
        for step in steps {
            let at = max(step.at, away)
            spread.append(NightScript.Step(line: step.line, at: at, act: step.act))
            away = at + step.act.outage
        }
        return spread
    }

    /// Compares a night with clock changes with the same night without them.
    @Test(arguments: shifts.indices)
    func `K8, R2.16: a clock set back, or set right by the first synchronisation, moves no reminder and asks nothing`(
        number: Int
    ) async throws {
        let (shift, target) = (Self.shifts[number], [165, 180, 195, 210, 225][number % 5])
        func run(_ acts: [(Int, NightScript.Act)]) async throws -> (NightScript, NightSimulation.Outcome) {
            let night = Self.night(number, target: target, acts)
            let bench = try SimulationBench(from: night.start, in: .utc)
            let outcome = try await bench.simulation.run(night)
            await bench.stop()
            return (night, outcome)
        }
        let (_, undisturbed) = try await run([])
        for step in Self.steps {
            let (night, outcome) = try await run(step.acts(number * 37 % 236 + 1, shift))
            var verdict = outcome.verdict
            #expect(verdict.doubtful == 0)
            verdict.compare(outcome, with: undisturbed)
            #expect(verdict.isSound, "\(step.name), \(shift) min: \(verdict.complaints)\n\(night.text)")
            #expect(outcome.night?.dose2 != nil, "\(night.text)")
        }
    }

    @Test func `a reminder that is moved, left out or told besides is found, in a night that leaves no doubt`()
        async throws
    {
        let text = "start 2026-01-14 22:30\n22:30 log dose1\n+100m crash\nuntil 08:00"
        let night = try await SimulationBench.run(text)
        func compared(_ change: ([Timeline.Entry]) -> [Timeline.Entry]) -> NightVerdict {
            var verdict = NightVerdict()
            let changed = NightSimulation.Outcome(
                timeline: change(night.timeline), verdict: night.verdict, status: night.status, night: night.night)
            verdict.compare(changed, with: night)
            return verdict
        }
        #expect(compared { $0 }.isSound)
        #expect(compared { $0 }.compared == 1)
        let isAlarm = { (entry: Timeline.Entry) in
            guard case .recorded(let event) = entry.what, case .reminderFired(let payload) = event.payload else {
                return false
            }
            return payload.reminder == .alarm
        }
        let isOpening = { (entry: Timeline.Entry) in
            if case .phase(_, .active) = entry.what { true } else { false }
        }
        let later = { (entry: Timeline.Entry) in
            Timeline.Entry(at: entry.at + .seconds(2), clock: entry.clock, zone: entry.zone, what: entry.what)
        }
        #expect(compared { $0.filter { !isAlarm($0) } }.count(.moved) == 1)
        #expect(compared { $0.map { isAlarm($0) ? later($0) : $0 } }.count(.moved) == 2)
        #expect(compared { $0 + $0.filter(isAlarm).map(later) }.count(.moved) == 1)
        #expect(compared { $0.filter { !isOpening($0) } }.count(.moved) == 1)
        #expect(compared { $0.map { isOpening($0) ? later($0) : $0 } }.count(.moved) == 2)
        var doubtful = NightVerdict()
        doubtful.doubtful = 1
        doubtful.compare(night, with: night)
        #expect(doubtful.compared == 0)
    }
}
