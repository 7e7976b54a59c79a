internal import DoseTapDomain

/// The programs that make the alarm heard, where they are installed.
struct AlarmVoices: Sendable {
    private let runner: ProgramRunner

    init(_ runner: ProgramRunner) { self.runner = runner }

    /// Players for the tone, best first: PipeWire, PulseAudio, ALSA. Each opens its standard input by its name, which is a
    /// file in memory.
    private static let players: [(name: String, arguments: [String])] = [
        ("pw-play", ["--media-role", "Alarm"]), ("paplay", ["--property=media.role=alarm"]), ("aplay", ["-q"]),
    ]
    private static let speakers: [(name: String, arguments: [String])] = [
        ("spd-say", ["-w", "-P", "important", "--"]), ("espeak-ng", ["--"]),
    ]

    /// Programs that play a ring, in the order to try them.
    ///
    /// - Parameters:
    ///   - chosen: a name or a path; empty: whatever there is.
    ///   - ring: 0 is the first and quietest.
    func ring(_ ring: Int, chosen: String) -> [Program] {
        let known = Dictionary(uniqueKeysWithValues: Self.players.map { ($0.name, $0.arguments) })
        let names = chosen.isEmpty ? Self.players.map(\.name) : [chosen]
        let found = names.compactMap { name in runner.find(name).map { (name, $0) } }
        guard !found.isEmpty else { return [] }
        let tone = AlarmTone.wav(volume: AlarmTone.volume(ring: ring))
        return found.map { name, path in
            let word = String(name.split(separator: "/").last ?? "")
            return Program(
                purpose: "sound", path: path, arguments: (known[word] ?? []) + ["/dev/stdin"], input: tone,
                limit: AlarmTone.length + .seconds(4))
        }
    }

    /// Programs that say a sentence, in the order to try them.
    func speech(_ text: String) -> [Program] {
        Self.speakers.compactMap { name, arguments in
            runner.find(name).map {
                Program(purpose: "speech", path: $0, arguments: arguments + [text], limit: .seconds(15))
            }
        }
    }
}
