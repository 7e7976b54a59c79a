/// The messages between `dosetap` and `dosetap-web` on a socket: a kind (one byte), a length (four bytes, the highest
/// first), that many bytes.
package enum WebMessage {
    /// Sent by `dosetap-web`.
    package enum Request: UInt8, Sendable {
        /// The first address.
        case address = 0x41
        /// A report is wanted.
        case page = 0x50
        /// The first address was used.
        case entered = 0x45
    }

    /// Sent by `dosetap`.
    package enum Answer: UInt8, Sendable {
        /// A report.
        case page = 0x50
        /// The reason why there is no report.
        case failure = 0x46
        /// Something was recorded.
        case changed = 0x43
    }
}
