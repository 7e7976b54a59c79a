internal import Glibc

/// A D-Bus error: name, message and details.
///
/// A call throws the error of a reply, and a method's handler throws an error to answer with a named one. With details
/// the reply's body is `sa{sv}`, without details it is `s`.
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The D-Bus error name, such as `org.freedesktop.DBus.Error.UnknownMethod`.
    public var name: String
    /// A sentence for people.
    public var message: String
    /// The positive errno, 0 when there is none.
    public var errno: Int32
    /// The second value of the reply's body when it is `a{sv}`.
    public var details: VariantEntries

    public init(name: String, message: String, details: VariantEntries = VariantEntries(), errno: Int32 = 0) {
        self.name = name
        self.message = message
        self.details = details
        self.errno = errno
    }

    /// An error of the operating system or of libsystemd.
    /// - Parameters:
    ///   - errno: The positive error number.
    ///   - doing: The operation that failed.
    public init(errno: Int32, doing: String) {
        let text = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        self.init(name: Self.name(forErrno: errno), message: "\(doing): \(text)", errno: errno)
    }

    public var description: String {
        "\(name): \(message)"
    }
}

extension BusError {
    /// Error names of the D-Bus specification and of the reference bus.
    public enum Name {
        private static let prefix = "org.freedesktop.DBus.Error."
        /// A generic failure.
        public static let failed = prefix + "Failed"
        /// No memory, descriptors or space.
        public static let noMemory = prefix + "NoMemory"
        /// The destination has no owner and cannot be started.
        public static let serviceUnknown = prefix + "ServiceUnknown"
        public static let nameHasNoOwner = prefix + "NameHasNoOwner"
        /// The peer went away or did not answer.
        public static let noReply = prefix + "NoReply"
        /// The call's own timeout passed.
        public static let timeout = prefix + "Timeout"
        public static let disconnected = prefix + "Disconnected"
        /// No bus is at this address.
        public static let noServer = prefix + "NoServer"
        /// The bus or the system forbids the operation.
        public static let accessDenied = prefix + "AccessDenied"
        public static let limitsExceeded = prefix + "LimitsExceeded"
        /// An argument has the wrong type or value.
        public static let invalidArgs = prefix + "InvalidArgs"
        /// A value cannot be part of a message.
        public static let inconsistentMessage = prefix + "InconsistentMessage"
        /// A reply has other types than expected.
        public static let invalidSignature = prefix + "InvalidSignature"
        public static let unknownMethod = prefix + "UnknownMethod"
        public static let unknownObject = prefix + "UnknownObject"
        public static let unknownInterface = prefix + "UnknownInterface"
        public static let unknownProperty = prefix + "UnknownProperty"
        public static let propertyReadOnly = prefix + "PropertyReadOnly"
        /// The bus does not support the operation.
        public static let notSupported = prefix + "NotSupported"
        /// The name has another owner (``Connection/requestName(_:flags:)``).
        public static let nameExists = prefix + "NameExists"
        public static let cancelled = prefix + "Cancelled"
    }

    static func name(forErrno number: Int32) -> String {
        switch number {
        case ENOMEM, EMFILE, ENFILE: Name.noMemory
        case EPERM, EACCES: Name.accessDenied
        case EINVAL, EBADMSG, ENXIO: Name.invalidArgs
        case ETIMEDOUT: Name.timeout
        case ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN: Name.disconnected
        case ENOENT, ECONNREFUSED, ENOMEDIUM: Name.noServer
        case EOPNOTSUPP: Name.notSupported
        default: Name.failed
        }
    }

    static let disconnected = BusError(
        name: Name.disconnected,
        message: "the connection to the bus is closed",
        errno: ENOTCONN
    )

    static let cancelled = BusError(name: Name.cancelled, message: "the call was cancelled", errno: ECANCELED)

    static func invalidArgs(_ message: String) -> BusError {
        BusError(name: Name.invalidArgs, message: message, errno: EINVAL)
    }
}

/// Turns a negative result of libsystemd into an error; other results pass.
@discardableResult
func check(_ result: Int32, _ doing: @autoclosure () -> String) throws(BusError) -> Int32 {
    if result < 0 { throw BusError(errno: -result, doing: doing()) }
    return result
}
