/// A signal of an interface that is served: its name, and its arguments' names and types.
public struct ExportedSignal<each Argument: DBusValue>: Sendable {
    /// The interface that declares it.
    public let interface: String
    /// The signal's name.
    public let name: String
    /// The arguments' names.
    public let arguments: [String]

    /// A signal with one name for each argument.
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
