internal import DoseTapDomain
internal import DoseTapReport

/// The one page of a packet. The values of each night, about two kilobytes, are kept until the end.
struct SummaryFormat: ExchangeFormat {
    private var page: SummaryPage

    init(_ facts: SummaryFacts) { page = SummaryPage(facts) }

    mutating func take(_ line: NightsLine, into output: inout Output) throws(ExchangeFault) {
        for regimen in line.regimens { page.take(regimen: regimen) }
        for night in line.nights { page.take(night) }
        for entry in line.entries { page.take(entry) }
        guard page.count <= ReportPage.most else {
            throw ExchangeFault(.usage, sent("A summary has \(ReportPage.most) nights at most: choose fewer."))
        }
    }

    mutating func finish(into output: inout Output) throws(ExchangeFault) { try output.write(page.html()) }
}
