internal import ArgumentParser
internal import DoseTapDomain

/// `web`: the report as a page that follows the record.
struct WebVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Show the report in a browser and renew it as the record changes.",
        discussion: """
            The page is that of dosetap report. It is made anew when it is loaded, and loaded \
            when something is recorded. It changes nothing and records nothing.

            Only browsers of your own user on this machine get it. The address that is printed \
            works once; the browser then stays on another one until the end.

            It ends on Ctrl-C, or after web.idle_minutes (30) in which no page was loaded.

            Example: dosetap web --open
            Example: dosetap web --nights 365
            """)

    @Option(
        help: ArgumentHelp("The nights of the last N days, 1 to 3700 (default: report.nights, 90).", valueName: "N"))
    var nights: Int?
    @Flag(help: "Open it in the browser.") var open = false
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        if let nights, !ReportNights.range.contains(nights) {
            throw Failure.usage(tr("--nights goes from 1 to \(ReportNights.range.upperBound)."))
        }
        try WebSession(nights: nights, opens: open, context: context).run()
    }
}
