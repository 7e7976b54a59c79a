internal import CSystemd

/// Reads a received message; lives on the loop only.
public struct MessageReader: ~Copyable {
    let pointer: OpaquePointer
    /// What the sender may send.
    let limits: MessageLimits

    func basic<Value>(_ type: Character, _ zero: Value) throws(BusError) -> Value {
        var value = zero
        let code = type.code
        let result = withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(pointer, code, $0) }
        guard try check(result, "reading '\(type)'") > 0 else { throw .invalidArguments("the message ends early") }
        return value
    }

    func text(_ type: Character) throws(BusError) -> String {
        var value: UnsafePointer<CChar>?
        let code = type.code
        let result = withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(pointer, code, $0) }
        guard try check(result, "reading '\(type)'") > 0, let value else {
            throw .invalidArguments("the message ends early")
        }
        let length = strlen(value)
        guard length <= limits.stringBytes else {
            throw .invalidArguments("a string is longer than \(limits.stringBytes) bytes")
        }
        return String(cString: value)
    }

    func enter(_ type: Character, _ contents: String) throws(BusError) {
        guard try check(sd_bus_message_enter_container(pointer, type.code, contents), "entering '\(type)'") > 0 else {
            throw .invalidArguments("the message ends early")
        }
    }

    func exit() throws(BusError) { try check(sd_bus_message_exit_container(pointer), "leaving a container") }

    /// True when the current container holds no more.
    func isAtEnd() throws(BusError) -> Bool { try check(sd_bus_message_at_end(pointer, 0), "reading") > 0 }

    /// The type of the next value and, for a container, what it contains.
    func peek() throws(BusError) -> (type: Character, contents: String)? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try check(sd_bus_message_peek_type(pointer, &type, &contents), "reading") > 0 else { return nil }
        return (Character(Unicode.Scalar(UInt8(bitPattern: type))), contents.map { String(cString: $0) } ?? "")
    }
}

/// What a received message may hold; beyond it the message is refused with a named error.
public struct MessageLimits: Hashable, Sendable {
    /// Bytes in one string.
    public var stringBytes = 65_536
    /// Elements in one array or dictionary.
    public var arrayElements = 1_000
    /// Variants and containers inside one variant.
    public var variantDepth = 16
    /// The error name under which a message beyond the limits, or a malformed one, is refused.
    public var errorName = "org.freedesktop.DBus.Error.InvalidArgs"

    /// The defaults: 64 KiB, 1,000, 16.
    public init() {}

    /// For what one's own service sends.
    public static let trusting: MessageLimits = {
        var limits = MessageLimits()
        limits.stringBytes = 1 << 26
        limits.arrayElements = 1 << 20
        return limits
    }()
}
