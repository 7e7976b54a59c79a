internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import SDBus

/// Why the service could not start, in the words of the contract.
struct StartFailure: Sendable {
    let error: ServiceError
    let exitCode: Int32
    /// The store cannot be opened, and nobody else has it open.
    let concernsStore: Bool

    init(_ cause: any Error) {
        concernsStore = cause is SystemFault || (cause as? StoreError).map { $0.code != .locked } ?? false
        switch cause {
        case let cause as StoreError:
            error = ServiceError(cause, kept: false)
            exitCode = cause.code == .locked ? 75 : 1
        case let cause as SystemFault:
            error = ServiceError(.storeUnavailable, cause.message, hint: cause.hint)
            exitCode = 1
        case let cause as NameTaken:
            let who = cause.processID.map { " (process \($0), \(cause.command ?? "unknown"))" } ?? ""
            error = ServiceError(
                .locked,
                cause.isOurs
                    ? "Another DoseTap service already serves this bus\(who)."
                    : "Another program owns the name \(Contract.name) on this bus\(who).",
                hint: cause.isOurs ? "dosetap status" : "busctl --user status \(Contract.name)")
            exitCode = cause.isOurs ? 75 : 1
        case let cause as BusError:
            error = ServiceError(
                .internal, "The bus cannot be used: \(cause.message).", hint: "systemctl --user status dbus")
            exitCode = 1
        default:
            error = ServiceError(.internal, "The service cannot start: \(type(of: cause)).")
            exitCode = 1
        }
    }

    /// The interfaces of a service that can only say why it is none: every method of the contract, each with that answer.
    var faces: [ExportedInterface] {
        Contract.interfaces.map { $0.refusing(error.busError, limits: .contract) }
    }
}
