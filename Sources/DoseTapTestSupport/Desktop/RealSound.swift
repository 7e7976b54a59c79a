import Foundation

/// A real sound server, PulseAudio, whose only sink plays into a recording: nothing is heard in the room.
public final class RealSound: Sendable {
    /// Whether the programs are here.
    public static let isInstalled = ["pulseaudio", "pactl", "paplay", "parec"].allSatisfy(isHere)

    /// The players that are here and know this server.
    public static let players: [String] = {
        let hasPlugin = isHere("aplay") && access("/usr/share/alsa/alsa.conf.d/50-pulseaudio.conf", F_OK) == 0
        return isInstalled ? ["paplay"] + (hasPlugin ? ["aplay"] : []) : []
    }()

    /// Whether a program is in `PATH`.
    public static func isHere(_ name: String) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// What a program needs to reach it, and nothing else that makes a sound.
    public let environment: [String: String]
    private let folder: ScratchFolder
    private let changes: FileChange
    private let server: Child
    private let recorder: Child

    /// Starts it; returns when the recording runs.
    public init() throws {
        let folder = try ScratchFolder()
        self.folder = folder
        for name in ["run", "home", "heard"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let environment = [
            "XDG_RUNTIME_DIR": folder.path("run"), "HOME": folder.path("home"), "PATH": "/usr/bin:/bin",
        ]
        self.environment = environment
        // ALSA's programs have but this way out.
        try Self.write("pcm.!default { type pulse }\n", folder.path("home/.asoundrc"))
        let script = folder.path("server.pa")
        try Self.write(
            "load-module module-null-sink sink_name=ear format=s16le rate=\(Heard.rate) channels=1\n"
                + "load-module module-native-protocol-unix\n", script)
        let log = folder.path("heard/log")
        changes = try FileChange(in: folder.path("heard"))
        func start(_ words: String...) throws -> Child {
            try Child("/usr/bin/env", environment.map { "\($0.key)=\($0.value)" } + words)
        }
        server = try start(
            "pulseaudio", "-n", "--file=" + script, "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
            "--log-level=info", "--log-target=newfile:" + log)
        while (try? String(contentsOfFile: log, encoding: .utf8))?.contains("startup complete") != true {
            try changes.next()
        }
        recorder = try start(
            "parec", "--device=ear.monitor", "--raw", "--format=s16le", "--rate=\(Heard.rate)", "--channels=1",
            "--latency-msec=20", folder.path("heard/raw"))
        while seconds == 0 { try changes.next() }
    }

    private static func write(_ text: String, _ path: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private var path: String { folder.path("heard/raw") }

    /// How much was recorded so far, in seconds.
    public var seconds: Double {
        var status = stat()
        return stat(path, &status) == 0 ? Double(status.st_size) / 2 / Double(Heard.rate) : 0
    }

    /// All that was to be heard so far.
    public var heard: Heard { Heard(bytes: (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()) }

    /// Listens for so many seconds more; all that was to be heard until then.
    @discardableResult
    public func listen(_ more: Double) throws -> Heard {
        let end = seconds + more
        while seconds < end { try changes.next() }
        return heard
    }

    /// Asks or tells the server by its own program.
    @discardableResult
    public func control(_ arguments: String...) throws -> String {
        try Command.check(["timeout", "10", "pactl"] + arguments, environment: environment).text
    }

    /// Ends it and the recording.
    public func stop() throws {
        for child in [recorder, server] {
            child.signal(SIGTERM)
            _ = try child.finish()
        }
    }
}
