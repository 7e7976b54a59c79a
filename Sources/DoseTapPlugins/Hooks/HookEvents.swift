internal import DoseTapDomain
internal import Glibc

/// The names that a folder of hooks can have: what happens, and the steps of the alarm that run programs.
enum HookEvents {
    /// Steps of the alarm.
    static let rungs = ["alarm", "partner"]
    /// All of them.
    static let all = EventType.allCases.map(\.rawValue) + rungs

    /// Most names that are looked at in one place.
    private static let mostNames = 64

    /// Folders whose names are no event: nothing in them is ever run.
    ///
    /// - Parameter roots: folders such as `~/.config/dosetap/hooks.d`.
    static func strangers(in roots: [String]) -> [String] {
        roots.flatMap { root in
            names(in: root).filter { !all.contains($0) && isFolder("\(root)/\($0)") }.sorted().map { "\(root)/\($0)" }
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < mostNames, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
