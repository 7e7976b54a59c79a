internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapSystem
internal import SDBus

/// The `Session` interface: status and actions of the night.
struct SessionAdapter: Sendable {
    let endpoint: CommandEndpoint

    /// - Parameter properties: kept up to date by the server.
    func interface(_ properties: SessionProperties) -> ExportedInterface {
        let methods = [
            Contract.Session.status.serve { context, options in try await status(options, context) },
            recording(Contract.Session.logDose1, .logDose(.dose1)),
            recording(Contract.Session.logDose2, .logDose(.dose2)),
            recording(Contract.Session.logExtraDose, .logDose(.extra)), recording(Contract.Session.snooze, .snooze),
            recording(Contract.Session.skipDose2, .skipDose2), recording(Contract.Session.logFinalWake, .logFinalWake),
            recording(Contract.Session.undo, .undo), correcting(Contract.Session.amend) { .amend($0) },
            correcting(Contract.Session.delete) { .delete($0) },
        ]
        let signals: [ExportedMember] = [
            .signal(Contract.Session.eventRecorded.exported), .signal(Contract.Session.phaseChanged.exported),
        ]
        return ExportedInterface(
            Contract.InterfaceName.session, limits: .contract, members: methods + properties.members + signals)
    }

    private func status(_ options: VariantEntries, _ context: CallContext) async throws -> WireObject {
        do {
            var instant: Instant?
            for (key, variant) in options.pairs {
                guard key == "at", let microseconds = variant.as(UInt64.self),
                    microseconds <= UInt64(Instant.max.microseconds)
                else {
                    throw ServiceError(
                        "Unknown or malformed option '\(key.prefix(40))': at is t.", option: key, known: ["at"])
                }
                if microseconds > 0 { instant = Instant(microseconds: Int64(microseconds)) }
            }
            var status =
                if let instant {
                    try await endpoint.queues.questions.perform(context, isQuestion: true) {
                        try await endpoint.engine.status(asOf: instant)
                    }
                } else { await endpoint.engine.status(at: nil) }
            if instant == nil { status.warnings = await status.warnings(of: endpoint.doctor, isReceipt: false) }
            return WireObject(status.json, NightStatus.description.shape)
        } catch { throw ServiceError(error, nil, moments: endpoint.systemEnvironment.moments).busError }
    }

    private func recording(
        _ row: Contract.Method<VariantEntries, WireObject>, _ command: Command
    ) -> ExportedMember {
        row.serve { context, options in try await endpoint.submit(command, options, context) }
    }

    private func correcting(
        _ row: Contract.Method<(String, VariantEntries), WireObject>,
        _ command: @escaping @Sendable (EventID) -> Command
    ) -> ExportedMember {
        row.serve { context, said in try await endpoint.submit(command(EventID(said.0)), said.1, context) }
    }
}

extension InputLimits {
    /// Limits of calls to the contract.
    static let contract = InputLimits(
        stringBytes: Contract.stringBytes, arrayElements: Contract.arrayElements,
        errorName: Contract.errorPrefix + ServiceError.Kind.invalidInput.rawValue)
}

/// The properties of the `Session` interface.
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
