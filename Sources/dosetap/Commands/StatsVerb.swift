internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `stats`: figures of many nights.
struct StatsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Figures of the nights so far.",
        discussion: """
            How often dose 2 was on time, intervals, their trend, scores and sleep. A
            mean is one of the nights that have the value. On a terminal also a chart
            of the intervals against the window, 150 to 240 minutes.

            Example: dosetap stats --range 90 --by month
            """)

    @Option(help: ArgumentHelp("The newest so many nights (default: 30, with dates all).", valueName: "N"))
    var range: Int?
    @Option(help: ArgumentHelp("First night, YYYY-MM-DD.", valueName: "date")) var from: String?
    @Option(help: ArgumentHelp("Last night, YYYY-MM-DD.", valueName: "date")) var to: String?
    @Option(
        help: ArgumentHelp("Figures for each week or month besides.", valueName: "week|month"),
        completion: Completions.of(Grouping.self))
    var by: String?

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let span = try NightSpan(from: from, to: to)
        let most = StatisticsQuery.mostNights
        if let range, !(1...most).contains(range) { throw Failure.usage("--range goes from 1 to \(most).") }
        let query = StatisticsQuery(
            range: range ?? (span == NightSpan() ? StatisticsQuery.usualRange : nil), span: span,
            grouping: try by.map { try Grouping(word: $0) })
        let statistics = try ServiceLink.run(context) { client in try await client.statistics(query) }
        context.report(statistics.json, text: StatsText.lines(statistics, context.terminal))
    }
}

extension Grouping {
    /// The value of `--by`.
    init(word: String) throws(Failure) {
        guard let grouping = Grouping(rawValue: word) else {
            throw .usage("--by takes week or month, not '\(word.prefix(40))'.")
        }
        self = grouping
    }
}
