internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapSystem
internal import SDBus

/// The `Session` interface: tonight.
struct SessionFace: Sendable {
    let engine: Engine
    let surroundings: SystemSurroundings
    let queues: CallQueues
    var doctor: Doctor?

    private var intake: CommandIntake {
        CommandIntake(engine: engine, surroundings: surroundings, queues: queues, doctor: doctor)
    }

    /// - Parameter properties: kept up to date by whoever serves the interface.
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
                    try await queues.questions.perform(context, isQuestion: true) {
                        try await engine.status(asOf: instant)
                    }
                } else { await engine.status(at: nil) }
            if instant == nil { status.warnings = await status.warnings(of: doctor, isReceipt: false) }
            return WireObject(status.json, NightStatus.description.shape)
        } catch { throw ServiceError(error, nil, moments: surroundings.moments).busError }
    }

    private func recording(
        _ row: Contract.Method<VariantEntries, WireObject>, _ command: Command
    ) -> ExportedMember {
        row.serve { context, options in try await intake.submit(command, options, context) }
    }

    private func correcting(
        _ row: Contract.Method<(String, VariantEntries), WireObject>,
        _ command: @escaping @Sendable (EventID) -> Command
    ) -> ExportedMember {
        row.serve { context, said in try await intake.submit(command(EventID(said.0)), said.1, context) }
    }
}

extension InputLimits {
    /// What callers of the contract may send.
    static let contract = InputLimits(
        stringBytes: Contract.stringBytes, arrayElements: Contract.arrayElements,
        errorName: Contract.errorPrefix + ServiceError.Kind.invalidInput.rawValue)
}
