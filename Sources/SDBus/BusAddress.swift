internal import Glibc

/// Where a bus or a peer is.
public enum BusAddress: Sendable, Hashable {
    /// The user's bus: `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR`.
    case session
    /// The system's bus: `DBUS_SYSTEM_BUS_ADDRESS`, else its well-known socket.
    case system
    /// A D-Bus address, such as `unix:path=/run/user/1000/bus`.
    case address(String)
    /// A connected stream socket without a bus in between; the connection takes it over. One side is the server.
    case peer(fd: Int32, server: Bool)

    /// The address of a bus, nil for a peer or when the environment names no session bus.
    public var busAddress: String? {
        switch self {
        case .session:
            return Self.session(in: Self.environment)
        case .system:
            return Self.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
        case .address(let address):
            return address
        case .peer:
            return nil
        }
    }

    /// The session bus that an environment names. It is not tried; one that is dead shows when it is used.
    static func session(in environment: (String) -> String?) -> String? {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
        guard let directory = environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else { return nil }
        let path = directory + "/bus"
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return "unix:path=" + escape(path)
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// Escapes a value as the D-Bus specification says for addresses.
    static func escape(_ value: String) -> String {
        let digits = Array("0123456789abcdef")
        var escaped = ""
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "*"):
                escaped.unicodeScalars.append(UnicodeScalar(byte))
            default:
                escaped += "%"
                escaped.append(digits[Int(byte >> 4)])
                escaped.append(digits[Int(byte & 15)])
            }
        }
        return escaped
    }
}
