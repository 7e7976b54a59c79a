internal import CSystemd

/// A connection to a bus or to a peer, isolated to an event loop.
///
/// A connection that has ended stays ended: open another one.
public actor Connection {
    /// The loop that owns the connection.
    public nonisolated let loop: EventLoop
    /// Whether there is no bus in between: no names and no senders then.
    public nonisolated let isPeer: Bool
    let core: BusCore

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    private init(_ address: BusAddress, loop: EventLoop) {
        var isPeer = false
        if case .peer = address { isPeer = true }
        self.loop = loop
        self.isPeer = isPeer
        core = BusCore(loop: loop, isPeer: isPeer)
    }

    deinit {
        let core = core
        loop.execute { core.shutdown(.disconnected) }
    }

    /// Connects. With a bus, returns once it has accepted the connection; with a peer, at once.
    ///
    /// A peer's socket is taken over also when this throws.
    /// - Throws: ``BusError``: `NoServer` when there is no bus, `AccessDenied`, `Disconnected` and others.
    public static func open(_ address: BusAddress, on loop: EventLoop) async throws(BusError) -> Connection {
        let connection = Connection(address, loop: loop)
        try await connection.start(address)
        return connection
    }

    private func start(_ address: BusAddress) async throws(BusError) {
        core.connection = self
        try core.start(address)
        if isPeer { return }
        let core = core
        let error = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                // Through self: a closure that does not capture the actor would run on the default executor.
                self.core.connected.wait(continuation)
                if Task.isCancelled { self.core.shutdown(.cancelled) }
            }
        } onCancel: {
            core.loop.execute { core.shutdown(.cancelled) }
        }
        if let error = error ?? core.closeError { throw error }
    }

    /// The name the bus gave to this connection, such as `:1.42`; nil with a peer or once closed.
    public var uniqueName: String? {
        guard !isPeer, let bus = core.bus else { return nil }
        var name: UnsafePointer<CChar>?
        guard sd_bus_get_unique_name(bus, &name) >= 0, let name else { return nil }
        return String(cString: name)
    }

    /// Whether messages can still be sent.
    public var isOpen: Bool {
        core.bus.map { sd_bus_is_open($0) > 0 } ?? false
    }

    /// Sends what is queued, then closes. Pending calls fail with `Disconnected`, signal sequences end.
    /// - Parameter limit: How long a peer that does not read may hold the closing up.
    public func close(within limit: Duration = .seconds(2)) async {
        await flush(within: limit)
        core.shutdown(.disconnected)
    }

    /// Closes at once and drops what is queued.
    public func abort() {
        core.shutdown(.disconnected)
    }

    /// Calls the handler on the loop when the connection ends, from whichever side; at once if it has ended.
    public func onClose(_ handler: @escaping @Sendable (BusError) -> Void) {
        if let error = core.closeError {
            handler(error)
        } else {
            core.closeHandlers.append(handler, number: core.nextIdentifier())
        }
    }

    /// Waits for the end of the connection. Returns early when the task is cancelled.
    public func waitUntilClosed() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let identifier = core.nextIdentifier()
        if core.closeError != nil { return }
        core.closeHandlers.append({ _ in continuation.finish() }, number: identifier)
        for await _ in stream {}
        core.closeHandlers.remove(identifier)
    }
}
