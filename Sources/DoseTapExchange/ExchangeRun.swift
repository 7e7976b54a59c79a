package import DoseTapDomain
package import DoseTapReport

/// One pass: lines of the stream in, a format out.
package struct ExchangeRun {
    package let format: Format
    /// The profile that decides how much of the record is told.
    package let profile: ExportProfile
    /// The parts that a packet tells beyond the profile; nil for any other file.
    package let parts: Set<PacketPart>?
    /// True for one resource on each line, if the format has that.
    package let isLines: Bool
    /// For the one page of a packet: the facts that the nights do not contain.
    package let facts: SummaryFacts?
    private let identity: Identity

    /// - Throws: ``ExchangeFault`` if format and profile do not fit together.
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
    /// - Throws: ``ExchangeFault`` with the line of the stream. The output is incomplete then.
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

    /// Returns the lines that show what the profile takes out.
    package func preview(_ lines: LineReader) throws(ExchangeFault) -> [String] {
        var preview = Preview()
        try each(lines) { _, before, after throws(ExchangeFault) in preview.take(before, after.object) }
        return preview.lines(profile)
    }

    /// Hands over each line, unchanged and redacted.
    private func each(
        _ lines: LineReader,
        _ body: (NightsLine, JSONObject, NightStream.Line) throws(ExchangeFault) -> Void
    ) throws(ExchangeFault) {
        var stream = NightStream(lines)
        var redactor = Redactor(profile, identity, parts: parts)
        var order = NightOrder()
        while let line = try stream.next() {
            // The line is read before the redaction too, so that the redaction hides no fault of the stream.
            let read = try NightsLine(line)
            try order.take(read.nights, line: line.number)
            try body(read, line.object, redactor.redact(line))
        }
    }
}
