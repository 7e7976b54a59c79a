internal import ArgumentParser
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc

/// The `dosetap` command: reads the command line, runs one verb, reports the result.
@main
enum Program {
    static func main() {
        // The failing write tells that a reader went away.
        signal(SIGPIPE, SIG_IGN)
        openStandardStreams()
        let line = CommandLineWords(Array(CommandLine.arguments.dropFirst()))
        let isText = isText()
        hide()
        exit(isText ? run(line) : report(.usage(tr("An argument is not valid UTF-8.")), line))
    }

    /// Opens the standard streams that the caller closed, so that no socket gets their numbers and what is printed. Writing to such
    /// a stream still fails.
    private static func openStandardStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Keeps the notes and amounts that were typed out of the list of processes and out of core dumps.
    private static func hide() {
        ProcessMemory.forbidDumps(hidesProcess: true)
        for index in 1..<max(1, Int(CommandLine.argc)) {
            if let argument = CommandLine.unsafeArgv[index] { memset(argument, 0, strlen(argument)) }
        }
    }

    /// Returns true if all arguments are UTF-8. Other bytes would be mended in silence.
    private static func isText() -> Bool {
        (1..<max(1, Int(CommandLine.argc))).allSatisfy { index in
            CommandLine.unsafeArgv[index].map { String(validatingCString: $0) != nil } ?? true
        }
    }

    private static func run(_ line: CommandLineWords) -> Int32 {
        do {
            if let invocation = FastPath.invocation(line) {
                try invocation.run()
            } else {
                try line.checkVerb()
                var command = try parse(line)
                try command.run()
            }
            return 0
        } catch let failure as Failure {
            return report(failure, line)
        } catch let code as ExitCode {
            return code.rawValue
        } catch {
            return report(parsing: error, line)
        }
    }

    /// Parses with the one verb that is meant: a tree of all verbs takes longer to build than the answer to get.
    /// A line that does not parse so is parsed from the root, for help and for messages that tell the whole way.
    private static func parse(_ line: CommandLineWords) throws -> any ParsableCommand {
        let verb = line.verb
        let type = verb == nil ? Tonight.self : DoseTap.verbs.first { $0.name == verb }?.type
        // For a request of help the parser gives a command of another type.
        if let type, let command = try? type.parseAsRoot(line.withoutVerb), Swift.type(of: command) == type {
            return command
        }
        return try DoseTap.parseAsRoot(line.words)
    }

    /// Prints help and version, which were asked for. Everything else is wrong usage.
    private static func report(parsing error: any Error, _ line: CommandLineWords) -> Int32 {
        let code = DoseTap.exitCode(for: error)
        guard code != .success else {
            let help = DoseTap.fullMessage(for: error)
            let overview = "OVERVIEW: "
            let text = help.hasPrefix(overview) ? String(help.dropFirst(overview.count)) : help
            // The heading of a group loses the parser's word for verbs.
            Output.print(
                text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
                    // The parser does not break the line of usage.
                    line.hasPrefix("USAGE: ")
                        ? SafeText.wrap(String(line), columns: Terminal(plain: false).columns, indent: 7)
                        : [line.hasSuffix(" SUBCOMMANDS:") ? "\(line.dropLast(13)):" : String(line)]
                }.joined(separator: "\n"))
            return 0
        }
        SpokenLanguage.speak(json: line.wantsJSON)
        let message = DoseTap.message(for: error)
        if let failure = unknownVerb(message, line) ?? partedTime(message, line) ?? bareAmount(message, line) {
            return report(failure, line)
        }
        let verb = line.verb.map { " \($0)" } ?? ""
        let hint = helpCommand(in: DoseTap.fullMessage(for: error)) ?? "dosetap\(verb) --help"
        return report(.usage(hyphen(message, line) ?? ErrorText.parsed(message), hint: hint), line)
    }

    /// The failure of a word where a group such as `med` has its verbs. The parser takes the word for one too many of
    /// the group's default verb, or does not know the options of the verb that was meant.
    private static func unknownVerb(_ message: String, _ line: CommandLineWords) -> Failure? {
        guard let group = DoseTap.verbs.first(where: { $0.name == line.verb }) else { return nil }
        let known = group.type.configuration.subcommands.compactMap { $0.configuration.commandName }
        let word: String?
        if message.hasPrefix("Unexpected argument") || message.contains(" unexpected arguments: ") {
            word = message.split(separator: "'", maxSplits: 2).dropFirst().first.map(String.init)
        } else if message.hasPrefix("Unknown option") {
            word = line.wordAfterVerb
        } else {
            word = nil
        }
        guard let word, !word.hasPrefix("-"), !known.isEmpty, !line.words.contains(where: known.contains) else {
            return nil
        }
        let command = "dosetap \(group.name)"
        return .unknown(tr("verb"), word, known: known, command: command, help: "\(command) --help")
    }

    /// The failure of a time that was typed without quotes: its later words stand alone.
    private static func partedTime(_ message: String, _ line: CommandLineWords) -> Failure? {
        let isStray = message.hasPrefix("Unexpected argument") || message.contains(" unexpected arguments: ")
        return isStray ? Failure.partedTime(line) : nil
    }

    /// The failure of an amount that stands alone, as in the scripts of `simulate`.
    private static func bareAmount(_ message: String, _ line: CommandLineWords) -> Failure? {
        guard line.verb == "log", line.namesDose, message.hasPrefix("Unexpected argument '"),
            let word = message.split(separator: "'").dropFirst().first.map(String.init),
            word.first?.isNumber == true, (try? Amount(text: word)) != nil
        else { return nil }
        return .usage(
            tr("The amount has an option of its own: --amount \(word)."), hint: line.again(naming: word, "--amount"))
    }

    /// The message for a value that begins with a hyphen, such as that of `--amount -1`. The parser takes the value for
    /// an option and then misses a value.
    private static func hyphen(_ message: String, _ line: CommandLineWords) -> String? {
        guard message.hasPrefix("Missing ") else { return nil }
        if let option = ["--note", "--reason"].first(where: { message.contains("'\($0) ") }) {
            return tr("\(option) has no text. One that begins with a hyphen is written \(option)=-TEXT.")
        }
        let number = line.words.first { word in
            word.first == "-" && word.dropFirst().first?.isNumber == true && !word.contains(" ")
        }
        guard let number else { return nil }
        return tr("'\(SafeText.line(number))' is no value: no value is below zero.")
    }

    /// The help command that the parser names, of the innermost verb it reached: "See 'dosetap db restore --help' for
    /// …".
    private static func helpCommand(in message: String) -> String? {
        let parts = message.split(separator: "\n").last?.split(separator: "'") ?? []
        return parts.dropFirst().first.map(String.init).flatMap {
            $0.hasPrefix("dosetap ") && $0.hasSuffix(" --help") ? $0 : nil
        }
    }

    private static func report(_ failure: Failure, _ line: CommandLineWords) -> Int32 {
        SpokenLanguage.speak(json: line.wantsJSON)
        let failure = failure.completed(line)
        if line.wantsJSON {
            Output.print(failure.json.serialized(), orExit: failure.exitCode)
        } else {
            let isPlain = line.words.contains("--plain") || (try? Settings.flag("DOSETAP_PLAIN")) == true
            let terminal = Terminal(plain: isPlain)
            terminal.tone()
            Output.complain(failure.text(terminal))
        }
        return failure.exitCode
    }
}
