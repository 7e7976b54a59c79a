internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import SDBus

/// The `Medications` interface: medicines beside the doses.
struct MedicationsAdapter: Sendable {
    let endpoint: CommandEndpoint

    /// - Parameter properties: kept up to date by the server.
    func interface(_ properties: MedicationsProperties) -> ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.medications, limits: .contract,
            members: [
                Contract.Medications.take.serve { context, said in
                    try await endpoint.submit(.takeMedication(said.0), said.1, context)
                },
                endpoint.listing("medications", by: Contract.Medications.list) {
                    try await endpoint.engine.medications(newest: $0)
                },
                Contract.Medications.catalogue.serve { _, _ in
                    await endpoint.engine.medicationCatalogue.medications.map {
                        WireObject($0.json, Medication.description.shape)
                    }
                },
                Contract.Medications.regimen.serve { _, _ in await regimen() },
            ]
                + endpoint.members(
                    Contract.Medications.recordings,
                    unreadable: { "The regimen's '\($0)' has a type that no regimen has." }) + properties.members)
    }

    private func regimen() async -> WireObject {
        let (active, date, history) = await endpoint.engine.regimens
        var object: JSONObject = ["date": .string(date.text)]
        object["active"] = active.map { .object($0.json(on: date)) }
        object["history"] = .array(history.map { .object($0.json(on: date)) })
        return WireObject(object, Schemas.regimens)
    }
}

struct MedicationsProperties: Sendable {
    private let activeRegimen = Contract.Medications.activeRegimen.make()

    var members: [ExportedMember] { [.property(activeRegimen)] }

    func set(_ status: NightStatus, in batch: inout PropertyBatch) {
        batch.set(activeRegimen, WireObject(status.regimen ?? JSONObject(), Regimen.shape))
    }
}
