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
    @Option(help: ArgumentHelp("Only nights of this kind; repeatable.", valueName: "kind")) var only: [String] = []
    @Option(help: ArgumentHelp("Only nights with this sleep event.", valueName: "event")) var with: String?
    @Flag(help: "The oldest of them first.") var oldestFirst = false

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let first = try from.map { try Self.date($0, "--from") }
        let last = try to.map { try Self.date($0, "--to") }
        if let first, let last, last < first { throw Failure.usage("--to lies before --from.") }
        let limit = nights ?? (first == nil && last == nil ? 14 : 1_000)
        guard (1...1_000).contains(limit) else { throw Failure.usage("--nights goes from 1 to 1000.") }
        let filters = try only.map(NightFilter.named)
        let search = NightSearch(
            first: first, last: last, limit: limit, cursor: cursor ?? "", event: with, filters: filters)
        var page = try ServiceLink.run(context) { client in try await search.run(client) }
        if oldestFirst { page.nights.reverse() }
        var object = JSONObject()
        object["nights"] = .array(page.nights.map { .object($0.json) })
        object["next"] = page.next.isEmpty ? .null : .string(page.next)
        let zone = context.zone()
        context.report(object, text: HistoryText.lines(page, context, zone))
    }

    private static func date(_ text: String, _ name: String) throws(Failure) -> SessionDate {
        do throws(TimeParseError) { return try SessionDate(text: text) } catch {
            throw .usage("\(name) takes a date such as 2026-01-14, not '\(text.prefix(40))'.")
        }
    }
}

/// Nights by their dates. The service finds them by when they began, which lies within a day or so of the date.
struct NightSearch: Sendable {
    let first: SessionDate?
    let last: SessionDate?
    let limit: Int
    let cursor: String
    let event: String?
    let filters: [NightFilter]

    func run(_ client: Client) async throws -> SessionPage {
        var found = SessionPage(nights: [], next: cursor)
        repeat {
            let query = SessionQuery(
                from: first.map { Self.midnight($0, plus: -2) }, to: last.map { Self.midnight($0, plus: 3) },
                limit: limit - found.nights.count, cursor: found.next, event: event)
            let page = try await client.nights(query)
            found.next = page.next
            found.nights += page.nights.filter(isMeant)
            if page.nights.isEmpty { break }
        } while found.nights.count < limit && !found.next.isEmpty
        return found
    }

    private func isMeant(_ night: NightSummary) -> Bool {
        guard first.map({ night.sessionDate >= $0 }) ?? true, last.map({ night.sessionDate <= $0 }) ?? true else {
            return false
        }
        return filters.isEmpty || filters.contains { $0.holds(night) }
    }

    private static func midnight(_ date: SessionDate, plus days: Int) -> Instant {
        Instant(seconds: Int64(date.civil.daysSinceEpoch + days) * 86_400)
    }
}
