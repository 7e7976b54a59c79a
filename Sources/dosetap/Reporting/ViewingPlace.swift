internal import DoseTapDomain
internal import DoseTapSystem
internal import Glibc

/// The place of a report that a browser is to show.
///
/// A browser out of a sandboxed package reads neither /tmp nor the runtime directory, nor hidden folders. The download
/// folder is the one place that all of them may read.
enum ViewingPlace {
    /// Returns the name of the file. The next report of the profile that is opened takes its place.
    private static func name(_ profile: ExportProfile) -> String {
        profile == .full ? "dosetap-report-to-view.html" : "dosetap-report-to-view-\(profile.rawValue).html"
    }

    /// Returns the path in the download folder, else in the home folder.
    static func path(_ profile: ExportProfile) throws(Failure) -> String {
        guard let folder = folders.first(where: isFolder) ?? folders.last else {
            throw .usage(
                tr("HOME names no folder, so there is no place to open a report from."), hint: "dosetap report -o FILE")
        }
        return path(profile, in: folder)
    }

    /// Returns the reports that were opened and are still there.
    static var files: [String] {
        folders.flatMap { folder in ExportProfile.allCases.map { path($0, in: folder) } }.filter(PrivateFile.exists)
    }

    private static func path(_ profile: ExportProfile, in folder: String) -> String {
        folder + (folder.hasSuffix("/") ? "" : "/") + name(profile)
    }

    /// The download folder and the home folder; none without a home.
    private static var folders: [String] {
        guard let home = Settings.value("HOME"), home.hasPrefix("/") else { return [] }
        return [downloads(home: home), home].compactMap(\.self)
    }

    /// Returns the download folder as user-dirs.dirs(5) names it.
    private static func downloads(home: String) -> String? {
        let settings = Settings.value("XDG_CONFIG_HOME") ?? home + "/.config"
        guard let file = fopen(settings + "/user-dirs.dirs", "re") else { return home + "/Downloads" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4_096)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0 != " " }) == "XDG_DOWNLOAD_DIR" else { continue }
            let value = parts[1].filter { $0 != "\"" && $0 != "\n" }
            let path = value.hasPrefix("$HOME") ? home + value.dropFirst(5) : value
            return path.hasPrefix("/") ? path : nil
        }
        return home + "/Downloads"
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && access(path, W_OK) == 0
    }
}

/// Shows a file in the person's browser.
enum Launcher {
    /// The wait for a failure, in milliseconds. Some desktops keep the opener until the browser ends.
    private static let timeout: Int32 = 3_000

    /// - Returns: false if no program took the file.
    static func open(_ path: String) -> Bool {
        guard let opener = HelperProgram.found("xdg-open") else { return false }
        guard let running = ChildProgram.start(opener, [path], input: nil, output: nil, takesSignals: true) else {
            return false
        }
        return !running.hasEnded(within: timeout) || running.ended() == 0
    }
}
