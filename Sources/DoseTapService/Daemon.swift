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
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environment: as inherited.
    /// - Returns: the exit code.
    public static func main(arguments: [String], environment: [String: String]) -> Int32 {
        let options: DaemonOptions
        do { options = try DaemonOptions(arguments) } catch {
            complain("dosetapd: \(error.message)\n\(DaemonOptions.help)")
            return 64
        }
        if options.showsHelp { return say(DaemonOptions.help) }
        if options.showsVersion { return say("dosetapd \(version)\n") }
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        let journal = SystemJournal(identifier: "dosetapd", journalStream: environment["JOURNAL_STREAM"])
        do {
            try SignalWatch.block([SIGTERM, SIGINT, SIGHUP])
            return try EventLoop.run { loop in
                loop.becomeDefaultExecutor()
                return await DaemonRun(options, environment, journal: journal, on: loop).run()
            }
        } catch {
            complain("dosetapd: \(error)\n")
            return 1
        }
    }

    private static func say(_ text: String) -> Int32 {
        write(text, to: STDOUT_FILENO)
        return 0
    }

    static func complain(_ text: String) { write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                written += count
            }
        }
    }
}
