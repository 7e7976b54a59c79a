internal import DoseTapDomain
internal import Glibc

/// The names that a folder of hooks can have: what happens, and the steps of the alarm that run programs.
enum HookEvents {
    /// Steps of the alarm.
    static let rungs = ["alarm", "partner"]
    /// All of them.
    static let all = EventType.allCases.map(\.rawValue) + rungs

    /// Folders whose names are no event: nothing in them is ever run.
    ///
    /// - Parameter roots: folders such as `~/.config/dosetap/hooks.d`.
    static func strangers(in roots: [String]) -> [String] {
        roots.flatMap { root in
            let names = HookFolders.names(in: root) { !all.contains($0) && isFolder("\(root)/\($0)") }
            return (names ?? []).sorted().map { "\(root)/\($0)" }
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
