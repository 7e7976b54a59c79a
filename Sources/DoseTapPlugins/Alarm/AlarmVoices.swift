internal import DoseTapDomain
internal import DoseTapText
internal import Glibc

/// The installed programs that make the alarm heard.
struct AlarmVoices: Sendable {
    private let runner: ProgramRunner

    init(_ runner: ProgramRunner) { self.runner = runner }

    /// Players for the tone, best first: PipeWire, PulseAudio, ALSA. Each opens its standard input, a file in memory, by
    /// name.
    private static let players: [(name: String, arguments: [String])] = [
        ("pw-play", ["--media-role", "Alarm"]), ("paplay", ["--property=media.role=alarm"]), ("aplay", ["-q"]),
    ]
    /// Programs that speak, each with the option that chooses the voice of a language.
    private static let speakers: [(name: String, voice: String, arguments: [String])] = [
        ("spd-say", "-l", ["-w", "-P", "important", "--"]), ("espeak-ng", "-v", ["--"]),
    ]

    /// Returns the players at hand, in the order to try them: the chosen one, then the known ones, which ring if the chosen
    /// one is gone or fails. A player chosen by its path may be where this service cannot look: it is run elsewhere. A
    /// player that others could change is not run.
    ///
    /// - Parameter chosen: a name or a path; empty: the known players only.
    func players(chosen: String) -> [(name: String, path: String, arguments: [String])] {
        let known = Dictionary(uniqueKeysWithValues: Self.players.map { ($0.name, $0.arguments) })
        let others = Self.players.map(\.name).filter { $0 != chosen }
        let isLeftOut = chosen.isEmpty || fault(ofPlayer: chosen) != nil
        return ((isLeftOut ? [] : [chosen]) + others).compactMap { name in
            let word = String(name.split(separator: "/").last ?? "")
            let path = runner.find(name) ?? (name.hasPrefix("/") ? name : nil)
            return path.map { (word, $0, known[word] ?? []) }
        }
    }

    /// Returns the reason why the chosen player is not run; nil if it may be. The player is judged as hooks are.
    func fault(ofPlayer chosen: String) -> String? {
        guard !chosen.isEmpty, let path = runner.find(chosen) else { return nil }
        return TrustedFile.fault(ofProgram: path)
    }

    /// Returns the programs that play a ring, in the order to try them.
    ///
    /// - Parameters:
    ///   - chosen: a name or a path; empty: the known players only.
    ///   - ring: 0 is the first and quietest.
    func ring(_ ring: Int, chosen: String) -> [Program] {
        players(chosen: chosen).map { _, path, arguments in
            Program(
                purpose: "sound", path: path, arguments: arguments + ["/dev/stdin"],
                input: .ring(volume: AlarmTone.volume(ring: ring)), limit: AlarmTone.length + .seconds(4))
        }
    }

    /// Returns true if a program could be heard. espeak-ng also exits with 0 if nothing takes its sound, but says so.
    static func isHeard(_ result: ProgramResult, of program: Program) -> Bool {
        result.isSuccess && !(program.path.hasSuffix("/espeak-ng") && result.output.contains("error: "))
    }

    /// Returns the programs that say a sentence, in the order to try them.
    ///
    /// - Parameter isOwn: true for the person's own words, in the voice that the person has chosen.
    func speech(_ text: String, isOwn: Bool) -> [Program] {
        // English gets the voice that the person has chosen in these programs, or their own default.
        let language = isOwn ? Language.english.rawValue : DisplayLanguage.addressingPerson { Speech.code }
        return Self.speakers.compactMap { name, voice, arguments in
            let voice = language == Language.english.rawValue ? [] : [voice, language]
            return runner.find(name).map {
                Program(purpose: "speech", path: $0, arguments: voice + arguments + [text], limit: .seconds(15))
            }
        }
    }
}

/// The alarm's tone: two notes in turn and a pause, made here so that no file can be missing.
enum AlarmTone {
    /// Samples a second.
    static let rate = 44_100
    /// The length of one ring.
    static let length: Duration = .seconds(6)
    /// The volumes of the first, second, … ring, of 1; all later rings are as loud as the last.
    static let volumes: [Double] = [0.15, 0.25, 0.4, 0.6, 0.8, 1]

    /// Half a second at full volume: a note, a higher one, a pause.
    private static let beat: [Double] = {
        let (note, pause) = (rate / 5, rate / 10)
        return [880.0, 1_174.66].flatMap { frequency in
            (0..<note).map { index in
                // Fading in and out within 5 ms: a hard edge would crackle.
                let fade = min(1, Double(min(index, note - index)) / Double(rate / 200))
                return sin(2 * .pi * frequency * Double(index) / Double(rate)) * fade
            }
        } + [Double](repeating: 0, count: pause)
    }()

    /// Returns the volume of a ring.
    ///
    /// - Parameter ring: 0 is the first.
    static func volume(ring: Int) -> Double { volumes[min(max(0, ring), volumes.count - 1)] }

    /// A ring as a WAV file: 16 bits, mono.
    static func wav(volume: Double) -> [UInt8] {
        let beats = Int(length / .milliseconds(500))
        var samples: [UInt8] = []
        samples.reserveCapacity(beat.count * 2)
        for sample in beat {
            let value = Int16(max(-1, min(1, sample * volume)) * Double(Int16.max))
            samples.append(UInt8(truncatingIfNeeded: value))
            samples.append(UInt8(truncatingIfNeeded: value >> 8))
        }
        let size = UInt32(samples.count * beats)
        var bytes = Array("RIFF".utf8) + little(size + 36) + Array("WAVEfmt ".utf8)
        // PCM, one channel, samples and bytes a second, bytes a sample, bits a sample.
        bytes += little(16) + [1, 0, 1, 0] + little(UInt32(rate)) + little(UInt32(rate * 2)) + [2, 0, 16, 0]
        bytes += Array("data".utf8) + little(size)
        for _ in 0..<beats { bytes += samples }
        return bytes
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
