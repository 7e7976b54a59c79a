public import SDBus

/// The typed client of the contract: over a bus, or over a socket to a service of one's own.
public struct Client: Sendable {
    /// The connection all calls go by.
    public let connection: Connection
    /// Its name on the bus; nil on a peer.
    let destination: String?

    /// - Parameter connection: to a bus where the service is, or can be activated; or to a peer that serves it.
    public init(_ connection: Connection) {
        self.connection = connection
        destination = connection.isPeer ? nil : Contract.name
    }

    /// How long the answer to a question may take: who asks sits there and waits. A bus that starts the service first
    /// needs some of it.
    public static let questionTimeout: Duration = .seconds(5)
    /// How long the answer to what records or changes something may take: giving up early leaves it unknown.
    public static let timeout: Duration = .seconds(25)
    /// How long a look through ten years of data may take.
    static let longTimeout: Duration = .seconds(600)

    /// Calls a member.
    ///
    /// - Throws: ``ServiceError`` for the service's own errors, ``Unanswered`` when nothing came in time,
    ///   ``SDBus/BusError`` for what else goes wrong on the bus.
    func call<each Argument: DBusValue, each Reply: DBusValue>(
        _ interface: String, _ member: String, _ arguments: repeat each Argument,
        returning type: (repeat each Reply).Type, timeout: Duration = Client.timeout
    ) async throws -> (repeat each Reply) {
        do {
            return try await connection.call(
                destination, Contract.path, interface, member, repeat each arguments, returning: type,
                timeout: timeout)
        } catch {
            if let own = ServiceError(error) { throw own }
            if error.name == BusError.Name.timeout {
                throw Unanswered(limit: timeout, mayHaveActed: timeout == Client.timeout)
            }
            throw error
        }
    }
}
