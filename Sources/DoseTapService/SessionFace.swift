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

    private typealias Options = [String: Variant]
    private var intake: CommandIntake {
        CommandIntake(engine: engine, surroundings: surroundings, queues: queues, doctor: doctor)
    }

    /// - Parameter properties: kept up to date by whoever serves the interface.
    func interface(_ properties: SessionProperties) -> ExportedInterface {
        let methods: [ExportedMember] = [
            .method("Status", arguments: ["options"], results: ["status"]) {
                (context, options: Options) -> WireObject in
                try await status(options, context)
            },
            recording("LogDose1", .logDose(.dose1)), recording("LogDose2", .logDose(.dose2)),
            recording("LogExtraDose", .logDose(.extra)), recording("Snooze", .snooze),
            recording("SkipDose2", .skipDose2), recording("LogFinalWake", .logFinalWake), recording("Undo", .undo),
            correcting("Amend") { .amend($0) }, correcting("Delete") { .delete($0) },
        ]
        let signals: [ExportedMember] = [
            .signal(SessionSignals.eventRecorded), .signal(SessionSignals.phaseChanged),
        ]
        return ExportedInterface(
            Contract.InterfaceName.session, limits: .contract, members: methods + properties.members + signals)
    }

    private func status(_ options: Options, _ context: CallContext) async throws -> WireObject {
        do {
            var instant: Instant?
            for (key, variant) in options {
                guard key == "at", let microseconds = variant.as(UInt64.self),
                    microseconds <= UInt64(Instant.max.microseconds)
                else {
                    throw ServiceError(
                        .invalidInput, "Unknown or malformed option '\(key.prefix(40))'.", hint: "known: at (t)")
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
            return WireObject(status.json)
        } catch { throw ServiceError(error, nil, moments: surroundings.moments).busError }
    }

    private func recording(_ name: String, _ command: Command) -> ExportedMember {
        .method(name, arguments: ["options"], results: ["receipt"]) { (context, options: Options) in
            try await intake.submit(command, options, context)
        }
    }

    private func correcting(_ name: String, _ command: @escaping @Sendable (EventID) -> Command) -> ExportedMember {
        .method(name, arguments: ["id", "options"], results: ["receipt"]) { (context, id: String, options: Options) in
            try await intake.submit(command(EventID(id)), options, context)
        }
    }
}

extension InputLimits {
    /// What callers of the contract may send.
    static let contract = InputLimits(
        stringBytes: Contract.stringBytes, arrayElements: Contract.arrayElements,
        errorName: Contract.errorPrefix + ServiceError.Kind.invalidInput.rawValue)
}
