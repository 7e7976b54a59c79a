package import DoseTapDomain
package import DoseTapReport

/// A format that is made of the nights, line by line.
package protocol ExchangeFormat {
    /// Takes over a line, and writes the parts that are ready.
    mutating func take(_ line: NightsLine, into output: inout Output) throws(ExchangeFault)
    /// Writes the rest at the end.
    mutating func finish(into output: inout Output) throws(ExchangeFault)
}

/// The formats; the raw value is the word of the command line.
package enum Format: String, Hashable, Sendable, CaseIterable {
    /// FHIR R4.
    case fhir
    /// iCalendar.
    case ical
    /// The one page of a packet.
    case summary
    /// One row for each night, as CSV.
    case nights = "nights-csv"
    /// One row for each dose, as CSV.
    case doses = "doses-csv"
    /// The bundle that the Studio of the iOS app reads, as a ZIP archive.
    case ios
    /// The report, a page of HTML.
    case report

    /// True if the format can tell counts and medians.
    package var hasFigures: Bool { self == .fhir || self == .report }
    /// True if the format can be written as one resource for each line.
    package var hasLines: Bool { self == .fhir }

    /// Returns a writer of the format.
    ///
    /// - Parameters:
    ///   - facts: for a summary, the facts that the nights do not contain.
    ///   - hasMedicines: false if other medicines were left out of the nights.
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
