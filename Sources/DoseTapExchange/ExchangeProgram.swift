internal import DoseTapDomain

internal import Glibc

/// The program `dosetap-exchange`: a filter from standard input to standard output.
public enum ExchangeProgram {
    private static let usage = """
        Usage: dosetap-exchange FORMAT [--profile PROFILE] [--ndjson] [--preview]
               dosetap-exchange import SOURCE [--zone ZONE] [--name NAME]
               dosetap-exchange lab

        Turns nights on standard input into another format on standard output. Each line is a
        night, or what dosetap show DATE --json or dosetap regimen history --json prints; nights
        come oldest first.

          FORMAT     fhir, ical, ios or report
          --profile  full (default), clinic, share or figures
          --ndjson   fhir: a resource a line
          --preview  print what the profile takes out of the last three nights, and nothing else
          --help     print this

        import turns a file of another program into import lines: standard input is the file.

          SOURCE     ios, apple-health, gadgetbridge, sleep-as-android, plees, fitbit or oura
          --zone     the time zone of times that name none, as Europe/Berlin
          --name     what to call the file in a fault

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
    }

    /// Runs the filter to its end.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Returns: the exit code.
    public static func main(arguments: [String]) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        switch arguments {
        case ["--help"]: return StandardStreams.say(usage)
        case ["--try-confinement"]: return trial(onlyFiles: false)
        case ["--try-confinement", "files"]: return trial(onlyFiles: true)
        default: break
        }
        guard let request = request(arguments) else {
            StandardStreams.complain("dosetap-exchange: wrong arguments\n\(usage)")
            return ExchangeFault.Kind.usage.rawValue
        }
        for sentence in Confinement.begin() { StandardStreams.complain("dosetap-exchange: \(sentence)\n") }
        do throws(ExchangeFault) {
            let run = try ExchangeRun(
                request.format, profile: request.profile, isLines: request.isLines, identity: .random())
            let input = LineReader { room in
                while true {
                    let count = read(STDIN_FILENO, room.baseAddress, room.count)
                    guard count < 0 else { return count }
                    if errno != EINTR { return -Int(errno) }
                }
            }
            if request.isPreview { return StandardStreams.say(try run.preview(input).map { $0 + "\n" }.joined()) }
            var output = Output { Output.write($0, to: STDOUT_FILENO) }
            try run.write(input, to: &output)
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
            case "--profile":
                guard let profile = rest.popFirst().flatMap(ExportProfile.init(rawValue:)) else { return nil }
                request.profile = profile
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
