internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// A report as PDF, made by a program of the machine.
struct PrintedReport {
    /// The path of the PDF.
    let path: String
    let force: Bool
    let context: Context

    /// The most bytes of a page or a PDF.
    static let mostBytes = 64 << 20

    /// Makes the PDF and reports it.
    func make(_ report: FilteredExport) throws {
        let file = try OutputFile(path, force: force)
        guard !PDFEngine.found.isEmpty else {
            throw try withPage(report) {
                Failure(
                    exitCode: Failure.Code.failed, kind: "unavailable", message: ReportVerbText.withoutEngine($0),
                    hint: ReportVerbText.engines)
            }
        }
        let page = UnixFD(owning: try MemoryFile.make())
        var made = try report.made(into: page)
        let read = withExtendedLifetime(page) { MemoryFile.read(page.rawValue, limit: Self.mostBytes) }
        guard made.isComplete, let bytes = read else {
            throw Failure(
                .internal, tr("The report ended before it was complete. No file was made."), hint: tr("try it again"))
        }
        let target = try file.descriptor()
        let complaint = PDFEngine.print(bytes, to: target.rawValue) { $0.announce(context) }
        if let complaint {
            throw try withPage(report) {
                Failure(
                    exitCode: Failure.Code.failed, kind: "unavailable",
                    message: ReportVerbText.broken(complaint.engine, complaint.said, $0))
            }
        }
        try file.finish()
        var status = stat()
        if fstat(target.rawValue, &status) == 0 { made.bytes = Int64(status.st_size) }
        made.path = path
        context.report(made.json, text: ReportVerbText.made(made))
    }

    /// Leaves the page in place of the PDF, under its name with another ending. No other file is replaced.
    private func withPage(_ report: FilteredExport, _ failure: (String) -> Failure) throws -> Failure {
        let base = path.lowercased().hasSuffix(".pdf") ? String(path.dropLast(4)) : path
        let names = [base + ".html"] + (2...9).map { "\(base)-\($0).html" }
        let free = names.first { access($0, F_OK) != 0 } ?? names[0]
        return failure(try ReportVerb.write(report, to: free, force: false).path)
    }
}

/// A program that prints a page.
enum PDFEngine {
    case weasyPrint(String)
    case chromium(String)

    /// The programs that are installed, WeasyPrint first: it reads a pipe and needs no file beside it.
    static var found: [PDFEngine] {
        let browsers = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(HelperProgram.found)
        return [HelperProgram.found("weasyprint").map(PDFEngine.weasyPrint), browsers.first.map(PDFEngine.chromium)]
            .compactMap(\.self)
    }

    /// The time limit of one program, in seconds.
    private static let timeout: Int32 = 300

    var name: String {
        switch self {
        case .weasyPrint: "weasyprint"
        case .chromium: "chromium"
        }
    }

    /// Tells a person that printing begins: it takes seconds.
    func announce(_ context: Context) {
        if isatty(STDERR_FILENO) == 1 { context.notice(ReportVerbText.printing(name)) }
    }

    /// Writes a page as PDF by the first program that can.
    ///
    /// - Parameter begin: called before each program.
    /// - Returns: nil if the PDF is made, else the last line of the first program, maybe empty.
    static func print(
        _ page: [UInt8], to output: Int32, begin: (PDFEngine) -> Void
    ) -> (engine: String, said: String)? {
        var first: (engine: String, said: String)?
        for engine in found {
            begin(engine)
            _ = ftruncate(output, 0)
            lseek(output, 0, SEEK_SET)
            guard let said = engine.print(page, to: output) else { return nil }
            first = first ?? (engine.name, said)
        }
        return first ?? ("", "")
    }

    /// Writes a page as PDF.
    ///
    /// - Returns: nil if the PDF is made, else the last line of the program, maybe empty.
    private func print(_ page: [UInt8], to output: Int32) -> String? {
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
        guard let running, running.ended(within: timeout) == 0, isPDF(output) else {
            return ChildProgram.lastLine(of: errors)
        }
        return nil
    }

    private static func throughFolder(_ program: String, _ page: [UInt8], _ output: Int32) -> String? {
        guard let errors = memory([]), let folder = PrivateFolder() else { return "" }
        return withExtendedLifetime(folder) { throughFolder(program, page, output, folder, errors) }
    }

