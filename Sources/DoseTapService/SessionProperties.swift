internal import DoseTapBusAPI
internal import DoseTapDomain
internal import SDBus

/// The properties of the `Session` interface, for those who watch a night without asking.
struct SessionProperties: Sendable {
    private let phase = ExportedProperty("Phase", Phase.noDose1.rawValue)
    private let sessionID = ExportedProperty("SessionId", "")
    private let sessionDate = ExportedProperty("SessionDate", "")
    private let dose1Time = ExportedProperty("Dose1Time", UInt64(0))
    private let dose2Time = ExportedProperty("Dose2Time", UInt64(0))
    private let dose2Skipped = ExportedProperty("Dose2Skipped", false)
    private let snoozeCount = ExportedProperty("SnoozeCount", UInt32(0))
    private let windowOpens = ExportedProperty("WindowOpens", UInt64(0))
    private let windowCloses = ExportedProperty("WindowCloses", UInt64(0))
    private let alarmTime = ExportedProperty("AlarmTime", UInt64(0))
    private let terminalState = ExportedProperty("TerminalState", "")

    var members: [ExportedMember] {
        [
            .property(phase), .property(sessionID), .property(sessionDate), .property(dose1Time),
            .property(dose2Time), .property(dose2Skipped), .property(snoozeCount), .property(windowOpens),
            .property(windowCloses), .property(alarmTime), .property(terminalState),
        ]
    }

    /// Takes over a status; only what changed is told.
    func set(_ status: NightStatus, in batch: inout PropertyBatch) {
        func microseconds(_ instant: Instant?) -> UInt64 { UInt64(max(0, instant?.microseconds ?? 0)) }
        batch.set(phase, status.window.phase.rawValue)
        batch.set(sessionID, status.sessionID?.text ?? "")
        batch.set(sessionDate, status.sessionDate?.text ?? "")
        batch.set(dose1Time, microseconds(status.dose1))
        batch.set(dose2Time, microseconds(status.dose2))
        batch.set(dose2Skipped, status.dose2Skipped)
        batch.set(snoozeCount, UInt32(clamping: status.snoozeCount))
        batch.set(windowOpens, microseconds(status.windowOpens))
        batch.set(windowCloses, microseconds(status.windowCloses))
        batch.set(alarmTime, microseconds(status.alarm))
        batch.set(terminalState, status.terminalState?.rawValue ?? "")
    }
}

/// The signals of the `Session` interface.
enum SessionSignals {
    static let eventRecorded = ExportedSignal<String, String, WireObject>(
        Contract.InterfaceName.session, "EventRecorded", arguments: ["type", "id", "details"])
    static let phaseChanged = ExportedSignal<String, String>(
        Contract.InterfaceName.session, "PhaseChanged", arguments: ["old", "new"])
}
