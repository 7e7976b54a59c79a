internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc

/// `simulate`: an imagined night, or a recorded one, on a virtual clock.
struct SimulateVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Simulate a whole night on a virtual clock. Needs no service.",
        discussion: """
            The script runs in the real engine and plugins, with a temporary store. The
            output says which reminders would be sent, and when. A script begins with
            'zone Europe/Berlin' and 'start 2026-10-24 23:00'. Each further line has a
            time and an event. A time is HH:MM, +150m after dose 1, or an instant. Events
            are log dose1, log dose2, snooze, skip, wake, checkin, undo (--confirm, --ago),
            suspend, crash, reboot, pause, clock, rtc, slew, travel, set, no-notifications
            and no-audio. See dosetap(1).

            Example: dosetap simulate night.txt
            Example: dosetap simulate --night last
            """)

    @Argument(
        help: ArgumentHelp("The script; - is standard input.", valueName: "file"), completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp("Replay this recorded night instead of a script.", valueName: "date"),
        completion: Completions.nights)
    var night: String?

    @Flag(help: "Print the script of the recorded night instead of running it.") var script = false

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        switch (file, night) {
        case (let file?, nil):
            if script { throw Failure.usage(tr("--script needs --night."), hint: "dosetap simulate --help") }
            try Simulator.run(file: file, context)
        case (nil, let night?):
            let text = try Self.script(of: night, context)
            guard script else { return try Simulator.run(script: text, context) }
            context.report(
                ["script": .string(text)], text: text.split(separator: "\n").map { SafeText.line(String($0)) })
        default:
            throw Failure.usage(tr("Give a script, or --night."), hint: "dosetap simulate --help")
        }
    }

    /// Returns a recorded night as a script.
    private static func script(of night: String, _ context: Context) throws -> String {
        guard !night.isEmpty, night.utf8.count <= 64 else {
            throw Failure.usage(tr("A night is a date or an id."), hint: "dosetap history")
        }
        let (shown, settings) = try ServiceLink.run(context) { client in
            (try await NightName.shown(night, client, context), try await client.config())
        }
        let ladder = AlarmLadder(settings: settings)
        guard let text = shown.nights.first.flatMap({ NightScript.text(replaying: $0, ladder: ladder) }) else {
            throw Failure.usage(tr("There is nothing in that night to replay."), hint: "dosetap history")
        }
        return text
    }
}

/// Runs `dosetap-simulate`. Its answer goes where this program's goes; its complaint becomes this program's.
enum Simulator {
    /// The exit code of a script that is wrong.
    private static let wrongScript: Int32 = 65
    /// The most bytes of a complaint that are read.
    private static let complaintBytes = 2_048

    /// - Parameter file: path of the script; `-` is standard input.
    /// - Throws: ``Failure``.
    static func run(file: String, _ context: Context) throws(Failure) {
        guard file != "-" else { return try run(STDIN_FILENO, context) }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .usage("\(file): \(String(cString: strerror(errno))).") }
        defer { close(descriptor) }
        try run(descriptor, context)
    }

    /// - Throws: ``Failure``.
    static func run(script: String, _ context: Context) throws(Failure) {
        let descriptor = try passing()
        defer { close(descriptor) }
        var script = script
        let written = script.withUTF8 { write(descriptor, $0.baseAddress, $0.count) == $0.count }
        guard written, lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure("writing the script", errno) }
        try run(descriptor, context)
    }

    private static func run(_ script: Int32, _ context: Context) throws(Failure) {
        let complaints = try passing()
        defer { close(complaints) }
        if let zone = context.chosenZone { setenv("TZ", zone.identifier, 1) }
        let program = try HelperProgram.path("dosetap-simulate", what: "simulation")
        let process: Int32
        do throws(SystemFault) {
            process = try Spawn.start(
                program, context.json ? ["--json"] : [],
                [STDIN_FILENO: .copy(script), STDERR_FILENO: .copy(complaints)])
        } catch { throw failure("starting \(program)", error.underlying) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw failure("waiting for \(program)", errno) }
        }
        if status != 0 { throw ended(status, complaint(complaints)) }
    }

    private static func ended(_ status: Int32, _ complaint: String) -> Failure {
        let code = ChildProgram.exitCode(of: status)
        if code == wrongScript { return .usage(complaint, hint: "dosetap simulate --help") }
        let message = complaint.isEmpty ? tr("The simulation ended with exit code \(code).") : complaint
        return Failure(exitCode: Failure.Code.failed, kind: "internal", message: message)
    }

    private static func complaint(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: complaintBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        return String(text.prefix { $0 != "\n" })
    }

    /// Makes a file without a name, which is gone when its descriptor closes.
    private static func passing() throws(Failure) -> Int32 {
        var name = Array("/tmp/dosetap-simulate-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw failure("mkstemp", errno) }
        unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func failure(_ what: String, _ number: Int32) -> Failure {
        Failure(
            exitCode: Failure.Code.failed, kind: "internal",
            message: tr("The simulation could not be started: \(what): \(String(cString: strerror(number)))."))
    }
}
