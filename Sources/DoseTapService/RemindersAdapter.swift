internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText
internal import SDBus

/// The `Reminders` interface: plan, state and acknowledgement of reminders.
struct RemindersAdapter: Sendable {
    let engine: Engine
    let host: PluginHost
    let systemEnvironment: LiveSystemEnvironment
    let queues: CallQueues

    /// - Parameter properties: kept up to date by the server.
    func interface(_ properties: RemindersProperties) -> ExportedInterface {
        let methods = [
            Contract.Reminders.list.serve { _, _ in
                await engine.reminders().map { WireObject($0.json, ReminderRecord.description.shape) }
            },
            Contract.Reminders.acknowledge.serve { context, said in
                try await answer(context, said.1, queues.commands) { try await acknowledge(said.0) }
            },
            Contract.Reminders.test.serve { context, said in
                try await answer(context, said.1, queues.machine) { try await test(said.0) }
            },
        ]
        return ExportedInterface(
            Contract.InterfaceName.reminders, limits: .contract,
            members: methods + properties.members
                + [.signal(Contract.Reminders.fired.exported), .signal(Contract.Reminders.dropped.exported)])
    }

    private func acknowledge(_ id: String) async throws -> JSONObject {
        let acknowledged = try await engine.acknowledge(id)
        var receipt = acknowledged.reminder.json
        receipt["reminders_continue"] = .bool(acknowledged.goesOn)
        receipt["message"] = .string(
            acknowledged.goesOn
                ? sent("Noted as seen. The reminders go on until dose 2 is logged, skipped or snoozed.")
                : sent("Noted as seen."))
        return receipt
    }

    private func test(_ channel: String) async throws -> JSONObject {
        let isThere: Bool
        do { isThere = try await host.test(channel) } catch PluginFailure.beingTested {
            throw ServiceError(.busy, sent("The channel '\(channel)' waits for another test to end."))
        } catch let error as PluginFailure {
            throw ServiceError(
                .internal, sent("The channel '\(channel)' did not work: \(error)."),
                details: ["channel": .string(channel)])
        }
        guard isThere else {
            var facts: JSONObject = ["channel": .string(String(channel.prefix(40)))]
            if let plugin = await host.disabledPlugin(with: channel) {
                facts["plugin"] = .string(plugin)
                throw ServiceError(
                    .notFound,
                    sent("The channel '\(channel)' is one of the plugin '\(plugin)', which is switched off."),
                    details: facts)
            }
            let channels = await host.channels
            let nearest = Suggestions.to(channel, in: channels)
            if !nearest.isEmpty { facts["nearest"] = .array(nearest.map(JSONValue.string)) }
            throw ServiceError(
                .notFound,
                ErrorText.unknown(sent("channel"), String(channel.prefix(40)), nearest: nearest, known: channels),
                details: facts)
        }
        var receipt = JSONObject()
        receipt["channel"] = .string(channel)
        receipt["tested"] = .bool(true)
        return receipt
    }

    private func answer(
        _ context: CallContext, _ options: VariantEntries, _ queue: CallQueue,
        _ act: @escaping @Sendable () async throws -> JSONObject
    ) async throws -> WireObject {
        do {
            try RequestOptions.refuseAll(options)
            return WireObject(try await queue.perform(context, act), ReminderRecord.description.shape)
        } catch { throw ServiceError(error, nil, moments: systemEnvironment.moments).busError }
    }
}

struct RemindersProperties: Sendable {
    private let next = Contract.Reminders.nextReminder.make()
    private let nextID = Contract.Reminders.nextReminderID.make()

    var members: [ExportedMember] { [.property(next), .property(nextID)] }

    func set(_ status: NightStatus, in batch: inout PropertyBatch) {
        batch.set(next, UInt64(max(0, status.nextReminder?.due.microseconds ?? 0)))
        batch.set(nextID, status.nextReminder?.id.rawValue ?? "")
    }
}
