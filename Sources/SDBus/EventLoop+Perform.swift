extension EventLoop {
    /// Runs a closure on the loop and gives its result: at once when already there.
    public func perform<R: Sendable>(
        _ body: @escaping @Sendable () throws(BusError) -> R
    ) async throws(BusError) -> R {
        if isCurrent { return try body() }
        let result: Result<R, BusError> = await withUnsafeContinuation { continuation in
            execute {
                do throws(BusError) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
