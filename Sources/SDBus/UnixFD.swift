internal import CSystemd

/// An open file descriptor that travels in a message; closed when the last copy of this value is gone.
public struct UnixFD: Hashable, Sendable {
    private final class Owner: Sendable {
        let descriptor: CInt
        init(_ descriptor: CInt) { self.descriptor = descriptor }
        deinit { close(descriptor) }
    }

    private let owner: Owner

    /// Takes over a descriptor.
    public init(taking descriptor: CInt) { owner = Owner(descriptor) }

    /// Duplicates a descriptor, with close-on-exec.
    public init(duplicating descriptor: CInt) throws(BusError) {
        let copy = csystemd_duplicate(descriptor)
        guard copy >= 0 else { throw BusError(errno: csystemd_errno(), context: "fcntl") }
        owner = Owner(copy)
    }

    /// The descriptor; valid as long as this value lives.
    public var descriptor: CInt { owner.descriptor }

    /// The same open descriptor.
    public static func == (left: UnixFD, right: UnixFD) -> Bool { left.descriptor == right.descriptor }
    /// By descriptor.
    public func hash(into hasher: inout Hasher) { hasher.combine(descriptor) }
}
