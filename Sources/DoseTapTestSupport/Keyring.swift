import DoseTapStore
import Foundation

/// A real gnome-keyring on a private bus, with a collection of its own that can be locked and unlocked without a prompt.
public final class Keyring: Sendable {
    public static let isInstalled = access("/usr/bin/gnome-keyring-daemon", X_OK) == 0

    private let folder: ScratchFolder
    private let address: String
    private let daemon: Child

    /// Starts the keyring and returns when its default collection is there.
    public init(bus address: String, password: String = "pw") async throws {
        self.address = address
        folder = try ScratchFolder()
        let data = folder.path("home/.local/share/keyrings")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        daemon = try Child(
            "/usr/bin/env",
            [
                "-i", "PATH=/usr/bin:/bin", "HOME=\(folder.path("home"))", "XDG_RUNTIME_DIR=\(folder.path("run"))",
                "DBUS_SESSION_BUS_ADDRESS=\(address)", "sh", "-c",
                "mkdir -p -m 700 \"$XDG_RUNTIME_DIR\"; exec gnome-keyring-daemon --unlock --components=secrets --foreground "
                    + ">/dev/null 2>&1",
            ])
        try daemon.write(password)
        try daemon.closeInput()
        let limit = ContinuousClock.now + .seconds(15)
        while try !isThere {
            guard ContinuousClock.now < limit else { throw CocoaError(.executableLoad) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func call(_ arguments: [String]) throws -> TestProgram.Outcome {
        try TestProgram.run(["timeout", "10", "busctl", "--address=\(address)", "--auto-start=no"] + arguments)
    }

    private var isThere: Bool {
        get throws {
            try call([
                "get-property", "org.freedesktop.secrets", "/org/freedesktop/secrets/aliases/default",
                "org.freedesktop.Secret.Collection", "Locked",
            ]).status == 0
        }
    }

    public func lock() throws {
        _ = try call([
            "call", "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "Lock",
            "ao",
            "1", "/org/freedesktop/secrets/collection/login",
        ])
    }

    /// Unlocks by the call that the login makes, which asks nobody. Returns true if it succeeds.
    public func unlock(_ password: String = "pw") throws -> Bool {
        let program = """
            import dbus, sys
            service = dbus.bus.BusConnection(sys.argv[1]).get_object('org.freedesktop.secrets', '/org/freedesktop/secrets')
            _, session = service.OpenSession(
                'plain', dbus.String('', variant_level=1), dbus_interface='org.freedesktop.Secret.Service')
            secret = dbus.Struct(
                (session, dbus.ByteArray(b''), dbus.ByteArray(sys.argv[2].encode()), 'text/plain'), signature='oayays')
            service.UnlockWithMasterPassword(
                dbus.ObjectPath('/org/freedesktop/secrets/collection/login'), secret,
                dbus_interface='org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface')
            """
        return try TestProgram.run(["timeout", "10", "/usr/bin/python3", "-c", program, address, password]).status == 0
    }

    /// The number of DoseTap's keys in the keyring.
    public var count: Int {
        get throws {
            let answer = try call([
                "--json=short", "call", "org.freedesktop.secrets", "/org/freedesktop/secrets",
                "org.freedesktop.Secret.Service", "SearchItems", "a{ss}", "1", "xdg:schema", "org.dosetap.Key",
            ])
            return answer.text.components(separatedBy: "/org/freedesktop/secrets/collection").count - 1
        }
    }

    public func stop() throws {
        daemon.signal(SIGTERM)
        _ = try daemon.finish()
    }
}

/// A program that has the bus name of a keyring and is none.
public final class FalseKeyring: Sendable {
    /// The answer to each call.
    public enum Answer: String, Sendable, CaseIterable {
        /// Values of other types.
        case nonsense
        /// An error whose name and text mean nothing.
        case error
        /// No answer at all.
        case silence
    }

    private let program: Child

    /// Starts the program and returns when it has the name of the keyring.
    public init(bus address: String, _ answer: Answer) throws {
        let text = """
            import sys
            import dbus, dbus.bus, dbus.lowlevel
            from dbus.mainloop.glib import DBusGMainLoop
            from gi.repository import GLib
            DBusGMainLoop(set_as_default=True)
            bus = dbus.bus.BusConnection(sys.argv[1])
            def answer(connection, message):
                if not isinstance(message, dbus.lowlevel.MethodCallMessage) or sys.argv[2] == 'silence':
                    return 0
                if sys.argv[2] == 'error':
                    reply = dbus.lowlevel.ErrorMessage(message, 'org.example.' + 'Nonsense' * 20, '\\x1b[2J' + 'x' * 100000)
                else:
                    reply = dbus.lowlevel.MethodReturnMessage(message)
                    reply.append([{'': dbus.Struct((b'', -1.5))}] * 1000, 'x' * 100000, signature='aa{s(ayd)}s')
                connection.send_message(reply)
                return 0
            bus.add_message_filter(answer)
            bus.request_name('org.freedesktop.secrets')
            print('ready', flush=True)
            GLib.MainLoop().run()
            """
        program = try Child("/usr/bin/python3", ["-c", text, address, answer.rawValue])
        guard program.read(until: "ready").contains("ready") else { throw CocoaError(.executableLoad) }
    }

    public func stop() throws {
        program.signal(SIGKILL)
        _ = try program.finish()
    }
}
