internal import CSystemd

/// Where an interface is served.
struct ObjectKey: Hashable {
    let path: ObjectPath
    let interface: String
}

/// An interface while it is served: its vtable, the strings the table points to, and the property values.
final class ServedInterface {
    let interface: ExportedInterface
    let key: ObjectKey
    let methods: [String: ExportedInterface.Method]
    var values: [String: Variant]
    unowned let connection: Connection
    private let table: UnsafeMutablePointer<sd_bus_vtable>
    private var strings: [UnsafeMutablePointer<CChar>] = []
    private var slot: OpaquePointer?

    init(_ interface: ExportedInterface, at path: ObjectPath, connection: Connection) throws(BusError) {
        self.interface = interface
        self.connection = connection
        key = ObjectKey(path: path, interface: interface.name)
        methods = Dictionary(interface.methods.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        values = Dictionary(interface.properties.map { ($0.name, $0.initial) }, uniquingKeysWith: { $1 })
        let rows = interface.methods.count + interface.properties.count + interface.signals.count + 2
        guard let table = csystemd_vtable_new(rows) else { throw BusError(errno: ENOMEM, context: "vtable") }
        self.table = table
        fill()
    }

    deinit {
        free(table)
        for string in strings { string.deallocate() }
    }

    private func fill() {
        csystemd_vtable_start(table)
        var row = table + 1
        for method in interface.methods {
            csystemd_vtable_method(
                row, keep(method.name), keep(method.input), keep(method.output), keep(names: method.names),
                ServedInterface.onCall)
            row += 1
        }
        for property in interface.properties {
            let flags =
                switch property.changes {
                case .constant: csystemd_property_const()
                case .emitted: csystemd_property_emits_change()
                }
            csystemd_vtable_property(
                row, keep(property.name), keep(property.initial.contentSignature), ServedInterface.onGet, flags)
            row += 1
        }
        for signal in interface.signals {
            csystemd_vtable_signal(row, keep(signal.name), keep(signal.signature), keep(names: signal.names))
            row += 1
        }
        csystemd_vtable_end(row)
    }

    /// Copies text for as long as the table lives.
    private func keep(_ text: String) -> UnsafePointer<CChar> { keep(bytes: Array(text.utf8) + [0]) }

    /// Argument names: one NUL after each, and one after the last.
    private func keep(names: [String]) -> UnsafePointer<CChar> {
        keep(bytes: names.flatMap { Array($0.utf8) + [0] } + [0])
    }

    private func keep(bytes: [UInt8]) -> UnsafePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
        strings.append(copy)
        return UnsafePointer(copy)
    }

    func attach(to bus: OpaquePointer) throws(BusError) {
        let result = sd_bus_add_object_vtable(
            bus, &slot, key.path.text, key.interface, table, Unmanaged.passUnretained(self).toOpaque())
        try check(result, "serving \(key.interface)")
    }

    func release() {
        sd_bus_slot_unref(slot)
        slot = nil
    }

    private static let onCall: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return -EINVAL }
        nonisolated(unsafe) let served = Unmanaged<ServedInterface>.fromOpaque(userdata).takeUnretainedValue()
        nonisolated(unsafe) let call = message
        // Callbacks run on the loop, the connection's own executor.
        return served.connection.assumeIsolated { $0.received(call, for: served) }
    }

    private static let onGet: sd_bus_property_get_t = { _, _, _, name, reply, userdata, _ in
        guard let name, let reply, let userdata else { return -EINVAL }
        let served = Unmanaged<ServedInterface>.fromOpaque(userdata).takeUnretainedValue()
        guard let value = served.values[String(cString: name)] else { return -ENOENT }
        do throws(BusError) {
            try value.appendContent(to: MessageWriter(pointer: reply))
            return 1
        } catch { return -(error.errno == 0 ? EIO : error.errno) }
    }
}
