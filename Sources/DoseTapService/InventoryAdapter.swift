internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import SDBus

/// The `Inventory` interface: the stock of the night's medicines.
struct InventoryAdapter: Sendable {
    let endpoint: CommandEndpoint

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.inventory, limits: .contract,
            members: [
                endpoint.recording(by: Contract.Inventory.addBottle) { .inventory(.addBottle($0)) },
                endpoint.recording(by: Contract.Inventory.pour) { .inventory(.pour($0)) },
                endpoint.recording(by: Contract.Inventory.correct) { .inventory(.correct($0)) },
                Contract.Inventory.discard.serve { context, said in
                    try await endpoint.submit(.inventory(.discard(EventID(said.0))), said.1, context)
                },
                Contract.Inventory.show.serve { context, _ in
                    try await endpoint.queues.questions.perform(context, topic: "inventory", isQuestion: true) {
                        try await show()
                    }
                },
            ])
    }

    private func show() async throws -> WireObject {
        do { return WireObject(try await endpoint.engine.inventory().json, Inventory.shape) } catch {
            throw ServiceError(error, nil, moments: endpoint.systemEnvironment.moments).busError
        }
    }
}
