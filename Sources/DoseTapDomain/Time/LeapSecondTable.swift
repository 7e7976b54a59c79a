/// The leap seconds of a `right/` zone file, to bring its times to POSIX time.
struct LeapSecondTable {
    private var occurrences: [Int64] = []
    private var corrections: [Int64] = []

    var isEmpty: Bool { occurrences.isEmpty }

    /// Adds a record; false if it does not follow the last one or its correction is beyond reason.
    mutating func append(occurrence: Int64, correction: Int64) -> Bool {
        if let last = occurrences.last, occurrence <= last { return false }
        guard (-10_000...10_000).contains(correction) else { return false }
        occurrences.append(occurrence)
        corrections.append(correction)
        return true
    }

    /// The POSIX time of a time that counts leap seconds.
    func posix(_ time: Int64) -> Int64 {
        guard let index = occurrences.lastIndex(where: { $0 <= time }) else { return time }
        return time.subtractingReportingOverflow(corrections[index]).partialValue
    }
}
