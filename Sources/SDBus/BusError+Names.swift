internal import Glibc

extension BusError {
    /// Error names of the D-Bus specification and of the reference bus.
    public enum Name {
        private static let prefix = "org.freedesktop.DBus.Error."
        /// A generic failure.
        public static let failed = prefix + "Failed"
        /// No memory, descriptors or space.
        public static let noMemory = prefix + "NoMemory"
        /// Nobody owns the destination and nobody can be started.
        public static let serviceUnknown = prefix + "ServiceUnknown"
        /// The name has no owner.
        public static let nameHasNoOwner = prefix + "NameHasNoOwner"
        /// The peer went away or did not answer.
        public static let noReply = prefix + "NoReply"
        /// The call's own timeout passed.
        public static let timeout = prefix + "Timeout"
        /// The connection is closed.
        public static let disconnected = prefix + "Disconnected"
        /// There is no bus at this address.
        public static let noServer = prefix + "NoServer"
        /// The bus or the system forbids it.
        public static let accessDenied = prefix + "AccessDenied"
        /// Too much was asked for at once.
        public static let limitsExceeded = prefix + "LimitsExceeded"
        /// An argument has the wrong type or value.
        public static let invalidArgs = prefix + "InvalidArgs"
        /// What was to be sent cannot be part of a message.
        public static let inconsistentMessage = prefix + "InconsistentMessage"
        /// A reply's types are not the expected ones.
        public static let invalidSignature = prefix + "InvalidSignature"
        /// The object has no such method.
        public static let unknownMethod = prefix + "UnknownMethod"
        /// No such object.
        public static let unknownObject = prefix + "UnknownObject"
        /// No such interface.
        public static let unknownInterface = prefix + "UnknownInterface"
        /// No such property.
        public static let unknownProperty = prefix + "UnknownProperty"
        /// The property cannot be set.
        public static let propertyReadOnly = prefix + "PropertyReadOnly"
        /// The bus cannot do this.
        public static let notSupported = prefix + "NotSupported"
        /// Someone else owns the name (``Connection/requestName(_:flags:)``).
        public static let nameExists = prefix + "NameExists"
        /// The caller's task was cancelled.
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
