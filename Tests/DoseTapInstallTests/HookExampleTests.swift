import DoseTapTestSupport
import Foundation
import Testing

/// The examples of `Contrib/hooks`, with local listeners.
@Suite struct HookExampleTests {
    private static let line = """
        {"v":1,"event":"alarm","session_date":"2026-01-14","phase":"active","text":"It is time. Look at the screen.",\
        "reminder":"alarm","due":"2026-01-15T01:15:00.000Z","urgency":"critical"}

        """

    /// A server that answers one request and prints it.
    private static let listener = """
        import http.server, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get('Content-Length', 0))).decode()
                print(self.path, *(f'{k}: {v}' for k, v in self.headers.items()), 'BODY ' + body, 'END', sep='\\n')
                self.send_response(int(sys.argv[1])); self.end_headers()
            def log_message(self, *_): pass
        server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
        server.timeout = 20
        print('PORT', server.server_port, '.', flush=True)
        server.handle_request()
        """

    private static func run(_ hook: String, _ environment: [String: String]) throws
        -> DoseTapTestSupport.Command.Outcome
    {
        var variables = environment
        variables["HOME"] = variables["HOME"] ?? "/nonexistent"
        variables["PATH"] = (environment["PATH"].map { $0 + ":" } ?? "") + "/usr/bin:/bin"
        return try DoseTapTestSupport.Command.run(
            [Project.path("Contrib/hooks/" + hook)], environment: variables, input: Data(line.utf8))
    }

    /// Runs a hook: the request that it sends, and how it ends.
    private static func exchange(
        _ hook: String, answer: Int, _ environment: (String) -> [String: String]
    ) throws -> (request: [String], outcome: DoseTapTestSupport.Command.Outcome) {
        let server = try Child("/usr/bin/env", ["python3", "-c", listener, String(answer)])
        let words = server.read(until: " .").split(separator: " ")
        let port = try #require(words.count > 1 ? words[1] : nil)
        let outcome = try run(hook, environment("http://127.0.0.1:\(port)"))
        let said = try server.finish()
        return (said.output.split(separator: "\n").map(String.init), outcome)
    }

