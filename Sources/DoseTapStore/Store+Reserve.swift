public import DoseTapDomain

extension Store {
    /// Puts events that the log does not take where a stop, a crash or a reboot does not lose them, in place of what
    /// was there: first the reserve beside the store, then the spare folder. A person's entries go first.
    ///
    /// - Returns: the worst place one of them has; nil where there is nothing to keep.
    public func keep(_ events: [Event], lastSequence: Int64) -> KeptPlace? {
        // By whose they are they find room, by their number they come back in order.
        let numbered = events.enumerated().map { (number: $0, event: $1) }
        let ordered =
            numbered.filter { $0.event.payload.request != nil } + numbered.filter { $0.event.payload.request == nil }
        let lines = ordered.map { "\($0.number) \($0.event.json.serialized())" }
        guard !lines.isEmpty || hasKept else { return nil }
        let fitting = reserve?.write(lines, storeID: keptID, lastSequence: lastSequence) ?? 0
        let rest = Array(lines.dropFirst(fitting))
        let isSpared = spare?.write(rest, lastSequence: lastSequence) ?? rest.isEmpty
        hasKept = !lines.isEmpty
        isAtRisk = !rest.isEmpty && !isSpared
        guard !lines.isEmpty else { return nil }
        return rest.isEmpty ? .reserve : isSpared ? .configuration : .journal
    }

    /// What an earlier run had to keep outside the log, in the order in which it was recorded.
    public func kept() -> ReservedEvents {
        let contents = [reserve?.read(), spare?.read()].compactMap { $0 }.filter { $0.storeID == keptID }
        var found: [(number: Int, event: Event)] = []
        for line in contents.flatMap(\.lines) {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]),
                let event = (try? JSONValue.parse(String(parts[1]))).flatMap(Event.init(json:)),
                !found.contains(where: { $0.event.id == event.id })
            else { continue }
            found.append((number, event))
        }
        let events = found.sorted { $0.number < $1.number }.map(\.event)
        hasKept = !events.isEmpty
        return ReservedEvents(events: events, lastSequence: contents.map(\.lastSequence).max() ?? 0)
    }
}
