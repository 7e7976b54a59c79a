package import DoseTapDomain
package import DoseTapReport

/// One pass: lines of the stream in, a format out.
package struct ExchangeRun {
    /// What is made.
    package let format: Format
    /// How much of the record is told.
    package let profile: ExportProfile
    /// For a packet: what it tells besides. Nil for any other file.
    package let parts: Set<PacketPart>?
    /// A resource a line, where the format has that.
    package let isLines: Bool
    /// For the one page of a packet: what the nights do not say.
    package let facts: SummaryFacts?
    private let identity: Identity

    /// - Throws: ``ExchangeFault`` where format and profile do not fit together.
    package init(
        _ format: Format, profile: ExportProfile = .full, isLines: Bool = false, parts: Set<PacketPart>? = nil,
        facts: SummaryFacts? = nil, identity: Identity
    ) throws(ExchangeFault) {
        guard profile != .figures || format.hasFigures else {
            throw ExchangeFault(
                .usage, sent("\(format.rawValue) has no place for counts and medians; fhir and report have."))
        }
        guard !isLines || format.hasLines else {
            throw ExchangeFault(.usage, sent("--ndjson is a form of fhir."))
        }
        self.format = format
        self.profile = profile
        self.isLines = isLines
        self.parts = parts
        self.facts = facts
        self.identity = identity
    }

    /// Writes the format.
    ///
    /// - Throws: ``ExchangeFault`` with the line of the stream. What was written until then is no whole file.
    package func write(_ lines: LineReader, to output: inout Output) throws(ExchangeFault) {
        let hasMedicines = profile.namesMedicines && parts?.contains(.medicines) != false
        var writer = format.make(
            isLines: isLines, profile: profile, identity: identity, facts: facts, hasMedicines: hasMedicines)
        var told: Set<EventID> = []
        try each(lines) { line, _, redacted throws(ExchangeFault) in
            var line = profile == .full ? line : try NightsLine(redacted)
            line.removeRepeated(told: &told)
            try writer.take(line, into: &output)
        }
        try writer.finish(into: &output)
        try output.flush()
    }

    /// The lines that show what the profile takes out.
    package func preview(_ lines: LineReader) throws(ExchangeFault) -> [String] {
        var preview = Preview()
        try each(lines) { _, before, after throws(ExchangeFault) in preview.take(before, after.object) }
        return preview.lines(profile)
    }

    /// Each line, as it is and redacted.
    private func each(
        _ lines: LineReader,
        _ body: (NightsLine, JSONObject, NightStream.Line) throws(ExchangeFault) -> Void
    ) throws(ExchangeFault) {
        var stream = NightStream(lines)
        var redactor = Redactor(profile, identity, parts: parts)
        var order = NightOrder()
        while let line = try stream.next() {
            // Read as it is, too: what is wrong with the stream is not to be hidden by what is taken out.
            let read = try NightsLine(line)
            try order.take(read.nights, line: line.number)
            try body(read, line.object, redactor.redact(line))
        }
    }
}
