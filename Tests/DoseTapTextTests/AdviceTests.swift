import DoseTapDomain
import DoseTapTestSupport
import DoseTapText
import Testing

/// Texts about the record tell facts, and never what to do about a dose.
@Suite struct AdviceTests {
    private static let page = Page(
        isTerminal: false, columns: 80, textColumns: nil, usesUnicode: false, paint: { text, _ in text },
        addressed: { $0 }, address: { "" })

    @Test(arguments: [
        "You should take dose 2 later.", "Take it at 02:00.", "Consider more sleep.", "A good night.",
        "We recommend 165 min.", "It is safe to sleep.", "<p>Reduce the <b>interval</b></p>",
    ])
    func `the reader of texts hears advice`(sentence: String) throws {
        #expect(try !Advice.found(in: sentence).isEmpty)
    }

    @Test func `the reader of texts leaves a plain figure alone`() throws {
        #expect(try Advice.found(in: "<style>.good{}</style><p>Dose 2 at 02:00, 170 min after dose 1.</p>") == [])
    }

    @Test(arguments: LabAnswer.Kind.allCases)
    func `R34.6 no answer of the lab advises or judges`(kind: LabAnswer.Kind) throws {
        let subjects = kind == .planned ? LabRoutine.allCases.map(\.rawValue) : LabExposure.allCases.map(\.rawValue)
        var texts = [LabText.noDoses] + LabText.routines + LabText.asked(nights: 60) + LabText.list([], Self.page)
        for about in subjects {
            for outcome in LabOutcome.allCases {
                for verdict in [nil, .goesWith, .noDifference, .cannotTell] as [LabVerdict?] {
                    var answer = LabAnswer()
                    (answer.kind, answer.about, answer.outcome, answer.verdict) = (kind, about, outcome, verdict)
                    answer.isComplete = verdict != nil
                    answer.reasons = verdict == .cannotTell ? LabReason.allCases : []
                    (answer.effect, answer.low, answer.high, answer.p, answer.adjusted) = (0.6, 0.1, 1.1, 0.01, 0.03)
                    (answer.known, answer.wanted, answer.family, answer.with, answer.without) = (61, 60, 3, 20, 41)
                    (answer.kept, answer.keptOtherwise, answer.untold, answer.tonight) = (20, 4, 4, .a)
                    answer.tonightDate = try SessionDate(text: "2026-11-20")
                    answer.leftOutFrom = try SessionDate(text: "2026-11-01")
                    texts += LabText.answer(answer)
                }
            }
        }
        #expect(Set(texts).count > 40)
        #expect(try Advice.found(in: texts.joined(separator: "\n")) == [])
    }

    @Test func `R30.9 the usual interval is told without advice, and says so`() throws {
        for (intervals, elapsed, stage) in [
            ([], nil, nil), ([180, 170], nil, nil), ([181, 182], nil, nil),
            ([180, 170, 200], 172, .light), ([180], 172, .deep),
        ] as [([Int], Int?, IntervalRecommendation.Stage?)] {
            let usual = UsualInterval(
                intervals, nights: 30, elapsedMinutes: elapsed,
                live: .init(stage: stage, freshness: .green, ageMinutes: 1))
            let text = SleepText.usual(usual).joined(separator: "\n")
            #expect(intervals.isEmpty || text.contains("no advice"))
            #expect(
                intervals != [181, 182]
                    || text.hasPrefix(
                        "Usual interval: 181 min, the whole minutes of the median of 2 of 30 nights, 181.5 min.\n")
            )
            #expect(try Advice.found(in: text) == [], "\(text)")
        }
    }

    @Test func `R36.1 what is said beside a live page has no advice`() throws {
        let texts = WebText.address("http://127.0.0.1:1/", idleMinutes: 30) + [WebText.idle(30), WebText.notMade]
        #expect(try Advice.found(in: texts.joined(separator: "\n")) == [])
    }
}
