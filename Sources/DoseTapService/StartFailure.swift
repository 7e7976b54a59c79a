internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapSystem
internal import SDBus

/// Why the service could not start, in the words of the contract.
struct StartFailure: Sendable {
    let error: ServiceError
    let exitCode: Int32

    init(_ cause: any Error) {
        switch cause {
        case let cause as StoreError:
            error = ServiceError(cause, kept: false)
            exitCode = cause.code == .locked ? 75 : 1
        case let cause as SystemFault:
            error = ServiceError(.storeUnavailable, cause.message, hint: cause.hint)
            exitCode = 1
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
        func method<Input: DBusReply>(_ name: String, _: Input.Type) -> ExportedInterface.Method {
            .init(name) { (_, _: Input) -> DBusVoid in throw answer }
        }
        let recording = [
            "LogDose1", "LogDose2", "LogExtraDose", "Snooze", "SkipDose2", "LogFinalWake", "Undo", "Status",
        ]
        let session =
            recording.map { method($0, Options.self) }
            + ["Amend", "Delete"].map { method($0, DBusTuple<String, Options>.self) }
        return [
            ExportedInterface(Contract.InterfaceName.session, methods: session),
            ExportedInterface(
                Contract.InterfaceName.history,
                methods: [
                    method("Sessions", DBusTuple<UInt64, UInt64, UInt32, String>.self), method("Show", String.self),
                ]),
            ExportedInterface(
                Contract.InterfaceName.data,
                methods: ["Check", "Verify", "Rebuild"].map { method($0, DBusVoid.self) }),
            ExportedInterface(
                Contract.InterfaceName.service,
                methods: ["Plugins", "Config", "CheckConfig", "Reload"].map { method($0, DBusVoid.self) }
                    + [method("SetPlugin", DBusTuple<String, Bool>.self)]),
        ]
    }
}
