internal import CSystemd
internal import Glibc

/// Userdata of a member's callbacks.
final class MemberBox {
    weak let core: BusCore?
    let path: ObjectPath
    let interface: String
    let name: String
    let limits: InputLimits
    let kind: ExportedMember.Kind

    init(core: BusCore, path: ObjectPath, interface: ExportedInterface, member: ExportedMember) {
        self.core = core
        self.path = path
        self.interface = interface.name
        name = member.name
        limits = interface.limits
        kind = member.kind
    }
}

/// One interface served at one path: the vtable and everything it points to. Lives on the loop's thread.
final class Registration {
    private let core: BusCore
    private let boxes: [MemberBox]
    /// Target of the rows' offsets: one pointer for each member.
    private let pointers: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let rows: UnsafeMutablePointer<sd_bus_vtable>
    private var texts: [UnsafeMutablePointer<CChar>] = []
    private var slot: OpaquePointer?
    let interface: ExportedInterface

    init(core: BusCore, path: ObjectPath, interface: ExportedInterface) throws(BusError) {
        self.core = core
        self.interface = interface
        boxes = interface.members.map { MemberBox(core: core, path: path, interface: interface, member: $0) }
        pointers = .allocate(capacity: boxes.count + 1)
        rows = .allocate(capacity: boxes.count + 2)
        rows.initialize(to: csd_vtable_start())
        for (index, member) in interface.members.enumerated() {
            (pointers + index).initialize(to: Unmanaged.passUnretained(boxes[index]).toOpaque())
            (rows + index + 1).initialize(to: row(member, index: index))
        }
        (rows + boxes.count + 1).initialize(to: csd_vtable_end())
        try check(
            sd_bus_add_object_vtable(core.openBus(), &slot, path.rawValue, interface.name, rows, pointers),
            "serve \(interface.name) at \(path)"
        )
    }

    deinit {
        // Later: a callback may still be inside the vtable.
        let rest = LoopConfined((slot, rows, pointers, texts, boxes))
        core.loop.executeLater {
            sd_bus_slot_unref(rest.value.0)
            rest.value.1.deallocate()
            rest.value.2.deallocate()
            for text in rest.value.3 { text.deallocate() }
        }
    }

    /// A C string that lives as long as the vtable.
    private func keep(_ text: String) -> UnsafePointer<CChar> {
        keep(bytes: Array(text.utf8) + [0])
    }

    /// Argument names for sd-bus: each ended by a NUL, and a last NUL.
    private func keep(names: [String]) -> UnsafePointer<CChar> {
        keep(bytes: names.flatMap { Array($0.utf8) + [0] } + [0, 0])
    }

    private func keep(bytes: [UInt8]) -> UnsafePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: CChar(bitPattern: byte)) }
        texts.append(copy)
        return UnsafePointer(copy)
    }

    private func row(_ member: ExportedMember, index: Int) -> sd_bus_vtable {
        let offset = index * MemoryLayout<UnsafeMutableRawPointer?>.stride
        switch member.kind {
        case .method(let method):
            // The bus policy decides who may call: the system calls of sd-bus's own check would block.
            return csd_vtable_method(
                keep(member.name), keep(method.signature), keep(method.result), keep(names: method.names),
                answerMethod, offset, csd_vtable_unprivileged
            )
        case .property(let property):
            let flag: UInt64 =
                switch property.change {
                case .emitsValue: csd_vtable_emits_change
                case .invalidates: csd_vtable_emits_invalidation
                case .constant: csd_vtable_constant
                case .silent: 0
                }
            return csd_vtable_property(keep(member.name), keep(property.signature), getProperty, offset, flag)
        case .signal(let signature, let names):
            return csd_vtable_signal(keep(member.name), keep(signature), keep(names: names))
        }
    }
}

private func member(_ userdata: UnsafeMutableRawPointer?) -> MemberBox? {
    context(userdata?.load(as: UnsafeMutableRawPointer?.self), as: MemberBox.self)
}

