internal import CSystemd
internal import Glibc

/// A member as the callbacks meet it.
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

/// One interface served at one path: the vtable and all it refers to. Lives on the loop's thread.
final class Registration {
    private let core: BusCore
    private let boxes: [MemberBox]
    /// What a row's offset points into: one pointer for each member.
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
        // Later: the callback that led here may still be inside the vtable.
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

    /// Argument names as sd-bus wants them: each ended by a NUL, and a last NUL.
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
        // Who may call is the bus policy's business: the system calls behind sd-bus's own check would block.
        var flags = csd_vtable_unprivileged
        if member.isDeprecated { flags |= csd_vtable_deprecated }
        switch member.kind {
        case .method(let method):
            return csd_vtable_method(
                keep(member.name), keep(method.signature), keep(method.result), keep(names: method.names),
                answerMethod, offset, flags
            )
        case .property(let property):
            let flag: UInt64 =
                switch property.change {
                case .emitsValue: csd_vtable_emits_change
                case .invalidates: csd_vtable_emits_invalidation
                case .constant: csd_vtable_constant
                case .silent: 0
                }
            // Unprivileged is a flag of writable properties and methods only.
            let own = (flags & csd_vtable_deprecated) | flag
            return csd_vtable_property(keep(member.name), keep(property.signature), getProperty, offset, own)
        case .signal(let signature, let names):
            return csd_vtable_signal(
                keep(member.name), keep(signature), keep(names: names), flags & csd_vtable_deprecated
            )
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
