import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// A person's words are in the record and in the answers to the person, and nowhere else.
@Suite(.serialized) struct SecretsTests {
    /// Typed names of medicines, notes and reasons (R26.8). A machine has these words nowhere else.
    static let words = [
        "Quetzalnote", "quetzalreason", "quetzalmedicine", "quetzalkind", "quetzalanswer", "quetzalkey",
    ]
    static let amounts = ["4321", "2.625", "2625"]

    static func leaks(_ text: String) -> [String] {
        words.filter { text.contains($0) } + amounts.filter { stands($0, in: text) }
    }

    /// Numbers of the system (process ids, sizes, line numbers) may equal an amount, so only words are looked for.
    static func leakedWords(_ text: String) -> [String] { words.filter { text.contains($0) } }

    /// A line of every verb that records, with text in each text field.
    static let recordings: [[String]] = [
        ["regimen", "set", "xyrem", "5.25g", "--note", "Quetzalnote"],
        ["med", "take", "quetzalmedicine", "4321", "--note", "Quetzalnote", "--key", "quetzalkey"],
        ["presleep", "--set", "late_meal=light", "--note", "Quetzalnote"],
        ["inventory", "add", "180mL", "--medicine", "xyrem", "--note", "Quetzalnote"],
        ["log", "dose1", "--ago", "155m", "--amount", "2.625g", "--note", "Quetzalnote"],
        ["log", "quetzalkind", "--note", "Quetzalnote"], ["log", "bathroom", "--note", "Quetzalnote"],
        ["snooze", "--note", "Quetzalnote"], ["amend", "dose1", "--note", "Quetzalnote 4321"],
        ["log", "dose2", "--amount", "2.625g", "--note", "Quetzalnote"], ["undo"],
        ["skip", "--reason", "quetzalreason", "--note", "Quetzalnote"], ["delete", "last bathroom"],
        ["wake", "--note", "Quetzalnote"], ["checkin", "--set", "mood=good", "--note", "Quetzalnote"],
        ["log", "Quetzalnote"], ["med", "take", "Quetzalnote"], ["why", "Quetzalnote"],
    ]

    /// Lines of the verbs that import, export or ask. The names and the contents of their files have the words.
    static func exchanges(in folder: ScratchFolder) throws -> [[String]] {
        let file = folder.path("Quetzalnote.csv")
        try "sid,start,stop,rating,comment\n1,1736118000000,1736146800000,4,Quetzalnote 4321\n2,x,y,1,quetzalanswer\n"
            .write(toFile: file, atomically: false, encoding: .utf8)
        let log = folder.path("quetzalanswer.jsonl")
        return [
            [
                "sleep", "add", "2025-02-01 23:00", "2025-02-02 06:00", "--source", "quetzalkind", "--device",
                "Quetzalnote",
            ]
                + ["--note", "Quetzalnote", "--confirm", "long_ago"],
            ["sleep", "live", "light"], ["usual"],
            ["lab", "ask", "late_meal", "rested", "--note", "Quetzalnote"],
            ["lab", "plan", "screens", "rested", "--seed", "7", "--note", "Quetzalnote"],
            ["lab", "list"], ["lab", "explore", "late_meal", "rested"],
            ["import", "plees", file, "--dry-run"],
            ["import", "plees", file, "--report", folder.path("quetzalkey.csv")],
            ["import", "list"], ["export", "log", "-o", log], ["import", "log", log],
            ["export", "csv", "dose_events", "-o", folder.path("Quetzalnote-doses.csv")],
            ["export", "fhir", "--profile", "clinic", "--yes", "-o", folder.path("quetzalmedicine.json")],
            ["report", "-o", folder.path("Quetzalnote.html")],
            ["packet", "--yes", "--with", "notes,medicines", "-o", folder.path("quetzalreason.zip")],
        ]
    }

