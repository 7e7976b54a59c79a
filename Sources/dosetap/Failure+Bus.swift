internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText
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
        case let error as BusError: self = .init(bus: error, context)
        case let error as Unanswered:
            self = .unreachable(
                ErrorText.unanswered(seconds: error.limit.components.seconds, mayHaveActed: error.mayHaveActed))
        case let error as PayloadError:
            let told = ErrorText.otherVersion(unread: "\(error)")
            self.init(.internal, told.sentence, hint: told.next)
        default:
            self.init(
                .internal, "Something went wrong: \(error).",
                hint: ErrorText.next(after: .internal, [:], to: nil, moments: Moments(zone: .utc)))
        }
    }

    private init(bus error: BusError, _ context: Context) {
        switch error.name {
        case BusError.Name.unknownMethod, BusError.Name.unknownInterface, BusError.Name.unknownObject,
            BusError.Name.invalidArgs, BusError.Name.invalidSignature:
            let told = ErrorText.otherVersion(unknown: error.message)
            self.init(.internal, told.sentence, hint: told.next)
        case BusError.Name.inconsistentMessage:
            self.init(
                exitCode: Code.failed, kind: ErrorKind.invalidInput.word,
                message: "This cannot be sent to the service: \(error.message). Remove it and try again.")
        case BusError.Name.timeout, BusError.Name.noReply:
            let crash = error.name == BusError.Name.noReply ? Self.crash(context, mayHaveActed: true) : nil
            self = crash ?? .unreachable(ErrorText.noReply(error.message))
        default:
            if let failure = Self.crash(context, mayHaveActed: false) {
                self = failure
                return
            }
            let bus = context.bus == .system ? "system" : "session"
            let withoutBus = context.line.again(adding: ["--bus", "none"], dropping: "--bus")
            if error.name == BusError.Name.serviceUnknown, !Self.hasUnit(context) {
                self = .unreachable(
                    ErrorText.notInstalled(bus: bus, withoutBus: withoutBus),
                    details: ["bus_error": .string(error.message)])
            } else {
                self = .unreachable(ErrorText.unreached(bus: bus, error.message, withoutBus: withoutBus))
            }
        }
    }

    /// A service that ends again and again; nil where it does not, or nobody knows.
    private static func crash(_ context: Context, mayHaveActed: Bool) -> Failure? {
        guard case .bus(let address) = ServiceLink.Route(context), let unit = ServiceUnit.ask(address),
            unit.keepsEnding
        else { return nil }
        let told = ErrorText.crashes(
            restarts: Int(unit.restarts), result: unit.result, mayHaveActed: mayHaveActed, last: ServiceUnit.lastLine)
        return .unreachable(
            told, details: ["restarts": .integer(Int64(unit.restarts)), "result": .string(unit.result)])
    }

    /// Whether the service manager has loaded the service.
    private static func hasUnit(_ context: Context) -> Bool {
        guard case .bus(let address) = ServiceLink.Route(context) else { return false }
        return ServiceUnit.ask(address) != nil
    }
}
