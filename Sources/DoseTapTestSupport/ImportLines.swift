public import DoseTapDomain
public import SDBus

/// The stream that a reader of foreign files makes.
public struct ImportLines: Sendable {
    public var source: String
    public var lines: [ImportLine] = []

    public init(_ source: String = "plees", _ lines: [ImportLine] = []) {
        self.source = source
        self.lines = lines
    }

    public init(_ source: String = "plees", entries: [ImportEntry]) {
        self.init(source, entries.map(ImportLine.entry))
    }

    public var text: String {
        let notTaken = lines.count { if case .notTaken = $0 { true } else { false } }
        let end = ImportLine.end(ImportCount(records: lines.count - notTaken, notTaken: notTaken))
        let all = [ImportLine.header(ImportHeader(source: source))] + lines + [end]
        return all.map { JSONValue.object($0.json).serialized() + "\n" }.joined()
    }

    /// Returns a file in memory with the stream.
    public func file() throws -> UnixFD { try UnixFD.memory(Array(text.utf8)) }

    /// A night with both doses, bathroom, the final wake and a check-in.
    ///
    /// - Parameter number: part of each id.
    public static func night(_ number: Int, dose1: Instant, offset: Int? = nil) -> [ImportEntry] {
        func entry(_ what: ImportEntry.What, _ minutes: Int, _ word: String) -> ImportEntry {
            ImportEntry(
                what, row: "night \(number), \(word)", id: "\(number)-\(word)", at: dose1 + .minutes(minutes),
                offsetMinutes: offset)
        }
        return [
            entry(.dose(.dose1, amountMilligrams: 4_500), 0, "dose1"),
            entry(.sleepEvent("bathroom"), 90, "bathroom"),
            entry(.dose(.dose2, amountMilligrams: 4_500), 165, "dose2"),
            entry(.finalWake, 450, "wake"),
            entry(.checkIn(["sleep_quality": 4]), 480, "checkin"),
        ]
    }
}
