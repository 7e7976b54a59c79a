internal import CSystemd

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

    /// The error that the message is, nil for any other kind.
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
