import Foundation

/// A real notification server, dunst, on an X server of its own, with a menu in which the test chooses the button.
public final class RealDesktop: Sendable {
    public static let isInstalled = VirtualScreen.canRun(with: ["dunst", "dunstctl"])

    private let folder: ScratchFolder
    private let screen: VirtualScreen
    private let server: Child
    private let environment: [String: String]

    /// Starts the desktop and returns when the screen is there. The server takes its name a moment later.
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

    /// Presses the button with this label on the shown notification.
    public func press(_ label: String) throws {
        try label.write(toFile: folder.path("choice"), atomically: true, encoding: .utf8)
        try control("context")
    }

    /// Switches do-not-disturb on or off.
    public func pause(_ isQuiet: Bool) throws { try control("set-paused", isQuiet ? "true" : "false") }

    /// Returns the number of notifications on the screen.
    public func countShown() throws -> Int {
        let text = try control("count", "displayed")
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }

    @discardableResult
    private func control(_ arguments: String...) throws -> String {
        try Command.check(["timeout", "10", "dunstctl"] + arguments, environment: environment).text
    }

    public func stop() throws {
        server.signal(SIGTERM)
        _ = try server.finish()
        try screen.stop()
    }
}

/// Another real notification server, GNOME's notification-daemon, whose buttons are pressed with the pointer. The
/// server signals a press to every program on the bus, and names its windows.
public final class PointedDesktop: Sendable {
    private static let program = "/usr/lib/notification-daemon/notification-daemon"
    public static let isInstalled = VirtualScreen.canRun(with: [program, "xdotool"])

    private let screen: VirtualScreen
    private let server: Child
    private let environment: [String: String]

    /// Starts the desktop and returns when the screen is there. The server takes its name a moment later.
    public init(bus address: String) throws {
        screen = try VirtualScreen()
        environment = [
            "DISPLAY": screen.display, "DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "HOME": "/nowhere",
            "NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11",
        ]
        let variables = environment.map { "\($0.key)=\($0.value)" }
        server = try Child("/usr/bin/env", ["-i"] + variables + ["sh", "-c", "exec \(Self.program) >/dev/null 2>&1"])
    }

    /// Waits until `count` notifications are on the screen, ten seconds at most; returns their number.
    public func awaitShown(_ count: Int) throws -> Int {
        var shown = try windows().count
        for _ in 0..<500 where shown != count {
            poll(nil, 0, 20)
            shown = try windows().count
        }
        return shown
    }

    /// Presses the first button of the notification, with the pointer.
    public func pressFirst() throws {
        guard let window = try windows().first else { throw CommandError(description: "nothing is shown") }
        let lines = try control("getwindowgeometry", "--shell", window).text.split(separator: "\n")
        let pairs = lines.map { $0.split(separator: "=") }.filter { $0.count == 2 }
        let values = Dictionary(pairs.map { (String($0[0]), Int($0[1]) ?? 0) }) { $1 }
        // The button is below the text, which begins right of the picture.
        let (x, y) = ((values["X"] ?? 0) + 110, (values["Y"] ?? 0) + (values["HEIGHT"] ?? 0) - 38)
        try control("mousemove", "--sync", "\(x)", "\(y)", "sleep", "0.2", "click", "1")
    }

    private func windows() throws -> [String] {
        // The search fails if there are no windows.
        let words = ["timeout", "10", "xdotool", "search", "--onlyvisible", "--name", "^Notification$"]
        return try Command.run(words, environment: environment).text.split(separator: "\n").map(String.init)
    }

    @discardableResult
    private func control(_ arguments: String...) throws -> Command.Outcome {
        try Command.check(["timeout", "10", "xdotool"] + arguments, environment: environment)
    }

    public func stop() throws {
        server.signal(SIGTERM)
        _ = try server.finish()
        try screen.stop()
    }
}

/// An X server for one test, with an empty screen.
final class VirtualScreen: Sendable {
    private let process: Child
    /// Value of `DISPLAY`.
    let display: String

    /// Starts the server and returns when it takes connections.
    init() throws {
        // The server prints its number at that moment.
        process = try Child(
            "/bin/sh", ["-c", "exec Xvfb -displayfd 1 -screen 0 1024x768x24 -nolisten tcp 2>/dev/null"])
        let number = process.read(until: "\n").split(separator: "\n").last.map(String.init) ?? ""
        display = ":\(number)"
    }

    func stop() throws {
        process.signal(SIGTERM)
        _ = try process.finish()
    }

    /// Returns true if Xvfb and other programs are installed: names in `PATH`, or paths.
    static func canRun(with programs: [String]) -> Bool {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return (["Xvfb"] + programs).allSatisfy { name in
            name.hasPrefix("/") ? access(name, X_OK) == 0 : folders.contains { access("\($0)/\(name)", X_OK) == 0 }
        }
    }
}
