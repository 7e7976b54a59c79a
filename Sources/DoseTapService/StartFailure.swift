internal import DoseTapBusAPI
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
        typealias Options = [String: Variant]
        typealias Names = Contract.InterfaceName
        return [
            face(
                Names.session,
                ["LogDose1", "LogDose2", "LogExtraDose", "Snooze", "SkipDose2", "LogFinalWake", "Undo", "Status"].map {
                    refusing($0, ["options"], Options.self)
                } + ["Amend", "Delete"].map { refusing($0, ["id", "options"], String.self, Options.self) }),
            face(
                Names.diary,
                [
                    refusing("LogSleepEvent", ["type", "options"], String.self, Options.self),
                    refusing("Questions", ["kind"], String.self),
                ]
                    + ["SaveCheckIn", "SavePreSleep"].map {
                        refusing($0, ["answers", "options"], Options.self, Options.self)
                    }
            ),
            face(
                Names.medications,
                ["Catalogue", "Regimen"].map { refusing($0, []) } + [
                    refusing("Take", ["id", "options"], String.self, Options.self),
                    refusing("List", ["limit"], UInt32.self),
                    refusing("SetRegimen", ["regimen", "options"], Options.self, Options.self),
                ]),
            face(
                Names.inventory,
                [("AddBottle", "bottle"), ("Pour", "cup"), ("Correct", "stock")].map { name, what in
                    refusing(name, [what, "options"], Options.self, Options.self)
                } + [refusing("Discard", ["id", "options"], String.self, Options.self), refusing("Show", [])]),
            face(
                Names.reminders,
                [
                    refusing("List", []), refusing("Acknowledge", ["id", "options"], String.self, Options.self),
                    refusing("Test", ["channel", "options"], String.self, Options.self),
                ]),
            face(
                Names.history,
                [
                    refusing(
                        "Sessions", ["from", "to", "limit", "cursor"], UInt64.self, UInt64.self, UInt32.self,
                        String.self),
                    refusing(
                        "SessionsWith", ["type", "from", "to", "limit", "cursor"], String.self, UInt64.self,
                        UInt64.self,
                        UInt32.self, String.self), refusing("Show", ["what"], String.self),
                    refusing("Why", ["id"], String.self),
                ] + ["FindSessions", "Intervals", "Stats"].map { refusing($0, ["options"], Options.self) }),
            face(
                Names.data,
                ["Check", "Verify"].map { refusing($0, []) } + [refusing("Rebuild", ["options"], Options.self)]),
            face(
                Names.service,
                ["Plugins", "Config", "CheckConfig", "Doctor", "Metrics"].map { refusing($0, []) } + [
                    refusing("Reload", ["options"], Options.self),
                    refusing("SetPlugin", ["id", "enabled", "options"], String.self, Bool.self, Options.self),
                    refusing("SetConfig", ["key", "value", "options"], String.self, Variant.self, Options.self),
                ]),
        ]
    }

    private func face(_ name: String, _ members: [ExportedMember]) -> ExportedInterface {
        ExportedInterface(name, limits: .contract, members: members)
    }

    /// A method that reads its arguments, as the contract has them, and answers why the service is none.
    private func refusing<each Argument: DBusValue>(
        _ name: String, _ arguments: [String], _ types: repeat (each Argument).Type
    ) -> ExportedMember {
        let answer = error.busError
        return .method(name, arguments: arguments) { (_: CallContext, _: repeat each Argument) async throws -> Void in
            throw answer
        }
    }
}
