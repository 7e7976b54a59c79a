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

    /// Calls a method of the contract.
    ///
    /// - Parameter limit: how long the answer may take; nil for the usual time of the method.
    /// - Throws: ``ServiceError`` for the service's own errors, ``Unanswered`` when nothing came in time,
    ///   ``SDBus/BusError`` for what else goes wrong on the bus.
    @inline(never)
    package func call<Arguments, Results>(
        _ method: Contract.Method<Arguments, Results>, _ arguments: Arguments, within limit: Duration? = nil
    ) async throws -> Results {
        let limit = limit ?? method.timeout
        do { return try await method.ask(self, arguments, limit) } catch let error as BusError {
            if let own = ServiceError(error) { throw own }
            guard error.name == BusError.Name.timeout else { throw error }
            throw Unanswered(limit: limit, mayHaveActed: method.records)
        }
    }
}
