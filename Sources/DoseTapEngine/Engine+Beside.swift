internal import DoseTapDomain
internal import Logging

/// A damaged store does not end the night: it goes on in a fresh log beside it, and says so first.
extension Engine {
    /// Reads tonight; from a fresh log beside the store where the log is damaged.
    func snapshot() async throws -> LogSnapshot {
        let now = parts.surroundings.clock().wall
        while true {
            do {
                let found = try await parts.store.load(now: now)
                beside = await parts.store.beside
                return found
            } catch let error as StoreError where error.code == .damaged {
                parts.logger.error("the store is damaged", metadata: ["error": "\(error)"])
                // There are only so many of them.
                try await parts.store.continueBeside([], because: error)
            }
        }
    }

    /// The log turned out to be damaged while it was in use: the store's, or a fresh one beside it.
    ///
    /// - Returns: whether a fresh log takes its place now.
    func goBeside(_ error: StoreError) async -> Bool {
        guard error.code == .damaged, !mustReopen else { return false }
        let known =
            durable.sessions.flatMap(\.events) + durable.standalone.flatMap(\.events)
        do {
            try await parts.store.continueBeside(known, because: error)
            let snapshot = try await parts.store.load(now: parts.surroundings.clock().wall)
            beside = await parts.store.beside
            ledger = nil
            lastSequence = snapshot.lastSequence
            durable = Diary(snapshot)
            // Where the fresh log's own entries begin, before what waits already.
            let fact = besideFact()
            unsafeEvents.insert(fact.recorded(at: unsafeEvents.first?.occurredAt ?? fact.occurredAt), at: 0)
            diary = durable.appending(unsafeEvents)
            await parts.host.begin(at: snapshot.lastSequence)
            if let beside { tell(.change(.finding(beside.sentence))) }
            return true
        } catch {
            parts.logger.error("no fresh log beside the damaged store", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// What is recorded of it, where the fresh log's own entries begin.
    func besideFact() -> Event {
        let reason = beside.map { $0.reason.isEmpty ? "" : " (\($0.reason))" } ?? ""
        let restored = StoreRestored(
            expectedSequence: beside?.takenOver ?? 0, foundSequence: beside?.takenOver ?? 0,
            finding: "the record was damaged\(reason): this log was begun beside it")
        return Rulebook.fact(
            .storeRestored(restored), .store, session: nil, newest: diary.newest, circumstances(), ids: &ids)
    }
}
