internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import SDBus

/// The `Diary` interface: what is written down beside the doses.
struct DiaryFace: Sendable {
    let engine: Engine
    let surroundings: SystemSurroundings

    private typealias Options = [String: Variant]
    private var intake: CommandIntake { CommandIntake(engine: engine, surroundings: surroundings) }

    /// - Parameter properties: kept up to date by whoever serves the interface.
    func interface(_ properties: DiaryProperties) -> ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.diary, limits: .contract,
            members: [
                .method("LogSleepEvent", arguments: ["type", "options"], results: ["receipt"]) {
                    (context, type: String, options: Options) in
                    try await intake.submit(.logSleepEvent(type), options, context)
                }
            ] + properties.members)
    }
}

/// The properties of the `Diary` interface, for those who watch a night without asking.
struct DiaryProperties: Sendable {
    private let napOpenSince = ExportedProperty("NapOpenSince", UInt64(0))

    var members: [ExportedMember] { [.property(napOpenSince)] }

    /// Takes over a status; only what changed is told.
    func set(_ status: NightStatus, in batch: inout PropertyBatch) {
        batch.set(napOpenSince, UInt64(max(0, status.napOpenSince?.microseconds ?? 0)))
    }
}
