internal import Glibc
internal import Synchronization

/// The place of a file that leads the browser to the first address, so that the address is in no list of processes.
/// Only its owner can read the file.
final class ForwardingPlace: Sendable {
    private let path = Mutex<String?>(nil)

    /// Makes the file.
    ///
    /// - Returns: the path of the file; nil if it cannot be made.
    func make(to address: String) -> String? {
        guard let folder = Settings.value("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        let name = "\(folder)/dosetap-web-\(getpid()).html"
        // The file of a killed process with the same number.
        unlink(name)
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        path.withLock { $0 = name }
        let page = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0;url=\(address)"><title>DoseTap</title></head></html>

            """
        return PipeEnd.write(page, to: descriptor) ? name : nil
    }

    /// Removes the file, if there is one.
    func remove() {
        path.withLock { path in
            if let path { unlink(path) }
            path = nil
        }
    }
}
