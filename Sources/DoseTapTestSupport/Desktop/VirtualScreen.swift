import Foundation

/// An X server of a test's own, with nothing on its screen.
final class VirtualScreen: Sendable {
    private let process: Child
    /// What programs find it by.
    let display: String

    /// Starts it; returns when it takes connections.
    init() throws {
        // It says its number when it does.
        process = try Child(
            "/bin/sh", ["-c", "exec Xvfb -displayfd 1 -screen 0 1024x768x24 -nolisten tcp 2>/dev/null"])
        let number = process.read(until: "\n").split(separator: "\n").last.map(String.init) ?? ""
        display = ":\(number)"
    }

    /// Ends it.
    func stop() throws {
        process.signal(SIGTERM)
        _ = try process.finish()
    }

    /// Whether it and what else is needed can be run here: names in `PATH`, or paths.
    static func canRun(with programs: [String]) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return (["Xvfb"] + programs).allSatisfy { name in
            name.hasPrefix("/") ? access(name, X_OK) == 0 : folders.contains { access("\($0)/\(name)", X_OK) == 0 }
        }
    }
}
