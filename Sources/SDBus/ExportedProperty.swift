/// How a property tells that it has changed (`org.freedesktop.DBus.Property.EmitsChangedSignal`).
public enum PropertyChange: Sendable {
    /// The signal carries the new value.
    case emitsValue
    /// The signal only says that the value is no longer valid.
    case invalidates
    /// The value never changes while the object is served.
    case constant
    /// No signal.
    case silent
}

/// A property of an interface that is served, with its value; callers can only read it.
///
/// The lock guards the plain value, so that it can be read anywhere. Change it through
/// ``Connection/update(_:_:)``, which also emits PropertiesChanged.
public final class ExportedProperty<Value: DBusValue>: AnyExportedProperty {
    /// The property's name.
    public let name: String
    let change: PropertyChange
    private let stored: Locked<Value>

    var signature: String { Value.signature }

    /// A property with its first value.
    public init(_ name: String, _ value: Value, change: PropertyChange = .emitsValue) {
        self.name = name
        self.change = change
        stored = Locked(value)
    }

    /// The present value.
    public var value: Value {
        stored.withLock { $0 }
    }

    /// Changes the value without telling; true if it was another.
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

/// A property of whatever type.
protocol AnyExportedProperty: AnyObject, Sendable {
    var name: String { get }
    var change: PropertyChange { get }
    var signature: String { get }
    func append(to message: MessageWriter) throws(BusError)
}
