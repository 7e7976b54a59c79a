internal import DoseTapDomain

/// The order of nights in a list.
enum NightOrder: String, Sendable, CaseIterable {
    case date
    /// The shortest first.
    case interval
    /// The best first.
    case score

    /// - Throws: ``Failure`` with the nearest word.
    init(word: String) throws(Failure) {
        guard let order = NightOrder(rawValue: word) else {
            if ["oldest", "newest", "asc", "desc"].contains(word.lowercased()) {
                throw .usage(
                    "There is no order '\(word)': by date the newest night is first, with --oldest-first the oldest.",
                    hint: ["oldest", "asc"].contains(word.lowercased())
                        ? "dosetap history --oldest-first" : "dosetap history")
            }
            throw .unknown(
                "order", word, known: NightOrder.allCases.map(\.rawValue), command: "dosetap history --sort",
                help: "dosetap history --help")
        }
        self = order
    }

    /// - Parameter nights: by their dates; equal ones stay in this order.
    func sorted(_ nights: [NightSummary]) -> [NightSummary] {
        switch self {
        case .date: nights
        case .interval: Self.sorted(nights) { $0.intervalMinutes }
        case .score: Self.sorted(nights) { $0.nightScore.map { -$0 } }
        }
    }

    private static func sorted<Value: Comparable>(
        _ nights: [NightSummary], _ value: (NightSummary) -> Value?
    ) -> [NightSummary] {
        let known = nights.enumerated().compactMap { place, night in value(night).map { ($0, place, night) } }
        return known.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2) + nights.filter { value($0) == nil }
    }
}
