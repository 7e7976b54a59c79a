internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import SDBus

/// Lets the confined filter answer questions over the nights that the service streams.
struct LabRun: Sendable {
    let context: Context

    /// The most bytes of the answers.
    private static let mostBytes = 8 << 20

    /// - Parameter ask: puts the questions into the request.
    func answers(_ ask: (inout LabRequest) -> Void) throws -> [LabAnswer] { try told(ask).answers }

    /// Returns the answers, and the report of the export they are made of.
    ///
    /// - Parameter isLast: false if another call follows.
    func told(
        isLast: Bool = true, _ ask: (inout LabRequest) -> Void
    ) throws -> (answers: [LabAnswer], report: ExportReport?) {
        let regimen = try ServiceLink.run(context, isLast: false) { client in try await client.regimen() }
        guard let today = regimen["date"]?.stringValue.flatMap({ try? SessionDate(text: $0) }) else {
            throw Failure(.internal, tr("The service did not say which night it is."))
        }
        var request = LabRequest(today: today)
        ask(&request)
        let lines =
            JSONValue.object(request.json).serialized() + "\n"
            + JSONValue.object(["history": regimen["history"] ?? .array([])]).serialized() + "\n"
        var nights = NightSpan()
        nights.first = request.first
        let export = Export(ExportRequest(.lab, span: nights), context)
        let told: UnixFD
        var report: ExportReport?
        do throws(SystemFault) { told = UnixFD(owning: try MemoryFile.make()) } catch {
            throw Failure(.internal, tr("There is no memory for the answer."))
        }
        try ExchangeFilter(arguments: ["lab"]).run(to: told.rawValue) { stream in
            guard PipeEnd.write(lines, to: stream) else { return }
            report = try export.made(into: try UnixFD(duplicating: stream), isLast: isLast)
        }
        // A note tells of each night that is no part of the answer.
        for note in report?.notes ?? [] { context.notice(SafeText.line(Wire.told(note))) }
        guard let text = MemoryFile.read(told.rawValue, limit: Self.mostBytes) else {
            throw Failure(.internal, tr("The answer is too long."))
        }
        let answers = try text.split(separator: UInt8(ascii: "\n")).map { line in
            try LabAnswer(json: try JSONValue.parse(Array(line)).objectValue ?? JSONObject())
        }
        return (answers, report)
    }
}
