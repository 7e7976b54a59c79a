internal import CImporters
internal import DoseTapDomain
package import DoseTapExchange
internal import Glibc

/// A file of another program: bytes that can be read at any place.
package struct ForeignFile {
    private enum Place {
        case descriptor(Int32)
        case memory([UInt8])
    }

    /// The number of bytes in the file.
    package let size: Int
    private let place: Place
    private let start: Int
    /// At most one log. A list, because a struct cannot contain itself.
    private let logs: [ForeignFile]

    /// The write-ahead log beside the file, if the file is a database with a log.
    var log: ForeignFile? { logs.first }

    /// Makes a file of bytes in memory.
    package init(_ bytes: [UInt8], log: ForeignFile? = nil) {
        place = .memory(bytes)
        start = 0
        size = bytes.count
        logs = log.map { [$0] } ?? []
    }

    /// Makes a file of an open descriptor.
    ///
    /// - Throws: ``ExchangeFault`` if the descriptor is no regular file.
    package init(descriptor: Int32, log: ForeignFile? = nil) throws(ExchangeFault) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            let isInput = descriptor == STDIN_FILENO
            throw ExchangeFault(.usage, isInput ? sent("Standard input has to be a file.") : sent("There is no log."))
        }
        place = .descriptor(descriptor)
        start = 0
        size = Int(status.st_size)
        logs = log.map { [$0] } ?? []
    }

    private init(_ place: Place, _ start: Int, _ size: Int) {
        self.place = place
        self.start = start
        self.size = size
        logs = []
    }

    /// Returns a part of the file; nil if the file ends earlier.
    func part(at offset: Int, count: Int) -> ForeignFile? {
        guard offset >= 0, count >= 0, offset <= size, count <= size - offset else { return nil }
        return ForeignFile(place, start + offset, count)
    }

    /// Fills the room from a place on.
    ///
    /// - Returns: the number of bytes; fewer than the room only at the end of the file.
    func read(_ room: UnsafeMutableRawBufferPointer, at offset: Int) throws(ExchangeFault) -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let count = min(room.count, size - offset)
        switch place {
        case .memory(let bytes):
            room.copyBytes(from: bytes[start + offset..<start + offset + count])
            return count
        case .descriptor(let descriptor):
            // The confinement allows seek and read.
            guard lseek(descriptor, off_t(start + offset), SEEK_SET) >= 0 else { throw Self.unreadable() }
            var done = 0
            while done < count {
                let came = Glibc.read(descriptor, room.baseAddress.map { $0 + done }, count - done)
                if came < 0, errno == EINTR { continue }
                guard came >= 0 else { throw Self.unreadable() }
                guard came > 0 else { throw ExchangeFault(.stream, sent("The file became shorter while it was read.")) }
                done += came
            }
            return count
        }
    }

    /// Returns bytes from a place on, fewer at the end.
    func bytes(at offset: Int, count: Int) throws(ExchangeFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, min(count, size - offset)))
        var fault: ExchangeFault?
        let came = bytes.withUnsafeMutableBytes { room -> Int in
            do throws(ExchangeFault) { return try read(room, at: offset) } catch {
                fault = error
                return 0
            }
        }
        if let fault { throw fault }
        bytes.removeLast(bytes.count - came)
        return bytes
    }

    private static func unreadable() -> ExchangeFault {
        ExchangeFault(.stream, sent("The file cannot be read: \(String(cString: strerror(errno)))."))
    }
}

/// The bytes of a file or of a member of an archive, one after the other.
final class ByteSource {
    /// Fills the given room. Returns the number of bytes, 0 at the end.
    typealias Fill = (UnsafeMutableRawBufferPointer) throws(ExchangeFault) -> Int

    private let fill: Fill

    init(_ fill: @escaping Fill) { self.fill = fill }

    convenience init(_ file: ForeignFile) {
        var place = 0
        self.init { room throws(ExchangeFault) in
            let count = try file.read(room, at: place)
            place += count
            return count
        }
    }

    func read(_ room: UnsafeMutableRawBufferPointer) throws(ExchangeFault) -> Int { try fill(room) }

    /// Returns all bytes of a source with a known size.
    ///
    /// - Throws: ``ExchangeFault`` if there are fewer bytes.
    func all(_ size: Int) throws(ExchangeFault) -> [UInt8] {
        var fault: ExchangeFault?
        // One allocation: an array that grows would need the room twice.
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
            do throws(ExchangeFault) {
                while count < size {
                    let came = try fill(
                        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[count...]))
                    guard came > 0 else { throw ExchangeFault(.stream, sent("It is cut.")) }
                    count += came
                }
                // One more read reaches the end, where the source checks sizes and checksums.
                try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { last throws(ExchangeFault) in
                    _ = try fill(last)
                }
            } catch { fault = error }
        }
        if let fault { throw fault }
        return bytes
    }
}

/// Bytes of a source, one at a time, with their place.
struct ByteCursor {
    /// The number of bytes handed out.
    private(set) var byte = 0
    /// The line of the next byte, from 1.
    private(set) var line = 1
    private let source: ByteSource
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var place = 0
    private var end = 0

    init(_ source: ByteSource) { self.source = source }

    /// Returns the next byte and leaves it there; nil at the end.
    mutating func peek() throws(ExchangeFault) -> UInt8? {
        if place == end {
            var fault: ExchangeFault?
            end = buffer.withUnsafeMutableBytes { room -> Int in
                do throws(ExchangeFault) { return try source.read(room) } catch {
                    fault = error
                    return 0
                }
            }
            place = 0
            if let fault { throw fault }
            guard end > 0 else { return nil }
        }
        return buffer[place]
    }

    /// Returns the next byte and moves on; nil at the end.
    mutating func next() throws(ExchangeFault) -> UInt8? {
        guard let value = try peek() else { return nil }
        place += 1
        byte += 1
        if value == UInt8(ascii: "\n") { line += 1 }
        return value
    }

    /// Steps over the byte order mark that some programs write before UTF-8.
    ///
    /// - Throws: ``ExchangeFault`` for the marks of UTF-16.
    mutating func skipMark() throws(ExchangeFault) {
        switch try peek() {
        case 0xEF:
            for expected in [0xEF, 0xBB, 0xBF] as [UInt8] {
                guard try next() == expected else { throw fault(sent("It is no UTF-8.")) }
            }
            byte = 3
        case 0xFF, 0xFE: throw fault(sent("It is no UTF-8; it may be UTF-16: save it as UTF-8."))
        default: break
        }
    }

    /// Returns a fault at this place.
    func fault(_ message: String) -> ExchangeFault {
        ExchangeFault(.stream, line: line, "\(message) (byte \(byte))")
    }
}