private func answerMethod(
    _ message: OpaquePointer?,
    _ userdata: UnsafeMutableRawPointer?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let member = member(userdata), let core = member.core, let connection = core.connection,
        case .method(let method) = member.kind
    else { return -ESHUTDOWN }
    core.desk.receive(
        IncomingCall(
            message, core: core, connection: connection, path: member.path, interface: member.interface,
            member: member.name, limits: member.limits, handler: method.answer))
    return 1
}

private func getProperty(
    _: OpaquePointer?,
    _: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?,
    _ reply: OpaquePointer?,
    _ userdata: UnsafeMutableRawPointer?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let reply, case .property(let property) = member(userdata)?.kind else { return -ESHUTDOWN }
    do {
        try property.append(to: MessageWriter(raw: reply))
        return 1
    } catch {
        return error.errno == 0 ? -EINVAL : -error.errno
    }
}

extension Connection {
    /// Serves an object. Do this before requesting the name.
    /// - Throws: ``BusError`` when a name or path is invalid or an interface is served there already.
    public func serve(_ object: ExportedObject) throws(BusError) {
        if core.propertyHooks[object.path] == nil {
            core.propertyHooks[object.path] = try PropertyHook(core: core, path: object.path)
        }
        var added: [Registration] = []
        for interface in object.interfaces {
            added.append(try Registration(core: core, path: object.path, interface: interface))
        }
        core.registrations[object.path, default: []] += added
    }

    /// Sets the policy that admits callers; once, before anything is served.
    public func admit(by policy: CallPolicy) throws(BusError) {
        core.desk.policy = policy
        if isPeer { return }
        let guardian = try FloodGuard(core.openBus(), policy)
        core.floodGuard = guardian
        loop.floodGuards.value.append(guardian)
    }

    /// Stops serving all interfaces at a path; calls that wait are still answered.
    public func unserve(_ path: ObjectPath) {
        core.propertyHooks[path] = nil
        core.registrations[path] = nil
    }

    /// Changes properties and emits one PropertiesChanged per interface, with those that really changed.
    ///
    /// ```swift
    /// try await connection.update("/org/example/Thing") { $0.set(phase, "open") }
    /// ```
    public func update(
        _ path: ObjectPath,
        _ changes: @Sendable (inout PropertyBatch) -> Void
    ) throws(BusError) {
        var batch = PropertyBatch()
        changes(&batch)
        try announce(batch, at: path)
    }

    /// Emits PropertiesChanged for the properties that a batch has changed.
    public func announce(_ batch: PropertyBatch, at path: ObjectPath) throws(BusError) {
        let bus = try core.openBus()
        for registration in core.registrations[path] ?? [] {
            let names = registration.interface.members.compactMap { member -> String? in
                guard case .property(let property) = member.kind,
                    batch.changed.contains(ObjectIdentifier(property)),
                    property.change == .emitsValue || property.change == .invalidates
                else { return nil }
                return property.name
            }
            if names.isEmpty { continue }
            try check(
                withCStrings(names) {
                    sd_bus_emit_properties_changed_strv(bus, path.rawValue, registration.interface.name, $0)
                },
                "emit PropertiesChanged"
            )
        }
    }
}

/// Properties that change together.
public struct PropertyBatch: Sendable {
    var changed: Set<ObjectIdentifier> = []

    public init() {}

    public mutating func set<Value: DBusValue>(_ property: ExportedProperty<Value>, _ value: Value) {
        if property.set(value) { changed.insert(ObjectIdentifier(property)) }
    }

    /// Adds a property whose value was changed elsewhere.
    public mutating func add<Value: DBusValue>(_ property: ExportedProperty<Value>) {
        changed.insert(ObjectIdentifier(property))
    }
}

/// Answers `org.freedesktop.DBus.Properties` at one path in place of sd-bus, which would answer every caller. Lives on
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

    /// Answers a call about properties and returns 1; 0 for any other.
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

/// Userdata of libsystemd's callback.
private final class HookContext {
    weak var hook: PropertyHook?
}
