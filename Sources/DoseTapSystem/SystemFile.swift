import Glibc

/// Reads small files of the system whole.
enum SystemFile {
    /// The file's bytes.
    ///
    /// - Parameter limit: Most bytes to accept.
    /// - Throws: ``SystemFault`` with the errno; `EFBIG` over the limit, `EINVAL` for what is no regular file.
    static func read(_ path: String, limit: Int) throws(SystemFault) -> [UInt8] {
        // O_NONBLOCK: a FIFO in a file's place must not hang the reader.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw fault(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw fault(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw fault(path, EINVAL) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw fault(path, errno) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw fault(path, EFBIG) }
        }
    }

    static func fault(_ path: String, _ number: Int32) -> SystemFault {
        SystemFault(.system, "\(path): \(String(cString: strerror(number)))", underlying: number)
    }
}