    /// The names and the text of all files below a folder.
    private static func text(below folder: String, except: [String] = []) -> String {
        let walker = FileManager.default.enumerator(atPath: folder)
        var text = ""
        while let path = walker?.nextObject() as? String {
            guard !except.contains(where: { (folder + "/" + path).hasPrefix($0) }) else { continue }
            text += path + "\n"
            var status = stat()
            guard lstat(folder + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_size < 4 << 20
            else { continue }
            text += String(decoding: FileManager.default.contents(atPath: folder + "/" + path) ?? Data(), as: UTF8.self)
        }
        return text
    }

    /// The text in `/proc` about a process.
    private static func told(of process: pid_t) -> String {
        let base = "/proc/\(process)"
        var text = ""
        for file in ["cmdline", "environ", "maps", "status", "comm", "stat"] {
            text += String(decoding: FileManager.default.contents(atPath: "\(base)/\(file)") ?? Data(), as: UTF8.self)
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: base + "/fd")) ?? [] {
            text += (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(base)/fd/\(name)")) ?? ""
        }
        return text
    }

    @Test(.enabled(if: Testbed.isActive, "needs the journal of a test bed: run Contrib/test"))
    func `R26.8 I2 what is recorded stands in no journal, signal, notification, process list or temporary file`()
        async throws
    {
        let (bus, folder, other) = (try PrivateBus(), try ScratchFolder(), try ScratchFolder())
        for name in ["config/dosetap", "run", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: other.path(name), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try Data("medications:\n  custom: [quetzalmedicine]\nsleep_events:\n  custom: [quetzalkind]\n".utf8)
            .write(to: URL(filePath: other.path("config/dosetap/config.yaml")))
        let server = try await ScriptedNotificationServer.start(on: bus.address)
        let signals = try Child("/usr/bin/dbus-monitor", ["--address", bus.address, "type='signal'"])
        let begun = Date()
        let daemon = try DaemonProcess(
            arguments: ["--store", folder.path("dosetap.db"), "--address", bus.address],
            environment: [
                "XDG_CONFIG_HOME": other.path("config"), "XDG_RUNTIME_DIR": other.path("run"),
                "TMPDIR": other.path("tmp"),
            ])
        try daemon.awaitReady()
        let environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "TZ": HourZone.night, "TMPDIR": other.path("tmp"),
        ]
        var answers = ""
        for words in Self.recordings {
            let outcome = try await Tool.run(words, environment)
            answers += outcome.out + outcome.err
            #expect(Self.leakedWords(Self.told(of: daemon.processID)) == [], "after \(words)")
        }
        #expect(answers.contains("Recorded") || answers.contains("Dose 1"), "\(answers)")
        let files = try ScratchFolder()
        for words in try Self.exchanges(in: files) {
            // The search path has no program that makes a PDF, since such a program writes files of its own.
            let outcome = try await Tool.run(words, environment.merging(["PATH": other.path("none")]) { $1 })
            let isKnown = words.starts(with: ["import", "log"])
            #expect(outcome.code == (isKnown ? 2 : 0), "\(words): \(outcome)")
            #expect(Self.leakedWords(Self.told(of: daemon.processID)) == [], "after \(words)")
        }
        #expect(Self.leaks(Self.text(below: files.url.path)).count >= 5, "the files have what was recorded")
        _ = try await server.awaitShown(1)
        let record = String(decoding: try Data(contentsOf: URL(filePath: folder.path("dosetap.db-wal"))), as: UTF8.self)
        #expect(Self.leaks(record).count >= 6, "they were recorded: \(Self.leaks(record))")

        let since = begun.timeIntervalSince1970
        let entries = try Journal.entries(matching: ["_PID": "\(daemon.processID)"])
        #expect(entries.count > 8, "since \(since)")
        for entry in entries {
            func text(_ keys: some Sequence<String>) -> String {
                keys.flatMap { entry.fields[$0] ?? [] }.map { String(decoding: $0, as: UTF8.self) }
                    .joined(separator: " ")
            }
            // The fields that journald adds begin with an underscore and have numbers of the system.
            let added = entry.fields.keys.filter { $0.hasPrefix("_") }
            #expect(Self.leakedWords(text(added)) == [], "\(text(added))")
            let own = Set(entry.fields.keys).subtracting(added)
            #expect(Self.leaks(text(own)) == [], "\(text(own))")
        }
        for shown in server.shown {
            #expect(Self.leaks("\(shown.summary) \(shown.body) \(shown.actions) \(shown.hints)") == [])
        }
        let besides = Self.text(
            below: other.path("config") + "/..", except: [other.path("config") + "/../config/dosetap/config.yaml"])
        #expect(Self.leaks(besides) == [], "\(besides)")
        #expect(Self.leaks(daemon.errors + daemon.output) == [])
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
        await server.stop()
        signals.signal(SIGTERM)
        let broadcast = try signals.finish().output
        #expect(broadcast.contains("EventRecorded") && broadcast.contains("PropertiesChanged"))
        #expect(Self.leaks(broadcast) == [], "\(broadcast)")
    }

    @Test func `R26.8 I2 the words of a command do not stay in the list of processes`() async throws {
        let cli = try CLIHarness()
        let session = try FollowSession(
            cli.options + ["status", "--follow", "--time-zone", "America/Argentina/Ushuaia"])
        _ = try await session.line()
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
        let lines = processes.map { process in
            String(decoding: FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data(), as: UTF8.self)
        }
        let own = FileManager.default.contents(atPath: "/proc/\(session.processID)/cmdline") ?? Data()
        #expect(String(decoding: own, as: UTF8.self).contains("dosetap"), "the program is in the list")
        #expect(!lines.contains { $0.contains("Ushuaia") })
        try expectNoCore(of: session.processID)
        #expect(try await session.end(SIGTERM) == 0)
    }

    /// Expects that a process writes no core.
    private func expectNoCore(of process: Int32) throws {
        func said(_ name: String) throws -> String {
            try String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
        }
        let limit = try said("limits").split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(limit?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(limit ?? "")")
        // The filter also covers a core that goes through a pipe to a program, which no limit holds back.
        #expect(try said("coredump_filter") == "00000000\n")
    }

    @Test func `R26.9 I2 the kernel is told to write no core of the service`() throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let daemon = try DaemonProcess(
            arguments: ["--store", folder.path("dosetap.db"), "--address", bus.address],
            environment: ["HOME": folder.path("home")])
        try daemon.awaitReady()
        try expectNoCore(of: daemon.processID)
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
    }

    /// The absence of a core shows only where a core is a file in the working folder.
    private static let writesCores =
        (try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)) == "core\n"

