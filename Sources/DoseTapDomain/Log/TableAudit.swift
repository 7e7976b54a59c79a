/// One page of a comparison of the tables with the log.
public struct TableAudit: Hashable, Sendable {
    /// Where the next page begins; nil after the last one.
    public var next: Place?
    /// So many rows were rebuilt, by the name of their table.
    public var mended: [String: Int]
    /// What is wrong in the log itself, a sentence each: no row was rebuilt by it.
    public var findings: [String]

    /// Memberwise.
    public init(next: Place? = nil, mended: [String: Int] = [:], findings: [String] = []) {
        self.next = next
        self.mended = mended
        self.findings = findings
    }

    /// Where a page begins.
    public struct Place: Hashable, Sendable {
        /// The kind of rows, in the order in which they are compared.
        public var step: Int
        /// The last id of that kind that was compared; empty for none.
        public var after: String

        /// Memberwise.
        public init(step: Int, after: String) {
            self.step = step
            self.after = after
        }

        /// Where the first page begins.
        public static let start = Place(step: 0, after: "")
    }

    /// Takes over what another page found.
    public mutating func add(_ page: TableAudit) {
        next = page.next
        mended.merge(page.mended) { $0 + $1 }
        findings += page.findings.filter { !findings.contains($0) }
    }

    /// What a person reads of rows that were rebuilt; nil where all said what the log says.
    public var sentence: String? {
        guard !mended.isEmpty else { return nil }
        let count = mended.values.reduce(0, +)
        let (noun, verb) = count == 1 ? ("row", "was") : ("rows", "were")
        return "\(count) \(noun) of \(mended.keys.sorted().joined(separator: ", ")) did not say what the log says and "
            + "\(verb) rebuilt from it"
    }
}
