internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// Makes a page by the verb `report` of this same program, in a process that can take its time and be ended.
struct PageMaker: Sendable {
    let process: ChildProgram
    private let page: UnixFD
    private let complaints: UnixFD

    /// The time limit of one page.
    static let timeout: Duration = .seconds(60)

    /// Begins to make a page; nil if that is not possible.
    static func begin(nights: Int?, _ context: Context) -> PageMaker? {
        guard let page = try? UnixFD(owning: MemoryFile.make()),
            let complaints = try? UnixFD(owning: MemoryFile.make())
        else { return nil }
        var arguments = ["report", "--plain", "--quiet", "--bus", context.bus.rawValue]
        if let nights { arguments += ["--nights", "\(nights)"] }
        if let store = context.store { arguments += ["--store", store] }
        if let zone = context.chosenZone { arguments += ["--time-zone", zone.identifier] }
        context.handDownLanguage()
        let process = ChildProgram.start(
            "/proc/self/exe", arguments, input: nil, output: page.rawValue, errors: complaints.rawValue)
        return process.map { PageMaker(process: $0, page: page, complaints: complaints) }
    }

    /// Returns the page, once its maker has ended.
    ///
    /// - Returns: a sentence in place of a page that was not made.
    func made() -> (page: [UInt8]?, complaint: String) {
        guard process.ended() == 0, let bytes = MemoryFile.read(page.rawValue, limit: PrintedReport.mostBytes) else {
            let said = ChildProgram.lastLine(of: complaints)
            return (nil, said.isEmpty ? WebText.notMade : said)
        }
        return (bytes, "")
    }
}
