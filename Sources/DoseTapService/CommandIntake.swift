internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import SDBus

/// The way of a command from the bus to the engine, the same for every interface that records.
struct CommandIntake: Sendable {
    let engine: Engine
    let surroundings: SystemSurroundings
    let queues: CallQueues
    /// Knows whether reminders will get through; nil where none are told.
    var doctor: Doctor?

    /// Decodes the options of a call, lets the engine handle the command, and answers with the receipt.
    func submit(
        _ command: Command, _ options: VariantEntries, _ context: CallContext
    ) async throws -> WireObject {
        let caller = Caller(context)
        do {
            let request = try RequestOptions(options)
            var zone: Zone?
            if let name = request.timeZone {
                guard let named = surroundings.zone(named: name) else {
                    throw ServiceError(
                        .invalidInput, "This machine knows no time zone '\(name.prefix(60))'.",
                        details: ["time_zone": .string(String(name.prefix(60)))])
                }
                zone = named
            }
            var asked = CommandOptions(surface: request.surface ?? .dbus)
            asked.at = request.at
            asked.confirmations = Set(request.confirmations)
            asked.isClockRight = request.isClockRight
            asked.isAgo = request.isAgo
            asked.key = request.key
            asked.amountMilligrams = request.amountMilligrams.map { Int($0) }
            asked.amountText = request.amount
            asked.note = request.note
            asked.reason = request.reason
            asked.dryRun = request.dryRun
            asked.origin = caller.origin
            var receipt = try await queues.commands.perform(context) { [asked, zone] in
                var receipt = try await engine.submit(command, asked, zone: zone)
                if let doctor, command == .logDose(.dose1), !receipt.duplicate {
                    receipt.readiness = await doctor.readiness
                }
                return receipt
            }
            let status = await engine.status(at: nil)
            receipt.warnings = await status.warnings(of: doctor, isReceipt: true)
            return WireObject(receipt.json, Receipt.description.shape)
        } catch { throw ServiceError(error, command, moments: surroundings.moments).busError }
    }

    /// A member that records from one object with what is said.
    ///
    /// - Parameter unreadable: what is told of a key whose value has a type that nothing here has.
    func recording(
        by row: Contract.Method<(VariantEntries, VariantEntries), WireObject>,
        unreadable: @escaping @Sendable (String) -> String = { "'\($0)' has a type that nothing here has." },
        _ command: @escaping @Sendable (JSONObject) -> Command
    ) -> ExportedMember {
        row.serve { context, said in
            let draft: JSONObject
            do { draft = try AnswersOnBus.draft(said.0, refusal: unreadable) } catch {
                throw ServiceError(error, nil, moments: surroundings.moments).busError
            }
            return try await submit(command(draft), said.1, context)
        }
    }
}

extension NightStatus {
    /// What the person has to read, and first of all that nothing can reach them, where reminders are to come.
    ///
    /// - Parameters:
    ///   - doctor: nil where no reminders are told.
    ///   - isReceipt: an answer that is not kept waiting.
    func warnings(of doctor: Doctor?, isReceipt: Bool) async -> [Warning] {
        guard let doctor, awaitsReminders else { return warnings }
        let silence = await doctor.silence(isNight: isDose2Open, isReceipt: isReceipt)
        return (silence.map { [$0] } ?? []) + warnings
    }
}
