internal import CSystemd

/// Who is behind a unique name, as the bus knows it.
public struct Credentials: Hashable, Sendable {
    /// Process id.
    public let processID: UInt32?
    /// User id.
    public let userID: UInt32?

    /// Memberwise.
    public init(processID: UInt32?, userID: UInt32?) {
        self.processID = processID
        self.userID = userID
    }
}

extension Connection {
    /// Asks the bus once for each unique name and remembers the answer; does not block the loop as
    /// `sd_bus_query_sender_creds` would.
    ///
    /// - Returns: nil when the sender has gone or there is no bus.
    public func credentials(of sender: String) async -> Credentials? {
        if let known = credentials[sender] { return known }
        let answer = try? await call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionCredentials",
            sender, returning: [String: Variant].self, timeout: .seconds(1))
        guard let answer else { return nil }
        let found = Credentials(
            processID: answer["ProcessID"]?.contained(UInt32.self), userID: answer["UnixUserID"]?.contained(UInt32.self)
        )
        if credentials.count >= 256 { credentials.removeAll() }
        credentials[sender] = found
        return found
    }
}

extension Variant {
    /// The content, whether or not one more variant is around it.
    func contained<Value: DBusValue>(_ type: Value.Type) -> Value? {
        if case .variant(let inner) = self { return inner.contained(type) }
        return self.as(type)
    }
}

extension ObjectPath: ExpressibleByStringLiteral {
    /// A path known when the program is written.
    public init(stringLiteral value: String) { self.init(value) }
}
