extension Connection {
    /// The bus itself, as a destination.
    public static var driver: String { "org.freedesktop.DBus" }
    static var driverPath: ObjectPath { "/org/freedesktop/DBus" }

    /// How a name is requested.
    public struct NameFlags: OptionSet, Sendable {
        /// The bits of the D-Bus specification.
        public let rawValue: UInt32
        /// Takes the bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Others may take the name over.
        public static let allowReplacement = NameFlags(rawValue: 1)
        /// Takes the name over from an owner that allows it.
        public static let replaceExisting = NameFlags(rawValue: 2)
        /// Waits in the queue instead of being refused.
        public static let queue = NameFlags(rawValue: 4)
    }

    /// What a request for a name came to.
    public enum NameReply: UInt32, Sendable {
        /// The name is ours.
        case primaryOwner = 1
        /// We wait for it.
        case inQueue = 2
        /// It was ours before.
        case alreadyOwner = 4
    }

    /// Requests a well-known name. Serve objects first: calls come as soon as the name is there.
    /// - Throws: ``BusError``: `NameExists` when someone else owns it and queueing was not asked for.
    @discardableResult
    public func requestName(_ name: String, flags: NameFlags = []) async throws(BusError) -> NameReply {
        // The bus's own bit says the opposite: do not queue.
        let bits = flags.symmetricDifference(.queue).rawValue
        let code = try await call(
            Self.driver, Self.driverPath, Self.driver, "RequestName", name, bits, returning: (UInt32).self
        )
        guard let reply = NameReply(rawValue: code) else {
            throw BusError(name: BusError.Name.nameExists, message: "the name \(name) has another owner")
        }
        return reply
    }

    /// Gives a name up; false when it was not ours.
    @discardableResult
    public func releaseName(_ name: String) async throws(BusError) -> Bool {
        try await call(Self.driver, Self.driverPath, Self.driver, "ReleaseName", name, returning: (UInt32).self) == 1
    }

    /// The unique name of a name's owner.
    /// - Throws: ``BusError``: `NameHasNoOwner`.
    public func owner(of name: String) async throws(BusError) -> String {
        try await call(Self.driver, Self.driverPath, Self.driver, "GetNameOwner", name, returning: (String).self)
    }
}
