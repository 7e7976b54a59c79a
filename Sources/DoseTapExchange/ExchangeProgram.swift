internal import DoseTapDomain
internal import DoseTapReport
internal import DoseTapText

internal import Glibc

/// The program `dosetap-exchange`: a filter from standard input to standard output.
public enum ExchangeProgram {
    private static let usage = """
        Usage: dosetap-exchange FORMAT [--profile PROFILE] [--ndjson] [--preview]
               dosetap-exchange sums|zip
               dosetap-exchange import SOURCE [--zone ZONE] [--name NAME] [--wal]
               dosetap-exchange lab

        Turns nights on standard input into another format on standard output. Each line is a
        night, or what dosetap show DATE --json or dosetap regimen history --json prints; nights
        come oldest first.

          FORMAT     fhir, ical, ios, report, summary, nights-csv or doses-csv
          --profile  full (default), clinic, share or figures
          --ndjson   fhir: a resource a line
          --packet   for a packet to a clinician: notes, medicines, lab, with commas, or an empty word,
                     what is told besides the profile
          --salt     make other identifiers of a text instead of by chance
          --made     of a summary: the date on which it was made; --first and --last the dates
                     that were asked for, --signer and --lost fingerprints; --incomplete: a part
                     of the record could not be read
          --preview  print what the profile takes out of the last three nights, and nothing else
          --help     print this

        sums prints the SHA-256 sums of files, zip puts them into a ZIP archive. On standard
        input each file is a line with its name and its length in bytes, and its bytes.

        import turns a file of another program into import lines: standard input is the file.

          SOURCE     ios, apple-health, gadgetbridge, sleep-as-android, plees, fitbit or oura
          --zone     the time zone of times that name none, as Europe/Berlin
          --name     what to call the file in a fault
          --wal      descriptor 3 is the write-ahead log of the file, which is an SQLite database

        lab answers questions: the first line is the request, the nights follow.

        It reads no file, opens no connection and starts nothing: before it reads a byte it gives
        all that up. Where the kernel lacks a part of that, it says so and goes on.

        Exit codes: 0 done, 64 wrong usage, 65 the stream is cut or wrong, 74 it cannot be written.

        """

    private struct Request {
        var format: Format
        var profile = ExportProfile.full
        var isLines = false
        var isPreview = false
        var parts: Set<PacketPart>?
        var salt: String?
        var facts = SummaryFacts(made: "", fingerprint: "")
    }

    /// Runs the filter to its end.
    ///
    /// - Parameter arguments: the arguments without the program's name.
    /// - Returns: the exit code.
    public static func main(arguments: [String]) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        switch arguments {
        case ["--help"]: return StandardStreams.say(usage)
        case ["--try-confinement"]: return trial(onlyFiles: false)
        case ["--try-confinement", "files"]: return trial(onlyFiles: true)
        default: break
        }
        if let kind = arguments.first.flatMap(FileStream.init), arguments.count == 1 { return run(kind) }
        guard let request = request(arguments) else {
            StandardStreams.complain("dosetap-exchange: wrong arguments\n\(usage)")
            return ExchangeFault.Kind.usage.rawValue
        }
        // Output for people is in their language; a format for programs has its own words.
        if request.isPreview || [.report, .summary].contains(request.format) {
            Speech.speakAsHandedDown { getenv($0).map { String(cString: $0) } }
        }
        for sentence in Confinement.begin() { StandardStreams.complain("dosetap-exchange: \(sentence)\n") }
        do throws(ExchangeFault) {
            let identity: Identity =
                if let salt = request.salt { Identity(salt: Array(salt.utf8)) } else { try .random() }
            let run = try ExchangeRun(
                request.format, profile: request.profile, isLines: request.isLines, parts: request.parts,
                facts: request.facts, identity: identity)
            let input = LineReader(LineReader.standardInput)
            if request.isPreview { return StandardStreams.say(try run.preview(input).map { $0 + "\n" }.joined()) }
            var output = Output { Output.write($0, to: STDOUT_FILENO) }
            try run.write(input, to: &output)
            return 0
        } catch {
            StandardStreams.complain("\(error)\n")
            return error.kind.rawValue
        }
    }

    private static func run(_ stream: FileStream) -> Int32 {
        for sentence in Confinement.begin() { StandardStreams.complain("dosetap-exchange: \(sentence)\n") }
        do throws(ExchangeFault) {
            var output = Output { Output.write($0, to: STDOUT_FILENO) }
            try stream.write(try FileStream.files(LineReader.standardInput), to: &output)
            try output.flush()
            return 0
        } catch {
            StandardStreams.complain("\(error)\n")
            return error.kind.rawValue
        }
    }

    private static func request(_ arguments: [String]) -> Request? {
        guard let format = arguments.first.flatMap(Format.init(rawValue:)) else { return nil }
        var request = Request(format: format)
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            switch word {
            case "--ndjson": request.isLines = true
            case "--preview": request.isPreview = true
            case "--incomplete": request.facts.isIncomplete = true
            case "--profile":
                guard let profile = rest.popFirst().flatMap(ExportProfile.init(rawValue:)) else { return nil }
                request.profile = profile
            case "--packet":
                guard let words = rest.popFirst()?.split(separator: ",") else { return nil }
                let parts = words.compactMap { PacketPart(rawValue: String($0)) }
                guard parts.count == words.count else { return nil }
                request.parts = Set(parts)
                request.facts.hasMedicines = request.parts?.contains(.medicines) ?? false
            case "--made", "--signer", "--lost":
                guard let text = rest.popFirst() else { return nil }
                switch word {
                case "--made": request.facts.made = text
                case "--signer": request.facts.fingerprint = text
                default: request.facts.replaces = text
                }
            case "--first", "--last":
                guard let date = rest.popFirst().flatMap({ try? SessionDate(text: $0) }) else { return nil }
                if word == "--first" { request.facts.first = date } else { request.facts.last = date }
            case "--salt":
                guard let salt = rest.popFirst(), !salt.isEmpty else { return nil }
                request.salt = salt
            default: return nil
            }
        }
        return request
    }

    private static func trial(onlyFiles: Bool) -> Int32 {
        let (lines, isHeld) = Confinement.trial(onlyFiles: onlyFiles)
        return max(StandardStreams.say(lines.map { $0 + "\n" }.joined()), isHeld ? 0 : 1)
    }
}
