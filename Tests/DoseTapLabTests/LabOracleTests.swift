import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@testable import DoseTapLab

/// The figures of the lab against those of SciPy and statsmodels (`Tests/Support/lab_oracle.py`).
@Suite struct LabOracleTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let python = root.appendingPathComponent(".build/python/bin/python3").path
    static let hasPackages =
        FileManager.default.isExecutableFile(atPath: python)
        && (try? TestProgram.run([python, "-c", "import scipy, statsmodels"]).status) == 0

    /// Sends one object a line and reads one answer a line.
    private static func ask(_ lines: [JSONValue]) throws -> [JSONValue] {
        let text = lines.map { $0.serialized() + "\n" }.joined()
        let oracle = root.appendingPathComponent("Tests/Support/lab_oracle.py").path
        let outcome = try TestProgram.run([python, oracle], input: Data(text.utf8))
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").map {
            try JSONValue.parse(String($0))
        }
    }

    private static func json(_ days: [LabDay]) -> JSONValue {
        .array(
            days.map { day in
                .array([
                    .integer(Int64(day.day)), day.x.map(JSONValue.number) ?? .null,
                    day.y.map(JSONValue.number) ?? .null, .integer(Int64(day.period)),
                ])
            })
    }

    @Test(.enabled(if: hasPackages, "needs packages of Python: run Contrib/test"))
    func `R34.4 R34.5 effect and p-value are those of statsmodels and of numpy`() throws {
        var people: [[LabDay]] = []
        for seed in 0..<24 {
            var person = LabPerson(seed: UInt64(seed), length: 20 + 12 * seed)
            person.isYesNo = seed % 3 == 0
            person.effect = seed % 2 == 0 ? 0.5 : 0
            people.append(person.days())
        }
        let answers = try Self.ask(people.map { ["kind": "series", "days": Self.json($0)] })
        var compared = 0
        for (days, answer) in zip(people, answers) {
            // The oracle takes every regimen out. With few nights a regimen the lab takes none out, and says that it
            // cannot tell.
            let series = LabSeries(days)
            guard series.periods * LabSeries.nightsOfPeriod <= series.count else { continue }
            compared += 1
            let effect = try #require(series.effect)
            let test = ShiftTest(series)
            #expect(abs(effect - (answer["effect"]?.doubleValue ?? .nan)) < 1e-8)
            #expect(abs(test.p() - (answer["p"]?.doubleValue ?? .nan)) < 1e-12)
            #expect(abs(test.p(effect / 2) - (answer["at_half"]?.doubleValue ?? .nan)) < 1e-12)
        }
        #expect(answers.count == people.count && compared >= 12, "\(compared)")
    }

    @Test(.enabled(if: hasPackages, "needs packages of Python: run Contrib/test"))
    func `R34.9 the exact test of a plan is that of scipy`() throws {
        var generator = SplitMix64(11, for: .order)
        let plans = [2, 3, 6, 9, 12, 14].flatMap { count in
            (0..<3).map { turn in
                (0..<count).map { _ in
                    // Whole numbers have ties, and nights without a difference.
                    turn == 0
                        ? Double(Int.random(in: -2...3, using: &generator))
                        : Double.random(in: -2...3, using: &generator)
                }
            }
        }
        let answers = try Self.ask(
            plans.map { ["kind": "pairs", "differences": .array($0.map(JSONValue.number))] })
        for (differences, answer) in zip(plans, answers) {
            let test = PairTest(differences, seed: 1)
            #expect(abs(test.p() - (answer["p"]?.doubleValue ?? .nan)) < 1e-12, "\(differences)")
            #expect(abs((test.effect ?? .nan) - (answer["effect"]?.doubleValue ?? .nan)) < 1e-12)
        }
        #expect(answers.count == plans.count)
    }

    @Test(.enabled(if: hasPackages, "needs packages of Python: run Contrib/test"))
    func `R34.7 a seed gives the numbers of SplitMix64`() throws {
        let seeds: [UInt64] = [0, 1, 1_234_567, 9_007_199_254_740_991]
        let answers = try Self.ask(
            seeds.map { ["kind": "seed", "seed": .string(String($0)), "count": 40] })
        for (seed, answer) in zip(seeds, answers) {
            var generator = SplitMix64(seed, for: .order)
            let ours = (0..<40).map { _ in JSONValue.string(String(generator.next())) }
            #expect(answer["numbers"] == .array(ours))
        }
        #expect(answers.count == seeds.count)
    }
}
