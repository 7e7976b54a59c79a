internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import SDBus

/// The `Sleep` interface: sleep as told by devices, other programs and the person.
struct SleepAdapter: Sendable {
    let endpoint: CommandEndpoint

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.sleep, limits: .contract,
            members: endpoint.members(Contract.Sleep.recordings) + [
                Contract.Sleep.records.serve { context, limit in
                    try await endpoint.queues.questions.perform(context, topic: "sleep \(limit)", isQuestion: true) {
                        try await records(limit)
                    }
                },
                Contract.Sleep.reportStage.serve { _, said in try await report(said.0, said.1) },
            ])
    }

    private func report(_ word: String, _ options: VariantEntries) async throws -> WireObject {
        let known = IntervalRecommendation.Stage.allCases.map(\.rawValue)
        guard let stage = IntervalRecommendation.Stage(rawValue: word.lowercased()) else {
            throw ServiceError(
                sent("There is no stage of sleep '\(word.prefix(40))'."), option: "stage", known: known
            ).busError
        }
        return WireObject(await endpoint.engine.report(stage).json, LiveStage.Report.description.shape)
    }

    private func records(_ limit: UInt32) async throws -> [WireObject] {
        do {
            guard (1...1_000).contains(limit) else {
                throw ServiceError(.invalidInput, sent("limit must be 1 to 1000, not \(limit)."))
            }
            return try await endpoint.engine.sleepRecords(newest: Int(limit)).map { entry in
                var entry = entry
                entry.metadata["stages"] = nil
                return WireObject(entry.json, NightRecord.Entry.description.shape)
            }
        } catch { throw ServiceError(error, nil, moments: endpoint.systemEnvironment.moments).busError }
    }
}
