/// Sentences of a report, a bounded number of them.
struct Findings {
    private var told: [String] = []
    private var untold = 0
    private var seen: Set<String> = []

    /// Adds a sentence, once.
    mutating func add(_ sentence: String) {
        guard told.count < Store.mostFindings else {
            untold += 1
            return
        }
        if seen.insert(sentence).inserted { told.append(sentence) }
    }

    var isEmpty: Bool { told.isEmpty }

    /// All sentences, the last one telling how many more there are.
    var sentences: [String] { untold == 0 ? told : told + ["and \(untold) more"] }
}
