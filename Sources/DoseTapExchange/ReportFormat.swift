package import DoseTapDomain
internal import DoseTapReport

/// The report as a page. The values of each night, about two kilobytes, are kept until the end.
package struct ReportFormat: ExchangeFormat {
    private var page: ReportPage

    package init(profile: ExportProfile) { page = ReportPage(profile: profile) }

    package mutating func take(_ line: NightsLine, into output: inout Output) throws(ExchangeFault) {
        for night in line.nights { page.take(night) }
        for entry in line.entries { page.take(entry) }
        guard page.count <= ReportPage.most else { throw tooMany }
    }

    package mutating func finish(into output: inout Output) throws(ExchangeFault) {
        guard page.days <= ReportPage.most else { throw tooMany }
        try output.write(page.html())
    }

    private var tooMany: ExchangeFault {
        ExchangeFault(
            .usage,
            sent(
                "A report has \(ReportPage.most) nights at most, from the first to the last: choose fewer, with --from and --to."
            ))
    }
}
