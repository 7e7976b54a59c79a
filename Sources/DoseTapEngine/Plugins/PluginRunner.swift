internal import DoseTapDomain

/// One plugin as the host sees it: how far it has read, and how it is doing.
struct PluginRunner {
    /// A reminder the plugin failed to tell.
    struct Untold {
        let due: Deadline
        let failures: Int
        /// When it is tried again, in microseconds since boot.
        let retryAt: Int64
    }

    /// Events read from the store at a time.
    static let pageSize = 64
    /// How long a call may take.
    static let budget: Duration = .seconds(20)
    /// When a plugin that failed as it was woken is woken again.
    static let wakeAgain: Duration = .seconds(60)
    /// Waits after the first failure; doubled each time, up to the bound.
    private static let firstWait: Duration = .seconds(1)
    private static let longestWait: Duration = .seconds(300)
    /// A reminder cannot wait that long.
    private static let longestWaitToTell: Duration = .seconds(60)

    let plugin: any Plugin
    let manifest: PluginManifest
    var store: (any EventStore)?
    var isEnabled: Bool
    var isReading = false
    var cursor: Int64 = 0
    var cursorMoved = false
    /// The oldest event it took and is not done with.
    var heldFrom: Int64?
    /// Newest event known to stand in the log; more than any log holds until the store was asked.
    var newest: Int64 = .max
    var failures = 0
    var lastError = ""
    /// What the plugin itself says does not work.
    var complaint = ""
    /// When reading is tried again, in microseconds since boot.
    var retryAt: Int64?
    /// When the plugin asked to be woken, in microseconds since boot.
    var wakeAt: Int64?
    /// Reminders it failed to tell.
    var untold: [Untold] = []
    private var ready: [StoredEvent] = []
    /// The last event that was handed out to be read.
    var taken: Int64 = 0

    init(_ plugin: any Plugin, enabled: Bool) {
        self.plugin = plugin
        manifest = type(of: plugin).manifest
        isEnabled = enabled
    }

    /// The last event it is done with: that is what a crash leaves.
    var settled: Int64 { min(cursor, (heldFrom ?? .max) - 1) }
    var lag: Int64 { manifest.capabilities.contains(.reads) ? max(0, newest - cursor) : 0 }
    var canRead: Bool { isEnabled && !isReading && retryAt == nil && lag > 0 }
    var tellsReminders: Bool { isEnabled && manifest.capabilities.contains(.deadlines) }

    /// Everything that is to be tried again, in microseconds since boot.
    var retries: [Int64] { (retryAt.map { [$0] } ?? []) + untold.map(\.retryAt) }

    func isRetryDue(_ now: ClockReading) -> Bool { retryAt.map { $0 <= now.counterMicroseconds } ?? false }

    /// Keeps what was just committed when nothing lies between it and the cursor, so that no read is needed.
    mutating func announce(_ stored: [StoredEvent], last: Int64) {
        newest = last
        let expected = (ready.last?.sequence ?? max(cursor, taken)) + 1
        if stored.first?.sequence == expected, ready.count < Self.pageSize { ready += stored }
    }

    mutating func takeReady() -> [StoredEvent]? {
        defer { ready = [] }
        guard ready.first?.sequence == cursor + 1 else {
            taken = 0
            return nil
        }
        taken = ready.last?.sequence ?? 0
        return ready
    }

    mutating func read(_ sequence: Int64) {
        cursor = sequence
        cursorMoved = true
        failures = 0
        lastError = ""
    }

    mutating func begin(at sequence: Int64) {
        ready = []
        taken = 0
        cursor = sequence
        newest = sequence
        cursorMoved = true
    }

    mutating func told() { if failures == 0, untold.isEmpty { lastError = "" } }

    mutating func fail(_ error: any Error, now: ClockReading) {
        failures += 1
        lastError = "\(error)"
        retryAt = Self.again(after: failures, atMost: Self.longestWait, now)
    }

    mutating func fail(toTell due: Deadline, failures: Int, _ error: any Error, now: ClockReading) {
        lastError = "\(error)"
        let retryAt = Self.again(after: failures, atMost: Self.longestWaitToTell, now)
        untold.removeAll { $0.due == due }
        untold.append(Untold(due: due, failures: failures, retryAt: retryAt))
    }

    /// The reminders that are to be told again now.
    mutating func takeUntold(_ now: ClockReading) -> [Untold] {
        let due = untold.filter { $0.retryAt <= now.counterMicroseconds }
        untold.removeAll { $0.retryAt <= now.counterMicroseconds }
        return due
    }

    /// It was switched on or off: it begins anew.
    mutating func forgetFailures() {
        failures = 0
        lastError = ""
        complaint = ""
        retryAt = nil
        wakeAt = nil
        untold = []
    }

    private static func again(after failures: Int, atMost longest: Duration, _ now: ClockReading) -> Int64 {
        let wait = min(firstWait * (1 << min(max(0, failures - 1), 10)), longest)
        return now.counterMicroseconds + wait.wholeMilliseconds * 1_000
    }

    func report(isHanging: Bool) -> PluginReport {
        let state: PluginReport.State =
            if !isEnabled { .disabled } else if isHanging { .hanging } else {
                retries.isEmpty ? .running : .retrying
            }
        return PluginReport(
            manifest: manifest, state: state, cursor: cursor, lag: newest == .max ? 0 : lag, failures: failures,
            lastError: lastError.isEmpty ? complaint : lastError)
    }
}
