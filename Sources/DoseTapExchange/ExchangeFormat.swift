package import DoseTapDomain
package import DoseTapReport

/// A format that is made of the nights, one line of the stream after the other.
package protocol ExchangeFormat {
    /// Takes a line up, and writes what can be written of it.
    mutating func take(_ line: NightsLine, into output: inout Output) throws(ExchangeFault)
    /// Writes what is left at the end.
    mutating func finish(into output: inout Output) throws(ExchangeFault)
}

/// The formats there are; the raw value is the word of the command line.
package enum Format: String, Hashable, Sendable, CaseIterable {
    /// FHIR R4.
    case fhir
    /// iCalendar.
    case ical
    /// The one page of a packet.
    case summary
    /// A row a night, as CSV.
    case nights = "nights-csv"
    /// A row a dose, as CSV.
    case doses = "doses-csv"
    /// The bundle that the Studio of the iOS app reads, as a ZIP archive.
    case ios
    /// The report, a page of HTML.
    case report

    /// Whether counts and medians can be told in it.
    package var hasFigures: Bool { self == .fhir || self == .report }
    /// Whether it can be written as a resource a line.
    package var hasLines: Bool { self == .fhir }

    /// A writer of it.
    ///
    /// - Parameters:
    ///   - facts: of a summary, what the nights do not say.
    ///   - hasMedicines: false where other medicines were left out of the nights.
    package func make(
        isLines: Bool, profile: ExportProfile, identity: Identity, facts: SummaryFacts? = nil, hasMedicines: Bool = true
    ) -> any ExchangeFormat {
        switch self {
        case .fhir: FHIRFormat(isLines: isLines, profile: profile, identity: identity)
        case .ical: CalendarFormat()
        case .summary: SummaryFormat(facts ?? SummaryFacts(made: "", fingerprint: ""))
        case .nights: NightsCSVFormat(hasMedicines: hasMedicines)
        case .doses: DosesCSVFormat()
        case .ios: StudioFormat()
        case .report: ReportFormat(profile: profile)
        }
    }
}
