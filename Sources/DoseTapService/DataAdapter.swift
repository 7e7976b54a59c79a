internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// The `Data` interface: care of the store.
struct DataAdapter: Sendable {
    let engine: Engine
    let encryption: EncryptionService
    let signer: PacketSigner
    let systemEnvironment: LiveSystemEnvironment
    let queues: CallQueues
    let bundle: SupportBundle
    let journal: any JournalSink
    /// Ends the service after the removal of the record.
    let end: @Sendable () async -> Void

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.data, limits: .contract,
            members: [
                Contract.Data.check.serve { context, _ in
                    try await answer(context, "check") { try await engine.check() }
                },
                Contract.Data.verify.serve { context, _ in
                    try await answer(context, "verify") { try await engine.verify() }
                },
                Contract.Data.rebuild.serve { context, options in
                    try await answer(context, "rebuild", options) { try await engine.rebuild() }
                },
                Contract.Data.wipe.serve { context, options in try await wipe(context, options) },
                Contract.Data.supportBundle.serve { context, said in
                    try await act(context, said.1) { try await bundle.write(to: said.0) }
                },
                Contract.Data.repair.serve { context, options in
                    let replaces: Bool
                    do throws(ServiceError) { replaces = try RequestOptions.flag("replace", options) } catch {
                        throw error.busError
                    }
                    return try await answer(context, replaces ? "replace" : "repair") {
                        try await engine.repair(replaces: replaces)
                    }
                },
                Contract.Data.encrypt.serve { try await change(.encrypt, $0, $1) },
                Contract.Data.decrypt.serve { try await change(.decrypt, $0, $1) },
                Contract.Data.rekey.serve { try await change(.rekey, $0, $1) },
                Contract.Data.backup.serve { context, said in
                    try await made(context, said.1) { try await engine.backUp(into: said.0.rawValue) }
                },
                Contract.Data.backUpHere.serve { context, options in
                    try await made(context, options) { try await engine.backUp() }
                },
                Contract.Data.backups.serve { context, _ in try await list(context) },
                Contract.Data.export.serve { context, said in try await export(said.0, said.1, said.2, context) },
                Contract.Data.import.serve { context, said in try await take(said.0, said.1, context) },
                Contract.Data.takeBackImport.serve { context, said in try await takeBack(said.0, said.1, context) },
                Contract.Data.imports.serve { context, _ in try await listImports(context) },
                Contract.Data.packetSigner.serve { context, options in
                    try await sign(context, options) {
                        WireObject(try await signer.signer().json, SignerReport.description.shape)
                    }
                },
                Contract.Data.signPacket.serve { context, said in
                    try await sign(context, said.2) { try await signer.signature(of: said.0, by: said.1) }
                },
                Contract.Data.restore.serve { context, said in try await restore(said.0, said.1, context) },
            ])
    }

    /// Returns the error for a caller. A fault of disk or file goes into the journal, too.
    private func failure(_ error: any Error, _ context: CallContext) -> BusError {
        if case .store(let fault, _)? = error as? EngineFailure, fault.isOfMachine {
            journal.send(JournalEntry(failed: context.member, fault))
        }
        if let damaged = error as? PacketSigner.DamagedKey { return told(damaged, context) }
        return ServiceError(error, nil, moments: systemEnvironment.moments).busError
    }

    /// Returns the error that names the file of a signing key.
    private func told(_ damaged: PacketSigner.DamagedKey, _ context: CallContext) -> BusError {
        let fault = damaged.fault
        journal.send(JournalEntry(failed: context.member, fault))
        var error = ServiceError(fault, kept: false, sentence: ErrorText.sentence(fault, kept: false))
        error.details["file"] = .string(damaged.path)
        return error.busError
    }

    private func change(
        _ change: KeyChange, _ context: CallContext, _ options: VariantEntries
    ) async throws -> WireObject {
        do {
            let request = try RequestOptions(options)
            let report = try await queues.questions.perform(context, isWatched: false, isQuestion: false) {
                try await encryption.change(change, isDry: request.dryRun)
            }
            return WireObject(report.json, StoreReport.description.shape)
        } catch { throw failure(error, context) }
    }

    private func answer(
        _ context: CallContext, _ topic: String, _ options: VariantEntries = [:],
        _ examine: @escaping @Sendable () async throws -> StoreReport
    ) async throws -> WireObject {
        do {
            try RequestOptions.refuseAll(options)
            let report = try await queues.questions.perform(
                context, topic: topic, isWatched: true, isQuestion: !["rebuild", "replace"].contains(topic), examine)
            return WireObject(report.json, StoreReport.description.shape)
        } catch { throw failure(error, context) }
    }

    /// A backup waits in a queue of its own: a caller's file may be slow, and questions do not wait for it.
    private func made(
        _ context: CallContext, _ options: VariantEntries, _ make: @escaping @Sendable () async throws -> Backup
    ) async throws -> WireObject {
        do {
            try RequestOptions.refuseAll(options)
            let backup = try await queues.files.perform(context, isWatched: true, make)
            return WireObject(backup.json, Backup.description.shape)
        } catch { throw failure(error, context) }
    }

    private func export(
        _ what: String, _ target: UnixFD, _ options: VariantEntries, _ context: CallContext
    ) async throws -> WireObject {
        do {
            let request = try ExportRequest(what, options)
            let report = try await queues.streams.perform(context, isWatched: true) {
                let report = try await engine.export(request, into: target.rawValue)
                journal.send(JournalEntry(exported: report))
                return report
            }
            return WireObject(report.json, ExportReport.description.shape)
        } catch { throw failure(error, context) }
    }

    private func take(
        _ lines: UnixFD, _ options: VariantEntries, _ context: CallContext
    ) async throws -> WireObject {
        do {
            let asked = try ImportOptions(options)
            let zone = try asked.timeZone.map { try systemEnvironment.zone(asked: $0) }
            let moments =
                zone.map { Moments(zone: $0, style: systemEnvironment.clockStyle) } ?? systemEnvironment.moments
            let list = asked.list.map { file in
                Engine.ImportList(file.rawValue) { rows in ImportText.table(rows, moments) }
            }
            let report = try await queues.streams.perform(context, isWatched: true) {
                defer { withExtendedLifetime(asked) {} }
                guard asked.source == .log else {
                    return try await engine.importFile(
                        from: lines.rawValue, zone: zone, dryRun: asked.dryRun, list: list)
                }
                return try await engine.importLog(
                    from: lines.rawValue, merges: asked.merge, dryRun: asked.dryRun, list: list)
            }
            return WireObject(report.json, ImportReport.description.shape)
        } catch { throw failure(error, context) }
    }

    private func takeBack(
        _ id: String, _ options: VariantEntries, _ context: CallContext
    ) async throws -> WireObject {
        do {
            let isDry = try RequestOptions.flag("dry_run", options)
            let report = try await queues.streams.perform(context, isWatched: true) {
                try await engine.takeBackImport(EventID(id), dryRun: isDry)
            }
            return WireObject(report.json, ImportReport.description.shape)
        } catch { throw failure(error, context) }
    }

    private func listImports(_ context: CallContext) async throws -> [WireObject] {
        do {
            let found = try await queues.questions.perform(
                context, topic: "imports", isWatched: true, isQuestion: true
            ) { try await engine.imports() }
            return found.map { WireObject($0.json, ImportOnRecord.description.shape) }
        } catch { throw failure(error, context) }
    }

    private func restore(
        _ file: UnixFD, _ options: VariantEntries, _ context: CallContext
    ) async throws -> WireObject {
        do {
            for (key, _) in options.pairs where !["confirm", "dry_run"].contains(key) {
                throw ServiceError.unknown(option: key, known: ["confirm", "dry_run"])
            }
            let request = try RequestOptions(options)
            let report = try await queues.files.perform(context) {
                try await encryption.withKey(ofBackup: file.rawValue) {
                    try await engine.restore(
                        from: file.rawValue, confirmed: Set(request.confirmations), dryRun: request.dryRun)
                }
            }
            return WireObject(report.json, RestoreReport.description.shape)
        } catch { throw failure(error, context) }
    }

    private func list(_ context: CallContext) async throws -> [WireObject] {
        do {
            let found = try await queues.questions.perform(
                context, topic: "backups", isWatched: true, isQuestion: true
            ) { try await engine.listBackups() }
            return found.map { WireObject($0.json, Backup.description.shape) }
        } catch { throw failure(error, context) }
    }

    /// Runs work on the machine's side, which asks the store no more than a question does.
    private func act(
        _ context: CallContext, _ options: VariantEntries, _ work: @escaping @Sendable () async throws -> JSONObject
    ) async throws -> WireObject {
        do {
            try RequestOptions.refuseAll(options)
            return WireObject(try await queues.questions.perform(context, isWatched: true, work), .unknown)
        } catch { throw failure(error, context) }
    }

    /// Runs the calls one after the other: two calls that need a first key make only one.
    private func sign<Answer: Sendable>(
        _ context: CallContext, _ options: VariantEntries, _ work: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        do {
            try RequestOptions.refuseAll(options)
            return try await queues.files.perform(context) {
                do { return try await work() } catch let failure as CommandFailure {
                    throw EngineFailure.command(failure)
                } catch let error as StoreError {
                    throw EngineFailure.store(error, kept: false)
                }
            }
        } catch { throw failure(error, context) }
    }

    private func wipe(_ context: CallContext, _ options: VariantEntries) async throws -> WireObject {
        do {
            let asked = try WipeOptions(options)
            var report = try await queues.commands.perform(context) {
                try await engine.wipe(
                    includingBackups: asked.includesBackups, confirmations: Set(asked.confirmations),
                    dryRun: asked.dryRun)
            }
            if report.isWiped { report.isKeyLeft = await !encryption.forget() }
            if report.isWiped { context.whenAnswered { Task { await end() } } }
            return WireObject(report.json, WipeReport.description.shape)
        } catch { throw failure(error, context) }
    }
}
