internal import DoseTapDomain

/// One plugin as the host sees it: how far it has read, and how it is doing.
struct PluginRunner {
    /// Events read from the store at a time.
    static let pageSize = 64
    /// Waits after the first failure; doubled each time, up to the bound.
    private static let firstWait: Duration = .seconds(1)
    private static let longestWait: Duration = .seconds(300)

    let plugin: any Plugin
    let manifest: PluginManifest
    var store: (any EventStore)?
    var isEnabled: Bool
    var isReading = false
    var cursor: Int64 = 0
    var cursorMoved = false
    /// Newest event known to stand in the log; more than any log holds until the store was asked.
    var newest: Int64 = .max
    var failures = 0
    var lastError = ""
    var retryAt: Instant?
    /// When the plugin asked to be woken.
    var wakeAt: Instant?
    private var ready: [StoredEvent] = []

    init(_ plugin: any Plugin, enabled: Bool) {
        self.plugin = plugin
        manifest = type(of: plugin).manifest
        isEnabled = enabled
    }

    var lag: Int64 { manifest.capabilities.contains(.reads) ? max(0, newest - cursor) : 0 }
    var canRead: Bool { isEnabled && !isReading && retryAt == nil && lag > 0 }

    /// Keeps what was just committed when nothing lies between it and the cursor, so that no read is needed.
    mutating func announce(_ stored: [StoredEvent], last: Int64) {
        newest = last
        let expected = (ready.last?.sequence ?? cursor) + 1
        if stored.first?.sequence == expected, ready.count < Self.pageSize { ready += stored }
    }

    mutating func takeReady() -> [StoredEvent]? {
        defer { ready = [] }
        return ready.first?.sequence == cursor + 1 ? ready : nil
    }

    mutating func read(_ sequence: Int64) {
        cursor = sequence
        cursorMoved = true
        failures = 0
        lastError = ""
    }

    mutating func fail(_ error: String, now: Instant) {
        failures += 1
        lastError = error
        let wait = Self.firstWait * (1 << min(failures - 1, 10))
        retryAt = now + min(wait, Self.longestWait)
    }

    var report: PluginReport {
        let state: PluginReport.State = !isEnabled ? .disabled : retryAt != nil ? .retrying : .running
        return PluginReport(
            manifest: manifest, state: state, cursor: cursor, lag: newest == .max ? 0 : lag, failures: failures,
            lastError: lastError)
    }
}
