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
                endpoint.listing("sleep", by: Contract.Sleep.records) { try await records(newest: $0) },
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

    private func records(newest limit: Int) async throws -> [NightRecord.Entry] {
        try await endpoint.engine.sleepRecords(newest: limit).map { entry in
            var entry = entry
            entry.metadata["stages"] = nil
            return entry
        }
    }
}
