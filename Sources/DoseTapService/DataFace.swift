internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import SDBus

/// The `Data` interface: care of the data.
struct DataFace: Sendable {
    let engine: Engine
    let surroundings: SystemSurroundings

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.data, limits: .contract,
            members: [
                examining("Check") { try await engine.check() }, examining("Verify") { try await engine.verify() },
                examining("Rebuild") { try await engine.rebuild() },
            ])
    }

    private func examining(
        _ name: String, _ examine: @escaping @Sendable () async throws -> StoreReport
    ) -> ExportedMember {
        .method(name, results: ["report"]) { _ in
            do {
                let report = try await examine()
                var object = JSONObject()
                object["ok"] = .bool(report.isSound)
                object["events"] = .integer(report.events)
                object["rows"] = .integer(report.rows)
                object["findings"] = .array(report.findings.map(JSONValue.string))
                object["repairs"] = .array(report.repairs.map(JSONValue.string))
                return AnswerCoding.variants(object)
            } catch { throw ServiceError(error, nil, zone: surroundings.zone()).busError }
        }
    }
}
