import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// A client of sockets, which can send requests that no browser sends.
struct RawClient {
    /// The printed address.
    let entrance: String
    let port: UInt16

    init(_ line: String) throws {
        entrance = line
        port = try #require(URL(string: line)?.port.flatMap(UInt16.init))
    }

    var target: String { "/" + entrance.split(separator: "/", maxSplits: 2)[2] }
    var host: String { "127.0.0.1:\(port)" }

    /// An open connection, whose reads fail after 20 s without an answer.
    func connect() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0, "connect: \(errno)")
        return descriptor
    }

    /// Sends a text, as far as the other side reads.
    func send(_ text: String, on descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads to the end, or until a text has come.
    func read(_ descriptor: Int32, until mark: String? = nil) -> String {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &room, room.count)
            guard count > 0 else { break }
            bytes += room[..<count]
            if let mark, String(decoding: bytes, as: UTF8.self).contains(mark) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Sends a text and reads the whole answer.
    func raw(_ text: String) throws -> String {
        let descriptor = try connect()
        defer { close(descriptor) }
        send(text, on: descriptor)
        return read(descriptor)
    }

    /// Sends a request. A test can change `host` and add header lines.
    func ask(_ target: String, _ method: String = "GET", host: String? = nil, with lines: [String] = []) throws
        -> String
    {
        let head = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? self.host)"] + lines
        return try raw(head.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Uses the first address and returns the path of the page.
    func enter() throws -> String {
        let answer = try ask(target)
        try #require(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
        return try #require(answer.components(separatedBy: "url=").last?.components(separatedBy: "\"").first)
    }

    static func status(_ answer: String) -> String { String(answer.dropFirst(9).prefix(3)) }
    static func body(_ answer: String) -> String {
        answer.range(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
    }
}

@Suite struct WebTests {
    private static var isOther: Bool { geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0 }

    private static func end(_ session: FollowSession, _ signal: Int32) async throws {
        let code = try await session.end(signal)
        #expect(code == 0)
    }

    /// A record with a dose, and a page of it that is served.
    private func served(_ more: [String] = []) async throws -> (CLIHarness, FollowSession, RawClient) {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1")
        let session = try FollowSession(["web"] + more, cli.environment)
        return (cli, session, try RawClient(try await session.line()))
    }

    @Test func `R36.1 the page is that of report, and nothing is recorded by it`() async throws {
        let (cli, session, client) = try await served()
        let before = try await cli.run("export", "log").out
        let path = try client.enter()
        let frame = try client.ask(path)
        #expect(RawClient.status(frame) == "200" && frame.contains("<iframe src=\"report\""))
        let report = try client.ask(path + "report")
        #expect(RawClient.status(report) == "200")
        let page = RawClient.body(report)
        #expect(page.contains("data-mark=\"dose1\""))
        #expect(try await cli.run("report").out == page)
        for answer in [frame, report] {
            for line in [
                "Content-Security-Policy: default-src 'none'; ", "Cache-Control: no-store",
                "Referrer-Policy: no-referrer",
                "X-Content-Type-Options: nosniff", "Connection: close",
            ] { #expect(answer.contains("\r\n\(line)"), "\(line)") }
            #expect(!answer.lowercased().contains("set-cookie") && !answer.contains("unsafe-inline'; frame"))
        }
        let head = try client.ask(path + "report", "HEAD")
        #expect(RawClient.status(head) == "200" && RawClient.body(head).isEmpty)
        #expect(try await cli.run("export", "log").out == before)
        try await Self.end(session, SIGINT)
    }

    @Test func `R36.3 what no own browser asks is refused, and the page stays`() async throws {
        let (_, session, client) = try await served()
        let bad: [(String, String)] = [
            ("421", try client.ask(client.target, host: "evil.example")),
            ("421", try client.ask(client.target, host: "localhost:\(client.port)")),
            ("421", try client.raw("GET \(client.target) HTTP/1.0\r\n\r\n")),
            ("403", try client.ask(client.target, with: ["Origin: http://evil.example"])),
            ("403", try client.ask("/", with: ["Sec-Fetch-Site: cross-site"])),
            ("403", try client.ask("/")), ("403", try client.ask("/open/" + String(repeating: "0", count: 64))),
            ("405", try client.ask(client.target, "POST", with: ["Content-Length: 3"])),
            ("405", try client.ask(client.target, "DELETE")),
            ("413", try client.ask(client.target, with: ["Content-Length: 3"])),
            ("413", try client.ask(client.target, with: ["Transfer-Encoding: chunked"])),
            ("431", try client.ask(client.target, with: ["X: " + String(repeating: "x", count: 1 << 20)])),
            ("431", try client.raw("GET /" + String(repeating: "x", count: 9_000))),
            ("400", try client.raw("\u{16}\u{3}\u{1}nonsense\r\n\r\n")),
        ]
        for (status, answer) in bad { #expect(RawClient.status(answer) == status, "\(status): \(answer.prefix(300))") }
        // The bad requests did not use up the first address.
        let path = try client.enter()
        let used = try client.ask(client.target)
        #expect(RawClient.status(used) == "403")
        let inside = [
            try client.ask(path, with: ["Sec-Fetch-Site: cross-site"]),
            try client.ask(path + "report", host: "evil.example"),
            try client.ask(path + "report", "POST"), try client.ask(path + "changes", with: ["Origin: null"]),
            try client.ask(path + "x"),
        ]
        #expect(inside.map(RawClient.status) == ["403", "421", "405", "403", "403"])
        let secret = path.split(separator: "/")[1]
        for answer in bad.map(\.1) + [used] + inside {
            #expect(!answer.contains("data-mark") && !answer.contains(secret) && answer.utf8.count < 1_000)
        }
        #expect(RawClient.status(try client.ask(path)) == "200")
        try await Self.end(session, SIGTERM)
    }

    @Test(.enabled(if: isOther, "needs root and setpriv, to be another user"))
    func `G8 another user gets no byte`() async throws {
        let (_, session, client) = try await served()
        let program = """
            import socket, sys
            target = sys.stdin.read()
            s = socket.create_connection(("127.0.0.1", \(client.port)), 20)
            s.settimeout(20)
            try:
                s.sendall(f"GET {target} HTTP/1.1\\r\\nHost: \(client.host)\\r\\n\\r\\n".encode())
                print(len(s.recv(100)))
            except (ConnectionResetError, BrokenPipeError):
                print(0)
            """
        func bytes(as words: [String]) async throws -> String {
            let other = Process()
            other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            other.arguments = words + ["/usr/bin/python3", "-c", program]
            let (input, output) = (Pipe(), Pipe())
            (other.standardInput, other.standardOutput) = (input, output)
            try input.fileHandleForWriting.write(contentsOf: Data((client.target + "x").utf8))
            try input.fileHandleForWriting.close()
            #expect(try await other.outcome() == 0)
            return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }
        #expect(try await bytes(as: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]) == "0\n")
        // The same program run by this user gets an answer.
        #expect(try await bytes(as: []) == "100\n")
        _ = try client.enter()
        try await Self.end(session, SIGTERM)
    }

    @Test func `R36.4 of a thousand connections 64 are held, and the page stays`() async throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 4_096))
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        let (_, session, client) = try await served()
        let path = try client.enter()
        var open = try (0..<1_000).map { _ in try client.connect() }
        // A refused connection ends. A held connection gets no bytes, so the silent connections are the held ones.
        var isHeard = true
        while isHeard {
            var asked = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            isHeard = open.count > 64 && poll(&asked, nfds_t(asked.count), 20_000) > 0
            for ended in asked where ended.revents != 0 { close(ended.fd) }
            if isHeard { open = asked.filter { $0.revents == 0 }.map(\.fd) }
        }
        #expect(open.count == 64)
        for descriptor in open { close(descriptor) }
        var answer = ""
        for _ in 0..<1_000 where !answer.hasPrefix("HTTP/1.1 200") { answer = try client.ask(path) }
        #expect(RawClient.status(answer) == "200")
        try await Self.end(session, SIGTERM)
    }

    @Test func `R36.6 a page hears of each change once`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let daemon = try DaemonProcess(arguments: ["--store", folder.path("dosetap.db"), "--address", bus.address])
        try daemon.awaitReady()
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "TZ": HourZone.night]
        let session = try FollowSession(["web", "--nights", "30"], environment)
        let client = try RawClient(try await session.line())
        let path = try client.enter()
        // After this answer the page listens to changes of the record.
        #expect(RawClient.body(try client.ask(path + "report")).contains("No nights yet"))
        let stream = try client.connect()
        defer { close(stream) }
        client.send("GET \(path)changes HTTP/1.1\r\nHost: \(client.host)\r\n\r\n", on: stream)
        #expect(client.read(stream, until: "\r\n\r\n").contains("Content-Type: text/event-stream"))
        #expect(try await Tool.run(["log", "dose1"], environment).code == 0)
        var heard = client.read(stream, until: "data:\n\n")
        #expect(RawClient.body(try client.ask(path + "report")).contains("data-mark=\"dose1\""))
        #expect(try await Tool.run(["skip"], environment).code == 0)
        heard += client.read(stream, until: "data:\n\n")
        try await Self.end(session, SIGTERM)
        heard += client.read(stream)
        #expect(heard == "event: change\ndata:\n\nevent: change\ndata:\n\n")
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
    }

    @Test func `R36.2 the address stands in no argument and no variable`() async throws {
        let (_, session, client) = try await served()
        let path = try client.enter()
        let secrets = [client.target, path].map { $0.split(separator: "/")[1] }
        let own = session.processID
        let children = try String(contentsOfFile: "/proc/\(own)/task/\(own)/children", encoding: .utf8)
            .split(separator: " ").compactMap { Int32($0) }
        #expect(!children.isEmpty)
        for process in [own] + children {
            for name in ["cmdline", "environ"] {
                let data = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/\(name)"))
                #expect(!data.isEmpty || name == "environ")
                for secret in secrets { #expect(!String(decoding: data, as: UTF8.self).contains(secret)) }
            }
        }
        try await Self.end(session, SIGINT)
        for process in children { #expect(kill(process, 0) != 0) }
    }

    @Test func `R36.7 without a look it ends by itself`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let server = Process()
        server.executableURL = Tool.folder.appendingPathComponent("dosetap-web")
        server.arguments = ["--idle", "1"]
        server.standardInput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        #expect(try await server.outcome() == 0)
        close(ends[0])
        let told = try Journal.entries(matching: ["_PID": "\(server.processIdentifier)"]).compactMap { $0["MESSAGE"] }
        #expect(
            told == [
                "A page of the nights is served to this user on this machine",
                "The page of the nights is served no longer",
            ])
    }

    @Test func `R36.1 wrong usage is named`() async throws {
        let cli = try CLIHarness()
        for words in [["--nights", "0"], ["--nights", "3701"], ["--port", "80"], ["x"]] {
            #expect(try await cli.run(words: ["web"] + words).code == 64, "\(words)")
        }
    }

    @Test func `R36.8 a browser is led by a private file that does not stay`() async throws {
        let cli = try CLIHarness()
        let folder = try ScratchFolder()
        let bin = folder.path("bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        let opener = bin + "/xdg-open"
        try Data("#!/bin/sh\nstat -c %a \"$1\" >\(folder.path("told"))\ncat \"$1\" >>\(folder.path("told"))\n".utf8)
            .write(to: URL(fileURLWithPath: opener))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
        let runtime = folder.path("run")
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
        let environment = cli.environment.merging(["PATH": bin + ":/usr/bin:/bin", "XDG_RUNTIME_DIR": runtime]) { $1 }
        let session = try FollowSession(["web", "--open", "--json"], environment)
        let object = try JSONValue.parse(try await session.line())
        #expect(try SchemaTests.Validator().faults(object, "web") == [])
        let client = try RawClient(try #require(object["address"]?.stringValue))
        try await Self.end(session, SIGTERM)
        let told = try String(contentsOfFile: folder.path("told"), encoding: .utf8)
        #expect(told.hasPrefix("600\n") && told.contains("url=\(client.entrance)\""), "\(told)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: runtime) == [])
    }
}
