internal import DoseTapContract
internal import DoseTapDomain
internal import SDBus

/// What went wrong between this program and the service.
extension Failure {
    /// - Parameters:
    ///   - error: what a call threw.
    ///   - context: for the next command.
    init(_ error: any Error, _ context: Context) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ServiceError: self.init(error)
        case let error as BusError: self.init(bus: error, context)
        case let error as Unanswered: self.init(error)
        case let error as PayloadError:
            self.init(
                exitCode: Code.failed, kind: ServiceError.Kind.internal.word,
                message: "The service answered what this version of dosetap does not understand: \(error).",
                hint: "dosetap --version; dosetapd --version")
        default:
            self.init(
                exitCode: Code.failed, kind: ServiceError.Kind.internal.word,
                message: "Something went wrong: \(error).",
                hint: "journalctl --user -t dosetapd -n 20")
        }
    }

    private init(_ error: Unanswered) {
        let seconds = error.limit.components.seconds
        let unknown = error.mayHaveActed ? "; whether anything was recorded is not known" : ""
        self.init(
            exitCode: Code.unreachable, kind: "unreachable",
            message: "The service is there but did not answer within \(seconds) s\(unknown).",
            hint: (error.mayHaveActed ? "dosetap status, or: " : "") + "systemctl --user status dosetapd",
            isOneLine: true)
    }

    private init(bus error: BusError, _ context: Context) {
        switch error.name {
        case BusError.Name.unknownMethod, BusError.Name.unknownInterface, BusError.Name.unknownObject,
            BusError.Name.invalidArgs, BusError.Name.invalidSignature:
            self.init(
                exitCode: Code.failed, kind: ServiceError.Kind.internal.word,
                message: "The service does not know this request (\(error.message)): it is of another version.",
                hint: "dosetap --version; dosetapd --version")
        case BusError.Name.inconsistentMessage:
            self.init(
                exitCode: Code.failed, kind: ServiceError.Kind.invalidInput.word,
                message: "This cannot be sent to the service: \(error.message). Remove it and try again.")
        case BusError.Name.timeout, BusError.Name.noReply:
            if error.name == BusError.Name.noReply, let failure = Self.crash(context, isUnknown: true) {
                self = failure
                return
            }
            self.init(
                exitCode: Code.unreachable, kind: "unreachable",
                message: "The service did not answer (\(error.message)); whether anything was recorded is not known.",
                hint: "dosetap status, or: systemctl --user status dosetapd", isOneLine: true)
        default:
            if let failure = Self.crash(context, isUnknown: false) {
                self = failure
                return
            }
            let bus = context.bus == .system ? "system" : "session"
            if error.name == BusError.Name.serviceUnknown, !Self.hasUnit(context) {
                self.init(
                    exitCode: Code.unreachable, kind: "unreachable",
                    message: "Nothing was recorded; no reminders will come: the service dosetapd does not run, and "
                        + "nothing on the \(bus) bus starts it. Set an alarm clock.",
                    hint: "systemctl --user enable --now dosetapd (not installed yet: Contrib/install), or without "
                        + "reminders: \(Self.withoutBus(context))",
                    details: ["bus_error": .string(error.message)], isOneLine: true)
                return
            }
            self.init(
                exitCode: Code.unreachable, kind: "unreachable",
                message: "Nothing was recorded; no reminders will come: "
                    + "the service cannot be reached on the \(bus) bus (\(error.message)).",
                hint: "systemctl --user start dosetapd, or: \(Self.withoutBus(context))",
                isOneLine: true)
        }
    }

    /// A service that ends again and again; nil where it does not, or nobody knows.
    ///
    /// - Parameter isUnknown: a command was sent to it, and may have been recorded.
    private static func crash(_ context: Context, isUnknown: Bool) -> Failure? {
        guard case .bus(let address) = ServiceLink.Route(context), let unit = ServiceUnit.ask(address),
            unit.keepsEnding
        else { return nil }
        let recorded = isUnknown ? "whether anything was recorded is not known" : "nothing was recorded"
        let last = ServiceUnit.lastLine.map { " Its last line in the journal: \($0)" } ?? ""
        return Failure(
            exitCode: Code.unreachable, kind: "unreachable",
            message: "The service crashes again and again (\(unit.restarts) restarts, result \(unit.result)): "
                + "\(recorded); no reminders will come.\(last)",
            hint: "journalctl --user -u dosetapd -n 30, then: systemctl --user restart dosetapd",
            details: ["restarts": .integer(Int64(unit.restarts)), "result": .string(unit.result)], isOneLine: true)
    }

    /// Whether the service manager has loaded the service.
    private static func hasUnit(_ context: Context) -> Bool {
        guard case .bus(let address) = ServiceLink.Route(context) else { return false }
        return ServiceUnit.ask(address) != nil
    }

    private static func withoutBus(_ context: Context) -> String {
        context.line.again(adding: ["--bus", "none"], dropping: "--bus")
    }
}
