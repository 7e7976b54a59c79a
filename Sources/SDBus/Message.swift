internal import CSystemd
internal import Glibc

/// Takes typed values from a received message, within limits; used on the loop's thread only.
public struct MessageReader {
    let raw: OpaquePointer
    let limits: InputLimits
    /// Depth of nested variants at the current place.
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

    /// Enters one more variant.
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

    /// Opens a container whose contents are known beforehand; their types need no copy.
    func openContainer(_ type: UInt8, of contents: StaticString) throws(BusError) {
        let result = contents.utf8Start.withMemoryRebound(to: CChar.self, capacity: contents.utf8CodeUnitCount + 1) {
            sd_bus_message_open_container(raw, CChar(bitPattern: type), $0)
        }
        try check(result, "open a container")
    }

    func closeContainer() throws(BusError) {
        try check(sd_bus_message_close_container(raw), "close a container")
    }
}

/// A message from the bus, released on the loop's thread.
///
/// Unchecked: the members are constant; the pointer is used on the loop's thread only.
final class ReceivedMessage: @unchecked Sendable {
    let raw: OpaquePointer
    private let loop: EventLoop

    init(_ raw: OpaquePointer, loop: EventLoop) {
        self.raw = sd_bus_message_ref(raw)
        self.loop = loop
    }

    deinit {
        let message = LoopConfined(raw)
        loop.execute { sd_bus_message_unref(message.value) }
    }

    var signature: String {
        sd_bus_message_get_signature(raw, 1).map { String(cString: $0) } ?? ""
    }

    /// The body as typed values.
    func decode<each Value: DBusValue>(
        _: repeat (each Value).Type,
        limits: InputLimits
    ) throws(BusError) -> DBusStruct<repeat each Value> {
        let expected = SDBus.signature(of: repeat (each Value).self)
        if sd_bus_message_has_signature(raw, expected) <= 0 {
            throw BusError(
                name: BusError.Name.invalidSignature,
                message: "the answer has the types \"\(signature)\", expected were \"\(expected)\""
            )
        }
        let reader = MessageReader(raw: raw, limits: limits)
        return DBusStruct(repeat try (each Value).read(from: reader))
    }

    /// Nil unless the message is an error.
    var error: BusError? {
        guard let name = sd_bus_message_get_error(raw)?.pointee.name else { return nil }
        var error = BusError(
            name: String(cString: name),
            message: "",
            errno: max(0, sd_bus_message_get_errno(raw))
        )
        // sd-bus has read the text already.
        guard sd_bus_message_rewind(raw, 1) >= 0 else { return error }
        let reader = MessageReader(raw: raw, limits: .replies)
        let signature = signature
        if signature.hasPrefix("s") {
            error.message = (try? String.read(from: reader)) ?? ""
        }
        if signature == "sa{sv}" {
            error.details = (try? VariantEntries.read(from: reader)) ?? VariantEntries()
        }
        return error
    }
}

/// Bounds beyond which a message is refused.
public struct InputLimits: Sendable, Hashable {
    /// The longest string in UTF-8 bytes.
    public var stringBytes: Int
    /// The most elements of one array or dictionary.
    public var arrayElements: Int
    /// The most variants nested in one another.
    public var variantDepth: Int
    /// The error name a refusal carries.
    public var errorName: String

    /// The defaults suit a service that takes calls from unknown senders.
    public init(
        stringBytes: Int = 65_536,
        arrayElements: Int = 1_000,
        variantDepth: Int = 16,
        errorName: String = BusError.Name.invalidArgs
    ) {
        self.stringBytes = stringBytes
        self.arrayElements = arrayElements
        self.variantDepth = variantDepth
        self.errorName = errorName
    }

    /// For requested replies and signals: only the bus's own bounds, and nesting.
    public static let replies = InputLimits(stringBytes: .max, arrayElements: .max, variantDepth: 32)

    func refusal(_ message: String) -> BusError {
        BusError(name: errorName, message: message)
    }
}
