internal import DoseTapDomain
public import SDBus
internal import Synchronization

/// The person's desktop, as far as plugins reach it: the bus of the session, once there is one.
///
/// The service connects the desktop to a bus; in a service for a single caller the desktop stays empty.
public final class Desktop: Sendable {
    /// The parts of a session that plugins reach.
    package struct Session: Sendable {
        /// The bus of the session; nil for an imagined session.
        let connection: Connection?
        let notifications: any NotificationBus

        package init(connection: Connection?, notifications: any NotificationBus) {
            self.connection = connection
            self.notifications = notifications
        }
    }

    private struct State {
        var session: Session?
        var followers: [@Sendable (Session?) -> Void] = []
    }

    private let state = Mutex(State())

    /// Makes a desktop without a bus.
    public init() {}

    /// Calls the handler with every session that comes, and with nil when the session goes. All calls are on the loop.
    func follow(_ handler: @escaping @Sendable (Session?) -> Void) {
        let session = state.withLock { state in
            state.followers.append(handler)
            return state.session
        }
        if let session { handler(session) }
    }

    /// Connects the desktop to a bus, in place of another one; nil: the bus has gone. Called on the loop.
    public func connect(_ connection: Connection?) {
        begin(connection.map { Session(connection: $0, notifications: SessionNotifications($0)) })
    }

    /// As ``connect(_:)``, for a session of any kind.
    package func begin(_ session: Session?) {
        let followers = state.withLock { state in
            state.session = session
            return state.followers
        }
        for follower in followers { follower(session) }
    }
}

/// The bus of the whole machine, as far as plugins reach it. The connection is opened when it is needed, and again after
/// the bus has gone.
public actor SystemBus {
    private let loop: EventLoop
    private let address: BusAddress?
    private var connection: Connection?
    private var opening: Task<Connection, any Error>?

    /// The time that the bus may take to accept a connection.
    private static let limit: Duration = .seconds(2)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter address: nil: there is no bus, as for a service for a single caller.
    public init(on loop: EventLoop, _ address: BusAddress?) {
        self.loop = loop
        self.address = address
    }

    /// Returns the connection at hand, or a new one.
    ///
    /// - Throws: ``SDBus/BusError``: `NoServer` without a bus, `Timeout`, and others.
    public func connected() async throws(BusError) -> Connection {
        if let connection { return connection }
        if let address, !address.mayExist {
            throw BusError(name: BusError.Name.noServer, message: sent("this machine has no system bus"))
        }
        let task = opening ?? open()
        opening = task
        switch await task.result {
        case .success(let connection): return connection
        case .failure(let error as BusError):
            if error.name == BusError.Name.cancelled {
                throw BusError(name: BusError.Name.timeout, message: sent("the system bus does not answer"))
            }
            throw error
        case .failure(let error): throw BusError(name: BusError.Name.failed, message: "\(error)")
        }
    }

    /// Closes the connection, if one is open.
    public func close() async {
        await connection?.close()
        connection = nil
    }

    private func open() -> Task<Connection, any Error> {
        Task {
            defer { self.opening = nil }
            guard let address = self.address else {
                throw BusError(name: BusError.Name.noServer, message: sent("there is no system bus for this service"))
            }
            let loop = self.loop
            let found = try await bounded(Self.limit, on: loop) { try await Connection.open(address, on: loop) }
            self.connection = found
            await found.onClose { [weak self] _ in self?.assumeIsolated { $0.ended(found) } }
            return found
        }
    }

    private func ended(_ connection: Connection) {
        if self.connection === connection { self.connection = nil }
    }
}

/// Runs work for no longer than a limit. After the limit the work is cancelled, and its response is the result.
func bounded<Value: Sendable>(
    _ limit: Duration, on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let task = Task(executorPreference: loop.preference) { try await work() }
    let limiter = LoopTimer(on: loop, clock: .boottime) { _ in task.cancel() }
    try? await limiter.arm(after: limit)
    let result = await task.result
    await limiter.disarm()
    return try result.get()
}
