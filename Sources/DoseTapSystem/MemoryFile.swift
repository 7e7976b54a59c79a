internal import CLinux
internal import Glibc

/// A file without a name, in memory. It carries content that is too long for a message. Writing waits for no disk and no
/// reader.
public enum MemoryFile {
    /// Makes a file; the caller closes it.
    ///
    /// - Throws: ``SystemFault`` if the system refuses.
    public static func make() throws(SystemFault) -> Int32 {
        let descriptor = clinux_memory_file("dosetap")
        guard descriptor >= 0 else { throw SystemFile.fault("memfd_create", errno) }
        return descriptor
    }

    /// Returns true if a received descriptor is a memory file.
    public static func isOne(_ descriptor: Int32) -> Bool { clinux_is_memory_file(descriptor) != 0 }

    /// Replaces the content. The file's position stays as it is: a program that gets the file reads it from there.
    ///
    /// - Throws: ``SystemFault`` if the file is sealed or memory is short.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFault) {
        guard ftruncate(descriptor, 0) == 0 else { throw SystemFile.fault("ftruncate", errno) }
        try SystemFile.write(bytes, to: descriptor, "pwrite", at: 0)
    }

    /// Returns the content from the beginning; nil beyond the limit, or if reading fails.
    ///
    /// - Parameter limit: most bytes to read.
    public static func read(_ descriptor: Int32, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pread(descriptor, &room, room.count, off_t(bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += room[..<count]
            guard bytes.count <= limit else { return nil }
        }
    }
}
