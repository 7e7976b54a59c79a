internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapStore
internal import DoseTapSystem
internal import DoseTapText
internal import SDBus
internal import Synchronization

/// The reason for a failed start, in the words of the contract.
struct StartFailure: Sendable {
    let error: ServiceError
    let exitCode: Int32
    /// True if the store cannot be opened, and nobody else has it open.
    let concernsStore: Bool

    /// - Parameter store: the path of the store, if known.
    init(_ cause: any Error, store: String?) {
        concernsStore = cause is SystemFault || (cause as? StoreError).map { $0.code != .locked } ?? false
        switch cause {
        case let cause as StoreError:
            var told = ServiceError(cause, kept: false, sentence: ErrorText.sentence(cause, kept: false))
            if cause.code == .altered { told.details["store"] = store.map(JSONValue.string) }
            error = told
            // The unit does not start again after 75. A service for one command ends by itself, and then this service has to
            // start.
            exitCode = cause.code == .locked && !Store.isHeldByCommand(cause) ? 75 : 1
        case let cause as SystemFault:
            var facts = JSONObject()
            facts["open_directory"] = cause.openDirectory.map(JSONValue.string)
            facts["remedy"] = cause.hint.map(JSONValue.string)
            error = ServiceError(.storeUnavailable, cause.message, details: facts)
            exitCode = 1
        case let cause as NameTaken:
            let who = cause.processID.map { " (process \($0), \(cause.command ?? "unknown"))" } ?? ""
            var facts = JSONObject()
            if !cause.isOurs { facts["bus_name"] = .string(Contract.name) }
            error = ServiceError(
                .locked,
                cause.isOurs
                    ? sent("Another DoseTap service already serves this bus\(who).")
                    : sent("Another program owns the name \(Contract.name) on this bus\(who)."),
                details: facts)
            exitCode = cause.isOurs ? 75 : 1
        case let cause as BusError:
            error = ServiceError(
                .internal, sent("The bus cannot be used: \(cause.message)."),
                details: ["bus_error": .string(cause.message)])
            exitCode = 1
        default:
            error = ServiceError(.internal, sent("The service cannot start: \(type(of: cause))."))
            exitCode = 1
        }
    }

    private static let wiped = ServiceError(
        .busy, sent("All data was deleted a moment ago, and the service starts anew. Nothing was recorded."))

    /// The next step for a person who started the service by hand or reads its journal.
    var next: String? {
        ErrorText.next(after: error.kind, error.details, to: nil, moments: Moments(zone: .utc))
    }

    /// Returns the interfaces of a service that only gives the reason for its failure: every method answers with it. Only the
    /// removal of all data works without a readable record.
    ///
    /// - Parameters:
    ///   - asked: called after each refused call.
    ///   - forget: called after the removal of the record, before the answer; returns true unless a key that has to go is left.
    ///   - end: called after the answer.
    func interfaces(
        removal: Removal?, asked: @escaping @Sendable () -> Void = {},
        forget: @escaping @Sendable () async -> Bool, end: @escaping @Sendable () async -> Void
    ) -> [ExportedInterface] {
        let isWiped = Atomic(false)
        let refusal: @Sendable (CallContext) -> BusError = { context in
            // A deleted record is not locked any more. The service ends, and the next call starts one.
            if isWiped.load(ordering: .relaxed) { return Self.wiped.busError }
            // `asked` may end this connection, so it is called after the answer.
            context.whenAnswered(asked)
            return error.busError
        }
        return Contract.interfaces.map { interface in
            guard let removal, interface.name == Contract.InterfaceName.data else {
                return interface.refusing(refusal, limits: .contract)
            }
            return interface.refusing(
                refusal, limits: .contract, but: Contract.Data.wipe.member.name,
                served: Contract.Data.wipe.serve { context, options in
                    do {
                        var report = try removal.perform(try WipeOptions(options))
                        if report.isWiped {
                            isWiped.store(true, ordering: .relaxed)
                            report.isKeyLeft = await !forget()
                        }
                        if report.isWiped { context.whenAnswered { Task { await end() } } }
                        return WireObject(report.json, WipeReport.description.shape)
                    } catch { throw ServiceError(error, nil, moments: Moments(zone: .utc)).busError }
                })
        }
    }
}

/// The removal of a record that could not be opened.
struct Removal: Sendable {
    let wipe: StoreWipe
    let store: String
    let surface: String
    /// The reminders on file of an encrypted record, whose nights cannot be read without its key.
    let due: DueFile?

    func perform(_ options: WipeOptions) throws -> WipeReport {
        let clock = SystemClock().read()
        let now = Instant(microseconds: clock.wallMicroseconds)
        var report: WipeReport
        do throws(StoreError) { report = try wipe.look(includingBackups: options.includesBackups) } catch {
            throw EngineFailure.store(error, kept: false)
        }
        let isOpen = try? Store.hasOpenWindow(besides: store, now: now)
        report.isWindowOpen = isOpen == true || due?.hasOpenWindow(at: clock.bootMicroseconds) ?? false
        // The reminders on file go with a reboot, and are as old as the last service.
        report.isWindowUnknown =
            !report.isWindowOpen && (isOpen == nil || Store.mayHaveOpenWindow(encrypted: store, now: now))
        guard !report.files.isEmpty else { throw EngineFailure.command(.nothingToDo(sent("there is no record"))) }
        if options.dryRun { return report }
        let missing = WipeQuestion.confirmations(mayBeOpen: report.isWindowOpen || report.isWindowUnknown)
            .filter { !options.confirmations.contains($0) }
        guard missing.isEmpty else {
            throw EngineFailure.command(.needsConfirmation(WipeQuestion.of(missing, at: now)))
        }
        do throws(StoreError) {
            var done = try wipe.run(surface: surface, includingBackups: options.includesBackups)
            (done.isWindowOpen, done.isWindowUnknown) = (report.isWindowOpen, report.isWindowUnknown)
            return done
        } catch { throw EngineFailure.store(error, kept: false) }
    }
}
