public import SDBus

/// The bus of the whole machine, as far as plugins reach it: opened when somebody needs it, and again after it has gone.
public actor SystemBus {
    private let loop: EventLoop
    private let address: BusAddress?
    private var connection: Connection?
    private var opening: Task<Connection, any Error>?

    /// How long the bus may take to accept a connection.
    private static let limit: Duration = .seconds(2)

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter address: nil: there is none, as for a service that serves a single caller.
    public init(on loop: EventLoop, _ address: BusAddress?) {
        self.loop = loop
        self.address = address
    }

    /// The connection at hand, or a new one.
    ///
    /// - Throws: ``SDBus/BusError``: `NoServer` where there is no bus, `Timeout`, and others.
    public func connected() async throws(BusError) -> Connection {
        if let connection { return connection }
        let task = opening ?? open()
        opening = task
        switch await task.result {
        case .success(let connection): return connection
        case .failure(let error as BusError):
            if error.name == BusError.Name.cancelled {
                throw BusError(name: BusError.Name.timeout, message: "the system bus does not answer")
            }
            throw error
        case .failure(let error): throw BusError(name: BusError.Name.failed, message: "\(error)")
        }
    }

    /// Closes what is open.
    public func close() async {
        await connection?.close()
        connection = nil
    }

    private func open() -> Task<Connection, any Error> {
        Task {
            defer { self.opening = nil }
            guard let address = self.address else {
                throw BusError(name: BusError.Name.noServer, message: "there is no system bus for this service")
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

/// Runs work for no longer than a limit; then it is cancelled, and what it does about that is the result.
func bounded<Value: Sendable>(
    _ limit: Duration, on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let task = Task(executorPreference: loop) { try await work() }
    let limiter = LoopTimer(on: loop, clock: .boottime) { _ in task.cancel() }
    try? await limiter.arm(after: limit)
    let result = await task.result
    await limiter.disarm()
    return try result.get()
}
