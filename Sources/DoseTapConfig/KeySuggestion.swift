/// Finds the known key a misspelt one was meant to be.
enum KeySuggestion {
    /// The nearest of `known`, if it is near: a third of the letters may differ, at least two.
    static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        guard word.utf8.count <= 100 else { return nil }
        let limit = max(2, word.count / 3)
        return known.map { (key: $0, distance: distance(Array(word.lowercased()), Array($0))) }
            .filter { $0.distance <= limit }
            .min { ($0.distance, $0.key) < ($1.distance, $1.key) }?.key
    }

    /// Edits between two words: insert, drop, replace or swap neighbours (optimal string alignment).
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var older: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, older[j - 1] + 1) }
                row.append(best)
            }
            (older, last) = (last, row)
        }
        return last[b.count]
    }
}
