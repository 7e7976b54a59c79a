internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import Glibc
internal import SDBus

/// Takes commands from the bus to the engine and lists entries, for every interface that records.
struct CommandEndpoint: Sendable {
    let engine: Engine
    let systemEnvironment: LiveSystemEnvironment
    let queues: CallQueues
    /// Tells if reminders will get through; nil without reminders.
    var doctor: Doctor?

    /// Decodes the options of a call, lets the engine handle the command, and answers with the receipt.
    func submit(
        _ command: Command, _ options: VariantEntries, _ context: CallContext
    ) async throws -> WireObject {
        let caller = Caller(context)
        // The times of a refusal are in the caller's zone, as those of the receipt.
        var zone: Zone?
        do {
            let request = try RequestOptions(options)
            if let name = request.timeZone { zone = try systemEnvironment.zone(asked: name) }
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
                try await engine.submit(command, asked, zone: zone, awaitsAnswer: true)
            }
            context.whenAnswered { Task { await engine.answered() } }
            let status = await engine.status(at: nil)
            // A dose 1 of an earlier night needs no readiness: nothing of that night is left to be told.
            if let doctor, command == .logDose(.dose1), !receipt.duplicate, !asked.dryRun, status.isDose2Open {
                receipt.readiness = await doctor.readiness
            }
            receipt.warnings = await status.warnings(of: doctor, isReceipt: true)
            return WireObject(receipt.json, Receipt.description.shape)
        } catch {
            let moments =
                zone.map { Moments(zone: $0, style: systemEnvironment.clockStyle) } ?? systemEnvironment.moments
            throw ServiceError(error, command, moments: moments).busError
        }
    }

    /// Returns the members that record kinds of entries from one object with their content.
    ///
    /// - Parameter unreadable: the sentence about a key whose value has an unknown type.
    func members(
        _ recordings: [Contract.Recording],
        unreadable: @escaping @Sendable (String) -> String = { "'\($0)' has a type that nothing here has." }
    ) -> [ExportedMember] {
        recordings.map { type, row in recording(by: row, unreadable: unreadable) { .record(type, $0) } }
    }

    /// Returns a member that records an entry from one object of its keys.
    ///
    /// - Parameter unreadable: the sentence about a key whose value has an unknown type.
    func recording(
        by row: Contract.Method<(VariantEntries, VariantEntries), WireObject>,
        unreadable: @escaping @Sendable (String) -> String = { "'\($0)' has a type that nothing here has." },
        _ command: @escaping @Sendable (JSONObject) -> Command
    ) -> ExportedMember {
        row.serve { context, said in
            let draft: JSONObject
            do { draft = try AnswersOnBus.draft(said.0, refusal: unreadable) } catch {
                throw ServiceError(error, nil, moments: systemEnvironment.moments).busError
            }
            return try await submit(command(draft), said.1, context)
        }
    }

    /// Returns the member that lists the newest entries of a kind, 1 to 1,000 of them.
    ///
    /// - Parameters:
    ///   - topic: the name of the question; callers that ask for as many share one answer.
    ///   - newest: returns at most so many entries, newest first.
    func listing(
        _ topic: String, by row: Contract.Method<UInt32, [WireObject]>,
        _ newest: @escaping @Sendable (Int) async throws -> [NightRecord.Entry]
    ) -> ExportedMember {
        row.serve { context, limit in
            try await queues.questions.perform(context, topic: "\(topic) \(limit)", isQuestion: true) {
                try await entries(limit, newest)
            }
        }
    }

    private func entries(
        _ limit: UInt32, _ newest: @Sendable (Int) async throws -> [NightRecord.Entry]
    ) async throws -> [WireObject] {
        do {
            guard (1...1_000).contains(limit) else {
                throw ServiceError(.invalidInput, sent("limit must be 1 to 1000, not \(limit)."))
            }
            return try await newest(Int(limit)).map { WireObject($0.json, NightRecord.Entry.description.shape) }
        } catch { throw ServiceError(error, nil, moments: systemEnvironment.moments).busError }
    }
}

extension NightStatus {
    /// Returns warnings for the person. If reminders are expected, the first warning is that none can get through.
    ///
    /// - Parameters:
    ///   - doctor: nil without reminders.
    ///   - isReceipt: true if the answer is a receipt, which must not wait.
    func warnings(of doctor: Doctor?, isReceipt: Bool) async -> [Warning] {
        guard let doctor, awaitsReminders else { return warnings }
        let silence = await doctor.silence(isNight: isDose2Open, isReceipt: isReceipt)
        return (silence.map { [$0] } ?? []) + warnings
    }
}

/// A caller, as far as the bus knows it.
struct Caller: Sendable {
    /// Stored with an entry; nil peer-to-peer.
    let origin: Origin?

    init(_ context: CallContext) {
        origin = context.sender.map { sender in
            let process = context.knownCredentials?.processID
            return Origin(sender: sender, processID: process, command: process.flatMap(ProcessName.of))
        }
    }

    /// Admits only the user that the service runs for, and no caller unknown to the bus. A session bus admits nobody else, but
    /// the service does not rely on that.
    static var policy: CallPolicy {
        CallPolicy(
            overload: ServiceError(
                .busy, sent("This program has too many calls waiting: it has to wait for their answers first.")
            ).busError,
            refusal: BusError(
                name: BusError.Name.accessDenied, message: "this service answers only the user it runs for")
        ) { $0.userID == getuid() }
    }
}
