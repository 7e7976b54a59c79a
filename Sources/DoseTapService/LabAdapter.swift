internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import SDBus

/// The `Lab` interface: questions, plans, and the answers about nights of plans.
struct LabAdapter: Sendable {
    let endpoint: CommandEndpoint

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.lab, limits: .contract,
            members: endpoint.members(Contract.Lab.recordings) + [
                Contract.Lab.list.serve { context, limit in
                    try await endpoint.queues.questions.perform(context, topic: "lab \(limit)", isQuestion: true) {
                        try await list(limit)
                    }
                }
            ])
    }

    private func list(_ limit: UInt32) async throws -> [WireObject] {
        do {
            guard (1...1_000).contains(limit) else {
                throw ServiceError(.invalidInput, sent("limit must be 1 to 1000, not \(limit)."))
            }
            return try await endpoint.engine.lab(newest: Int(limit)).map {
                WireObject($0.json, NightRecord.Entry.description.shape)
            }
        } catch { throw ServiceError(error, nil, moments: endpoint.systemEnvironment.moments).busError }
    }
}
