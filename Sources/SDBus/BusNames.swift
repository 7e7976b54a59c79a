internal import CSystemd
internal import Glibc

extension Connection {
    /// The bus itself, as a destination.
    public static var driver: String { "org.freedesktop.DBus" }
    private static var driverPath: ObjectPath { "/org/freedesktop/DBus" }

    /// Flags of `RequestName` in the D-Bus specification.
    public struct NameFlags: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Waits in the queue instead of being refused.
        public static let queue = NameFlags(rawValue: 4)
    }

    public enum NameReply: UInt32, Sendable {
        case primaryOwner = 1
        case inQueue = 2
        /// The name was this connection's before.
        case alreadyOwner = 4
    }

    /// Requests a well-known name. Serve objects first: calls come as soon as the name is there.
    /// - Throws: ``BusError``: `NameExists` when someone else owns it and queueing was not asked for.
    @discardableResult
    public func requestName(_ name: String, flags: NameFlags = []) async throws(BusError) -> NameReply {
        // The bus's own bit says the opposite: do not queue.
        let bits = flags.symmetricDifference(.queue).rawValue
        let code = try await call(
            Self.driver, Self.driverPath, Self.driver, "RequestName", name, bits, returning: (UInt32).self
        )
        guard let reply = NameReply(rawValue: code) else {
            throw BusError(name: BusError.Name.nameExists, message: "the name \(name) has another owner")
        }
        return reply
    }

    /// Releases a well-known name. Every message sent to the name before has arrived when this function returns.
    ///
    /// - Parameters:
    ///   - name: Such as `org.example.Service`.
    ///   - limit: The longest wait for the bus.
    /// - Returns: False when the name was not this connection's.
    @discardableResult
    public func releaseName(_ name: String, within limit: Duration? = nil) async throws(BusError) -> Bool {
        try await call(
            Self.driver, Self.driverPath, Self.driver, "ReleaseName", name, returning: (UInt32).self, timeout: limit)
            == 1
    }

    /// The unique name of a name's owner.
    /// - Throws: ``BusError``: `NameHasNoOwner`.
    public func owner(of name: String) async throws(BusError) -> String {
        try await call(Self.driver, Self.driverPath, Self.driver, "GetNameOwner", name, returning: (String).self)
    }
}

/// Process and user of a caller; nil if unknown.
public struct Credentials: Sendable, Hashable {
    public var processID: Int32?
    public var userID: UInt32?
}

extension Connection {
    /// The credentials of a bus name, asked of the bus once per unique name.
    ///
    /// - Parameters:
    ///   - name: A unique or a well-known name.
    ///   - limit: The longest wait for the bus.
    public func credentials(
        of name: String, within limit: Duration? = nil
    ) async throws(BusError) -> Credentials {
        if let known = core.knownCredentials[name] { return known }
        let answer = try await call(
            Self.driver,
            Self.driverPath,
            Self.driver,
            "GetConnectionCredentials",
            name,
            returning: ([String: Variant]).self,
            timeout: limit
        )
        let credentials = Credentials(
            processID: answer["ProcessID"]?.integerValue.flatMap(Int32.init(exactly:)),
            userID: answer["UnixUserID"]?.integerValue.flatMap(UInt32.init(exactly:))
        )
        // A bus never gives a unique name twice, so an entry cannot become wrong, only useless.
        if name.hasPrefix(":") {
            if core.knownCredentials.count >= 256 { core.knownCredentials = [:] }
            core.knownCredentials[name] = credentials
        }
        return credentials
    }

    /// The credentials of the peer as the kernel noted them when the socket was made.
    public func peerCredentials() throws(BusError) -> Credentials {
        let descriptor = try check(sd_bus_get_fd(core.openBus()), "look at the socket")
        var process: pid_t = 0
        var user: uid_t = 0
        try check(csd_peer_credentials(descriptor, &process, &user), "ask for the peer's credentials")
        return Credentials(processID: process, userID: user)
    }
}
