internal import CSystemd
internal import Glibc

/// Answers `org.freedesktop.DBus.Properties` at one path, in place of sd-bus, which would answer whoever asks. Lives on
/// the loop's thread.
final class PropertyHook {
    private weak var core: BusCore?
    private let path: ObjectPath
    private var slot: BusSlot?

    private static let interface = "org.freedesktop.DBus.Properties"
    /// Interfaces that sd-bus serves at every object; they have no properties.
    private static let standard = [interface, "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Peer"]
    private static let signatures = ["Get": "ss", "GetAll": "s", "Set": "ssv"]

    init(core: BusCore, path: ObjectPath) throws(BusError) {
        self.core = core
        self.path = path
        let context = HookContext()
        context.hook = self
        var slot: OpaquePointer?
        try check(
            sd_bus_add_object(
                core.openBus(), &slot, path.rawValue,
                { message, userdata, _ in
                    guard let message, let hook = SDBus.context(userdata, as: HookContext.self)?.hook else { return 0 }
                    return hook.receive(message)
                }, Unmanaged.passUnretained(context).toOpaque()),
            "serve properties at \(path)")
        if let slot { self.slot = BusSlot(slot, loop: core.loop, context: context) }
    }

    /// 1 when the call is one about properties: then it is answered.
    private func receive(_ raw: OpaquePointer) -> Int32 {
        guard let interface = sd_bus_message_get_interface(raw), strcmp(interface, Self.interface) == 0,
            let core, let connection = core.connection, let name = sd_bus_message_get_member(raw)
        else { return 0 }
        let member = String(cString: name)
        guard let signature = Self.signatures[member] else { return 0 }
        let call = IncomingCall(
            raw, core: core, connection: connection, path: path, interface: Self.interface, member: member,
            limits: InputLimits()
        ) { [weak self] call in
            guard sd_bus_message_has_signature(raw, signature) > 0 else {
                throw BusError.invalidArgs("\(member) takes arguments of the types \"\(signature)\"")
            }
            try self?.answer(call, member)
        }
        core.desk.receive(call)
        return 1
    }

    private func answer(_ call: IncomingCall, _ member: String) throws {
        let name = try String.read(from: call.reader)
        if member == "GetAll" { return try answerAll(call, name) }
        let wanted = try String.read(from: call.reader)
        let property = properties(of: name)?.first { $0.name == wanted }
        guard let property else {
            throw BusError(
                name: BusError.Name.unknownProperty, message: "Unknown property or interface.", errno: ENOENT)
        }
        guard member == "Get" else {
            throw BusError(
                name: BusError.Name.propertyReadOnly, message: "Property '\(wanted)' is not writable.", errno: EROFS)
        }
        call.reply { writer throws(BusError) in try Self.append(property, to: writer) }
    }

    private func answerAll(_ call: IncomingCall, _ name: String) throws {
        let names = name.isEmpty ? registrations.map(\.interface.name) : [name]
        let found = names.map { properties(of: $0) ?? (Self.standard.contains($0) ? [] : nil) }
        guard !found.contains(where: { $0 == nil }) else {
            throw BusError(
                name: BusError.Name.unknownInterface, message: "Unknown interface '\(name.prefix(255))'.", errno: ENOENT
            )
        }
        call.reply { writer throws(BusError) in
            try writer.openContainer(UInt8(ascii: "a"), "{sv}")
            for property in found.compactMap(\.self).joined() {
                try writer.openContainer(UInt8(ascii: "e"), "sv")
                try property.name.append(to: writer)
                try Self.append(property, to: writer)
                try writer.closeContainer()
            }
            try writer.closeContainer()
        }
    }

    private static func append(_ property: any AnyExportedProperty, to writer: MessageWriter) throws(BusError) {
        try writer.openContainer(UInt8(ascii: "v"), property.signature)
        try property.append(to: writer)
        try writer.closeContainer()
    }

    private var registrations: [Registration] { core?.registrations[path] ?? [] }

    /// The properties of an interface; nil when none of that name is served here.
    private func properties(of name: String) -> [any AnyExportedProperty]? {
        registrations.first { $0.interface.name == name }?.interface.members.compactMap { member in
            if case .property(let property) = member.kind { property } else { nil }
        }
    }
}

/// What libsystemd's callback reaches.
private final class HookContext {
    weak var hook: PropertyHook?
}
