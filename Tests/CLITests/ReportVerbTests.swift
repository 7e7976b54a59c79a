import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct ReportVerbTests {
    private func harness(_ extra: [String: String] = [:]) async throws -> CLIHarness {
        let cli = try CLIHarness(extra)
        try await cli.json("log", "dose1")
        return cli
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// A folder with links to the named programs of this machine.
    private func programs(_ names: [String], in folder: ScratchFolder) throws -> String {
        let path = folder.path("bin")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for name in names {
            try FileManager.default.createSymbolicLink(
                atPath: path + "/" + name, withDestinationPath: "/usr/bin/" + name)
        }
        return path
    }

    @Test func `R32.6 report writes a private page in place or none`() async throws {
        let cli = try await harness()
        let folder = try ScratchFolder()
        let file = folder.path("nights.html")
        let report = try await cli.json("report", "-o", file)
        #expect(try SchemaTests.Validator().faults(report, "export") == [])
        #expect(report["what"] == "report" && report["path"]?.stringValue == file && report["rows"] == 1)
        #expect(try mode(file) == 0o600)
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(
            page.hasPrefix("<!doctype html>") && page.contains("data-mark=\"dose1\"") && page.hasSuffix("</html>\n"))
        #expect(report["bytes"]?.integerValue == Int64(page.utf8.count))
        #expect(try await cli.error(64, "report", "-o", file)["message"]?.stringValue?.contains("exists") == true)
        let text = try await cli.run("report", "-o", file, "--force")
        #expect(text.code == 0 && text.out.hasPrefix("Report: "), "\(text)")
        #expect(try await cli.run("report").out == page)
        let old = try await cli.run("report", "--from", "2020-01-01", "--to", "2020-02-01")
        #expect(old.code == 0 && old.out.contains("No nights yet"))
    }

    @Test func `R32.6 wrong usage is named, and a terminal gets no page`() async throws {
        let cli = try await harness()
        for words in [
            ["-o", "x", "--open"], ["--open", "--pdf", "x"], ["--json"], ["--force"], ["--force", "--open"],
            ["--nights", "0"], ["--nights", "3701"], ["--nights", "3", "--from", "2026-01-01"], ["--from", "soon"],
            ["--profile", "shar"], ["--from", "2026-02-01", "--to", "2026-01-01"],
        ] {
            let outcome = try await cli.run(words: ["report"] + words)
            #expect(outcome.code == 64 && !(outcome.out + outcome.err).isEmpty, "\(words): \(outcome)")
        }
        let terminal = try TerminalSession(["report"], cli.environment)
        let outcome = try await terminal.run()
        #expect(outcome.code == 64 && outcome.screen.contains("add --open, -o FILE or --pdf FILE"), "\(outcome)")
    }

    @Test func `R32.5 without a record the page says how to begin`() async throws {
        let fresh = try CLIHarness()
        let page = try await fresh.run("report")
        #expect(page.code == 0 && page.out.contains("<code>dosetap log dose1</code>"), "\(page)")
    }

    @Test func `R28.11 a profile is shown first`() async throws {
        let cli = try await harness()
        let folder = try ScratchFolder()
        _ = try await cli.error(4, "report", "--profile", "share", "-o", folder.path("shared.html"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        try await cli.json("report", "--profile", "share", "--yes", "-o", folder.path("shared.html"))
        #expect(
            try String(contentsOfFile: folder.path("shared.html"), encoding: .utf8).contains("numbered from the oldest")
        )
    }

    private static let hasEngines = ["weasyprint", "chromium", "pdffonts"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }

    @Test(
        .enabled(if: hasEngines, "needs weasyprint, chromium and poppler-utils: run Contrib/test"),
        arguments: ["weasyprint", "chromium"])
    func `R32.7 a PDF is made by the engine that is there`(engine: String) async throws {
        let folder = try ScratchFolder()
        // The engines need tools of the machine, so only the other engine is hidden.
        let hidden = engine == "chromium" ? ["weasyprint"] : ["chromium"]
        let path = try Self.without(hidden, in: folder)
        let cli = try await harness(["PATH": path])
        let file = folder.path("nights.pdf")
        let report = try await cli.json("report", "--pdf", file)
        #expect(try mode(file) == 0o600)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(bytes.starts(with: Array("%PDF-".utf8)) && report["bytes"]?.integerValue == Int64(bytes.count))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["bin", "nights.pdf"])
        // The table is closed on a screen and open on paper.
        let words = ["Night record", "Interval between the doses", "All nights", "Outcome", "it gives no advice"]
        let checker = ManualTests.root.appendingPathComponent("Tests/Support/page_check.py").path
        let looked = try TestProgram.run(
            ["python3", "-B", checker, "--pdf", file] + words.flatMap { ["--text", $0] })
        #expect(looked.status == 0, "\(looked.text)\(looked.errors)")
        // Every font is in the file, and its letters can be copied.
        let fonts = try TestProgram.run(["pdffonts", file]).text.split(separator: "\n").dropFirst(2)
        #expect(!fonts.isEmpty && fonts.allSatisfy { $0.contains(" yes ") }, "\(fonts)")
    }

    /// A search path with all programs of /usr/bin except the hidden ones.
    private static func without(_ hidden: [String], in folder: ScratchFolder) throws -> String {
        let path = folder.path("bin")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: "/usr/bin") where !hidden.contains(name) {
            try FileManager.default.createSymbolicLink(
                atPath: path + "/" + name, withDestinationPath: "/usr/bin/" + name)
        }
        return path
    }

    @Test func `R32.7 without an engine the page is left and named, and a broken one leaves no PDF`() async throws {
        let folder = try ScratchFolder()
        let cli = try await harness(["PATH": try programs([], in: folder)])
        let error = try await cli.error(1, "report", "--pdf", folder.path("nights.pdf"))
        #expect(error["message"]?.stringValue?.contains(folder.path("nights.html")) == true, "\(error)")
        #expect(error["hint"]?.stringValue == "sudo apt install weasyprint")
        #expect(try String(contentsOfFile: folder.path("nights.html"), encoding: .utf8).hasPrefix("<!doctype html>"))
        try "#!/bin/sh\necho half\necho 'no fonts here' >&2\nexit 0\n".write(
            toFile: folder.path("bin/weasyprint"), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path("bin/weasyprint"))
        let broken = try await cli.error(1, "report", "--pdf", folder.path("other.pdf"))
        #expect(broken["message"]?.stringValue?.contains("weasyprint failed: no fonts here") == true, "\(broken)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
                == ["bin", "nights.html", "other.html"])
    }

    @Test func `R32.8 open writes into the download folder and names the file and how to delete it`() async throws {
        let folder = try ScratchFolder()
        let downloads = folder.path("My Files")
        try FileManager.default.createDirectory(atPath: downloads, withIntermediateDirectories: true)
        let settings = folder.path("config")
        try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
        try "# a comment\nXDG_DOWNLOAD_DIR=\"$HOME/My Files\"\n".write(
            toFile: settings + "/user-dirs.dirs", atomically: true, encoding: .utf8)
        let bin = try programs([], in: folder)
        try "#!/bin/sh\necho \"$1\" > '\(folder.path("opened"))'\n".write(
            toFile: bin + "/xdg-open", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bin + "/xdg-open")
        let cli = try await harness([
            "PATH": bin, "HOME": folder.url.path, "XDG_CONFIG_HOME": settings,
        ])
        let file = downloads + "/dosetap-report-to-view.html"
        for _ in 1...2 {
            let outcome = try await cli.run("report", "--open")
            #expect(outcome.code == 0 && outcome.out.contains("opened in your browser"), "\(outcome)")
            #expect(outcome.out.contains("rm ") && outcome.out.contains("dosetap-report-to-view.html"))
        }
        #expect(try mode(file) == 0o600)
        #expect(try String(contentsOfFile: folder.path("opened"), encoding: .utf8) == file + "\n")
        try FileManager.default.removeItem(atPath: bin + "/xdg-open")
        let unopened = try await cli.run("report", "--open")
        #expect(unopened.code == 0 && unopened.out.contains("No program opened it"), "\(unopened)")
    }

    @Test func `R32.1 the setting report_nights says how many nights there are where none are chosen`() async throws {
        let cli = try CLIHarness()
        let at = Instant(seconds: Int64(Date().timeIntervalSince1970) - 5 * 86_400).iso8601
        try await cli.json("log", "dose1", "--at", at, "--confirm", "long_ago")
        #expect(try await cli.run("report").out.contains("data-mark=\"dose1\""))
        #expect(try await cli.run("report", "--nights", "2").out.contains("No nights yet"))
        let few = try await cli.run("report", environment: ["DOSETAP_REPORT_NIGHTS": "2"])
        #expect(few.out.contains("No nights yet"), "\(few)")
    }
}
