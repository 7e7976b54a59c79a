internal import Glibc

/// Programs that this one starts.
enum HelperProgram {
    /// A program of the machine by the person's search path; nil where there is none.
    static func found(_ name: String) -> String? {
        (Settings.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            .map { "\($0)/\(name)" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }

    /// Beside this program where it was built, in `libexec/dosetap` beside its folder where it is installed.
    ///
    /// - Parameter what: what it is for, as in "The simulation program is missing".
    /// - Throws: ``Failure`` naming the place where it should be.
    static func path(_ name: String, what: String) throws(Failure) -> String {
        let beside = ChildService.folder + name
        if access(beside, X_OK) == 0 { return beside }
        let parent = ChildService.folder.dropLast()
        let installed = parent[..<(parent.lastIndex(of: "/") ?? parent.startIndex)] + "/libexec/dosetap/\(name)"
        if access(String(installed), X_OK) == 0 { return String(installed) }
        throw Failure(
            exitCode: Failure.Code.unreachable, kind: "unreachable",
            message: "The \(what) program '\(installed)' is missing.", hint: "Contrib/install", isOneLine: true)
    }
}
