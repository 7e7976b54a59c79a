internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// A report as PDF, made by a program of the machine.
struct PrintedReport {
    /// Of the PDF.
    let path: String
    let force: Bool
    let context: Context

    /// Most bytes of a page.
    static let mostBytes = 64 << 20

    /// Makes it and answers.
    func make(_ report: FilteredExport) throws {
        let file = try OutputFile(path, force: force)
        guard let engine = PDFEngine.found else {
            throw try withPage(report) {
                Failure(
                    exitCode: Failure.Code.failed, kind: "unavailable", message: ReportVerbText.withoutEngine($0),
                    hint: ReportVerbText.engines)
            }
        }
        let page = UnixFD(owning: try MemoryFile.make())
        var made = try report.made(into: page)
        guard made.isComplete, let bytes = MemoryFile.read(page.rawValue, limit: Self.mostBytes) else {
            throw Failure(.internal, "The report ended before it was complete. No file was made.", hint: "try it again")
        }
        if isatty(STDERR_FILENO) == 1 { context.notice(ReportVerbText.printing(engine.name)) }
        let target = try file.descriptor()
        if let complaint = engine.print(bytes, to: target.rawValue) {
            throw try withPage(report) {
                Failure(
                    exitCode: Failure.Code.failed, kind: "unavailable",
                    message: ReportVerbText.broken(engine.name, complaint, $0))
            }
        }
        try file.finish()
        var status = stat()
        if fstat(target.rawValue, &status) == 0 { made.bytes = Int64(status.st_size) }
        made.path = path
        context.report(made.json, text: ReportVerbText.made(made))
    }

    /// Leaves the page in place of the PDF, under its name with another ending.
    private func withPage(_ report: FilteredExport, _ failure: (String) -> Failure) throws -> Failure {
        let base = path.lowercased().hasSuffix(".pdf") ? String(path.dropLast(4)) : path
        return failure(try ReportVerb.write(report, to: base + ".html", force: force).path)
    }
}

/// A program that prints a page.
enum PDFEngine {
    case weasyPrint(String)
    case chromium(String)

    /// The one there is, WeasyPrint first: it reads a pipe and needs no file beside it.
    static var found: PDFEngine? {
        if let program = HelperProgram.found("weasyprint") { return .weasyPrint(program) }
        for name in ["chromium", "chromium-browser", "google-chrome"] {
            if let program = HelperProgram.found(name) { return .chromium(program) }
        }
        return nil
    }

    var name: String {
        switch self {
        case .weasyPrint: "weasyprint"
        case .chromium: "chromium"
        }
    }

    /// Writes a page as PDF.
    ///
    /// - Returns: nil where it is done, else what the program said last, maybe nothing.
    func print(_ page: [UInt8], to output: Int32) -> String? {
        switch self {
        case .weasyPrint(let program): Self.throughPipe(program, page, output)
        case .chromium(let program): Self.throughFolder(program, page, output)
        }
    }

    private static func throughPipe(_ program: String, _ page: [UInt8], _ output: Int32) -> String? {
        guard let input = memory(page), let errors = memory([]) else { return "" }
        lseek(input.rawValue, 0, SEEK_SET)
        let arguments = ["--quiet", "--encoding", "utf8", "-", "-"]
        let running = ChildProgram.start(
            program, arguments, input: input.rawValue, output: output, errors: errors.rawValue)
        guard let running, running.ended() == 0, isPDF(output) else { return lastLine(errors) }
        return nil
    }

    private static func throughFolder(_ program: String, _ page: [UInt8], _ output: Int32) -> String? {
        guard let errors = memory([]), let folder = PrivateFolder() else { return "" }
        let (source, made) = (folder.path + "/report.html", folder.path + "/report.pdf")
        do throws(SystemFault) {
            let file = try NewFile(source)
            try MemoryFile.write(page, to: file.descriptor)
            try file.finish()
        } catch { return error.message }
        // A profile of its own, so that a browser that runs already takes no part. Root has no sandbox to go into.
        let arguments =
            (getuid() == 0 ? ["--no-sandbox"] : []) + [
                "--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer",
                "--user-data-dir=\(folder.path)/profile", "--print-to-pdf=\(made)", "file://\(source)",
            ]
        let running = ChildProgram.start(program, arguments, input: nil, output: nil, errors: errors.rawValue)
        guard let running, running.ended() == 0 else { return lastLine(errors) }
        let result = open(made, O_RDONLY | O_CLOEXEC)
        guard result >= 0 else { return lastLine(errors) }
        defer { close(result) }
        guard let bytes = MemoryFile.read(result, limit: PrintedReport.mostBytes),
            (try? MemoryFile.write(bytes, to: output)) != nil
        else { return String(cString: strerror(errno)) }
        return isPDF(output) ? nil : lastLine(errors)
    }

    private static func memory(_ bytes: [UInt8]) -> UnixFD? {
        guard let descriptor = try? MemoryFile.make() else { return nil }
        let file = UnixFD(owning: descriptor)
        return bytes.isEmpty || (try? MemoryFile.write(bytes, to: descriptor)) != nil ? file : nil
    }

    /// Whether a file begins as a PDF does.
    private static func isPDF(_ descriptor: Int32) -> Bool {
        var head = [UInt8](repeating: 0, count: 5)
        return pread(descriptor, &head, head.count, 0) == head.count && head == Array("%PDF-".utf8)
    }

    private static func lastLine(_ errors: UnixFD) -> String {
        let said = MemoryFile.read(errors.rawValue, limit: 1 << 16) ?? []
        return String(decoding: said, as: UTF8.self).split(separator: "\n").last.map { String($0.prefix(300)) } ?? ""
    }
}

/// A folder for this process alone; it goes away with the value.
final class PrivateFolder {
    let path: String

    init?() {
        let place = Settings.value("XDG_RUNTIME_DIR") ?? Settings.value("TMPDIR") ?? "/tmp"
        var template = Array("\(place)/dosetap-report-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path, depth: 0) }

    /// Removes a file, or a folder with all that is in it; links are not followed.
    private static func remove(_ path: String, depth: Int) {
        guard unlink(path) != 0, depth < 16, let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { remove(path + "/" + name, depth: depth + 1) }
        }
        closedir(folder)
        rmdir(path)
    }
}
