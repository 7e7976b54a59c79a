internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import SDBus

/// The `Data` interface: check, verify and rebuild.
struct DataAdapter: Sendable {
    let engine: Engine
    let systemEnvironment: LiveSystemEnvironment
    let queues: CallQueues

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.data, limits: .contract,
            members: [
                Contract.Data.check.serve { context, _ in
                    try await answer(context, "check") { try await engine.check() }
                },
                Contract.Data.verify.serve { context, _ in
                    try await answer(context, "verify") { try await engine.verify() }
                },
                Contract.Data.rebuild.serve { context, options in
                    try await answer(context, "rebuild", options) { try await engine.rebuild() }
                },
            ])
    }

    private func answer(
        _ context: CallContext, _ topic: String, _ options: VariantEntries = [:],
        _ examine: @escaping @Sendable () async throws -> StoreReport
    ) async throws -> WireObject {
        do {
            try RequestOptions.refuseAll(options)
            let report = try await queues.questions.perform(
                context, topic: topic, isWatched: true, isQuestion: topic != "rebuild", examine)
            return WireObject(report.json, StoreReport.description.shape)
        } catch { throw ServiceError(error, nil, moments: systemEnvironment.moments).busError }
    }
}
