package import DoseTapDomain
package import SDBus

/// The rows of the contract. A member is written once, as a row. Five things follow from it: the served object, the service
/// that cannot start, the typed client, the interface file and org.dosetap.DoseTap1(5).
extension Contract {
    /// The name of an argument or a result, with the Swift type that travels under it.
    package struct Parameter<Value: DBusValue>: Sendable {
        let name: String

        init(_ name: String) { self.name = name }
    }

    static var id: Parameter<String> { Parameter("id") }
    static var options: Parameter<VariantEntries> { Parameter("options") }
    static var receipt: Parameter<WireObject> { Parameter("receipt") }

    /// A method; its arguments and results are tuples.
    package struct Method<Arguments, Results>: Sendable {
        package typealias Handler = @Sendable @concurrent (CallContext, Arguments) async throws -> Results

        /// True if a call may change something. Without an answer the effect of such a call is unknown.
        let records: Bool
        let timeout: Duration
        let ask: @Sendable (Client, Arguments, Duration) async throws -> Results
        private let describe: @Sendable () -> Member
        /// Makes the served method from the handler that answers it.
        package let serve: @Sendable (@escaping Handler) -> ExportedMember

        /// - Parameters:
        ///   - timeout: time for which the client waits for an answer; nil for the usual time of a question or a recording.
        ///   - summary: the method in a sentence or two.
        ///   - details: the keys of arguments and results, the confirmations and the errors.
        init<each A: DBusValue, each R: DBusValue>(
            _ interface: String, _ name: String, records: Bool = false, timeout: Duration? = nil,
            takes: repeat Parameter<each A>, gives: repeat Parameter<each R>, summary: String, details: String = ""
        ) where Arguments == (repeat each A), Results == (repeat each R) {
            self.records = records
            self.timeout = timeout ?? (records ? Client.timeout : Client.questionTimeout)
            ask = { client, arguments, limit in
                try await client.connection.call(
                    client.destination, Contract.path, interface, name, repeat each arguments,
                    returning: (repeat each R).self, timeout: limit)
            }
            let serve: @Sendable (@escaping Handler) -> ExportedMember = { handler in
                .method(name, arguments: names(repeat each takes), results: names(repeat each gives)) {
                    (context: CallContext, values: repeat each A) async throws -> (repeat each R) in
                    try await handler(context, (repeat each values))
                }
            }
            self.serve = serve
            describe = {
                Member(
                    name: name, kind: .method, records: records, arguments: Contract.arguments(repeat each takes),
                    results: Contract.arguments(repeat each gives), summary: summary, details: details,
                    refusing: { error in serve { context, _ in throw error(context) } })
            }
        }

        package var member: Member { describe() }
    }

    /// A row that records a kind of entry from one object with its content, as ``DoseTapDomain/Command/record(_:_:)`` does.
    package typealias Recording = (type: EventType, row: Method<(VariantEntries, VariantEntries), WireObject>)

    /// Returns the row that records a kind of entry from one object.
    static func recording(_ type: EventType) -> Method<(VariantEntries, VariantEntries), WireObject>? {
        (Diary.recordings + Medications.recordings + Sleep.recordings + Lab.recordings).first { $0.type == type }?.row
    }

    /// A property; callers can only read it.
    package struct Property<Value: DBusValue>: Sendable {
        let name: String
        private let value: Value
        private let change: PropertyChange
        private let summary: String

        /// - Parameter value: the value until the service sets another.
        init(_ name: String, _ value: Value, change: PropertyChange = .emitsValue, summary: String) {
            self.name = name
            self.value = value
            self.change = change
            self.summary = summary
        }

        /// Makes the property for one service.
        package func make(_ value: Value? = nil) -> ExportedProperty<Value> {
            ExportedProperty(name, value ?? self.value, change: change)
        }

        package var member: Member {
            Member(
                name: name, kind: .property(change), results: [Argument(name: name, signature: Value.signature)],
                summary: summary)
        }
    }

    package struct Signal<each Value: DBusValue>: Sendable {
        /// The signal as it is served and emitted.
        package let exported: ExportedSignal<repeat each Value>
        package let member: Member

        init(
            _ interface: String, _ name: String, gives: repeat Parameter<each Value>, summary: String,
            details: String = ""
        ) {
            exported = ExportedSignal(interface, name, arguments: names(repeat each gives))
            member = Member(
                name: name, kind: .signal, results: Contract.arguments(repeat each gives), summary: summary,
                details: details)
        }
    }

    /// A row without its Swift types, for the documents and for a service that cannot start.
    package struct Member: Sendable {
        package enum Kind: Sendable {
            case method, signal
            case property(PropertyChange)
        }

        package let name: String
        package let kind: Kind
        package var records = false
        package var arguments: [Argument] = []
        package let results: [Argument]
        package let summary: String
        package var details = ""
        /// The method that reads its arguments and answers with an error; nil for a signal or a property.
        var refusing: (@Sendable (@escaping @Sendable (CallContext) -> BusError) -> ExportedMember)?
    }

    /// The name of an argument or a result, with its D-Bus type.
    package struct Argument: Sendable {
        package let name: String
        package let signature: String
    }

    /// An interface; the documents have its members in this order.
    package struct Interface: Sendable {
        package let name: String
        package let summary: String
        package let members: [Member]

        /// Returns the interface with every method. Each call is answered with an error, made for that call.
        package func refusing(
            _ error: @escaping @Sendable (CallContext) -> BusError, limits: InputLimits
        ) -> ExportedInterface {
            ExportedInterface(name, limits: limits, members: members.compactMap { $0.refusing?(error) })
        }

        /// Returns the same interface, with one method served.
        package func refusing(
            _ error: @escaping @Sendable (CallContext) -> BusError, limits: InputLimits, but name: String,
            served: ExportedMember
        ) -> ExportedInterface {
            ExportedInterface(
                self.name, limits: limits,
                members: members.filter { $0.name != name }.compactMap { $0.refusing?(error) } + [served])
        }
    }

    private static func names<each Value>(_ parameters: repeat Parameter<each Value>) -> [String] {
        var names: [String] = []
        for parameter in repeat each parameters { names.append(parameter.name) }
        return names
    }

    private static func arguments<each Value>(_ parameters: repeat Parameter<each Value>) -> [Argument] {
        var arguments: [Argument] = []
        func add<One>(_ parameter: Parameter<One>) {
            arguments.append(Argument(name: parameter.name, signature: One.signature))
        }
        repeat add(each parameters)
        return arguments
    }
}
