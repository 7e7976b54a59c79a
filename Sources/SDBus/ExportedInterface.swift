/// One interface of an object: its methods, properties and signals, with the names people see when they introspect.
public struct ExportedInterface: Sendable {
    /// Interface name.
    public let name: String
    /// Methods.
    public let methods: [Method]
    /// Properties; their values live on the loop and are changed through the connection.
    public let properties: [Property]
    /// Signals.
    public let signals: [Signal]
    /// What callers may send.
    public let limits: MessageLimits

    /// Members in the order in which they are introspected.
    public init(
        _ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = [],
        limits: MessageLimits = MessageLimits()
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
        self.limits = limits
    }

    /// A call in progress, as its handler sees it.
    public struct Call: Sendable {
        /// Unique name of the caller; nil peer-to-peer.
        public let sender: String?
        /// The connection it came by.
        public let connection: Connection
    }

    /// One method; the handler may answer later. What it throws as ``BusError`` is the error reply.
    public struct Method: Sendable {
        let name: String
        let input: String
        let output: String
        let names: [String]
        let prepare: Prepare

        /// Decodes the arguments on the loop; what it returns runs the handler.
        typealias Prepare = @Sendable (borrowing MessageReader) throws(BusError) -> Handler
        typealias Handler = @Sendable (Call) async throws -> any DBusReply

        /// - Parameters:
        ///   - input: argument names, one for each of the handler's arguments.
        ///   - output: names of what it returns.
        ///   - handler: runs on the loop.
        public init<Input: DBusReply, Output: DBusReply>(
            _ name: String, in input: [String] = [], out output: [String] = [],
            handler: @escaping @Sendable (Call, Input) async throws -> Output
        ) {
            self.name = name
            self.input = Input.replySignature
            self.output = Output.replySignature
            names = input + output
            prepare = { (message) throws(BusError) -> Handler in
                let arguments = try Input.read(reply: message)
                return { call in try await handler(call, arguments) }
            }
        }
    }

    /// One property.
    public struct Property: Sendable {
        let name: String
        let initial: Variant
        let changes: Changes

        /// Whether and how its changes are told.
        public enum Changes: Sendable {
            /// It never changes.
            case constant
            /// `PropertiesChanged` carries the new value.
            case emitted
        }

        /// - Parameter value: the value until it is changed; it fixes the signature.
        public init(_ name: String, _ value: some DBusValue, changes: Changes = .emitted) {
            self.name = name
            initial = value.variant
            self.changes = changes
        }
    }

    /// One signal.
    public struct Signal: Sendable {
        let name: String
        let signature: String
        let names: [String]

        /// - Parameters:
        ///   - names: argument names.
        ///   - type: what it carries.
        public init<Body: DBusReply>(_ name: String, _ names: [String], carrying type: Body.Type) {
            self.name = name
            self.names = names
            signature = type.replySignature
        }
    }
}
