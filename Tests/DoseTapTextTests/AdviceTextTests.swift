import DoseTapDomain
import DoseTapText
import Testing

/// The command that a person types after a code of the service.
@Suite struct AdviceTextTests {
    @Test(arguments: NextStep.Code.allCases)
    func `every next step has a command of its own`(code: NextStep.Code) {
        var step = NextStep.Record(.show(SessionDate(CivilDate(daysSinceEpoch: 0))))
        step.code = code
        let command = AdviceText.command(step)
        #expect(command.hasPrefix("dosetap ") && (code != .show || command == "dosetap show 1970-01-01"))
        let others = NextStep.Code.allCases.filter { other in
            step.code = other
            return AdviceText.command(step) == command
        }
        #expect(others == [code])
    }

    @Test(arguments: Remedy.allCases)
    func `every remedy has words`(remedy: Remedy) {
        let finding = Finding(id: "plugins", level: .red, sentence: "", remedy: remedy, plugin: "alarm")
        let words = AdviceText.instruction(finding)
        #expect(!words.isEmpty && AdviceText.complete(finding).json["remedy"] == .string(words))
        #expect(words.contains("alarm") == (remedy == .enablePlugin || remedy == .inspectPlugin))
    }

    @Test func `a warning that a verb explains names it, and others stand as they are`() {
        for code in Warning.Code.allCases {
            let verb =
                switch code {
                case .noChannel: " Why: dosetap doctor"
                case .settings: " See: dosetap config check"
                default: ""
                }
            #expect(AdviceText.sentence(Warning(code, "It is so.")) == "It is so." + verb)
        }
        #expect(
            AdviceText.sentence(Warning(.finding, "kept without amount: x; correct them"))
                == "kept without amount: x; correct them with dosetap amend")
    }
}
