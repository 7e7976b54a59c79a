internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `history`: nights in a table, newest first.
struct HistoryVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the nights, newest first.",
        discussion: """
            Kinds of --only: \(NightKind.allCases.map(\.spelling).joined(separator: ", ")).
            If --only is repeated, a night needs to be of one of the kinds.

            --sort orders the nights that are listed: the newest 14, or as many as --nights \
            or the dates ask for. Older nights are not looked at.

            Example: dosetap history yesterday
            Example: dosetap history --from 2026-01-01 --to 2026-01-31
            Example: dosetap history --only late --only not-recorded --with bathroom
            Example: dosetap history --nights 365 --sort interval
            """)

    @Argument(help: ArgumentHelp("Only the night of this date.", valueName: "date"), completion: Completions.nights)
    var night: [String] = []
    @Option(help: ArgumentHelp("At most this many nights, 1 to 1000 (default: 14; with dates: 1000).", valueName: "N"))
    var nights: Int?
    @Option(help: ArgumentHelp("The first night: YYYY-MM-DD, yesterday, Mon, 12 Nov.", valueName: "date")) var from:
        String?
    @Option(help: ArgumentHelp("The last night, in the same form.", valueName: "date")) var to: String?
    @Option(
        help: ArgumentHelp("Continue a list after the value of \"next\" in the previous answer.", valueName: "cursor"))
    var cursor: String?
    @Option(
        help: ArgumentHelp("Only nights of this kind; repeatable.", valueName: "kind"),
        completion: Completions.nightKinds) var only: [String] = []
    @Option(
        help: ArgumentHelp("Only nights with this sleep event.", valueName: "event"),
        completion: Completions.sleepEvents) var with: String?
    @Flag(help: "Show the oldest first.") var oldestFirst = false
    @Option(
        help: ArgumentHelp(
            "Sort the nights listed by date, interval or score; those without a value last.", valueName: "order"),
        completion: Completions.of(NightOrder.self))
    var sort: String = NightOrder.date.rawValue
    @Option(
        help: ArgumentHelp("Group the nights by week or month.", valueName: "week|month"),
        completion: Completions.of(Grouping.self))
    var by: String?

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        var choices = HistoryChoices()
        choices.nights = nights
        choices.span = try NightSpan(night.joined(separator: " "), from: from, to: to, context)
        choices.cursor = cursor ?? ""
        choices.kinds = try only.map(NightKind.named)
        choices.event = with
        choices.oldestFirst = oldestFirst
        choices.order = try NightOrder(word: sort)
        choices.grouping = try by.map { try Grouping(word: $0) }
        try Self.perform(context, choices)
    }

    static func perform(_ context: Context, _ choices: HistoryChoices) throws {
        let limit = choices.nights ?? (choices.span == NightSpan() ? 14 : 1_000)
        guard (1...1_000).contains(limit) else { throw Failure.usage(tr("--nights goes from 1 to 1000.")) }
        let query = choices.span.query(
            limit: limit, cursor: choices.cursor, event: choices.event, kinds: Set(choices.kinds))
        var (page, zone) = try ServiceLink.ask(context) { client in try await client.find(query) }
        if choices.oldestFirst { page.nights.reverse() }
        page.nights = choices.order.sorted(page.nights)
        let groups = choices.grouping.map { NightGroup.of(page.nights, by: $0) }
        if let groups { page.nights = groups.flatMap(\.nights) }
        guard !page.nights.isEmpty else {
            let isOfAll = choices.span == NightSpan() && choices.cursor.isEmpty && choices.kinds.isEmpty
            return context.report(
                json(page, groups),
                text: HistoryText.withoutNights(
                    hasSleep: isOfAll && choices.event == nil && context.hasSleep, context.terminal.page))
        }
        context.report(
            json(page, groups),
            text: HistoryText.lines(
                page, groups?.map { ($0.heading, $0.nights.count) }, context.moments(in: zone),
                foreign: { context.moments(zoneNamed: $0, inForce: zone) },
                older: context.line.again(adding: ["--cursor", page.next], dropping: "--cursor"),
                columns: context.terminal.columns))
    }

    private static func json(_ page: SessionPage, _ groups: [NightGroup]?) -> JSONObject {
        var object = JSONObject()
        object["nights"] = .array(page.nights.map { .object($0.json) })
        object["next"] = page.next.isEmpty ? .null : .string(page.next)
        if let groups { object["groups"] = .array(groups.map { .object($0.json) }) }
        return object
    }
}

extension Context {
    /// True if sleep is on record. Without a night such sleep belongs to none.
    var hasSleep: Bool {
        // The nights are answered in any case, so a service that cannot tell counts as one without sleep.
        let isEmpty = try? ServiceLink.run(self, isLast: false) { client in
            try await client.sleepRecords(limit: 1).isEmpty
        }
        return isEmpty == false
    }
}

/// The chosen values of the options of `history`.
struct HistoryChoices: Sendable {
    var nights: Int?
    var span = NightSpan()
    var cursor = ""
    var kinds: [NightKind] = []
    var event: String?
    var oldestFirst = false
    var order = NightOrder.date
    var grouping: Grouping?
}

extension NightSpan {
    /// The dates of `--from` and `--to`, or the one night of a date.
    init(_ night: String = "", from first: String?, to last: String?, _ context: Context) throws(Failure) {
        self.init()
        guard night.isEmpty || first == nil && last == nil else {
            throw .usage(tr("A date and --from or --to exclude each other."))
        }
        self.first = try Self.date(night.isEmpty ? first : night, night.isEmpty ? "--from" : "The date", context)
        self.last = night.isEmpty ? try Self.date(last, "--to", context) : self.first
        if let first = self.first, let last = self.last, last < first {
            throw .usage(tr("--to lies before --from."))
        }
    }

    private static func date(
        _ text: String?, _ name: String, _ context: Context
    ) throws(Failure) -> SessionDate? {
        guard let text else { return nil }
        return try NightName.date(text, name, context)
    }
}
