import DoseTapDomain
import Testing

@testable import DoseTapPlugins

@Suite struct SoundQuestionTests {
    static let pipewire: [(String, ChainFacts.Volume?)] = [
        ("Volume: 0.40\n", .init(percent: 40, isMuted: false)),
        ("Volume: 1.00 [MUTED]\n", .init(percent: 100, isMuted: true)),
        ("", nil), ("Volume:", nil), ("Volume: nan", nil), ("Volume: -1", nil), ("Volume: 1e300", nil),
        ("Translate ID error: '@DEFAULT_AUDIO_SINK@' is not a valid ID", nil),
    ]

    @Test(arguments: pipewire)
    func `what wpctl says`(text: String, volume: ChainFacts.Volume?) {
        #expect(SoundQuestion.pipewire(text) == volume)
    }

    static let pulse: [(String, ChainFacts.Volume?)] = [
        (
            "Volume: front-left: 26214 /  40% / -23.88 dB,   front-right: 19660 /  30% / -31.38 dB\n"
                + "        balance -0.25\nMute: no\n", .init(percent: 40, isMuted: false)
        ),
        ("Volume: mono: 65536 / 100% / 0.00 dB\nMute: yes\n", .init(percent: 100, isMuted: true)),
        ("Volume: mono: 0 / 0% / -inf dB", .init(percent: 0, isMuted: false)), ("", nil), ("Mute: yes", nil),
        ("Volume: 99999999999999999999%", nil), ("Volume: 10001%", nil),
    ]

    @Test(arguments: pulse)
    func `what pactl says`(text: String, volume: ChainFacts.Volume?) {
        #expect(SoundQuestion.pulse(text) == volume)
    }

    static let programs: [(program: String, words: [String], answers: String?)] = [
        ("echo", ["a", "b"], "a b "), ("false", [], ""), ("yes", ["x"], ""), ("no-such-program", [], nil),
        ("printenv", ["LC_ALL"], "C "),
    ]

    @Test(arguments: programs)
    func `a program that does not end is killed in time, one that fails says nothing`(
        row: (program: String, words: [String], answers: String?)
    ) async throws {
        let bench = try await ProgramBench()
        let question = ProgramProbe(
            program: row.program, lines: [row.words], read: SoundQuestion.pulse, limit: .milliseconds(200))
        #expect(await question.answers(bench.runner) == row.answers)
        bench.stop()
    }
}
