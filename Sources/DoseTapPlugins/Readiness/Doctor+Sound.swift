internal import DoseTapDomain
internal import SDBus

/// How loud the sound is, asked with the sound server's own programs.
extension Doctor {
    /// The name of the program that would play the tone; nil where there is none.
    func askPlayer() async -> String? {
        guard let player = AlarmVoices(runner).players(chosen: alarmPreferences.player).first else {
            return nil
        }
        guard runner.find(player.path) == nil else { return player.name }
        let runner = runner
        let isThere = await ask {
            await runner.run(
                Program(
                    purpose: "probe", path: "/usr/bin/test", arguments: ["-x", player.path], limit: .seconds(1),
                    isQuiet: true)
            ).isSuccess
        }
        return isThere == .known(true) ? player.name : nil
    }

    /// How loud the sound is, and whether a program that asks reached no server.
    func askVolume() async -> (volume: ChainFacts.Answer<ChainFacts.Volume>, lacksServer: Bool) {
        let runner = runner
        let answer = await ask { () -> VolumeAnswer in
            var answer = VolumeAnswer()
            for question in SoundQuestion.all {
                guard let answers = await question.answers(runner) else { continue }
                if let volume = question.read(answers) { return VolumeAnswer(volume: volume) }
                answer.unreached = question.program
            }
            return answer
        }
        switch answer {
        case .unknown(let why): return (.unknown(why), false)
        case .known(let answer):
            if let volume = answer.volume { return (.known(volume), false) }
            guard let program = answer.unreached else { return (.unknown("neither wpctl nor pactl is there"), false) }
            return (.unknown("\(program) reaches no sound server"), true)
        }
    }

    private struct VolumeAnswer: Hashable, Sendable {
        var volume: ChainFacts.Volume?
        /// The program that reached no server.
        var unreached: String?
    }

    /// Whether a player needs a sound server.
    static func needsServer(_ player: String) -> Bool { ["pw-play", "paplay"].contains(player) }
}

/// Ways to ask for the volume.
enum SoundQuestion {
    static let all = [
        ProgramQuestion(program: "wpctl", lines: [["get-volume", "@DEFAULT_AUDIO_SINK@"]], read: pipewire),
        ProgramQuestion(
            program: "pactl",
            lines: [["get-sink-volume", "@DEFAULT_SINK@"], ["get-sink-mute", "@DEFAULT_SINK@"]], read: pulse),
    ]

    /// `Volume: 0.40 [MUTED]`.
    static func pipewire(_ text: String) -> ChainFacts.Volume? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count >= 2, words[0] == "Volume:", let share = Double(words[1]), (0...100).contains(share) else {
            return nil
        }
        return ChainFacts.Volume(
            percent: Int((share * 100).rounded()), isMuted: words.dropFirst(2).contains("[MUTED]"))
    }

    /// `Volume: front-left: 26214 /  40% / …` for each side, of which the loudest counts, and `Mute: yes`.
    static func pulse(_ text: String) -> ChainFacts.Volume? {
        let words = text.split(whereSeparator: \.isWhitespace)
        let shares = words.filter { $0.hasSuffix("%") }.compactMap { Int($0.dropLast()) }.filter {
            (0...10_000).contains($0)
        }
        guard let percent = shares.max() else { return nil }
        let mute = words.firstIndex(of: "Mute:").map { words[($0 + 1)...].first == "yes" }
        return ChainFacts.Volume(percent: percent, isMuted: mute ?? false)
    }
}
