internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `stats`: figures of many nights.
struct StatsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Print statistics of past nights.",
        discussion: """
            The statistics show how often dose 2 was on time, the intervals between the
            doses and their trend, scores and sleep. A mean is calculated over the nights
            that have the value. On a terminal a chart shows the intervals and the window
            of 150 to 240 minutes.

            Example: dosetap stats --range 90 --by month
            Example: dosetap stats --intervals
            """)

    @Option(help: ArgumentHelp("The number of newest nights (default: 30; with dates: all).", valueName: "N"))
    var range: Int?
    @Option(help: ArgumentHelp("The first night, YYYY-MM-DD.", valueName: "date")) var from: String?
    @Option(help: ArgumentHelp("The last night, YYYY-MM-DD.", valueName: "date")) var to: String?
    @Option(
        help: ArgumentHelp("Also print the figures of each week or month.", valueName: "week|month"),
        completion: Completions.of(Grouping.self))
    var by: String?
    @Flag(help: "Print only the intervals of all nights, by month or by week.") var intervals = false

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        try Self.perform(
            context,
            StatsChoices(
                intervals: intervals, range: range, span: try NightSpan(from: from, to: to, context),
                grouping: try by.map { try Grouping(word: $0) }))
    }

    static func perform(_ context: Context, _ choices: StatsChoices) throws {
        if choices.intervals { return try intervals(context, choices) }
        let (most, span) = (StatisticsQuery.mostNights, choices.span)
        if let range = choices.range, !(1...most).contains(range) {
            throw Failure.usage(tr("--range goes from 1 to \(most)."))
        }
        let query = StatisticsQuery(
            range: choices.range ?? (span == NightSpan() ? StatisticsQuery.usualRange : nil), span: span,
            grouping: choices.grouping)
        let statistics = try ServiceLink.ask(context) { client in try await client.statistics(query) }.answer
        context.report(
            statistics.json,
            text: StatsText.lines(
                statistics, hasSleep: span == NightSpan() && context.hasSleep, context.terminal.page))
    }

    private static func intervals(_ context: Context, _ choices: StatsChoices) throws {
        guard choices.range == nil else {
            throw Failure.usage(
                tr("--intervals takes dates, not --range."), hint: "dosetap stats --intervals --from DATE")
        }
        let grouping = choices.grouping ?? .month
        let means = try ServiceLink.ask(context) { client in
            try await client.intervalMeans(choices.span, by: grouping)
        }
        .answer
        context.report(
            ["by": .string(grouping.rawValue), "groups": .array(means.map { .object($0.json) })],
            text: StatsText.lines(means, by: grouping, context.terminal.page))
    }
}

/// The chosen values of the options of `stats`.
struct StatsChoices: Sendable {
    var intervals = false
    var range: Int?
    var span = NightSpan()
    var grouping: Grouping?
}

extension Grouping {
    /// The value of `--by`.
    init(word: String) throws(Failure) {
        guard let grouping = Grouping(rawValue: word) else {
            throw .usage(tr("--by takes week or month, not '\(word.prefix(40))'."))
        }
        self = grouping
    }
}
