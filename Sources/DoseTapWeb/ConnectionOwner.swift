internal import Glibc

/// Tells whose a connection on this machine is, by the kernel's table of connections.
///
/// A socket of TCP does not say who is at its other end as one of the machine does.
struct ConnectionOwner: Sendable {
    /// Open before the program confines itself; each reading begins anew.
    private let descriptor: Int32

    /// - Returns: nil where the table cannot be read.
    init?() {
        descriptor = open("/proc/net/tcp", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    /// The user at the other end of a connection to a port here.
    ///
    /// - Returns: nil where the table has no such connection, or nobody holds it any more: then the user of the row is root.
    func user(from client: UInt16, to server: UInt16) -> UInt32? {
        // A row can be missed where others went while the table was read.
        Self.user(of: table(), from: client, to: server) ?? Self.user(of: table(), from: client, to: server)
    }

    private func table() -> [UInt8] {
        var table: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { return [] }
        while true {
            let count = read(descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, table.count < 64 << 20 else { return table }
            table += room[..<count]
        }
    }

    /// Reads a table as proc(5) describes it.
    static func user(of table: [UInt8], from client: UInt16, to server: UInt16) -> UInt32? {
        // By a function of C: while many connect, the table is long and is read for each.
        let row = (table + [0]).withUnsafeBufferPointer { bytes -> String? in
            bytes.withMemoryRebound(to: CChar.self) { text in
                guard let begin = text.baseAddress, let found = strstr(begin, " \(end(client)) \(end(server)) ") else {
                    return nil
                }
                return String(cString: found)
            }
        }
        guard let row else { return nil }
        // Addresses, state, queues, timer, retransmissions, user, timeouts, inode.
        let fields = row.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.count >= 9, fields[8] != "0" else { return nil }
        return UInt32(fields[6])
    }

    /// An end on the loopback address: the address as it lies in memory, the port as a number.
    private static func end(_ port: UInt16) -> String {
        hexadecimal(UInt64(UInt32(0x7F00_0001).bigEndian), 8) + ":" + hexadecimal(UInt64(port), 4)
    }

    private static func hexadecimal(_ number: UInt64, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