    private static func throughFolder(
        _ program: String, _ page: [UInt8], _ output: Int32, _ folder: PrivateFolder, _ errors: UnixFD
    ) -> String? {
        let (source, made) = (folder.path + "/report.html", folder.path + "/report.pdf")
        do throws(SystemFault) {
            let file = try NewFile(source)
            try MemoryFile.write(page, to: file.descriptor)
            try file.finish()
        } catch { return error.message }
        // The profile is a new one, so that a browser that runs already takes no part. Root has no sandbox to go into.
        let arguments =
            (getuid() == 0 ? ["--no-sandbox"] : []) + [
                "--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer",
                // The browser has nothing to ask anybody.
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--user-data-dir=\(folder.path)/profile", "--print-to-pdf=\(made)", "file://\(source)",
            ]
        let running = ChildProgram.start(program, arguments, input: nil, output: nil, errors: errors.rawValue)
        guard let running, running.ended(within: timeout) == 0 else { return ChildProgram.lastLine(of: errors) }
        let result = open(made, O_RDONLY | O_CLOEXEC)
        guard result >= 0 else { return ChildProgram.lastLine(of: errors) }
        defer { close(result) }
        guard let bytes = MemoryFile.read(result, limit: PrintedReport.mostBytes),
            (try? MemoryFile.write(bytes, to: output)) != nil
        else { return String(cString: strerror(errno)) }
        return isPDF(output) ? nil : ChildProgram.lastLine(of: errors)
    }

    private static func memory(_ bytes: [UInt8]) -> UnixFD? {
        guard let descriptor = try? MemoryFile.make() else { return nil }
        let file = UnixFD(owning: descriptor)
        return bytes.isEmpty || (try? MemoryFile.write(bytes, to: descriptor)) != nil ? file : nil
    }

    /// Returns true if a file begins as a PDF does.
    private static func isPDF(_ descriptor: Int32) -> Bool {
        var head = [UInt8](repeating: 0, count: 5)
        return pread(descriptor, &head, head.count, 0) == head.count && head == Array("%PDF-".utf8)
    }
}

/// A folder for this process alone, removed with the object. A killed process leaves the folder to the next sweep.
final class PrivateFolder {
    let path: String
    /// The descriptor of a lock that ends with the process.
    private let lock: UnixFD

    /// Beginning and end of the name. A sweep removes nothing that a person could have named so.
    private static let prefix = ".dosetap-print-"
    private static let random = "XXXXXX"
    private static var place: String {
        Settings.value("XDG_RUNTIME_DIR") ?? Settings.value("TMPDIR") ?? "/tmp"
    }

    init?() {
        Self.sweep()
        // Another process may sweep the new folder away before it is locked.
        for _ in 0..<3 {
            var template = Array("\(Self.place)/\(Self.prefix)\(Self.random)".utf8CString)
            guard mkdtemp(&template) != nil else { return nil }
            let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let held = Self.lock(made), access(made, F_OK) == 0 {
                (path, lock) = (made, held)
                return
            }
            rmdir(made)
        }
        return nil
    }

    deinit { Self.remove(path, depth: 0) }

    /// Removes folders that killed processes have left; a folder in use stays.
    static func sweep() {
        let (place, length) = (place, prefix.utf8.count + random.utf8.count)
        let folders = PrivateModes.files(in: place) { $0.hasPrefix(prefix) && $0.utf8.count == length }
        for folder in folders {
            var status = stat()
            guard lstat(folder, &status) == 0, status.st_mode == S_IFDIR | 0o700, status.st_uid == geteuid(),
                let held = lock(folder)
            else { continue }
            withExtendedLifetime(held) { remove(folder, depth: 0) }
        }
    }

    /// - Returns: nil if another process has the lock.
    private static func lock(_ folder: String) -> UnixFD? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let held = UnixFD(owning: descriptor)
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? held : nil
    }

    /// Removes a file, or a folder with all that is in it; links are not followed.
    private static func remove(_ path: String, depth: Int) {
        guard unlink(path) != 0, depth < 16 else { return }
        for path in PrivateModes.files(in: path) { remove(path, depth: depth + 1) }
        rmdir(path)
    }
}
