internal import DoseTapBusAPI
internal import DoseTapDomain
internal import SDBus

/// The properties of the `Session` interface, for those who watch a night without asking.
struct SessionProperties: Sendable {
    private let phase = Contract.Session.phase.make()
    private let sessionID = Contract.Session.sessionID.make()
    private let sessionDate = Contract.Session.sessionDate.make()
    private let dose1Time = Contract.Session.dose1Time.make()
    private let dose2Time = Contract.Session.dose2Time.make()
    private let dose2Skipped = Contract.Session.dose2Skipped.make()
    private let snoozeCount = Contract.Session.snoozeCount.make()
    private let windowOpens = Contract.Session.windowOpens.make()
    private let windowCloses = Contract.Session.windowCloses.make()
    private let alarmTime = Contract.Session.alarmTime.make()
    private let terminalState = Contract.Session.terminalState.make()

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
