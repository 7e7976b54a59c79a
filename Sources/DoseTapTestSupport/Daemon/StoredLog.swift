public import DoseTapDomain
import DoseTapStore

/// The log of a store that nobody holds.
public enum StoredLog {
    /// All its events, oldest first; the chain is verified and the tables compared.
    public static func read(_ path: String) async throws -> [StoredEvent] {
        let store = try Store.open(
            StoreConfiguration(path: path, surface: "test", now: Instant(seconds: 1_768_429_800)))
        let events = try await store.events(after: 0, limit: 100_000)
        let reports = [try await store.verify(), try await store.check()]
        try await store.close()
        for report in reports where !report.isSound {
            throw CommandError(description: "the store at \(path): \(report.findings)")
        }
        return events
    }
}
