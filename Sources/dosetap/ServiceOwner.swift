internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText
internal import Glibc
internal import SDBus

/// Tells whether the owner of the service's name on the bus is the service: any program of the person's may take a free
/// name.
enum ServiceOwner {
    /// The result of a look at the owner.
    enum Verdict: Sendable {
        /// Nobody owns the name yet, or the bus does not say who.
        case nobody
        /// The program installed with this command, or the main process of its unit.
        case service
        /// A process whose program cannot be told.
        case unknown(Int32)
        /// Another program, or another user's.
        case foreign(Int32?)
    }

    /// Looks at the owner of the name.
    static func examine(_ connection: Connection) async -> Verdict {
        guard
            let owner = try? await connection.call(
                Connection.driver, "/org/freedesktop/DBus", Connection.driver, "GetNameOwner", Contract.name,
                returning: (String).self, timeout: Client.questionTimeout),
            let who = try? await connection.credentials(of: owner, within: Client.questionTimeout)
        else { return .nobody }
        guard who.userID == nil || who.userID == getuid() else { return .foreign(who.processID) }
        guard let process = who.processID else { return .unknown(0) }
        if let program = link("/proc/\(process)/exe") {
            if isOurs(program, process) { return .service }
            return await isMainProcess(process, connection) ? .service : .foreign(process)
        }
        return await isMainProcess(process, connection) ? .service : .unknown(process)
    }

    /// Returns true if the path is that of the service's program, also if an upgrade has replaced the file.
    private static func isOurs(_ program: String, _ process: Int32) -> Bool {
        let deleted = " (deleted)"
        let path = program.hasSuffix(deleted) ? String(program.dropLast(deleted.count)) : program
        let expected = ChildService.program()
        guard expected.contains("/") else { return path.hasSuffix("/" + expected) }
        if path == expected || path == real(expected) { return true }
        var theirs = stat()
        var ours = stat()
        return stat("/proc/\(process)/exe", &theirs) == 0 && stat(expected, &ours) == 0
            && theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino
    }

    /// Returns true if the person's service manager started the process as the main one of the unit.
    private static func isMainProcess(_ process: Int32, _ connection: Connection) async -> Bool {
        let manager = "org.freedesktop.systemd1"
        guard
            let unit = try? await connection.call(
                manager, "/org/freedesktop/systemd1", manager + ".Manager", "GetUnit", "dosetapd.service",
                returning: (ObjectPath).self, timeout: Client.questionTimeout, autoStart: false),
            let main = try? await connection.property(
                manager, unit, manager + ".Service", "MainPID", as: UInt32.self, timeout: Client.questionTimeout)
        else { return false }
        return main == UInt32(bitPattern: process)
    }

    private static func link(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = buffer.withUnsafeMutableBytes { room in
            room.baseAddress.map { readlink(path, $0, room.count) } ?? -1
        }
        return length > 0 ? String(decoding: buffer[..<length], as: UTF8.self) : nil
    }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}

extension Failure {
    /// The failure of another program that answers in place of the service.
    init(foreignOwner process: Int32?) {
        let told = ErrorText.foreignOwner(process: process, name: Contract.name)
        self.init(exitCode: Code.unreachable, kind: "unreachable", message: told.sentence, hint: told.next)
    }
}

/// The service as the person's service manager knows it, for a service that does not answer itself.
struct ServiceUnit: Sendable {
    /// `active`, `activating`, `failed` and so on.
    let state: String
    /// The end of its last life: `success`, `exit-code`, `signal`, `core-dump`, `watchdog` and so on.
    let result: String
    /// The number of restarts since somebody started it.
    let restarts: UInt32
    /// False if its program never started, so that nothing can have been recorded; true where the manager does not tell.
    let hasRun: Bool

    /// True if the service ends again and again, or was given up.
    var keepsEnding: Bool { state != "active" && (restarts > 0 || state == "failed") }

    private static let manager = "org.freedesktop.systemd1"
    private static let unit = "dosetapd.service"
    /// The time limit for each answer of the manager: the person waits.
    private static let limit: Duration = .seconds(1)
    /// The most bytes of the journal's last line that are shown.
    private static let lineBytes = 300

    /// Asks the service manager; nil if there is none, or none that knows the unit.
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
        let started = try? await connection.property(
            manager, path, "\(manager).Service", "ExecMainStartTimestampMonotonic", as: UInt64.self, timeout: limit)
        return ServiceUnit(
            state: try await connection.property(
                manager, path, "\(manager).Unit", "ActiveState", as: String.self, timeout: limit),
            result: try await connection.property(
                manager, path, "\(manager).Service", "Result", as: String.self, timeout: limit),
            restarts: try await connection.property(
                manager, path, "\(manager).Service", "NRestarts", as: UInt32.self, timeout: limit),
            hasRun: started != 0)
    }

    /// The last line that the service wrote into the journal, or what the unit runs before it; nil if the journal cannot be read.
    static var lastLine: String? {
        // No word of the command comes from outside.
        let command =
            "timeout 2 journalctl --no-pager -q -o cat -n 1 _UID=\(getuid()) SYSLOG_IDENTIFIER=dosetapd"
            + " + _UID=\(getuid()) _SYSTEMD_USER_UNIT=dosetapd.service SYSLOG_IDENTIFIER=mkdir SYSLOG_IDENTIFIER=sh 2>/dev/null"
        guard let stream = popen(command, "r") else { return nil }
        defer { pclose(stream) }
        var bytes = [UInt8](repeating: 0, count: lineBytes)
        let count = fread(&bytes, 1, bytes.count, stream)
        let line = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first
        return line.map { SafeText.line(String($0)) }
    }
}
