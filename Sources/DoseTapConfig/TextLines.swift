/// A text as lines numbered from 1, with the line ends it has.
struct TextLines {
    private var lines: [String]
    private let end: String

    init(_ text: String) {
        end = text.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
        // Split by bytes: Swift takes CR LF for one character.
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(line.last == UInt8(ascii: "\r") ? Substring(line.dropLast()) : Substring(line))
        }
    }

    var text: String { lines.joined(separator: end) }

    subscript(number: Int) -> String? {
        get { lines.indices.contains(number - 1) ? lines[number - 1] : nil }
        set { if let newValue, lines.indices.contains(number - 1) { lines[number - 1] = newValue } }
    }

    mutating func insert(_ new: [String], afterLine number: Int) {
        lines.insert(contentsOf: new, at: min(number, lines.count))
    }

    /// Puts lines at the end, which gets a line end if it had none.
    mutating func append(_ new: [String]) {
        if lines.last?.isEmpty == true { lines.removeLast() }
        lines += new + [""]
    }
}
