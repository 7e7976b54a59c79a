public import DoseTapDomain
internal import SDBus

/// The open night: where it stands, and every action.
extension Client {
    /// Where the night stands, now or at an instant.
    public func status(at instant: Instant? = nil) async throws -> NightStatus {
        var options = VariantEntries()
        if let instant { options["at"] = Variant(UInt64(max(0, instant.microseconds))) }
        return try NightStatus(json: try await call(Contract.Session.status, options).object)
    }

    /// Asks for an action.
    public func submit(_ command: Command, _ options: RequestOptions) async throws -> Receipt {
        try Receipt(json: try await record(command, options.variants).object)
    }

    private func record(_ command: Command, _ options: VariantEntries) async throws -> WireObject {
        var options = options
        switch command {
        case .logDose(.dose1): return try await call(Contract.Session.logDose1, options)
        case .logDose(.dose2): return try await call(Contract.Session.logDose2, options)
        case .logDose(.extra): return try await call(Contract.Session.logExtraDose, options)
        case .snooze: return try await call(Contract.Session.snooze, options)
        case .skipDose2: return try await call(Contract.Session.skipDose2, options)
        case .logFinalWake: return try await call(Contract.Session.logFinalWake, options)
        case .undo: return try await call(Contract.Session.undo, options)
        case .amend(let id): return try await call(Contract.Session.amend, (id.text, options))
        case .delete(let id): return try await call(Contract.Session.delete, (id.text, options))
        case .logSleepEvent(let type): return try await call(Contract.Diary.logSleepEvent, (type, options))
        case .saveCheckIn(let answers, let night):
            options["night"] = night.map { Variant($0) }
            return try await call(Contract.Diary.saveCheckIn, (AnswersOnBus.entries(answers), options))
        case .record(let type, let said): return try await record(type, said, options, command)
        }
    }

    /// Entries that are no part of a night: a member of their own takes what is said.
    private func record(
        _ type: EventType, _ said: JSONObject, _ options: VariantEntries, _ command: Command
    ) async throws -> WireObject {
        var options = options
        switch type {
        case .preSleepRecorded:
            options["completion"] = said["completion_state"]?.stringValue.map { Variant($0) }
            let answers = said["answers"]?.objectValue ?? JSONObject()
            return try await call(Contract.Diary.savePreSleep, (AnswersOnBus.entries(answers), options))
        case .medicationRecorded:
            return try await call(Contract.Medications.take, (said["medication_id"]?.stringValue ?? "", options))
        case .inventoryRecorded:
            switch InventoryAction(command) {
            case .addBottle(let draft):
                return try await call(Contract.Inventory.addBottle, (AnswersOnBus.entries(draft), options))
            case .pour(let draft):
                return try await call(Contract.Inventory.pour, (AnswersOnBus.entries(draft), options))
            case .correct(let draft):
                return try await call(Contract.Inventory.correct, (AnswersOnBus.entries(draft), options))
            case .discard(let id): return try await call(Contract.Inventory.discard, (id.text, options))
            case nil: break
            }
        default:
            if let member = Contract.recording(type) {
                return try await call(member, (AnswersOnBus.entries(said), options))
            }
        }
        throw ServiceError(.invalidInput, "Nothing is recorded as '\(type.rawValue)'.")
    }
}
