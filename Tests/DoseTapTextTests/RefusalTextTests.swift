import DoseTapDomain
import DoseTapText
import Testing

/// The sentences of questions and refusals.
@Suite struct RefusalTextTests {
    private let at = Instant(seconds: 1_800_000_000)

    private func sentence(_ failure: CommandFailure, _ command: DoseTapDomain.Command) -> String {
        ErrorText.sentence(failure, to: command, moments: Moments(zone: .utc))
    }

    @Test(arguments: [DoseTapDomain.Confirmation.extra, .onceNightly])
    func `R20.14 a question about another night names its date and says nothing of tonight`(
        confirmation: DoseTapDomain.Confirmation
    ) throws {
        var question = Question(
            confirmations: [confirmation], minutesToOpen: nil, limitMilligrams: nil, sumMilligrams: nil,
            wouldRecord: "extra_dose", at: at)
        #expect(sentence(.needsConfirmation(question), .logDose(.dose2)).contains("Nothing more is due tonight."))
        question.otherNight = try SessionDate(text: "2026-11-10")
        let other = sentence(.needsConfirmation(question), .logDose(.dose2))
        #expect(other.contains("the night of Tue 2026-11-10") && !other.contains("tonight"), "\(other)")
    }

    @Test func `R20.16 a second dose 1 is told whether the window has opened or closed`() {
        var refusal = Refusal(phase: .finalizing, existing: EventID("e"), existingAt: at)
        refusal.awaitsDose2 = true
        func told() -> String { sentence(.refused(.dose1AlreadyTaken, refusal), .logDose(.dose1)) }
        #expect(told().hasSuffix("A second dose is dose 2, not before its window opens."))
        refusal.isWindowOpened = true
        #expect(told().hasSuffix("A second dose is dose 2."))
        refusal.isWindowOver = true
        #expect(told().hasSuffix("A second dose is dose 2, and its window has closed."))
    }
}
