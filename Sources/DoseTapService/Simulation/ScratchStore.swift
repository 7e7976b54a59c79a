internal import DoseTapDomain
internal import DoseTapStore
internal import Glibc

/// A store in a folder of its own that is gone afterwards: no simulation comes near the person's.
struct ScratchStore: ~Copyable {
    /// Where it lies.
    let folder: String
    let store: Store

    /// Where a folder may be made, best first: what lies in memory is fastest, and a flush of it costs nothing.
    private static let places = ["/dev/shm", "/tmp"]

    /// - Throws: ``DoseTapDomain/StoreError``.
    init(now: Instant, environment: [String: String]) throws {
        let places = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"]].compactMap(\.self) + Self.places
        var made: String?
        for place in places where made == nil { made = Self.folder(in: place) }
        guard let folder = made else {
            throw StoreError(
                code: .unavailable, context: "no folder for a simulation can be made: set TMPDIR to one of your own")
        }
        let opened: Store
        do {
            opened = try Store.open(StoreConfiguration(path: folder + "/dosetap.db", surface: "simulation", now: now))
        } catch {
            Self.remove(folder)
            throw error
        }
        self.folder = folder
        store = opened
    }

    deinit { Self.remove(folder) }

    /// Programs for the steps of the alarm that call somebody; they are only ever named.
    ///
    /// - Returns: the folder they lie in.
    func makeHooks() throws -> String {
        for event in ["alarm", "partner"] {
            let path = folder + "/hooks.d/" + event
            mkdir(folder + "/hooks.d", 0o700)
            mkdir(path, 0o700)
            let descriptor = open(path + "/10-call", O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
            guard descriptor >= 0 else {
                throw StoreError(code: .unavailable, context: "\(path): \(String(cString: strerror(errno)))")
            }
            close(descriptor)
        }
        return folder + "/hooks.d"
    }

    private static func folder(in place: String) -> String? {
        guard place.hasPrefix("/"), place.utf8.count < 3_000 else { return nil }
        var name = Array((place + "/dosetap-simulation-XXXXXX").utf8CString)
        return name.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
    }

    private static func remove(_ folder: String) {
        guard let entries = opendir(folder) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            // A folder is no file: what lies in it goes first.
            if unlink(folder + "/" + name) != 0 { remove(folder + "/" + name) }
        }
        closedir(entries)
        rmdir(folder)
    }
}
