import CSystemd
import DoseTapContract
import DoseTapDomain
import Glibc

@testable import SDBus

extension FuzzTarget {
    /// Bytes from a peer after the handshake. libsystemd reads them, and then each type that a member of the contract
    /// takes or gives.
    static let message = FuzzTarget("message", longest: 16_384) { bytes in
        withMessages(from: bytes) { raw in
            readAll(raw)
            _ = try? Variant.read(from: rewound(raw))
            _ = try? WireObject.read(from: rewound(raw))
            _ = try? String.read(from: rewound(raw))
            _ = try? [String].read(from: rewound(raw))
            guard let entries = try? VariantEntries.read(from: rewound(raw)) else { return }
            readContract(entries)
            writeAgain(entries, on: raw)
        }
    }

    private static func rewound(_ raw: OpaquePointer) -> MessageReader {
        sd_bus_message_rewind(raw, 1)
        return MessageReader(raw: raw, limits: InputLimits())
    }

    private static func readAll(_ raw: OpaquePointer) {
        let reader = rewound(raw)
        while let _ = try? Variant.readAny(from: reader) {}
        if let error = sd_bus_message_get_error(raw)?.pointee.name { _ = String(cString: error) }
    }

    /// Sends the dictionary again, which must read back the same. NaN is not equal to itself, but two arrays with one
    /// storage are equal whatever they contain, so the message is read twice.
    private static func writeAgain(_ entries: VariantEntries, on raw: OpaquePointer) {
        guard (try? VariantEntries.read(from: rewound(raw))) == entries, let bus = sd_bus_message_get_bus(raw) else {
            return
        }
        var copy: OpaquePointer?
        guard sd_bus_message_new_signal(bus, &copy, "/a", "a.b", "C") >= 0, let copy else { return }
        defer { sd_bus_message_unref(copy) }
        guard (try? entries.append(to: MessageWriter(raw: copy))) != nil, sd_bus_message_seal(copy, 1, 0) >= 0 else {
            return
        }
        promise((try? VariantEntries.read(from: rewound(copy))) == entries, "a dictionary does not read back")
    }

    static func readContract(_ entries: VariantEntries) {
        if let options = try? RequestOptions(entries) { _ = options.variants }
        if let query = try? SessionQuery(entries) { _ = query.variants }
        if let query = try? StatisticsQuery(entries) { _ = query.variants }
        _ = try? IntervalOptions.read(entries)
        for kind in Questionnaire.Kind.allCases {
            guard let answers = try? AnswersOnBus.answers(entries, to: kind) else { continue }
            _ = try? Questionnaire.of(kind).answers(answers, at: Instant(seconds: 1_768_428_000))
        }
        _ = try? AnswersOnBus.draft(entries, refusal: { $0 })
    }

    /// A connection whose other end has sent the handshake of a server, and then these bytes.
    private static func withMessages(from bytes: [UInt8], _ body: (OpaquePointer) -> Void) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return
        }
        defer { close(ends[1]) }
        let said =
            Array("DATA\r\nOK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n".utf8) + bytes
        guard write(ends[1], said, said.count) == said.count else {
            close(ends[0])
            return
        }
        shutdown(ends[1], CInt(SHUT_WR))
        var bus: OpaquePointer?
        guard sd_bus_new(&bus) >= 0, let bus else { return }
        defer { sd_bus_close_unref(bus) }
        sd_bus_set_fd(bus, ends[0], ends[0])
        sd_bus_negotiate_fds(bus, 1)
        guard sd_bus_start(bus) >= 0 else { return }
        for _ in 0..<64 {
            var message: OpaquePointer?
            guard sd_bus_process(bus, &message) > 0 else { return }
            guard let message else { continue }
            body(message)
            sd_bus_message_unref(message)
        }
    }
}
