internal import CSystemd
internal import Glibc

/// Who is at the other end.
public struct Credentials: Sendable, Hashable {
    /// The process, when it is known.
    public var processID: Int32?
    /// The user, when it is known.
    public var userID: UInt32?
}

extension Connection {
    /// The credentials of a bus name, asked of the bus once per unique name.
    ///
    /// - Parameter limit: How long the bus may take.
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
