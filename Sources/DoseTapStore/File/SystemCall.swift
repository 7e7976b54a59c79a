import DoseTapDomain
import Glibc

/// The few system calls the store makes itself, with their errors in words.
enum SystemCall {
    /// The system's words for an error number.
    static func message(_ code: CInt) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &buffer, buffer.count) == 0 || buffer.first != 0 else { return "error \(code)" }
        return "error \(code), "
            + String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The kind of store fault an error number means, when the call was to open or write something.
    static func code(_ errorNumber: CInt) -> StoreError.Code {
        switch errorNumber {
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case EROFS: .readOnly
        case ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, EISDIR, ENAMETOOLONG, ENXIO: .unavailable
        default: .internal
        }
    }

    /// A failed call as the store's error.
    static func failure(_ call: String, _ path: String, _ errorNumber: CInt, context: String) -> StoreError {
        StoreError(
            code: code(errorNumber), context: context, underlying: "\(call) \(path): \(message(errorNumber))")
    }

    /// Flushes a file or folder.
    static func synchronize(_ path: String, flags: CInt = 0) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else {
            throw failure("open", path, errno, context: "the store's folder cannot be flushed")
        }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw failure("fsync", path, errno, context: "the store's folder cannot be flushed")
        }
    }
}
