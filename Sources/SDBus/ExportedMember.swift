/// One method, property or signal of an interface that is served.
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
    let isDeprecated: Bool

    /// A method whose handler may wait; it runs on the loop and the answer goes out when it returns.
    ///
    /// What it throws is the answer: a ``BusError`` as it is, anything else as `org.freedesktop.DBus.Error.Failed`.
    /// - Parameters:
    ///   - arguments: The arguments' names, as introspection shows them; one per argument.
    ///   - results: The results' names; one per result.
    public static func method<each Argument: DBusValue, each Result: DBusValue>(
        _ name: String,
        arguments: [String] = [],
        results: [String] = [],
        isDeprecated: Bool = false,
        handler:
            @escaping @Sendable @concurrent (CallContext, repeat each Argument) async throws -> (repeat each Result)
    ) -> ExportedMember {
        make(
            name,
            signature: SDBus.signature(of: repeat (each Argument).self),
            result: SDBus.signature(of: repeat (each Result).self),
            arguments: arguments,
            results: results,
            isDeprecated: isDeprecated
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
    /// Names and errors as with ``method(_:arguments:results:isDeprecated:handler:)``.
    public static func synchronousMethod<each Argument: DBusValue, each Result: DBusValue>(
        _ name: String,
        arguments: [String] = [],
        results: [String] = [],
        isDeprecated: Bool = false,
        handler: @escaping @Sendable (CallContext, repeat each Argument) throws -> (repeat each Result)
    ) -> ExportedMember {
        make(
            name,
            signature: SDBus.signature(of: repeat (each Argument).self),
            result: SDBus.signature(of: repeat (each Result).self),
            arguments: arguments,
            results: results,
            isDeprecated: isDeprecated
        ) { call in
            let reader = call.reader
            let result = try handler(call.context, repeat try (each Argument).read(from: reader))
            call.reply { writer throws(BusError) in
                for value in repeat each result { try value.append(to: writer) }
            }
        }
    }

    /// A property; its value is in the given object.
    public static func property<Value: DBusValue>(
        _ property: ExportedProperty<Value>,
        isDeprecated: Bool = false
    ) -> ExportedMember {
        ExportedMember(name: property.name, kind: .property(property), isDeprecated: isDeprecated)
    }

    /// A signal that will be emitted.
    public static func signal<each Argument: DBusValue>(
        _ signal: ExportedSignal<repeat each Argument>,
        isDeprecated: Bool = false
    ) -> ExportedMember {
        let signature = SDBus.signature(of: repeat (each Argument).self)
        return ExportedMember(
            name: signal.name,
            kind: .signal(signature: signature, names: signal.arguments),
            isDeprecated: isDeprecated
        )
    }

    private static func make(
        _ name: String,
        signature: String,
        result: String,
        arguments: [String],
        results: [String],
        isDeprecated: Bool,
        answer: @escaping @Sendable (IncomingCall) throws -> Void
    ) -> ExportedMember {
        precondition(arguments.count == Signature(signature).types.count, "\(name): one name for each argument")
        precondition(results.count == Signature(result).types.count, "\(name): one name for each result")
        return ExportedMember(
            name: name,
            kind: .method(Method(signature: signature, result: result, names: arguments + results, answer: answer)),
            isDeprecated: isDeprecated
        )
    }
}
