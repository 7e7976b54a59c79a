import DoseTapDomain
import Testing

/// The periods in which regimens are told to a clinic.
struct PrescribedPeriodTests {
    private func regimen(_ from: String, _ until: String?, steps: JSONValue = []) -> JSONObject {
        ["from": .string(from), "until": until.map(JSONValue.string) ?? .null, "total": "4.5g", "steps": steps]
    }

    private func told(_ periods: [PrescribedPeriod]) -> [String] {
        periods.map { "\($0.from.text) \($0.until?.text ?? "-")" }
    }

    @Test func `R28.4 R12.1 a regimen without an end counts again after a later one has ended`() {
        let open = regimen("2026-10-20", nil)
        let short = regimen("2026-11-08", "2026-11-10")
        #expect(
            told(PrescribedPeriod.all(of: open, later: [short])) == ["2026-10-20 2026-11-07", "2026-11-11 -"])
        let none: [JSONObject] = []
        #expect(told(PrescribedPeriod.all(of: short, later: none)) == ["2026-11-08 2026-11-10"])
        // One that begins no later cuts off the beginning.
        let first = regimen("2026-10-01", "2026-10-25")
        #expect(told(PrescribedPeriod.all(of: open, later: [first])) == ["2026-10-26 -"])
        #expect(PrescribedPeriod.all(of: short, later: [open]).isEmpty)
        #expect(PrescribedPeriod.all(of: ["until": "2026-11-10"], later: none).isEmpty)
    }

    @Test func `R28.4 the steps of a period are those that count in it`() {
        let rising = regimen(
            "2026-10-01", nil,
            steps: [["from": "2026-10-08", "total": "6g"], ["from": "2026-11-20", "total": "7.5g"]])
        let short = regimen("2026-11-01", "2026-11-10")
        let steps = PrescribedPeriod.all(of: rising, later: [short]).map { period in
            period.steps(of: rising).map { "\($0.from.text) \($0.total)" }
        }
        #expect(steps == [["2026-10-01 4.5g", "2026-10-08 6g"], ["2026-11-11 6g", "2026-11-20 7.5g"]])
    }

    @Test func `R12.1 R28.4 each date is in the periods of the regimen that counts on it, and in no others`() {
        var seed: UInt64 = 77
        func chance(_ most: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % most
        }
        func date(_ day: Int) -> SessionDate { SessionDate(CivilDate(daysSinceEpoch: 20_500 + day)) }
        for _ in 0..<100 {
            // The regimen that was set last comes first.
            let spans = (0..<5).map { _ -> (from: Int, until: Int?) in
                let from = chance(30)
                return (from: from, until: chance(3) == 0 ? nil : from + chance(12))
            }
            let history = spans.map { span in
                regimen(date(span.from).text, span.until.map { date($0).text })
            }
            let counting = (0..<50).map { day in
                spans.firstIndex { span in
                    if let until = span.until, until < day { return false }
                    return span.from <= day
                }
            }
            for (place, own) in history.enumerated() {
                let periods = PrescribedPeriod.all(of: own, later: history[..<place])
                let held = (0..<50).map { day in
                    periods.count { period in
                        if let until = period.until, until < date(day) { return false }
                        return period.from <= date(day)
                    }
                }
                #expect(held == counting.map { $0 == place ? 1 : 0 }, "\(spans) \(place)")
            }
        }
    }
}
