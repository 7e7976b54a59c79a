internal import DoseTapBusAPI
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
            self.init(
                exitCode: Code.unreachable, kind: "unreachable",
                message: "The service did not answer (\(error.message)); whether anything was recorded is not known.",
                hint: "dosetap status, or: systemctl --user status dosetapd", isOneLine: true)
        default:
            let bus = context.bus == .system ? "system" : "session"
            self.init(
                exitCode: Code.unreachable, kind: "unreachable",
                message: "The service cannot be reached on the \(bus) bus (\(error.message)).",
                hint: "systemctl --user status dosetapd, or: \(Self.withoutBus(context))",
                isOneLine: true)
        }
    }

    private static func withoutBus(_ context: Context) -> String {
        context.line.again(adding: ["--bus", "none"], dropping: "--bus")
    }
}
