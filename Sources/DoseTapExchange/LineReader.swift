internal import DoseTapDomain
internal import Glibc

/// Lines of a stream, one after the other. The memory holds one line and a buffer.
package struct LineReader {
    /// Fills the given room. Returns the number of bytes, 0 at the end, or a negative error number.
    package typealias Source = (UnsafeMutableRawBufferPointer) -> Int

    /// Longest line in bytes, without its end.
    package static let longestLine = 1 << 20

    /// The number of lines read so far.
    package private(set) var count = 0
    private let source: Source
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var rest = 0..<0

    package init(_ source: @escaping Source) { self.source = source }

    /// Reads a stream that is in memory.
    package init(_ bytes: [UInt8]) {
        var place = 0
        self.init { room in
            let count = min(room.count, bytes.count - place)
            room.copyBytes(from: bytes[place..<place + count])
            place += count
            return count
        }
    }

    /// Reads standard input.
    static func standardInput(_ room: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = read(STDIN_FILENO, room.baseAddress, room.count)
            guard count < 0 else { return count }
            if errno != EINTR { return -Int(errno) }
        }
    }

    /// Returns the next line without its end; nil at the end of the stream.
    ///
    /// - Throws: ``ExchangeFault`` if the stream cannot be read, ends inside a line, or has a line that is too long.
    package mutating func next() throws(ExchangeFault) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if rest.isEmpty {
                let read = buffer.withUnsafeMutableBytes { source($0) }
                guard read >= 0 else {
                    throw fault(sent("The stream cannot be read: \(ErrorNumber.sentence(Int32(clamping: -read)))."))
                }
                rest = 0..<min(read, buffer.count)
                if rest.isEmpty {
                    guard line.isEmpty else { throw fault(sent("The stream ends inside it.")) }
                    return nil
                }
            }
            let end = buffer[rest].firstIndex(of: UInt8(ascii: "\n"))
            line += buffer[rest.lowerBound..<(end ?? rest.upperBound)]
            guard line.count <= Self.longestLine else {
                throw fault(sent("It has more than \(Self.longestLine) bytes."))
            }
            rest = (end.map { $0 + 1 } ?? rest.upperBound)..<rest.upperBound
            if end != nil {
                count += 1
                return line
            }
        }
    }

    private func fault(_ message: String) -> ExchangeFault { ExchangeFault(.stream, line: count + 1, message) }
}
