internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `history`: nights in a table, newest first.
struct HistoryVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "The nights so far, newest first.",
        discussion: """
            --only takes \(NightFilter.allCases.map(\.rawValue).joined(separator: ", ")).
            Of several any one will do.

            Example: dosetap history --from 2026-01-01 --to 2026-01-31
            Example: dosetap history --only late --only missed --with bathroom
            """)

    @Option(help: ArgumentHelp("At most this many, 1 to 1000 (default: 14, with dates 1000).", valueName: "N"))
    var nights: Int?
    @Option(help: ArgumentHelp("First night, YYYY-MM-DD.", valueName: "date")) var from: String?
    @Option(help: ArgumentHelp("Last night, YYYY-MM-DD.", valueName: "date")) var to: String?
    @Option(help: ArgumentHelp("Go on where the answer before said \"next\".", valueName: "cursor"))
    var cursor: String?
    @Option(
        help: ArgumentHelp("Only nights of this kind; repeatable.", valueName: "kind"),
        completion: Completions.of(NightFilter.self)) var only: [String] = []
    @Option(
        help: ArgumentHelp("Only nights with this sleep event.", valueName: "event"),
        completion: Completions.sleepEvents) var with: String?
    @Flag(help: "The oldest of them first.") var oldestFirst = false
    @Option(
        help: ArgumentHelp("By date, interval or score; the unknown last.", valueName: "order"),
        completion: Completions.of(NightOrder.self))
    var sort: String = NightOrder.date.rawValue
    @Option(
        help: ArgumentHelp("Under headings of weeks or months.", valueName: "week|month"),
        completion: Completions.of(Grouping.self))
    var by: String?

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let span = try NightSpan(from: from, to: to)
        let limit = nights ?? (span == NightSpan() ? 14 : 1_000)
        guard (1...1_000).contains(limit) else { throw Failure.usage("--nights goes from 1 to 1000.") }
        let filters = try only.map(NightFilter.named)
        let order = try NightOrder(word: sort)
        let grouping = try by.map { try Grouping(word: $0) }
        let search = NightSearch(
            span: span, limit: limit, cursor: cursor ?? "", event: with, filters: filters)
        var page = try ServiceLink.run(context) { client in try await search.run(client) }
        if oldestFirst { page.nights.reverse() }
        page.nights = order.sorted(page.nights)
        let groups = grouping.map { NightGroup.of(page.nights, by: $0) }
        if let groups { page.nights = groups.flatMap(\.nights) }
        var object = JSONObject()
        object["nights"] = .array(page.nights.map { .object($0.json) })
        object["next"] = page.next.isEmpty ? .null : .string(page.next)
        if let groups { object["groups"] = .array(groups.map { .object($0.json) }) }
        let zone = context.zone()
        context.report(object, text: HistoryText.lines(page, groups, context, zone))
    }
}

extension NightSpan {
    /// The dates of `--from` and `--to`.
    init(from first: String?, to last: String?) throws(Failure) {
        self.init()
        self.first = try first.map { (text) throws(Failure) in try Self.date(text, "--from") }
        self.last = try last.map { (text) throws(Failure) in try Self.date(text, "--to") }
        if let first = self.first, let last = self.last, last < first {
            throw .usage("--to lies before --from.")
        }
    }

    private static func date(_ text: String, _ name: String) throws(Failure) -> SessionDate {
        do throws(TimeParseError) { return try SessionDate(text: text) } catch {
            throw .usage("\(name) takes a date such as 2026-01-14, not '\(text.prefix(40))'.")
        }
    }
}

/// Nights by their dates.
struct NightSearch: Sendable {
    let span: NightSpan
    let limit: Int
    let cursor: String
    let event: String?
    let filters: [NightFilter]

    func run(_ client: Client) async throws -> SessionPage {
        var found = SessionPage(nights: [], next: cursor)
        repeat {
            let page = try await client.nights(
                span.query(limit: limit - found.nights.count, cursor: found.next, event: event))
            found.next = page.next
            found.nights += page.nights.filter(isMeant)
            if page.nights.isEmpty { break }
        } while found.nights.count < limit && !found.next.isEmpty
        return found
    }

    private func isMeant(_ night: NightSummary) -> Bool {
        span.contains(night.sessionDate) && (filters.isEmpty || filters.contains { $0.holds(night) })
    }
}
