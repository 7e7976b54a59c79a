internal import DoseTapDomain
internal import Glibc

/// Output bytes, collected into large writes.
package struct Output {
    /// Writes bytes. Returns 0, or an error number.
    package typealias Sink = (UnsafeRawBufferPointer) -> Int32

    /// The number of bytes so far, written or not.
    package private(set) var count = 0
    private static let room = 65_536
    private let sink: Sink
    private var buffer: [UInt8] = []

    package init(_ sink: @escaping Sink) { self.sink = sink }

    /// Adds bytes.
    package mutating func write(_ bytes: some Collection<UInt8>) throws(ExchangeFault) {
        buffer.append(contentsOf: bytes)
        count += bytes.count
        if buffer.count >= Self.room { try flush() }
    }

    /// Adds text in UTF-8.
    package mutating func write(_ text: String) throws(ExchangeFault) { try write(text.utf8) }

    /// Writes the collected bytes.
    package mutating func flush() throws(ExchangeFault) {
        let failure = buffer.withUnsafeBytes { sink($0) }
        buffer.removeAll(keepingCapacity: true)
        guard failure == 0 else {
            throw ExchangeFault(.output, sent("The output cannot be written: \(ErrorNumber.sentence(failure))."))
        }
    }

    /// Writes all bytes to a descriptor. Returns 0, or an error number.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let written = Glibc.write(descriptor, start, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
        return 0
    }
}

/// Standard output and error of the programs.
package enum StandardStreams {
    /// Prints a text.
    ///
    /// - Returns: the exit code.
    package static func say(_ text: String) -> Int32 {
        Array(text.utf8).withUnsafeBytes { Output.write($0, to: STDOUT_FILENO) } == 0
            ? 0 : ExchangeFault.Kind.output.rawValue
    }

    package static func complain(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Output.write($0, to: STDERR_FILENO) }
    }
}

/// The words for error numbers of the system.
enum ErrorNumber {
    static func sentence(_ number: Int32) -> String { String(cString: strerror(number)) }
}
