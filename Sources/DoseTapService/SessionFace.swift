internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapSystem
internal import SDBus

/// The `Session` interface: tonight.
struct SessionFace: Sendable {
    let engine: Engine
    let surroundings: SystemSurroundings

    private typealias Options = [String: Variant]
    private typealias Method = ExportedInterface.Method
    private typealias Property = ExportedInterface.Property

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.session,
            methods: [
                Method("Status", in: ["options"], out: ["status"]) { (_, options: Options) in
                    try await status(options)
                },
                recording("LogDose1", .logDose(.dose1)), recording("LogDose2", .logDose(.dose2)),
                recording("LogExtraDose", .logDose(.extra)), recording("Snooze", .snooze),
                recording("SkipDose2", .skipDose2), recording("LogFinalWake", .logFinalWake), recording("Undo", .undo),
                correcting("Amend") { .amend($0) }, correcting("Delete") { .delete($0) },
            ],
            properties: [
                Property("Phase", Phase.noDose1.rawValue), Property("SessionId", ""), Property("SessionDate", ""),
                Property("Dose1Time", UInt64(0)), Property("Dose2Time", UInt64(0)), Property("Dose2Skipped", false),
                Property("SnoozeCount", UInt32(0)), Property("WindowOpens", UInt64(0)),
                Property("WindowCloses", UInt64(0)), Property("AlarmTime", UInt64(0)), Property("TerminalState", ""),
            ],
            signals: [
                .init("EventRecorded", ["type", "id", "details"], carrying: DBusTuple<String, String, Options>.self),
                .init("PhaseChanged", ["old", "new"], carrying: DBusTuple<String, String>.self),
            ], limits: .contract)
    }

    /// The properties as of a status.
    static func properties(_ status: NightStatus) -> [String: Variant] {
        func microseconds(_ instant: Instant?) -> Variant { Variant(UInt64(max(0, instant?.microseconds ?? 0))) }
        return [
            "Phase": Variant(status.window.phase.rawValue), "SessionId": Variant(status.sessionID?.text ?? ""),
            "SessionDate": Variant(status.sessionDate?.text ?? ""), "Dose1Time": microseconds(status.dose1),
            "Dose2Time": microseconds(status.dose2), "Dose2Skipped": Variant(status.dose2Skipped),
            "SnoozeCount": Variant(UInt32(clamping: status.snoozeCount)),
            "WindowOpens": microseconds(status.windowOpens), "WindowCloses": microseconds(status.windowCloses),
            "AlarmTime": microseconds(status.alarm), "TerminalState": Variant(status.terminalState?.rawValue ?? ""),
        ]
    }

    private func status(_ options: Options) async throws -> Options {
        do {
            var instant: Instant?
            for (key, variant) in options {
                guard key == "at", let microseconds = variant.as(UInt64.self),
                    microseconds <= UInt64(Instant.max.microseconds)
                else {
                    throw ServiceError(
                        .invalidInput, "Unknown or malformed option '\(key.prefix(40))'.", hint: "known: at (t)")
                }
                if microseconds > 0 { instant = Instant(microseconds: Int64(microseconds)) }
            }
            let status =
                if let instant { try await engine.status(asOf: instant) } else { await engine.status(at: nil) }
            return AnswerCoding.variants(status.json)
        } catch { throw ServiceError(error, nil, zone: surroundings.zone()).busError }
    }

    private func recording(_ name: String, _ command: Command) -> Method {
        Method(name, in: ["options"], out: ["receipt"]) { (call, options: Options) in
            try await submit(command, options, call)
        }
    }

    private func correcting(_ name: String, _ command: @escaping @Sendable (EventID) -> Command) -> Method {
        Method(name, in: ["id", "options"], out: ["receipt"]) { (call, arguments: DBusTuple<String, Options>) in
            let (id, options) = arguments.elements
            return try await submit(command(EventID(id)), options, call)
        }
    }

    private func submit(_ command: Command, _ options: Options, _ call: ExportedInterface.Call) async throws -> Options
    {
        do {
            let request = try RequestOptions(options)
            var zone: Zone?
            if let name = request.timeZone {
                guard let named = surroundings.zone(named: name) else {
                    throw ServiceError(
                        .invalidInput, "This machine knows no time zone '\(name.prefix(60))'.",
                        hint: "timedatectl list-timezones")
                }
                zone = named
            }
            var asked = CommandOptions(surface: request.surface ?? .dbus)
            asked.at = request.at
            asked.confirmations = Set(request.confirmations)
            asked.key = request.key
            asked.amountMilligrams = request.amountMilligrams.map { Int($0) }
            asked.note = request.note
            asked.reason = request.reason
            asked.dryRun = request.dryRun
            asked.origin = await origin(call)
            return AnswerCoding.variants(try await engine.submit(command, asked, zone: zone).json)
        } catch { throw ServiceError(error, command, zone: surroundings.zone()).busError }
    }

    /// Who called, as far as the bus can tell.
    private func origin(_ call: ExportedInterface.Call) async -> Origin? {
        guard let sender = call.sender else { return nil }
        let credentials = await call.connection.credentials(of: sender)
        let process = credentials?.processID.flatMap { Int32(exactly: $0) }
        return Origin(sender: sender, processID: process, command: process.flatMap(ProcessName.of))
    }
}

extension MessageLimits {
    /// What callers of the contract may send.
    static var contract: MessageLimits {
        var limits = MessageLimits()
        limits.stringBytes = Contract.stringBytes
        limits.arrayElements = Contract.arrayElements
        limits.errorName = Contract.errorPrefix + ServiceError.Kind.invalidInput.rawValue
        return limits
    }
}
