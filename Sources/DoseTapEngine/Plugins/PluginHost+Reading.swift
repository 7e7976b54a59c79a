internal import DoseTapDomain

/// The log, to each plugin in order and from its own cursor.
extension PluginHost {
    /// Reads on, unless the plugin is up to date, switched off, waiting to be tried again, or has not come back from an
    /// event it was given before.
    func read(_ index: Int) {
        guard runners[index].canRead, !isStuck(index) else { return }
        runners[index].isReading = true
        Task { await readAll(index) }
    }

    /// An event was given up on and the plugin is still at it.
    private func isStuck(_ index: Int) -> Bool {
        calls.values.contains { $0.plugin == index && $0.isOverdue && $0.purpose == .event }
    }

    /// Reads until the plugin is up to date or fails; a failure is tried again later, from the same event.
    private func readAll(_ index: Int) async {
        while runners[index].isEnabled, runners[index].lag > 0 {
            do {
                for event in try await next(index) {
                    guard runners[index].isEnabled else { break }
                    try await call(index, .event) { plugin in try await plugin.receive(event) }
                    runners[index].read(event.sequence)
                }
            } catch {
                runners[index].fail(error, now: surroundings.clock())
                complain("a plugin failed and will be tried again", index, error)
                break
            }
        }
        runners[index].isReading = false
        await armTimer()
    }

    private func next(_ index: Int) async throws -> [StoredEvent] {
        if let ready = runners[index].takeReady() { return ready }
        guard let store = runners[index].store else { return [] }
        let (cursor, newest) = (runners[index].cursor, runners[index].newest)
        let events = try await store.events(after: cursor, limit: PluginRunner.pageSize)
        // What was announced while the store was asked may be newer than its answer.
        if events.isEmpty, runners[index].newest == newest { runners[index].newest = cursor }
        return events
    }
}
