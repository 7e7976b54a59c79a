internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `usual`: the usual time between the doses, a figure of the record.
struct UsualVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "usual", abstract: "Print the usual interval between dose 1 and dose 2.",
        discussion: """
            The figure is the median of the intervals from 150 to 240 minutes of the last
            nights, but at least 165 and at most 225. It is a figure of the record, no
            advice, and no reminder follows it. While dose 2 is open and a program has
            reported the stage of sleep within 5 minutes, the figure for it is printed, too.

            Example: dosetap usual
            """)

    @Option(help: ArgumentHelp("The newest N nights, 1 to 10000; default: 30.", valueName: "N")) var nights: Int?
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let range = nights ?? StatisticsQuery.usualRange
        guard (1...StatisticsQuery.mostNights).contains(range) else {
            throw Failure.usage(tr("--nights goes from 1 to \(StatisticsQuery.mostNights)."))
        }
        let usual = try ServiceLink.ask(context) { client in
            UsualInterval(
                try await client.statistics(StatisticsQuery(range: range)), try await client.status())
        }
        .answer
        context.report(usual.json, text: SleepText.usual(usual))
    }
}
