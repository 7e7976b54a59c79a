import Testing

@testable import DoseTapDomain

@Suite struct SilenceTests {
    typealias Change = @Sendable (inout ChainFacts) -> Void

    static var well: ChainFacts { FindingTests.well }

    /// Reasons why the person sees nothing.
    static let screens: [(String, Change)] = [
        ("no program shows notifications", { $0.notifications = .known(.absent) }),
        ("the notification server does not answer", { $0.notifications = .known(.silent("x")) }),
        ("notifications are not shown", { $0.screenFailure = "x" }),
        ("do-not-disturb is on", { $0.doNotDisturb = .known(true) }),
        ("the bus does not answer", { $0.notifications = .unknown("the bus does not answer") }),
    ]
    /// Reasons why the person hears nothing.
    static let sounds: [(String, Change)] = [
        ("no program plays sounds", { $0.player = nil }), ("no sound server runs", { $0.lacksSoundServer = true }),
        ("no sound card can be used", { $0.lacksSoundCard = true }),
        ("the sound is muted", { $0.volume = .known(.init(percent: 50, isMuted: true)) }),
        ("the sound is muted", { $0.volume = .known(.init(percent: 0, isMuted: false)) }),
        ("the sound does not work", { $0.soundFailure = "x" }), ("the alarm's sound is off", { $0.rings = false }),
    ]

    @Test func `R20.11: that no channel can reach the person is said with both reasons, and only then`() throws {
        #expect(Self.well.silence == nil)
        for screen in Self.screens {
            var facts = Self.well
            screen.1(&facts)
            #expect(facts.silence == nil)
            for sound in Self.sounds {
                var silent = facts
                sound.1(&silent)
                let warning = try #require(silent.silence)
                #expect(warning.code == .noChannel && warning.isSilence)
                #expect(
                    warning.message
                        == "No reminder can reach you: \(screen.0), and \(sound.0). Set an alarm clock."
                )
                silent.callsPrograms = true
                #expect(silent.silence == nil, "a program of one's own may reach the person")
            }
        }
        for sound in Self.sounds {
            var facts = Self.well
            sound.1(&facts)
            #expect(facts.silence == nil)
        }
    }

    @Test func `R20.11: plugins that are off reach nobody`() {
        var facts = Self.well
        facts.callsPrograms = true
        for (notifications, alarm) in [(true, true), (true, false), (false, true), (false, false)] {
            (facts.shows, facts.sounds) = (notifications, alarm)
            #expect((facts.silence != nil) == (!notifications && !alarm))
        }
    }

    @Test func `what could not be asked may work`() {
        var facts = ChainFacts(isOnBus: true, version: "1", health: "ok")
        facts.doNotDisturb = .unknown("it does not tell")
        #expect(facts.silence == nil)
    }

    @Test func `warnings are read back, and the code of a newer service is a finding`() throws {
        let warnings = Warning.Code.allCases.map { Warning($0, "text") }
        let box = PayloadReader("status", ["warnings": warnings.json])
        #expect(try box.warnings() == warnings)
        let newer = PayloadReader("status", ["warnings": [["code": "volcano", "message": "text"]]])
        #expect(try newer.warnings() == [Warning(.finding, "text")])
        #expect(try PayloadReader("status", [:]).warnings() == [])
    }
}
