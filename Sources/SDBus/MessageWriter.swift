internal import CSystemd
internal import Glibc

/// Appends typed values to a message that is being built; used on the loop's thread only.
public struct MessageWriter {
    let raw: OpaquePointer

    func appendBasic(_ type: UInt8, _ value: UnsafeRawPointer) throws(BusError) {
        try check(sd_bus_message_append_basic(raw, CChar(bitPattern: type), value), "append a value")
    }

    /// Appends text of the type `s`, `o` or `g`.
    func appendText(_ type: UInt8, _ text: String) throws(BusError) {
        var copy = text
        let result: Int32 = copy.withUTF8 { bytes in
            // A NUL inside would silently cut the text: C strings end there.
            if let start = bytes.baseAddress, memchr(start, 0, bytes.count) != nil { return -EINVAL }
            guard type == UInt8(ascii: "s") else {
                return String(decoding: bytes, as: UTF8.self).withCString {
                    sd_bus_message_append_basic(raw, CChar(bitPattern: type), $0)
                }
            }
            var space: UnsafeMutablePointer<CChar>?
            let result = sd_bus_message_append_string_space(raw, bytes.count, &space)
            if result >= 0, let space, let start = bytes.baseAddress { memcpy(space, start, bytes.count) }
            return result
        }
        if result == -EINVAL, text.utf8.contains(0) {
            throw BusError(
                name: BusError.Name.inconsistentMessage,
                message: "a text holds a NUL character, which no message can carry",
                errno: EINVAL)
        }
        try check(result, "append text")
    }

    func openContainer(_ type: UInt8, _ contents: String) throws(BusError) {
        try check(sd_bus_message_open_container(raw, CChar(bitPattern: type), contents), "open a container")
    }

    func closeContainer() throws(BusError) {
        try check(sd_bus_message_close_container(raw), "close a container")
    }
}
