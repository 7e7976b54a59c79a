import Foundation

/// A real sound server, PulseAudio, whose only sink plays into a recording.
public final class RealSound: Sendable {
    public static let isInstalled = ["pulseaudio", "pactl", "paplay", "parec"].allSatisfy(isHere)

    /// The installed players that can use this server.
    public static let players: [String] = {
        let hasPlugin = isHere("aplay") && access("/usr/share/alsa/alsa.conf.d/50-pulseaudio.conf", F_OK) == 0
        return isInstalled ? ["paplay"] + (hasPlugin ? ["aplay"] : []) : []
    }()

    /// Returns true if a program is in `PATH`.
    public static func isHere(_ name: String) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// The environment in which a program reaches this sound server and no other.
    public let environment: [String: String]
    private let folder: ScratchFolder
    private let changes: FileChange
    private let server: Child
    private let recorder: Child

    /// Starts the server and returns when the recording runs.
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
        // ALSA programs reach the server only this way.
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

    /// Length of the recording so far.
    public var seconds: Double {
        var status = stat()
        return stat(path, &status) == 0 ? Double(status.st_size) / 2 / Double(Heard.rate) : 0
    }

    /// The recording so far.
    public var heard: Heard { Heard(bytes: (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()) }

    /// Records for some more seconds; returns the recording until then.
    @discardableResult
    public func listen(_ more: Double) throws -> Heard {
        let end = seconds + more
        while seconds < end { try changes.next() }
        return heard
    }

    /// Runs `pactl`.
    @discardableResult
    public func control(_ arguments: String...) throws -> String {
        try Command.check(["timeout", "10", "pactl"] + arguments, environment: environment).text
    }

    public func stop() throws {
        for child in [recorder, server] {
            child.signal(SIGTERM)
            _ = try child.finish()
        }
    }
}

/// A recording: one channel, 16 bits.
public struct Heard: Sendable {
    public static let rate = 44_100
    /// Loudness below this share of the full one is silence.
    public static let silence = 0.003

    public let samples: [Int16]

    init(bytes: Data) {
        samples = bytes.withUnsafeBytes { raw in
            (0..<raw.count / 2).map { Int16(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)) }
        }
    }

    /// Length in seconds.
    public var seconds: Double { Double(samples.count) / Double(Self.rate) }

    private static func index(_ seconds: Double) -> Int { Int(seconds * Double(rate)) }

    private func part(_ range: ClosedRange<Double>) -> ArraySlice<Int16> {
        let first = min(max(0, Self.index(range.lowerBound)), samples.count)
        return samples[first..<min(max(first, Self.index(range.upperBound)), samples.count)]
    }

    /// Returns the loudness of a part, from 0 to 1: the root of the mean square. The part is given in seconds.
    public func loudness(_ range: ClosedRange<Double>) -> Double {
        let part = part(range)
        guard !part.isEmpty else { return 0 }
        let sum = part.reduce(0.0) { $0 + Double($1) * Double($1) }
        return (sum / Double(part.count)).squareRoot() / Double(Int16.max)
    }

    /// The pieces of a twentieth of a second that are not silent, by their starts in seconds.
    public var sounding: [Double] {
        stride(from: 0, to: seconds, by: 0.05).filter { loudness($0...$0 + 0.05) > Self.silence }
    }

    /// The stretches of sound without a pause of more than 0.3 seconds, in seconds.
    public var stretches: [ClosedRange<Double>] {
        sounding.reduce(into: []) { stretches, piece in
            if let last = stretches.last, piece - last.upperBound < 0.3 {
                stretches[stretches.count - 1] = last.lowerBound...piece + 0.05
            } else {
                stretches.append(piece...piece + 0.05)
            }
        }
    }

    /// Returns the share of some frequencies in Hz in the energy of a part, from 0 to 1. The part is given in seconds.
    public func share(of frequencies: [Double], in range: ClosedRange<Double>) -> Double {
        let part = part(range).map(Double.init)
        let block = Self.rate / 20
        var (found, all) = (0.0, 0.0)
        for start in stride(from: 0, through: part.count - block, by: block) {
            let piece = part[start..<start + block]
            all += piece.reduce(0) { $0 + $1 * $1 }
            for frequency in frequencies {
                // Goertzel: one bin of a Fourier transform.
                let factor = 2 * cos(2 * .pi * frequency / Double(Self.rate))
                var (last, before) = (0.0, 0.0)
                for sample in piece { (last, before) = (sample + factor * last - before, last) }
                found += (last * last + before * before - factor * last * before) * 2 / Double(block)
            }
        }
        return all > 0 ? found / all : 0
    }
}
