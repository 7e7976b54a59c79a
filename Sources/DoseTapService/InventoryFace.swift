internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import SDBus

/// The `Inventory` interface: what there is of the medicines of the night.
struct InventoryFace: Sendable {
    let engine: Engine
    let surroundings: SystemSurroundings
    let queues: CallQueues
    var doctor: Doctor?

    private typealias Options = [String: Variant]
    private var intake: CommandIntake {
        CommandIntake(engine: engine, surroundings: surroundings, queues: queues, doctor: doctor)
    }

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.inventory, limits: .contract,
            members: [
                noting("AddBottle", "bottle") { .addBottle($0) }, noting("Pour", "cup") { .pour($0) },
                noting("Correct", "stock") { .correct($0) },
                .method("Discard", arguments: ["id", "options"], results: ["receipt"]) {
                    (context, id: String, options: Options) in
                    try await intake.submit(.inventory(.discard(EventID(id))), options, context)
                },
                .method("Show", results: ["inventory"]) { (context) -> WireObject in
                    try await queues.questions.perform(context, topic: "inventory", isQuestion: true) {
                        try await show()
                    }
                },
            ])
    }

    private func noting(
        _ name: String, _ argument: String, _ action: @escaping @Sendable (JSONObject) -> InventoryAction
    ) -> ExportedMember {
        .method(name, arguments: [argument, "options"], results: ["receipt"]) {
            (context, said: Options, options: Options) -> WireObject in
            let draft: JSONObject
            do { draft = try InventoryOnBus.draft(said) } catch {
                throw ServiceError(error, nil, moments: surroundings.moments).busError
            }
            return try await intake.submit(.inventory(action(draft)), options, context)
        }
    }

    private func show() async throws -> WireObject {
        do { return WireObject(try await engine.inventory().json) } catch {
            throw ServiceError(error, nil, moments: surroundings.moments).busError
        }
    }
}
