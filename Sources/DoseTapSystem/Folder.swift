internal import Glibc

/// The content of folders.
public enum Folder {
    /// Returns the names in a folder, without `.` and `..`, in no order.
    ///
    /// - Parameters:
    ///   - most: limit of the names.
    ///   - followsLink: true to read the folder that a link in its place points to.
    /// - Throws: ``SystemFault`` with the errno if the folder cannot be read to its end, `E2BIG` beyond the limit.
    public static func names(
        in folder: String, most: Int = 4_096, followsLink: Bool = true
    ) throws(SystemFault) -> [String] {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw SystemFile.fault(folder, errno) }
        guard let listing = fdopendir(descriptor) else {
            let number = errno
            close(descriptor)
            throw SystemFile.fault(folder, number)
        }
        defer { closedir(listing) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(listing) else {
                let number = errno
                guard number == 0 else { throw SystemFile.fault(folder, number) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            guard names.count < most else { throw SystemFile.fault(folder, E2BIG) }
            names.append(name)
        }
    }
}
