internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// A file that a filter makes of the nights: FHIR, a calendar, the bundle of the iOS app, the report.
struct FilteredExport: Sendable {
    /// The word of the format on the command line, which is also the filter's.
    let format: String
    let profile: ExportProfile
    /// True if FHIR is written as a resource a line.
    let isLines: Bool
    let request: ExportRequest
    let context: Context
    /// True if a person without a record gets a file without nights, and no complaint.
    var isWithoutRecord = false

    /// The most bytes of the preview.
    private static let mostShown = 8 << 20

    /// Shows the parts that are taken out of the last nights, and asks.
    ///
    /// - Returns: true if the file is to be written.
    /// - Throws: ``Failure`` if a preview is needed and nobody is there to look.
    func isWanted(_ yes: Bool, hint: String) throws -> Bool {
        guard !yes, profile != .full else { return true }
        guard context.canAsk else {
            throw Failure(
                .requiresConfirmation, tr("Nothing was written: what is taken out is shown before it is written."),
                hint: hint)
        }
        let shown = UnixFD(owning: try MemoryFile.make())
        _ = try filtered(["--preview"], to: shown.rawValue, isLast: false)
        guard let text = MemoryFile.read(shown.rawValue, limit: Self.mostShown) else {
            throw Failure(.internal, tr("What is taken out is too long to be shown."), hint: hint)
        }
        Output.ask(String(decoding: text, as: UTF8.self))
        Output.ask(ExportText.question)
        guard let answer = readLine(), YesOrNo.isYes(answer) == true else {
            Output.complain(SupportText.notWritten)
            return false
        }
        return true
    }

    func made(into target: UnixFD) throws -> ExportReport {
        let start = FileStart(target.rawValue)
        var report = try filtered([], to: target.rawValue)
        for _ in 1..<FileStart.attempts where report.isMoved && report.isComplete {
            guard start.isTakenBack() else { break }
            report = try filtered([], to: target.rawValue)
        }
        report.what = format
        var status = stat()
        if fstat(target.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            report.bytes = Int64(status.st_size)
        }
        return report
    }

    private func filtered(_ more: [String], to target: Int32, isLast: Bool = true) throws -> ExportReport {
        var report = ExportReport(what: format)
        let words = [format, "--profile", profile.rawValue] + (isLines ? ["--ndjson"] : []) + more
        context.handDownLanguage()
        try ExchangeFilter(arguments: words).run(to: target) { stream in
            let answer = try ServiceLink.run(context, isLast: false) { client in try await client.regimen() }
            let regimens = JSONValue.object(["history": answer["history"] ?? .array([])]).serialized() + "\n"
            guard PipeEnd.write(regimens, to: stream) else { return }
            do {
                report = try Export(request, context, growing: target)
                    .made(into: try UnixFD(duplicating: stream), isLast: isLast)
            } catch let failure as Failure where isWithoutRecord && failure.kind == ErrorKind.nothingToDo.word {}
        }
        return report
    }
}
