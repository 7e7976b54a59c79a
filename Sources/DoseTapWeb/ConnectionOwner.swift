internal import Glibc

/// Finds the user of a connection on this machine in the kernel's table of connections.
///
/// A TCP socket does not name the user at its other end; a Unix socket does.
struct ConnectionOwner: Sendable {
    /// The table, opened before the program confines itself. Each reading starts at its beginning.
    private let descriptor: Int32

    /// - Returns: nil if the table cannot be read.
    init?() {
        descriptor = open("/proc/net/tcp", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    /// Returns the user at the other end of a connection to a port here.
    ///
    /// - Returns: nil if the table has no such connection, or if no process holds it any more: the user of that row would be
    ///   root.
    func user(from client: UInt16, to server: UInt16) -> UInt32? {
        // A row can be missed if other rows went away during the reading. A second reading then finds it.
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
        // strstr is fast: with many connections the table is long, and each connection reads the table.
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

    /// Returns one end on the loopback address as the table writes it: the address in memory order, then the port as a number.
    private static func end(_ port: UInt16) -> String {
        hexadecimal(UInt64(UInt32(0x7F00_0001).bigEndian), 8) + ":" + hexadecimal(UInt64(port), 4)
    }

    private static func hexadecimal(_ number: UInt64, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
