internal import DoseTapDomain
internal import DoseTapSystem
internal import Glibc

/// The folders of hooks: each root has a folder for each event. A file or folder that others could change is refused.
struct HookFolders: Sendable {
    /// The hooks of an event, and the paths that are refused.
    struct Found: Hashable, Sendable {
        /// Paths in order of their names. Of two with the same name, the one in the more important folder comes first.
        var hooks: [String] = []
        var refused: [Refusal] = []
    }

    /// A path that is not run, and the reason.
    struct Refusal: Hashable, Sendable {
        let path: String
        let reason: String
    }

    /// Folders such as `~/.config/dosetap/hooks.d`, most important first.
    let roots: [String]

    /// The most names taken from one folder.
    private static let mostNames = 64
    /// Ends of names that editors and package managers leave behind.
    private static let leftovers = [
        "~", ".bak", ".old", ".orig", ".swp", ".disabled", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".rpmnew",
        ".rpmsave", ".rpmorig",
    ]

    /// Looks at the folders as they are now.
    func find(_ event: String) -> Found {
        var found = Found()
        var hooks: [(name: String, path: String)] = []
        for root in roots {
            let folder = "\(root)/\(event)"
            guard let names = Self.names(in: folder), !names.isEmpty else { continue }
            let owners = TrustedFile.owners(below: root)
            if let refusal = Self.refusal(ofFolder: root, owners) ?? Self.refusal(ofFolder: folder, owners) {
                found.refused.append(refusal)
                continue
            }
            for name in names {
                let path = "\(folder)/\(name)"
                switch Self.judge(path, below: root, owners) {
                case .hook: hooks.append((name, path))
                case .none: break
                case .refused(let reason): found.refused.append(Refusal(path: path, reason: reason))
                }
            }
        }
        // The offset keeps the order stable: of two equal names, the more important folder's comes first.
        found.hooks = hooks.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map(\.element.path)
        return found
    }

    /// Returns true if one of these events has a hook now. Most people have no folder for hooks at all.
    func hasAny(_ events: [String]) -> Bool {
        let there = HookFolders(roots: roots.filter { access($0, F_OK) == 0 })
        return events.contains { !there.find($0).hooks.isEmpty }
    }

    /// Returns the names that may be hooks; nil if the folder cannot be read.
    private static func names(in folder: String) -> [String]? {
        names(in: folder) { name in !leftovers.contains { name.hasSuffix($0) } }
    }

    /// Returns the wanted names in a folder, without hidden names; nil if the folder cannot be read.
    static func names(in folder: String, where isWanted: (String) -> Bool) -> [String]? {
        guard let all = try? Folder.names(in: folder, most: .max) else { return nil }
        var names: [String] = []
        for name in all where names.count < mostNames {
            if !name.hasPrefix("."), isWanted(name) { names.append(name) }
        }
        return names
    }

    private enum Verdict {
        case hook
        case none
        case refused(String)
    }

    private static func judge(_ path: String, below root: String, _ owners: Set<uid_t>) -> Verdict {
        guard let real = TrustedFile.resolved(path), let home = TrustedFile.resolved(root) else {
            return .refused(sent("it leads nowhere"))
        }
        guard real.hasPrefix(home + "/") else { return .refused(sent("it leads out of \(root), to \(real)")) }
        var status = stat()
        guard stat(real, &status) == 0 else { return .refused(sent("it cannot be looked at")) }
        if status.st_mode & S_IFMT == S_IFDIR { return .none }
        guard status.st_mode & S_IFMT == S_IFREG else { return .refused(sent("it is no file")) }
        if let reason = TrustedFile.fault(status, owners) { return .refused(reason) }
        guard access(real, X_OK) == 0 else { return .refused(sent("it is not executable (chmod u+x)")) }
        return .hook
    }

    private static func refusal(ofFolder path: String, _ owners: Set<uid_t>) -> Refusal? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return TrustedFile.fault(status, owners).map { Refusal(path: path, reason: $0) }
    }
}

/// The names that a folder of hooks can have: the types of events, and the steps of the alarm that run programs.
enum HookEvents {
    static let escalationSteps = ["alarm", "partner"]
    static let all = EventType.allCases.map(\.rawValue) + escalationSteps

    /// Returns the folders whose names are no event; their files are never run.
    ///
    /// - Parameter roots: folders such as `~/.config/dosetap/hooks.d`.
    static func unknownFolders(in roots: [String]) -> [String] {
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
