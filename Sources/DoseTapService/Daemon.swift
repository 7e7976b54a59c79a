internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapStore
internal import DoseTapSystem
internal import Glibc
internal import Logging
internal import SDBus
internal import SystemdJournal

/// The program `dosetapd`: everything is wired here, and nothing else happens here.
public enum Daemon {
    /// The version of both programs.
    public static let version = "0.1.0"

    /// Runs until told to stop.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Returns: the exit code.
    public static func main(arguments: [String]) -> Int32 {
        let options: DaemonOptions
        do { options = try DaemonOptions(arguments) } catch {
            ProgramEdge.complain("dosetapd: \(error.message)\n\(DaemonOptions.help)")
            return 64
        }
        if options.showsHelp { return say(DaemonOptions.help) }
        if options.showsVersion { return say("dosetapd \(version)\n") }
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        let environment = ProgramEdge.environment
        let journal = SystemJournal(identifier: "dosetapd", journalStream: environment["JOURNAL_STREAM"])
        do {
            try SignalWatch.block([SIGTERM, SIGINT, SIGHUP])
            return try EventLoop.run { loop in
                loop.becomeDefaultExecutor()
                return await DaemonRun(options, environment, journal: journal, on: loop).run()
            }
        } catch {
            ProgramEdge.complain("dosetapd: \(error)\n")
            return 1
        }
    }

    private static func say(_ text: String) -> Int32 {
        ProgramEdge.say(text)
        return 0
    }
}
