import DoseTapDomain
import DoseTapExchange

extension FuzzTarget {
    /// The stream of the nights, as the filter turns it into formats. The first byte chooses format, profile and form.
    /// A wrong stream gives a named error with a line.
    static let nights = FuzzTarget("nights", longest: 32_768) { bytes in
        guard let first = bytes.first.map(Int.init) else { return }
        let format = Format.allCases[first % Format.allCases.count]
        let profile = ExportProfile.allCases[first / 4 % ExportProfile.allCases.count]
        guard
            let run = try? ExchangeRun(
                format, profile: profile, isLines: first >= 128 && format.hasLines, identity: Identity(salt: [1, 2, 3]))
        else { return }
        var written: [UInt8] = []
        var output = Output { part in
            written += part
            return 0
        }
        do throws(ExchangeFault) {
            try run.write(LineReader(bytes.from(1)), to: &output)
            _ = try run.preview(LineReader(bytes.from(1)))
            if format == .fhir, first < 128 {
                let limits = JSONLimits(bytes: .max)
                promise((try? JSONValue.parse(written, limits: limits)) != nil, "the bundle is no JSON")
            }
            if format != .ios { promise(String(validating: written, as: UTF8.self) != nil, "the file is no UTF-8") }
        } catch { promise(error.line > 0 && error.kind == .stream, "a fault without a line: \(error)") }
    }
}
