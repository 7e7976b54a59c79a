internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText
internal import Glibc
internal import SDBus

/// The service as the person's service manager knows it, asked where it does not answer itself.
struct ServiceUnit: Sendable {
    /// `active`, `activating`, `failed` and so on.
    let state: String
    /// How its last life ended: `success`, `exit-code`, `signal`, `core-dump`, `watchdog` and so on.
    let result: String
    /// How often it was started anew since somebody started it.
    let restarts: UInt32

    /// It ends again and again, or was given up.
    var keepsEnding: Bool { state != "active" && (restarts > 0 || state == "failed") }

    private static let manager = "org.freedesktop.systemd1"
    private static let unit = "dosetapd.service"
    /// How long the manager may take for each answer: the person waits.
    private static let limit: Duration = .seconds(1)
    /// Most of the journal's last line that is shown, in bytes.
    private static let lineBytes = 300

    /// Asks; nil where there is no service manager, or none that knows the unit.
    static func ask(_ address: BusAddress) -> ServiceUnit? {
        try? EventLoop.run { loop in
            let connection = try await Connection.open(address, on: loop)
            let found = try? await ask(connection)
            await connection.close()
            return found
        }
    }

    private static func ask(_ connection: Connection) async throws -> ServiceUnit {
        let path = try await connection.call(
            manager, "/org/freedesktop/systemd1", "\(manager).Manager", "GetUnit", unit, returning: (ObjectPath).self,
            timeout: limit, autoStart: false)
        return ServiceUnit(
            state: try await connection.property(
                manager, path, "\(manager).Unit", "ActiveState", as: String.self, timeout: limit),
            result: try await connection.property(
                manager, path, "\(manager).Service", "Result", as: String.self, timeout: limit),
            restarts: try await connection.property(
                manager, path, "\(manager).Service", "NRestarts", as: UInt32.self, timeout: limit))
    }

    /// What the service wrote into the journal last; nil where that cannot be read.
    static var lastLine: String? {
        // No word of it comes from outside.
        let command =
            "timeout 2 journalctl --no-pager -q -o cat -n 1 _UID=\(getuid()) SYSLOG_IDENTIFIER=dosetapd 2>/dev/null"
        guard let stream = popen(command, "r") else { return nil }
        defer { pclose(stream) }
        var bytes = [UInt8](repeating: 0, count: lineBytes)
        let count = fread(&bytes, 1, bytes.count, stream)
        let line = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first
        return line.map { SafeText.line(String($0)) }
    }
}
