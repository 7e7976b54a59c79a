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

    /// The players that are there, in the order to try them. One chosen by its path may be where this service cannot look:
    /// it is run elsewhere. One that others could change is not run: the installed ones ring in its place.
    ///
    /// - Parameter chosen: a name or a path; empty: whatever there is.
    func players(chosen: String) -> [(name: String, path: String, arguments: [String])] {
        let known = Dictionary(uniqueKeysWithValues: Self.players.map { ($0.name, $0.arguments) })
        let names = chosen.isEmpty || fault(ofPlayer: chosen) != nil ? Self.players.map(\.name) : [chosen]
        return names.compactMap { name in
            let word = String(name.split(separator: "/").last ?? "")
            let path = runner.find(name) ?? (name.hasPrefix("/") ? name : nil)
            return path.map { (word, $0, known[word] ?? []) }
        }
    }

    /// Why the player that was chosen is not run; nil where it may be. It is judged as hooks are.
    func fault(ofPlayer chosen: String) -> String? {
        guard !chosen.isEmpty, let path = runner.find(chosen) else { return nil }
        return TrustedFile.fault(ofProgram: path)
    }

    /// Programs that play a ring, in the order to try them.
    ///
    /// - Parameters:
    ///   - chosen: a name or a path; empty: whatever there is.
    ///   - ring: 0 is the first and quietest.
    func ring(_ ring: Int, chosen: String) -> [Program] {
        players(chosen: chosen).map { _, path, arguments in
            Program(
                purpose: "sound", path: path, arguments: arguments + ["/dev/stdin"],
                input: .ring(volume: AlarmTone.volume(ring: ring)), limit: AlarmTone.length + .seconds(4))
        }
    }

    /// Whether a program could be heard; espeak-ng ends with 0 where nothing takes its sound, too, and says so.
    static func isHeard(_ result: ProgramResult, of program: Program) -> Bool {
        result.isSuccess && !(program.path.hasSuffix("/espeak-ng") && result.output.contains("error: "))
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
