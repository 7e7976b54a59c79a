internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// Records one action: sends the command, asks for confirmations, prints the result.
struct Recorder: Sendable {
    let context: Context
    /// The time limit for the service to say, after dose 1 is recorded, if reminders will get through. A notification
    /// server that does not start takes two seconds of it, and an earlier question may still run.
    private static let readinessLimit: Duration = .seconds(5)
    /// The same limit for a program, which waits for the receipt.
    private static let readinessLimitOfPrograms: Duration = .milliseconds(800)
    /// The wait before a terminal is told that the service is asking.
    private static let askingTold: Duration = .milliseconds(500)

    /// - Throws: ``Failure``.
    func record(_ command: Command, _ request: RequestOptions) throws {
        var receipt = try send(command, request)
        // Older findings of the service may be over, and new faults are not known to it yet.
        guard receipt.readiness?.level == .unknown, receipt.warnings.silence == nil, !context.quiet else {
            return report(receipt)
        }
        // The recorded dose is told first: nobody takes it again because the command is silent.
        if !context.json { report(receipt) }
        let limit = context.json ? Self.readinessLimitOfPrograms : Self.readinessLimit
        let found = try? ServiceLink.run(context) { client in
            let doctor = try? await SlowReplyNotice.wait(
                for: client, context, said: DoctorText.asking, after: Self.askingTold
            ) { try await client.doctor(within: limit) }
            let silence = try? await client.status().warnings.silence
            let findings = doctor?.answer.compactMap { try? Finding(json: $0) }
            return (findings: findings, wasTold: doctor?.wasTold == true, silence: silence)
        }
        let readiness = found?.findings.map(\.worst) ?? receipt.readiness
        if context.json {
            receipt.readiness = readiness
            receipt.warnings.insert(contentsOf: [found?.silence].compactMap { $0 }, at: 0)
            return report(receipt)
        }
        if let silence = found?.silence {
            Output.print(context.terminal.fitted(context.silenceLines([silence])).joined(separator: "\n"))
        } else if let readiness {
            notice(readiness: readiness)
        } else if found?.wasTold == true {
            context.notice(DoctorText.ready)
        }
    }

    /// Records an action without printing the receipt.
    ///
    /// - Parameter isLast: false if another action follows.
    /// - Throws: ``Failure``.
    func send(_ command: Command, _ request: RequestOptions, isLast: Bool = true) throws -> Receipt {
        // A typed time stays as it was typed; "now" is the moment of the answer.
        try ServiceLink.run(context, isLast: isLast) { client in try await submit(command, request, to: client) }
    }

    /// Prints the result of an action.
    ///
    /// - Parameters:
    ///   - more: further keys of the object.
    ///   - isSkip: true for the skip of a questionnaire.
    func report(_ receipt: Receipt, adding more: JSONObject = JSONObject(), isSkip: Bool = false) {
        if context.json {
            var complete = receipt
            complete.readiness = receipt.readiness.map(AdviceText.complete)
            var object = complete.json
            for entry in more { object[entry.key] = entry.value }
            Output.print(JSONValue.object(object).serialized())
        } else {
            let moments = context.moments(
                zoneNamed: receipt.nightZone ?? receipt.timeZone, inForce: context.zone(named: receipt.timeZone))
            let page = context.terminal.page
            let unskipped = isSkip ? ReceiptText.unskipped(receipt, moments, now: context.now) : nil
            let lines =
                context.silenceLines(receipt.warnings)
                + (unskipped ?? ReceiptText.lines(receipt, moments, page, now: context.now))
            Output.print(context.terminal.fitted(lines).joined(separator: "\n"))
            context.notice(receipt.warnings)
            if let path = receipt.metadata["record_begun"]?.stringValue {
                context.notice(ReceiptText.begun(at: path))
            }
            // The worst is on the screen already. A readiness that is not known yet follows later.
            if receipt.warnings.silence == nil, receipt.readiness?.level != .unknown {
                notice(readiness: receipt.readiness)
            }
        }
    }

    private func notice(readiness: Finding?) {
        if let line = readiness.flatMap({ DoctorText.line($0, context.terminal.page) }) { context.notice(line) }
    }

    /// Asks for the confirmations of an action before the action is put together.
    ///
    /// - Returns: the options with the confirmations.
    /// - Throws: ``Failure``.
    func confirmed(_ command: Command, _ request: RequestOptions, by client: Client) async throws -> RequestOptions {
        var trial = request
        trial.dryRun = true
        // The key belongs to the action itself.
        trial.key = nil
        var confirmed = request
        confirmed.confirmations = try await submitted(command, trial, to: client).confirmations
        return confirmed
    }

    private func submit(
        _ command: Command, _ request: RequestOptions, to client: Client
    ) async throws -> Receipt {
        try await submitted(command, request, to: client).receipt
    }

    private func submitted(
        _ command: Command, _ request: RequestOptions, to client: Client
    ) async throws -> (receipt: Receipt, confirmations: [Confirmation]) {
        var request = request
        while true {
            do {
                let receipt = try await SlowReplyNotice.wait(for: client, context) {
                    try await client.submit(command, request)
                }
                return (receipt, request.confirmations)
            } catch let error as ServiceError where error.kind == .requiresConfirmation {
                try await ConfirmationPrompt(context: context).answer(
                    error, by: client, ifDeclined: ErrorText.nothingRecorded, &request)
            } catch let error as ServiceError {
                throw await failure(error, command, request, client)
            }
        }
    }

    private func failure(
        _ error: ServiceError, _ command: Command, _ request: RequestOptions, _ client: Client
    ) async -> Failure {
        // Only the next step after a closed window has a time in it.
        let zone = error.details["window_closed"] == nil ? Zone.utc : await context.serviceZone(client)
        var failure = Failure(error, to: command, moments: context.moments(in: zone))
        // The next command keeps the reason that was typed.
        if case .skipDose2 = command, let closed = error.details["window_closed"]?.instantValue,
            !context.line.names("--at"), !context.line.names("--ago")
        {
            let time = context.moments(in: zone).typedToTheMinute(closed)
            failure.hint = context.line.again(adding: ["--at", time])
        }
        // A time that was typed for the first dose corrects it. After dose 2 it cannot be that time.
        if command == .logDose(.dose1), error.details["reason"]?.stringValue == BlockReason.dose1AlreadyTaken.rawValue,
            error.details["record_as"]?.stringValue != DoseKind.extra.rawValue,
            let time = await amendedTime(error, request, client)
        {
            failure.hint = failure.hint?.replacing(" --at TIME", with: " \(time)")
        }
        if let dose = error.details["record_as"]?.stringValue {
            failure.confirmWith = context.line.again(loggingDose: dose)
        }
        return failure
    }

    /// Returns the time that was typed as an amendment reads it: with its offset where the night is of another zone, in which a
    /// clock time would be read (R23.15).
    private func amendedTime(_ error: ServiceError, _ request: RequestOptions, _ client: Client) async -> String? {
        guard let typed = context.line.time else { return nil }
        guard let at = request.at, let night = error.details["time_zone"]?.stringValue else { return typed }
        let zone = await context.serviceZone(client)
        guard context.chosenZone != nil || zone.identifier != night else { return typed }
        return "--at \(CommandLineWords.quoted(LocalTimeFormat.iso8601(at, in: zone)))"
    }
}