    @Test(.enabled(if: writesCores, "needs the kernel.core_pattern core: sysctl kernel.core_pattern=core"))
    func `R26.9 I2 a service that crashes leaves no core`() throws {
        let folder = try ScratchFolder()
        let bus = try PrivateBus()
        let isServing = "busctl --address=\(bus.address) status org.dosetap.DoseTap1 >/dev/null 2>&1"
        /// The number of cores of a program that is killed as soon as a condition holds.
        func cores(_ program: String, _ environment: String = "", once condition: String = "true") throws -> Int {
            // bash and not sh: dash waits for ever where the test's thread blocks SIGCHLD.
            let outcome = try TestProgram.run([
                "bash", "-c",
                "cd \(folder.path("")) && ulimit -c unlimited; \(environment) HOME=\(folder.path("home")) \(program) & "
                    + "child=$!; for turn in $(seq 200); do \(condition) && break; sleep 0.1; done; "
                    + "kill -SEGV $child; wait $child; echo ended $?; ls core* 2>/dev/null | wc -l; rm -f core*",
            ])
            #expect(outcome.text.contains("ended 139"), "\(outcome)")
            return Int(outcome.text.split(whereSeparator: \.isWhitespace).last ?? "") ?? -1
        }
        try #require(try cores("sleep 30") == 1, "a core is written here at all")
        let program = "\(DaemonProcess.program) --store \(folder.path("dosetap.db")) --address \(bus.address)"
        #expect(try cores(program, "SWIFT_BACKTRACE=enable=no", once: isServing) == 0)
        #expect(try cores(program, "INVOCATION_ID=1 SWIFT_BACKTRACE=enable=no", once: isServing) == 0)
    }

