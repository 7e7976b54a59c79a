internal import CSystemd

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

    /// Lets in only whom a policy admits. Set it once, before anything is served.
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

    /// Changes properties and tells: one PropertiesChanged per interface, with those that really changed.
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

    /// Emits PropertiesChanged for what a batch has changed.
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

/// Which properties were changed together.
public struct PropertyBatch: Sendable {
    var changed: Set<ObjectIdentifier> = []

    /// An empty batch.
    public init() {}

    /// Changes a property's value.
    public mutating func set<Value: DBusValue>(_ property: ExportedProperty<Value>, _ value: Value) {
        if property.set(value) { changed.insert(ObjectIdentifier(property)) }
    }

    /// Adds a property whose value somebody else has changed.
    public mutating func add<Value: DBusValue>(_ property: ExportedProperty<Value>) {
        changed.insert(ObjectIdentifier(property))
    }
}

/// A NULL-terminated array of C strings for the length of a call.
private func withCStrings<R>(
    _ texts: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    let copies = texts.map { text in
        let bytes = Array(text.utf8) + [0]
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: CChar(bitPattern: byte)) }
        return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    var pointers: [UnsafeMutablePointer<CChar>?] = copies + [nil]
    return pointers.withUnsafeMutableBufferPointer { buffer in
        // The array has at least its terminator, so there is an address.
        guard let start = buffer.baseAddress else { preconditionFailure("an array with a terminator is not empty") }
        return body(start)
    }
}
