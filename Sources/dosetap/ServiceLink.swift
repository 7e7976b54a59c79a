internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import SDBus

/// Reaches the service: over the bus, or where there is none over a socket to a service of one's own.
enum ServiceLink {
    /// The two ways.
    enum Route: Sendable {
        case bus(BusAddress)
        case child

        /// A bus that exists is used, dead or alive: there must never be a second store in silence.
        init(_ context: Context) {
            switch context.bus {
            case .session: self = .bus(.session)
            case .system: self = .bus(.system)
            case .none: self = .child
            case .auto:
                self = BusAddress.session.busAddress == nil ? .child : .bus(.session)
            }
        }
    }

    /// What is said once where the service ends with this program.
    static let noReminders = "no reminders will come: the service runs for this command only."

    /// Runs `body` with a client, on the calling thread.
    ///
    /// - Parameters:
    ///   - lasts: whether it goes on until stopped: then what is to be said of it is said first, else only once it has
    ///     succeeded.
    ///   - isLast: false where another call follows: what is to be said is said once.
    /// - Throws: ``Failure``.
    static func run<Value: Sendable>(
        _ context: Context, lasts: Bool = false, isLast: Bool = true,
        _ body: @escaping @Sendable (Client) async throws -> Value
    ) throws(Failure) -> Value {
        switch Route(context) {
        case .bus(let address):
            do { return try talk(to: address, context, body) } catch { throw Failure(error, context) }
        case .child:
            let child = try ChildService(store: context.store)
            if lasts { context.notice(noReminders) }
            do {
                let value = try talk(to: .peer(fd: child.descriptor, server: false), context, body)
                child.wait()
                if !lasts, isLast { context.notice(noReminders) }
                return value
            } catch {
                let status = child.wait()
                if let error = error as? BusError, let failure = child.failure(error, status) { throw failure }
                throw Failure(error, context)
            }
        }
    }

    /// Whether the owner of the name was looked at; throws where it is not the service.
    private static func believe(_ connection: Connection, _ context: Context) async throws -> Bool {
        guard !connection.isPeer else { return true }
        switch await ServiceOwner.examine(connection) {
        case .nobody: return false
        case .service: return true
        case .unknown(let process):
            context.notice("process \(process) answers as dosetapd; it cannot be checked whether it is.")
            return true
        case .stranger(let process): throw Failure(stranger: process)
        }
    }

    private static func talk<Value: Sendable>(
        to address: BusAddress, _ context: Context, _ body: @escaping @Sendable (Client) async throws -> Value
    ) throws -> Value {
        try EventLoop.run { loop in
            let connection = try await Connection.open(address, on: loop)
            do {
                let isKnown = try await believe(connection, context)
                let client = Client(connection)
                await context.askClock(client)
                let value = try await body(client)
                // The call itself started it.
                if !isKnown { _ = try await believe(connection, context) }
                await connection.close()
                return value
            } catch {
                await connection.close()
                throw error
            }
        }
    }
}
