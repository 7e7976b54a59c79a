/// What `dosetap` and `dosetap-web` say to each other over a socket: a kind (a byte), a length (four, the highest first), that
/// many bytes.
package enum WebMessage {
    /// By `dosetap-web`.
    package enum Request: UInt8, Sendable {
        /// The first address.
        case address = 0x41
        /// A report is wanted.
        case page = 0x50
        /// The first address was used.
        case entered = 0x45
    }

    /// By `dosetap`.
    package enum Answer: UInt8, Sendable {
        /// A report.
        case page = 0x50
        /// Why there is none.
        case failure = 0x46
        /// Something was recorded.
        case changed = 0x43
    }
}
