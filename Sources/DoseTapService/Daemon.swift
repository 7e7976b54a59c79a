internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapStore
internal import DoseTapSystem
internal import Glibc
internal import Logging
internal import SDBus
internal import SystemdJournal

/// The program `dosetapd`.
public enum Daemon {
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
        if options.showsVersion { return say("dosetapd \(Release.name)\n") }
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        let environment = ProgramEdge.environment
        // Without a service manager only /proc can tell the command which program answers.
        let isKnownElsewhere = ["NOTIFY_SOCKET", "INVOCATION_ID"].contains { environment[$0] != nil }
        ProcessMemory.forbidDumps(hidesProcess: options.peer != nil || isKnownElsewhere)
        let journal = SystemJournal(identifier: "dosetapd", journalStream: environment["JOURNAL_STREAM"])
        do {
            try SignalWatch.block([SIGTERM, SIGINT, SIGHUP])
            return try EventLoop.run(takesDefaultJobs: true) { loop in
                func run(isFirst: Bool) async -> Int32 {
                    await DaemonRun(options, environment, journal: journal, on: loop, isFirst: isFirst).run()
                }
                var status = await run(isFirst: true)
                while status == DaemonRun.unlocked { status = await run(isFirst: false) }
                return status
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

/// The daemon's command line.
struct DaemonOptions: Sendable {
    /// Path of the store; nil is the user's own.
    var store: String?
    /// A bus at an address instead of the session bus.
    var address: String?
    /// A connected socket to serve instead of a bus.
    var peer: Int32?
    /// Settings, each a full key and a value.
    var settings: [(key: String, value: String)] = []
    var showsHelp = false
    var showsVersion = false

    static let help = """
        Usage: dosetapd [--store PATH] [--address BUS | --peer-fd N] [--set KEY=VALUE ...]
               dosetapd --version | --help

        The DoseTap service of one user. It is started by the user's service manager
        (systemctl --user start dosetapd) or by the dosetap command; you need not run it by hand.

          --store PATH    the database; default $XDG_DATA_HOME/dosetap/dosetap.db
          --address BUS   serve on the bus at this D-Bus address; default: the session bus
          --peer-fd N     serve one caller on this connected socket; no bus, no reminders
          --set KEY=VALUE a setting, such as snooze.max=2; wins over variables and files;
                          may be repeated
          --version       print the version
          --help          print this

        Exit codes: 0 stopped when told to, 1 failed, 64 wrong usage, 75 another service
        holds the store.

        """

    struct Wrong: Error {
        let message: String
    }

    init(_ arguments: [String]) throws(Wrong) {
        var rest = arguments[...]
        func value(_ name: String, _ rest: inout ArraySlice<String>) throws(Wrong) -> String {
            guard let value = rest.popFirst(), !value.isEmpty else { throw Wrong(message: "\(name) needs a value") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--store": store = try value(argument, &rest)
            case "--address": address = try value(argument, &rest)
            case "--peer-fd":
                let text = try value(argument, &rest)
                guard let number = Int32(text), number >= 3 else {
                    throw Wrong(message: "--peer-fd needs a descriptor of 3 or more, not '\(text)'")
                }
                peer = number
            case "--set":
                let text = try value(argument, &rest)
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, !parts[0].isEmpty else {
                    throw Wrong(message: "--set needs KEY=VALUE, not '\(text)'")
                }
                settings.append((String(parts[0]), String(parts[1])))
            case "--help", "-h": showsHelp = true
            case "--version": showsVersion = true
            default: throw Wrong(message: "unknown argument '\(argument)'")
            }
        }
        if address != nil, peer != nil { throw Wrong(message: "--address and --peer-fd exclude each other") }
    }
}
