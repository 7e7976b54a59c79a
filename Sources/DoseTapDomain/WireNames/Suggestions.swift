/// Finds the word somebody meant.
public enum Suggestions {
    /// Returns the known words with the fewest letters to change, if these are few enough to be a slip: a third of the
    /// longer word's letters, at least two, one of a word under five letters. Only the first 64 bytes of a word are
    /// looked at.
    public static func to(_ text: String, in known: some Sequence<String>) -> [String] {
        let text = text.lowercased()
        let ranked = known.map { (word: $0, distance: distance(text, $0)) }
        guard let least = ranked.map(\.distance).min() else { return [] }
        let best = ranked.filter { $0.distance == least }.map(\.word)
        return best.filter { word in
            let letters = max(text.utf8.count, word.utf8.count)
            return least <= (letters < 5 ? 1 : max(2, letters / 3))
        }
    }

    /// Returns the number of letters to add, drop, change or swap with their neighbour (optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.utf8.prefix(64))
        let right = Array(right.utf8.prefix(64))
        var before = [Int]()
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var next = [i + 1]
            for (j, other) in right.enumerated() {
                var cost = min(row[j + 1] + 1, next[j] + 1, row[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other { cost = min(cost, before[j - 1] + 1) }
                next.append(cost)
            }
            before = row
            row = next
        }
        return row.last ?? left.count
    }
}
