internal import DoseTapDomain
internal import DoseTapSystem
internal import Synchronization

/// The system's zone, looked up when it is first needed: a command that shows no time need not know it.
final class SystemZoneOnce: Sendable {
    private let found = Mutex<Zone?>(nil)

    /// The zone; `complain` is called once if it is unknown.
    func zone(_ complain: (SystemFault) -> Void) -> Zone {
        if let zone = found.withLock({ $0 }) { return zone }
        let system = ZoneFiles().current(variable: Settings.text("TZ"))
        found.withLock { $0 = system.zone }
        if let fault = system.fault { complain(fault) }
        return system.zone
    }
}
