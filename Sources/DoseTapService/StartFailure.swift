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

    /// The interfaces of a service that can only say why it is none.
    var faces: [ExportedInterface] {
        typealias Options = [String: Variant]
        let answer = error.busError
        func silent(_ name: String) -> ExportedMember { .method(name) { _ in throw answer } }
        func named(_ name: String) -> ExportedMember {
            .method(name, arguments: ["options"]) { (_, _: Options) in throw answer }
        }
        let session =
            ["LogDose1", "LogDose2", "LogExtraDose", "Snooze", "SkipDose2", "LogFinalWake", "Undo", "Status"].map(named)
            + ["Amend", "Delete"].map { name in
                .method(name, arguments: ["id", "options"]) { (_, _: String, _: Options) in throw answer }
            }
        let diary: [ExportedMember] = [
            .method("LogSleepEvent", arguments: ["type", "options"]) { (_, _: String, _: Options) in throw answer },
            .method("SaveCheckIn", arguments: ["answers", "options"]) { (_, _: Options, _: Options) in throw answer },
            .method("SavePreSleep", arguments: ["answers", "options"]) { (_, _: Options, _: Options) in throw answer },
            .method("Questions", arguments: ["kind"]) { (_, _: String) in throw answer },
        ]
        let history: [ExportedMember] = [
            .method("Sessions", arguments: ["from", "to", "limit", "cursor"]) {
                (_, _: UInt64, _: UInt64, _: UInt32, _: String) in throw answer
            },
            .method("SessionsWith", arguments: ["type", "from", "to", "limit", "cursor"]) {
                (_, _: String, _: UInt64, _: UInt64, _: UInt32, _: String) in throw answer
            },
            .method("Show", arguments: ["what"]) { (_, _: String) in throw answer },
            .method("Why", arguments: ["id"]) { (_, _: String) in throw answer },
        ]
        let reminders: [ExportedMember] =
            [silent("List")]
            + ["Acknowledge", "Test"].map { name in
                .method(name, arguments: ["what", "options"]) { (_, _: String, _: Options) in throw answer }
            }
        let service: [ExportedMember] =
            ["Plugins", "Config", "CheckConfig", "Doctor"].map(silent) + [named("Reload")]
            + [
                .method("SetPlugin", arguments: ["id", "enabled", "options"]) {
                    (_, _: String, _: Bool, _: Options) in throw answer
                },
                .method("SetConfig", arguments: ["key", "value", "options"]) {
                    (_, _: String, _: Variant, _: Options) in throw answer
                },
            ]
        return [
            ExportedInterface(Contract.InterfaceName.session, members: session),
            ExportedInterface(Contract.InterfaceName.diary, members: diary),
            ExportedInterface(Contract.InterfaceName.reminders, members: reminders),
            ExportedInterface(Contract.InterfaceName.history, members: history),
            ExportedInterface(
                Contract.InterfaceName.data, members: ["Check", "Verify"].map(silent) + [named("Rebuild")]),
            ExportedInterface(Contract.InterfaceName.service, members: service),
        ]
    }
}
