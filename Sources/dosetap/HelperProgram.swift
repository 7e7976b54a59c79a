internal import DoseTapDomain
internal import Glibc

/// Programs that this one starts.
enum HelperProgram {
    /// Returns the path of a program in the person's search path; nil if there is none.
    static func found(_ name: String) -> String? {
        (Settings.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            .map { "\($0)/\(name)" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }

    /// Returns other programs of that name: in the search path, and where `Contrib/install` puts them.
    static func others(_ name: String) -> [String] {
        var own = stat()
        guard stat("/proc/self/exe", &own) == 0 else { return [] }
        var seen: Set<String> = ["\(own.st_dev) \(own.st_ino)"]
        let home = Settings.value("HOME").map { ["\($0)/.local/bin"] } ?? []
        let folders = (Settings.value("PATH") ?? "").split(separator: ":").map(String.init) + home
        return folders.map { "\($0)/\(name)" }.filter { path in
            var found = stat()
            return path.hasPrefix("/") && access(path, X_OK) == 0 && stat(path, &found) == 0
                && seen.insert("\(found.st_dev) \(found.st_ino)").inserted
        }
    }

    /// Returns the path of a program: beside this one after a build, in `libexec/dosetap` beside its folder after an
    /// installation.
    ///
    /// - Parameter what: the purpose, as in "The simulation program is missing".
    /// - Throws: ``Failure`` naming the place where it should be.
    static func path(_ name: String, what: String) throws(Failure) -> String {
        let beside = ChildService.folder + name
        if access(beside, X_OK) == 0 { return beside }
        let parent = ChildService.folder.dropLast()
        let installed = parent[..<(parent.lastIndex(of: "/") ?? parent.startIndex)] + "/libexec/dosetap/\(name)"
        if access(String(installed), X_OK) == 0 { return String(installed) }
        throw Failure(
            exitCode: Failure.Code.unreachable, kind: "unreachable",
            message: tr("The \(what) program '\(installed)' is missing."), hint: "Contrib/install", isOneLine: true)
    }
}
