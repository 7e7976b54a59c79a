internal import ArgumentParser
internal import DoseTapDomain
internal import Glibc

/// The `dosetap` command: reads the command line, runs one verb, says what became of it.
@main
enum Program {
    static func main() {
        // A reader that went away is noticed by the failing write.
        signal(SIGPIPE, SIG_IGN)
        let line = CommandLineWords(Array(CommandLine.arguments.dropFirst()))
        exit(run(line))
    }

    private static func run(_ line: CommandLineWords) -> Int32 {
        var command: any ParsableCommand
        do {
            try line.checkVerb()
            command = try DoseTap.parseAsRoot(line.words)
        } catch let failure as Failure {
            return tell(failure, line)
        } catch {
            return tell(parsing: error, line)
        }
        do {
            try command.run()
            return 0
        } catch let failure as Failure {
            return tell(failure, line)
        } catch let code as ExitCode {
            return code.rawValue
        } catch {
            return tell(parsing: error, line)
        }
    }

    /// Help and version are asked for, everything else is wrong usage.
    private static func tell(parsing error: any Error, _ line: CommandLineWords) -> Int32 {
        let code = DoseTap.exitCode(for: error)
        guard code != .success else {
            Output.print(DoseTap.fullMessage(for: error))
            return 0
        }
        let verb = line.verb.map { " \($0)" } ?? ""
        return tell(.usage(DoseTap.message(for: error), hint: "dosetap\(verb) --help"), line)
    }

    private static func tell(_ failure: Failure, _ line: CommandLineWords) -> Int32 {
        if line.wantsJSON {
            Output.print(failure.json.serialized())
        } else {
            Output.complain(failure.text)
        }
        return failure.exitCode
    }
}