    @Test func `R26.10 I3 files that others may read are closed at the start, which is told once`() async throws {
        let (bus, folder, home) = (try PrivateBus(), try ScratchFolder(), try ScratchFolder())
        let config = home.path("config/dosetap")
        func start() throws -> DaemonProcess {
            let daemon = try DaemonProcess(
                arguments: ["--store", folder.path("dosetap.db"), "--address", bus.address],
                environment: ["XDG_CONFIG_HOME": home.path("config"), "XDG_RUNTIME_DIR": home.path("run")])
            try daemon.awaitReady()
            return daemon
        }
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "TZ": HourZone.night]
        let first = try start()
        #expect(try await Tool.run(["log", "dose1"], environment).code == 0)
        #expect(try await Tool.run(["config", "set", "snooze.max", "2"], environment).code == 0)
        first.signal(SIGTERM)
        #expect(try first.awaitExit() == 0)
        try FileManager.default.createDirectory(
            atPath: folder.path("backups"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755])
        try Data("x".utf8).write(
            to: URL(filePath: folder.path("backups/manual-2026-01-15T080000Z-3-0123456789abcdef.db")))
        let theirs = ["theirs", "backups/camera.db"].map(folder.path)
        for path in theirs { try Data("x".utf8).write(to: URL(filePath: path)) }
        let ours =
            ["dosetap.db", "dosetap.db.head", "dosetap.db.night", "dosetap.db.reserve", "dosetap.db.lease"]
            .map(folder.path) + [
                folder.path("backups/manual-2026-01-15T080000Z-3-0123456789abcdef.db"), config + "/config.yaml",
            ]
        for path in ours + theirs { chmod(path, 0o644) }
        chmod(config, 0o755)
        func mode(_ path: String) -> Int? {
            (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
        }
        for isFirst in [true, false] {
            let daemon = try start()
            for path in ours { #expect(mode(path) == 0o600, "\(path)") }
            // The folder of backups beside a named record may hold files of other programs.
            #expect(mode(config) == 0o700 && mode(folder.path("backups")) == 0o755)
            for path in theirs { #expect(mode(path) == 0o644, "what is not ours is left") }
            daemon.signal(SIGTERM)
            #expect(try daemon.awaitExit() == 0)
            guard Testbed.isActive else { continue }
            let told = try Journal.entries(matching: [
                "_PID": "\(daemon.processID)", "MESSAGE_ID": "c1b0f8a7e2d94d54b7a36a4f09d1c8e5",
            ])
            #expect(told.count == (isFirst ? 1 : 0))
            if isFirst { #expect(told.first?["DOSETAP_FILES"]?.contains("config.yaml") == true) }
        }
    }

    /// Waits until a file of this name exists.
    private static func appears(_ path: String) async throws {
        for _ in 0..<400 {
            if FileManager.default.fileExists(atPath: path) { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw CocoaError(.fileNoSuchFile)
    }

    private static let proxy = "/usr/bin/xdg-dbus-proxy"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: proxy), "needs xdg-dbus-proxy: run Contrib/test"))
    func `R26.8 a sandboxed program sees nothing unless its sandbox was opened for it`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let daemon = try DaemonProcess(
            arguments: ["--store", folder.path("dosetap.db"), "--address", bus.address])
        try daemon.awaitReady()
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "TZ": HourZone.night]
        // Flatpak's rules: none, to see the name, to talk to the name, to make one call.
        for (rule, reaches, hears) in [
            ([], false, false), (["--see=org.dosetap.DoseTap1"], false, false),
            (["--talk=org.dosetap.DoseTap1"], true, true),
            (["--call=org.dosetap.DoseTap1=org.dosetap.DoseTap1.Session.Status@/org/dosetap/DoseTap1"], true, false),
        ] as [([String], Bool, Bool)] {
            let socket = folder.path("proxy-\(UUID().uuidString.prefix(8))")
            let proxy = try Child(Self.proxy, [bus.address, socket, "--filter"] + rule)
            try await Self.appears(socket)
            let inside = "unix:path=\(socket)"
            let heard = try Child("/usr/bin/dbus-monitor", ["--address", inside, "type='signal'"])
            let listening = heard.read(until: "NameAcquired")
            // The test uses gdbus: this proxy refuses clients of sd-bus, which send their first call before they are
            // admitted. The proxy refuses the command dosetap for the same reason.
            func call(_ member: String) throws -> TestProgram.Outcome {
                try TestProgram.run([
                    "timeout", "20", "gdbus", "call", "--address", inside, "--dest", "org.dosetap.DoseTap1",
                    "--object-path", "/org/dosetap/DoseTap1", "--method", "org.dosetap.DoseTap1.\(member)", "@a{sv} {}",
                ])
            }
            let answer = try call("Session.Status")
            #expect((answer.status == 0) == reaches, "\(rule): \(answer.errors)")
            let wipe = try call("Data.Wipe")
            #expect(wipe.errors.contains("org.dosetap.DoseTap1.Error") == hears, "\(rule): \(wipe.errors)")
            #expect(try await Tool.run(["log", "water", "--note", "Quetzalnote"], environment).code == 0)
            #expect(try await Tool.run(["undo"], environment).code == 0)
            let recorded = hears ? heard.read(until: "EventRecorded") : ""
            heard.signal(SIGTERM)
            let told = listening + recorded + (try heard.finish().output)
            #expect(told.contains("EventRecorded") == hears, "\(rule): \(told)")
            #expect(Self.leaks(told) == [])
            proxy.signal(SIGTERM)
            _ = try proxy.finish()
        }
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
    }
}
