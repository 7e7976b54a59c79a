import Glibc

/// Finds this person's message bus.
public enum UserBus {
    /// The bus's D-Bus address: that of the environment, else the socket in the runtime directory, else nil: there is no
    /// bus. An address is not tried; one that is dead shows when it is used.
    ///
    /// - Parameter environment: Environment variables; `DBUS_SESSION_BUS_ADDRESS` and `XDG_RUNTIME_DIR` matter.
    public static func discover(environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
        let path = runtime + "/bus"
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return "unix:path=" + escaped(path)
    }

    /// Escapes a value for a D-Bus address ("Server Addresses" in the D-Bus specification).
    private static func escaped(_ value: String) -> String {
        var text = ""
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "*"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += byte < 16 ? "%0" : "%"
                text += String(byte, radix: 16)
            }
        }
        return text
    }
}
