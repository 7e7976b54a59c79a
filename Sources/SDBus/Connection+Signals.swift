extension Connection {
    /// Signals as a sequence; ends with the connection. The match is in force when this returns, and removed when the
    /// sequence is dropped or its task cancelled.
    /// - Parameter bufferLimit: How many unread signals are kept; beyond it the oldest are dropped.
    public func signals(
        _ match: SignalMatch,
        bufferLimit: Int = 4096
    ) async throws(BusError) -> AsyncStream<Signal> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Signal.self,
            bufferingPolicy: .bufferingNewest(bufferLimit)
        )
        let identifier = try await subscribe(
            match,
            handler: { continuation.yield($0) },
            onEnd: { continuation.finish() }
        )
        continuation.onTermination = { [core, loop] _ in
            // Later: the termination may come from inside the callback.
            loop.executeLater { core.subscriptions.remove(identifier)?.end() }
        }
        return stream
    }

    /// Calls a handler on the loop for every signal, until ``unsubscribe(_:)`` or the end of the connection.
    /// - Returns: What ``unsubscribe(_:)`` takes.
    @discardableResult
    public func subscribe(
        _ match: SignalMatch,
        handler: @escaping @Sendable (Signal) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) async throws(BusError) -> UInt64 {
        let subscription = Subscription(core: core, limits: .replies, handler: handler, onEnd: onEnd)
        let identifier = core.nextIdentifier()
        try core.install(subscription, rule: match.rule)
        core.subscriptions.append(subscription, number: identifier)
        if isPeer { return identifier }  // nobody to answer
        if let error = await withUnsafeContinuation({ subscription.installed.wait($0) }) {
            core.subscriptions.remove(identifier)?.end()
            throw error
        }
        return identifier
    }

    /// Removes a match.
    public func unsubscribe(_ identifier: UInt64) {
        core.subscriptions.remove(identifier)?.end()
    }
}
