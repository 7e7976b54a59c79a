internal import CSystemd
internal import Glibc

/// Takes typed values from a received message, within limits; used on the loop's thread only.
public struct MessageReader {
    let raw: OpaquePointer
    let limits: InputLimits
    /// Variants around the current place.
    var depth = 0

    init(raw: OpaquePointer, limits: InputLimits) {
        self.raw = raw
        self.limits = limits
    }

    func readBasic(_ type: UInt8, into value: UnsafeMutableRawPointer) throws(BusError) {
        if try check(sd_bus_message_read_basic(raw, CChar(bitPattern: type), value), "read a value") == 0 {
            throw BusError.invalidArgs("the message ends too early")
        }
    }

    /// Reads text of the type `s`, `o` or `g`; the bus has checked that it is UTF-8.
    func readText(_ type: UInt8) throws(BusError) -> String {
        var start: UnsafePointer<CChar>?
        try readBasic(type, into: &start)
        guard let start else { throw BusError.invalidArgs("a string without bytes") }
        let count = strlen(start)
        if count > limits.stringBytes {
            throw limits.refusal("a string of \(count) bytes is longer than the \(limits.stringBytes) allowed")
        }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// One variant further inside.
    mutating func deepen() throws(BusError) {
        depth += 1
        if depth > limits.variantDepth {
            throw limits.refusal("variants are nested more than \(limits.variantDepth) deep")
        }
    }

    func enter(_ type: UInt8, _ contents: String) throws(BusError) {
        if try check(
            sd_bus_message_enter_container(raw, CChar(bitPattern: type), contents),
            "read \(contents) in a container"
        ) == 0 {
            throw BusError.invalidArgs("the message ends too early")
        }
    }

    func exit() throws(BusError) {
        try check(sd_bus_message_exit_container(raw), "leave a container")
    }

    func isAtEnd() throws(BusError) -> Bool {
        try check(sd_bus_message_at_end(raw, 0), "look for the end") > 0
    }

    func refuse(elementCount count: Int) throws(BusError) {
        if count > limits.arrayElements {
            throw limits.refusal("an array has more than the \(limits.arrayElements) elements allowed")
        }
    }

    /// Type of the next value and, for a container, its contents' signature; nil at the end of a container.
    func peek() throws(BusError) -> (type: UInt8, contents: String)? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        if try check(sd_bus_message_peek_type(raw, &type, &contents), "look at the next value") == 0 { return nil }
        return (UInt8(bitPattern: type), contents.map { String(cString: $0) } ?? "")
    }
}
