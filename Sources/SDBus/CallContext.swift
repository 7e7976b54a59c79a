/// Who called what.
public struct CallContext: Sendable {
    /// The connection the call came through.
    public let connection: Connection
    /// The caller's unique name, nil with a peer.
    public let sender: String?
    /// The object.
    public let path: ObjectPath
    /// The interface.
    public let interface: String
    /// The method.
    public let member: String
    /// Whether the caller waits for an answer.
    public let expectsReply: Bool
    /// What the bus says of the caller, where a ``CallPolicy`` asks; else nil.
    public let knownCredentials: Credentials?

    /// The caller's process and user: asked of the bus, or noted by the kernel with a peer.
    public func credentials() async throws(BusError) -> Credentials {
        if let knownCredentials { return knownCredentials }
        guard let sender else { return try await connection.peerCredentials() }
        return try await connection.credentials(of: sender)
    }
}
