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
                endpoint.listing("lab", by: Contract.Lab.list) { try await endpoint.engine.lab(newest: $0) }
            ])
    }
}
