import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct NewRecordTests {
    @Test func `R21.12 no question makes a record, an entry only where its folder exists, and says where`() async throws
    {
        let folder = try ScratchFolder()
        let files = FileManager.default
        let (mistyped, here) = (folder.path("nowhere/x.db"), folder.path("x.db"))
        for path in [mistyped, here] {
            for words in [["status"], ["history"], ["stats"], ["db", "check"]] {
                let tool = try await Tool.run(["--bus", "none", "--store", path] + words)
                #expect(tool.code <= 1, "\(words): \(tool)")
                if words == ["status"] { #expect((tool.out + tool.err).contains("no record at \(path) yet")) }
            }
        }
        #expect(try files.contentsOfDirectory(atPath: folder.path("")).isEmpty)
        let refused = try await Tool.run(["--bus", "none", "--store", mistyped, "log", "dose1"])
        #expect(refused.code == 1 && refused.err.contains("folder"), "\(refused)")
        #expect(try files.contentsOfDirectory(atPath: folder.path("")).isEmpty)
        let made = try await Tool.run(["--bus", "none", "--store", here, "log", "dose1"])
        #expect(made.code == 0 && (made.out + made.err).contains("new record was begun at \(here)"), "\(made)")
        let again = try await Tool.run(["--bus", "none", "--store", here, "status"])
        #expect(again.code == 0 && !(again.out + again.err).contains("no record at"), "\(again)")
    }

    @Test func `R21.12 a service that a question starts makes no record, the first dose does at the default place`()
        async throws
    {
        let (bus, folder, files) = (try PrivateBus(), try ScratchFolder(), FileManager.default)
        let data = folder.path("data")
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_DATA_HOME": data]
        let daemon = try DaemonProcess(arguments: ["--address", bus.address], environment: environment)
        try daemon.awaitReady()
        for words in [["status"], ["history"], ["db", "verify"], ["db", "rebuild"], ["doctor"]] {
            let tool = try await Tool.run(words, environment)
            #expect(tool.code <= 1, "\(words): \(tool)")
        }
        #expect(!files.fileExists(atPath: data))
        let made = try await Tool.run(["log", "dose1"], environment)
        #expect(
            made.code == 0 && (made.out + made.err).contains("new record was begun at \(data)/dosetap/dosetap.db"),
            "\(made)")
        let later = try await Tool.run(["log", "bathroom"], environment)
        #expect(later.code == 0 && !(later.out + later.err).contains("new record"), "\(later)")
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
        #expect(files.fileExists(atPath: data + "/dosetap/dosetap.db"))
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `who types sudo by habit gets no record of root's`() async throws {
        let folder = try ScratchFolder()
        let home = ["HOME": folder.path(""), "DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": folder.path("none")]
        let sudo = home.merging(["SUDO_UID": "1000", "SUDO_USER": "anna"]) { $1 }
        let refused = try await Tool.run(["log", "dose1"], sudo)
        #expect(refused.code == 64 && refused.err.contains("apart from that of anna."), "\(refused)")
        #expect(refused.err.contains("Next: dosetap log dose1\n"), "\(refused)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
        // Root without sudo, and a command that names its record, are not refused.
        let own = try await Tool.run(["log", "dose1"], home)
        #expect(own.code == 0 && own.err.contains("no reminders will come"), "\(own)")
        let named = try await Tool.run(["--bus", "none", "--store", folder.path("x.db"), "log", "bathroom"], sudo)
        #expect(named.code == 0, "\(named)")
    }

    @Test func `a variable that is nearly that of an option is named`() async throws {
        let folder = try ScratchFolder()
        let environment = ["DOSETAP_BUS": "none", "DOSETAP_STORE": folder.path("x.db")]
        let told = try await Tool.run(["status"], environment.merging(["DOSETAP_STROE": "/y.db"]) { $1 })
        #expect(told.err.contains("there is no variable DOSETAP_STROE. Did you mean DOSETAP_STORE?"), "\(told)")
        let others = ["DOSETAP_EVENT": "dose1", "DOSETAP_AT": "1", "DOSETAP_SNOOZE_MAX": "2", "DOSETAP_REASON": "x"]
        #expect(try await !Tool.run(["status"], environment.merging(others) { $1 }).err.contains("variable"))
    }

    @Test func `R21.13 what could change rows is refused by name, with the command that takes it away`() async throws {
        let folder = try ScratchFolder()
        let options = ["--bus", "none", "--store", folder.path("x.db")]
        #expect(try await Tool.run(options + ["log", "bathroom"]).code == 0)
        let sql = "CREATE TRIGGER sly AFTER INSERT ON events BEGIN SELECT 1; END"
        #expect(try Command.run(["sqlite3", folder.path("x.db"), sql]).status == 0)
        let refused = try await Tool.run(options + ["status", "--json"])
        let error = try refused.json["error"]
        #expect(refused.code == 1 && error?["kind"] == "store_unavailable", "\(refused)")
        #expect(error?["message"]?.stringValue?.contains("trigger 'sly'") == true, "\(refused)")
        let hint = try #require(error?["hint"]?.stringValue)
        #expect(try Command.run(["sh", "-c", hint]).status == 0, "\(hint)")
        #expect(try await Tool.run(options + ["db", "check"]).code == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root for a mount: run Contrib/test"))
    func `R21.15 a store on a read-only mount is read, and left as it is`() async throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("s"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let options = ["--bus", "none", "--store", folder.path("s/x.db")]
        #expect(try await Tool.run(options + ["log", "dose1", "--ago", "170m"]).code == 0)
        let run = "env HOME=\(folder.path("")) '\(Tool.program.path)' --bus none --store \(folder.path("s/x.db"))"
        let mount =
            "mount --bind \(folder.path("s")) \(folder.path("s")) && mount -o remount,ro,bind \(folder.path("s"))"
        for (words, code, text) in [
            ("status", 0, "cannot be written"), ("status", 0, "Dose 1:"), ("history", 0, " "), ("db verify", 0, " "),
            ("log dose2", 1, "the store cannot be written"),
        ] {
            let outcome = try Command.run(["unshare", "--mount", "sh", "-c", "\(mount) && \(run) \(words) 2>&1"])
            #expect(
                outcome.status == code && outcome.text.lowercased().contains(text.lowercased()), "\(words): \(outcome)")
        }
        let status = try await Tool.run(options + ["status", "--json"])
        #expect(try status.json["dose2_time"] == .null && status.json["warnings"]?.arrayValue?.count == 1, "\(status)")
    }

    @Test(.enabled(if: geteuid() == 0, "needs root for a mount: run Contrib/test"))
    func `R21.15 where nothing can be recorded the doctor says so before the first entry`() async throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.path("home"), withIntermediateDirectories: false)
        let home = folder.path("home")
        let run = "env -u DOSETAP_STORE -u XDG_DATA_HOME HOME=\(home) '\(Tool.program.path)' --bus none"
        let mount = "mount --bind \(home) \(home) && mount -o remount,ro,bind \(home)"
        let green = try Command.run(["sh", "-c", "\(run) doctor 2>&1"])
        #expect(green.text.contains("entries can be saved"), "\(green)")
        let red = try Command.run(["unshare", "--mount", "sh", "-c", "\(mount) && COLUMNS=200 \(run) doctor 2>&1"])
        #expect(red.text.contains("nothing can be recorded: /"), "\(red)")
        let refused = try Command.run(["unshare", "--mount", "sh", "-c", "\(mount) && \(run) log dose1 2>&1"])
        #expect(refused.status == 1 && refused.text.contains("Read-only file system"), "\(refused)")
        #expect(refused.text.contains("Nothing was recorded."), "\(refused)")
    }

    /// Overwrites all pages but the first, which tells whose file it is.
    private func damage(_ folder: ScratchFolder) throws {
        let handle = try FileHandle(forWritingTo: folder.url.appending(path: "x.db"))
        try handle.seek(toOffset: 4_096)
        try handle.write(contentsOf: Data(repeating: 0xA7, count: 65_536))
        try handle.close()
    }

    @Test func `R21.9 of a damaged store status and each receipt say so first`() async throws {
        let folder = try ScratchFolder()
        let options = ["--bus", "none", "--store", folder.path("x.db")]
        #expect(try await Tool.run(options + ["log", "dose1", "--ago", "170m"]).code == 0)
        try damage(folder)
        for (words, count) in [(["status"], 0), (["log", "dose2"], 1), ([], 1)] {
            let tool = try await Tool.run(options + words)
            let first = tool.out.prefix { $0 != "." }.split(separator: "\n").joined(separator: " ")
            #expect(tool.code == 0 && first.hasPrefix("the record at "), "\(tool)")
            #expect(tool.out.contains("is damaged") && tool.out.contains("\(count) so far"), "\(tool)")
        }
        for words in [
            ["history"], ["show", "last"], ["stats"], ["stats", "--intervals"], ["usual"], ["sleep", "list"],
            ["med", "list"], ["import", "list"], ["lab", "list"],
        ] {
            let told = try await Tool.run(options + words).out.split(whereSeparator: \.isWhitespace)
            #expect(told.joined(separator: " ").hasPrefix("the record at "), "\(words): \(told)")
        }
        for words in [["db", "verify"], ["db", "check"]] { #expect(try await Tool.run(options + words).code == 1) }
    }

    @Test func `R21.9 a damaged store without its copy of the last nights greets nobody and denies no dose`()
        async throws
    {
        let folder = try ScratchFolder()
        let options = ["--bus", "none", "--store", folder.path("x.db")]
        #expect(try await Tool.run(options + ["log", "dose1", "--ago", "170m"]).code == 0)
        try damage(folder)
        try FileManager.default.removeItem(at: folder.url.appending(path: "x.db.night"))
        for words in [[], ["status"]] {
            let tool = try await Tool.run(options + words)
            let told = tool.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(told.contains("Doses recorded before are not known here."), "\(tool)")
            #expect(told.contains("Dose 1: unknown. Dose 2: unknown."), "\(tool)")
            for wrong in ["No dose is on record", "Nothing is on record", "log dose1"] {
                #expect(!told.contains(wrong), "\(wrong): \(tool)")
            }
        }
        // Another entry tells nothing of doses.
        #expect(try await Tool.run(options + ["log", "bathroom"]).code == 0)
        #expect(try await Tool.run(options).out.contains("Dose 1: unknown. Dose 2: unknown."))
        let dose = try await Tool.run(options + ["log", "dose1"])
        #expect(dose.out.contains("not known here"), "\(dose)")
        #expect(try await Tool.run(options).out.contains("Dose 1: yes"))
    }
}