    @Test func `ntfy sends the text, urgent, with its token`() throws {
        let (request, outcome) = try Self.exchange("ntfy", answer: 200) {
            ["NTFY_URL": $0 + "/secret-topic", "NTFY_TOKEN": "tk_1"]
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(request.contains("/secret-topic") && request.contains("BODY It is time. Look at the screen."))
        #expect(request.contains("Priority: urgent") && request.contains("Authorization: Bearer tk_1"))
    }

    @Test func `light switches the lamp on, and fails aloud when it is refused`() throws {
        for (answer, works) in [(200, true), (401, false)] {
            let (request, outcome) = try Self.exchange("light", answer: answer) {
                ["HASS_URL": $0 + "/", "HASS_TOKEN": "t", "HASS_ENTITY": "light.bedroom"]
            }
            #expect((outcome.status == 0) == works && outcome.errors.isEmpty == works, "\(outcome.errors)")
            #expect(request.contains("/api/services/light/turn_on") && request.contains("Authorization: Bearer t"))
            #expect(request.contains(#"BODY {"entity_id":"light.bedroom","brightness_pct":100}"#))
        }
    }

    /// Puts a program on the `PATH` in place of one that would use the network.
    private static func standIn(_ name: String, _ text: String, in folder: ScratchFolder) throws {
        let path = folder.path(name)
        try ("#!/bin/sh\n" + text + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    @Test func `mqtt publishes the whole line below the event's topic`() throws {
        let folder = try ScratchFolder()
        try Self.standIn("mosquitto_pub", "echo \"$@\"; cat", in: folder)
        let outcome = try Self.run("mqtt", ["MQTT_HOST": "broker", "PATH": folder.path("").description])
        #expect(outcome.text == "-h broker -p 1883 -t dosetap/alarm -q 1 -s\n" + Self.line.dropLast())
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// A real broker that listens on this machine only and wants a password.
    private static func broker(in folder: ScratchFolder) throws -> (broker: Child, port: String) {
        let free = try DoseTapTestSupport.Command.check([
            "python3", "-c", "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])",
        ])
        let port = free.text.trimmingCharacters(in: .whitespacesAndNewlines)
        let names = folder.path("names")
        try DoseTapTestSupport.Command.check(["mosquitto_passwd", "-b", "-c", names, "me", "pass word#1"])
        let user = NSUserName()
        let settings = folder.path("mosquitto.conf")
        try "listener \(port) 127.0.0.1\nallow_anonymous false\npassword_file \(names)\nuser \(user)\n".write(
            toFile: settings, atomically: false, encoding: .utf8)
        let broker = try Child("/usr/bin/env", ["PATH=/usr/sbin:/usr/bin", "mosquitto", "-c", settings])
        #expect(broker.read(until: "running").contains("running"))
        return (broker, port)
    }

    @Test(.enabled(if: access("/usr/sbin/mosquitto", X_OK) == 0, "mosquitto is not installed"))
    func `mqtt reaches a real broker, and fails aloud when it is refused or nobody is there`() throws {
        let folder = try ScratchFolder()
        let (broker, port) = try Self.broker(in: folder)
        // The hook must not override the person's own files for mosquitto_pub.
        let config = folder.path("config")
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        try "-u me\n-P pass word#1\n".write(toFile: config + "/mosquitto_sub", atomically: false, encoding: .utf8)
        try "--id sleeper\n".write(toFile: config + "/mosquitto_pub", atomically: false, encoding: .utf8)
        let listener = try Child(
            "/usr/bin/env",
            [
                "XDG_CONFIG_HOME=" + config, "timeout", "20", "stdbuf", "-oL", "mosquitto_sub", "-h", "127.0.0.1", "-p",
                port, "-t",
                "dosetap/#", "-C", "1", "-v", "-d",
            ])
        #expect(listener.read(until: "Subscribed").contains("Subscribed"))
        var settings = [
            "MQTT_HOST": "127.0.0.1", "MQTT_PORT": port, "XDG_CONFIG_HOME": config, "TMPDIR": folder.path(""),
        ]
        settings.merge(["MQTT_USER": "me", "MQTT_PASSWORD": "wrong"]) { $1 }
        let refused = try Self.run("mqtt", settings)
        #expect(refused.status != 0 && refused.errors.contains("not authorised"), "\(refused)")
        settings["MQTT_PASSWORD"] = "pass word#1"
        let outcome = try Self.run("mqtt", settings)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try listener.finish().output.contains("dosetap/alarm \(Self.line.dropLast())\n"))
        broker.signal(SIGTERM)
        #expect(try broker.finish().output.contains("as sleeper"))
        let nobody = try Self.run("mqtt", settings)
        #expect(nobody.status != 0 && nobody.errors.contains("refused"), "\(nobody)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted()
        #expect(left == ["config", "mosquitto.conf", "names"], "the password's file is gone")
    }

    @Test func `screen shows the text on the other side, as data`() throws {
        let folder = try ScratchFolder()
        try Self.standIn("ssh", "echo \"host $5\"; eval \"$6\"", in: folder)
        try Self.standIn("notify-send", "echo \"$4\"", in: folder)
        try Self.standIn("wall", "exit 1", in: folder)
        let outcome = try Self.run("screen", ["SCREEN_HOST": "other", "PATH": folder.path("").description])
        #expect(outcome.text == "host other\nIt is time. Look at the screen.\n", "\(outcome.errors)")
        #expect(outcome.status == 0)
    }

    @Test(arguments: [("ntfy", "NTFY_URL"), ("mqtt", "MQTT_HOST"), ("light", "HASS_URL"), ("screen", "SCREEN_HOST")])
    func `an example without its settings says which`(hook: String, setting: String) throws {
        let outcome = try Self.run(hook, [:])
        #expect(outcome.status != 0 && outcome.errors.contains("\(setting): is not set"), "\(outcome.errors)")
    }
}
