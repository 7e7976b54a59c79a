internal import CSystemd

/// Appends to a message that is being built; lives on the loop only.
public struct MessageWriter: ~Copyable {
    let pointer: OpaquePointer

    func basic<Value>(_ type: Character, _ value: Value) throws(BusError) {
        let code = type.code
        let result = withUnsafePointer(to: value) { sd_bus_message_append_basic(pointer, code, $0) }
        try check(result, "appending '\(type)'")
    }

    func text(_ type: Character, _ value: String) throws(BusError) {
        guard !value.utf8.contains(0) else { throw .invalidArguments("a string holds a NUL") }
        try check(sd_bus_message_append_basic(pointer, type.code, value), "appending '\(type)'")
    }

    func open(_ type: Character, _ contents: String) throws(BusError) {
        try check(sd_bus_message_open_container(pointer, type.code, contents), "opening '\(type)'")
    }

    func close() throws(BusError) { try check(sd_bus_message_close_container(pointer), "closing a container") }
}

extension Character {
    var code: CChar { CChar(bitPattern: asciiValue ?? 0) }
}
