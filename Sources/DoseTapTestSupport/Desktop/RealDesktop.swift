import Foundation

/// A real notification server, dunst, on an X server of its own, with a menu in which the test chooses the button.
public final class RealDesktop: Sendable {
    /// Whether the programs are here.
    public static let isInstalled = VirtualScreen.canRun(with: ["dunst", "dunstctl"])

    private let folder: ScratchFolder
    private let screen: VirtualScreen
    private let server: Child
    private let environment: [String: String]

    /// Starts both; returns when the screen is there. The server takes its name a moment later.
    public init(bus address: String) throws {
        folder = try ScratchFolder()
        screen = try VirtualScreen()
        environment = ["DISPLAY": screen.display, "DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"]
        let menu = folder.path("menu")
        try "#!/bin/sh\ngrep -m1 -F -- \"$(cat '\(folder.path("choice"))')\"\n".write(
            toFile: menu, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: menu)
        let settings = """
            [global]
            follow = none
            dmenu = \(menu)
            idle_threshold = 0
            stack_duplicates = false
            [urgency_normal]
            timeout = 0
            [urgency_critical]
            timeout = 0
            """
        try settings.write(toFile: folder.path("dunstrc"), atomically: true, encoding: .utf8)
        let variables = environment.map { "\($0.key)=\($0.value)" }
        server = try Child(
            "/usr/bin/env", variables + ["sh", "-c", "exec dunst -config '\(folder.path("dunstrc"))' >/dev/null 2>&1"])
    }

    /// Presses the button with this label on whatever is shown.
    public func press(_ label: String) throws {
        try label.write(toFile: folder.path("choice"), atomically: true, encoding: .utf8)
        try control("context")
    }

    /// Switches do-not-disturb on or off.
    public func pause(_ isQuiet: Bool) throws { try control("set-paused", isQuiet ? "true" : "false") }

    /// How many notifications are on the screen.
    public func countShown() throws -> Int {
        let text = try control("count", "displayed")
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }

    @discardableResult
    private func control(_ arguments: String...) throws -> String {
        try Command.check(["timeout", "10", "dunstctl"] + arguments, environment: environment).text
    }

    /// Ends both.
    public func stop() throws {
        server.signal(SIGTERM)
        _ = try server.finish()
        try screen.stop()
    }
}
