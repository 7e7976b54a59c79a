/// One method, property or signal of a served interface.
public struct ExportedMember: Sendable {
    struct Method: Sendable {
        let signature: String
        let result: String
        let names: [String]
        let answer: @Sendable (IncomingCall) throws -> Void
    }

    enum Kind: Sendable {
        case method(Method)
        case property(any AnyExportedProperty)
        case signal(signature: String, names: [String])
    }

    let name: String
    let kind: Kind

    /// A method whose handler may wait; the handler runs on the loop and the answer is sent when it returns.
    ///
    /// A thrown error is the answer: a ``BusError`` as it is, any other as `org.freedesktop.DBus.Error.Failed`.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - arguments: The arguments' names, as introspection shows them; one per argument.
    ///   - results: The results' names; one per result.
    ///   - handler: Gets the call and its arguments, and returns the results.
    public static func method<each Argument: DBusValue, each Result: DBusValue>(
        _ name: String,
        arguments: [String] = [],
        results: [String] = [],
        handler:
            @escaping @Sendable @concurrent (CallContext, repeat each Argument) async throws -> (repeat each Result)
    ) -> ExportedMember {
        make(
            name,
            signature: SDBus.signature(of: repeat (each Argument).self),
            result: SDBus.signature(of: repeat (each Result).self),
            arguments: arguments,
            results: results
        ) { call in
            let reader = call.reader
            let values = (repeat try (each Argument).read(from: reader))
            call.core.loop.start {
                do {
                    let result = try await handler(call.context, repeat each values)
                    call.reply { writer throws(BusError) in
                        for value in repeat each result { try value.append(to: writer) }
                    }
                } catch {
                    call.refuse(error)
                }
            }
        }
    }

    /// A method whose handler answers at once, on the loop.
    ///
    /// Names and errors as with ``method(_:arguments:results:handler:)``.
    public static func synchronousMethod<each Argument: DBusValue, each Result: DBusValue>(
        _ name: String,
        arguments: [String] = [],
        results: [String] = [],
        handler: @escaping @Sendable (CallContext, repeat each Argument) throws -> (repeat each Result)
    ) -> ExportedMember {
        make(
            name,
            signature: SDBus.signature(of: repeat (each Argument).self),
            result: SDBus.signature(of: repeat (each Result).self),
            arguments: arguments,
            results: results
        ) { call in
            let reader = call.reader
            let result = try handler(call.context, repeat try (each Argument).read(from: reader))
            call.reply { writer throws(BusError) in
                for value in repeat each result { try value.append(to: writer) }
            }
        }
    }

    /// A property whose value is in the given object.
    public static func property<Value: DBusValue>(_ property: ExportedProperty<Value>) -> ExportedMember {
        ExportedMember(name: property.name, kind: .property(property))
    }

    public static func signal<each Argument: DBusValue>(
        _ signal: ExportedSignal<repeat each Argument>
    ) -> ExportedMember {
        let signature = SDBus.signature(of: repeat (each Argument).self)
        return ExportedMember(
            name: signal.name,
            kind: .signal(signature: signature, names: signal.arguments)
        )
    }

    private static func make(
        _ name: String,
        signature: String,
        result: String,
        arguments: [String],
        results: [String],
        answer: @escaping @Sendable (IncomingCall) throws -> Void
    ) -> ExportedMember {
        precondition(arguments.count == Signature(signature).types.count, "\(name): one name for each argument")
        precondition(results.count == Signature(result).types.count, "\(name): one name for each result")
        return ExportedMember(
            name: name,
            kind: .method(Method(signature: signature, result: result, names: arguments + results, answer: answer))
        )
    }
}

/// A served interface with all its members.
public struct ExportedInterface: Sendable {
    public let name: String
    public let limits: InputLimits
    let members: [ExportedMember]

    /// Introspection lists the members in this order.
    public init(_ name: String, limits: InputLimits = InputLimits(), members: [ExportedMember]) {
        self.name = name
        self.limits = limits
        self.members = members
    }
}

/// A served object: a path and its interfaces.
public struct ExportedObject: Sendable {
    public let path: ObjectPath
    public let interfaces: [ExportedInterface]

    public init(_ path: ObjectPath, interfaces: [ExportedInterface]) {
        self.path = path
        self.interfaces = interfaces
    }
}

/// The way a change of a property is announced (`org.freedesktop.DBus.Property.EmitsChangedSignal`).
public enum PropertyChange: Sendable {
    /// The signal carries the new value.
    case emitsValue
    /// The signal only says that the value is no longer valid.
    case invalidates
    /// The value never changes while the object is served.
    case constant
    case silent
}

/// A property of a served interface, with its value; callers can only read it.
///
/// The lock guards the plain value, so that it can be read anywhere. Change it through
/// ``Connection/update(_:_:)``, which also emits PropertiesChanged.
public final class ExportedProperty<Value: DBusValue>: AnyExportedProperty {
    public let name: String
    let change: PropertyChange
    private let stored: Locked<Value>

    var signature: String { Value.signature }

    public init(_ name: String, _ value: Value, change: PropertyChange = .emitsValue) {
        self.name = name
        self.change = change
        stored = Locked(value)
    }

    public var value: Value {
        stored.withLock { $0 }
    }

    /// Changes the value without a signal; returns true if the value is another.
    @discardableResult
    public func set(_ value: Value) -> Bool {
        stored.withLock { stored in
            let isNew = stored.variant != value.variant
            stored = value
            return isNew
        }
    }

    func append(to message: MessageWriter) throws(BusError) {
        try value.append(to: message)
    }
}

/// A property of any type.
protocol AnyExportedProperty: AnyObject, Sendable {
    var name: String { get }
    var change: PropertyChange { get }
    var signature: String { get }
    func append(to message: MessageWriter) throws(BusError)
}

/// A signal of a served interface: its name, and its arguments' names and types.
public struct ExportedSignal<each Argument: DBusValue>: Sendable {
    public let interface: String
    public let name: String
    public let arguments: [String]

    public init(_ interface: String, _ name: String, arguments: [String] = []) {
        let count = Signature(SDBus.signature(of: repeat (each Argument).self)).types.count
        precondition(arguments.count == count, "\(name): one name for each argument")
        self.interface = interface
        self.name = name
        self.arguments = arguments
    }
}

extension Connection {
    /// Emits a declared signal from an object.
    public func emit<each Argument: DBusValue>(
        _ signal: ExportedSignal<repeat each Argument>,
        from path: ObjectPath,
        _ arguments: repeat each Argument
    ) throws(BusError) {
        try emit(path, signal.interface, signal.name, repeat each arguments)
    }
}
