import Foundation

/// Another real notification server, GNOME's notification-daemon, whose buttons are pressed with the pointer: it tells
/// everybody on the bus of a press, and names its windows.
public final class PointedDesktop: Sendable {
    private static let program = "/usr/lib/notification-daemon/notification-daemon"
    /// Whether the programs are here.
    public static let isInstalled = VirtualScreen.canRun(with: [program, "xdotool"])

    private let screen: VirtualScreen
    private let server: Child
    private let environment: [String: String]

    /// Starts both; returns when the screen is there. The server takes its name a moment later.
    public init(bus address: String) throws {
        screen = try VirtualScreen()
        environment = [
            "DISPLAY": screen.display, "DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "HOME": "/nowhere",
            "NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11",
        ]
        let variables = environment.map { "\($0.key)=\($0.value)" }
        server = try Child("/usr/bin/env", ["-i"] + variables + ["sh", "-c", "exec \(Self.program) >/dev/null 2>&1"])
    }

    /// Waits until so many notifications are on the screen, ten seconds at most; how many there are.
    public func awaitShown(_ count: Int) throws -> Int {
        var shown = try windows().count
        for _ in 0..<500 where shown != count {
            poll(nil, 0, 20)
            shown = try windows().count
        }
        return shown
    }

    /// Presses the first button of what is shown, with the pointer.
    public func pressFirst() throws {
        guard let window = try windows().first else { throw CommandError(description: "nothing is shown") }
        let lines = try control("getwindowgeometry", "--shell", window).text.split(separator: "\n")
        let pairs = lines.map { $0.split(separator: "=") }.filter { $0.count == 2 }
        let values = Dictionary(pairs.map { (String($0[0]), Int($0[1]) ?? 0) }) { $1 }
        // Below the text, which begins right of the picture.
        let (x, y) = ((values["X"] ?? 0) + 110, (values["Y"] ?? 0) + (values["HEIGHT"] ?? 0) - 38)
        try control("mousemove", "--sync", "\(x)", "\(y)", "sleep", "0.2", "click", "1")
    }

    private func windows() throws -> [String] {
        // It fails where there are none.
        let words = ["timeout", "10", "xdotool", "search", "--onlyvisible", "--name", "^Notification$"]
        return try Command.run(words, environment: environment).text.split(separator: "\n").map(String.init)
    }

    @discardableResult
    private func control(_ arguments: String...) throws -> Command.Outcome {
        try Command.check(["timeout", "10", "xdotool"] + arguments, environment: environment)
    }

    /// Ends both.
    public func stop() throws {
        server.signal(SIGTERM)
        _ = try server.finish()
        try screen.stop()
    }
}
