internal import DoseTapDomain
internal import Yams

/// A change of one setting in the text of a file. The change is a pure function; comments and layout stay.
struct ConfigEdit {
    private let key: String
    private let path: [String]
    private let literal: String
    private let source: ConfigSource
    private let rules: ConfigRules

    /// Checks key and value.
    init(_ key: String, to text: String, source: ConfigSource, rules: ConfigRules) throws(ConfigComplaint) {
        self.key = key
        self.source = source
        self.rules = rules
        path = key.split(separator: ".").map(String.init)
        switch ConfigKey(key, rules: rules) {
        case .setting(let setting):
            switch rules.value(setting, text) {
            case .success(let value): literal = Self.literal(value)
            case .failure(let objection): throw ConfigComplaint(source, key: key, objection.message)
            }
        case .plugin:
            guard let value = SettingKind.flag.value(text) else {
                throw ConfigComplaint(source, key: key, SettingKind.flag.complaint(text))
            }
            literal = Self.literal(value)
        case .unknown(let suggestion):
            throw ConfigComplaint(source, key: key, sent("unknown key"), suggestion: suggestion)
        }
    }

    /// Returns the text with the setting changed.
    ///
    /// - Throws: ``ConfigComplaint`` if the text is not valid YAML, or cannot be changed without touching another setting.
    func applied(to text: String) throws(ConfigComplaint) -> String {
        let before = ConfigReader.read(Array(text.utf8), source: source, rules: rules)
        if let first = before.complaints.first(where: { !$0.isAbout(key) }) { throw first }
        guard let edited = rewritten(text) else { throw byHand }
        // A second reading proves that nothing else changed.
        let after = ConfigReader.read(Array(edited.utf8), source: source, rules: rules)
        guard after.complaints.isEmpty, after == expected(before) else { throw byHand }
        return edited
    }

    private var byHand: ConfigComplaint {
        ConfigComplaint(source, key: key, sent("cannot be changed in place; set it to \(literal) in an editor"))
    }

    private func expected(_ before: ConfigLayer) -> ConfigLayer {
        var layer = before
        layer.complaints = []
        let change = ConfigLayer(flags: [(key, literal == "\"\"" ? "" : unquoted)], rules: rules)
        for (key, found) in change.values { layer.values[key] = .init(value: found.value, source: source) }
        for (id, found) in change.plugins { layer.plugins[id] = .init(value: found.value, source: source) }
        return layer
    }

    private var unquoted: String { literal.hasPrefix("\"") ? String(literal.dropFirst().dropLast()) : literal }

    private static func literal(_ value: SettingValue) -> String {
        switch value {
        case .sleepEvents, .medications, .names: return literal(.text(value.description))
        case .text(let text):
            let isPlain = !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "/_+-,.".contains($0) }
            return isPlain ? text : "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        case .clockTime, .integer, .delay, .flag:
            return value.description
        }
    }

    // MARK: - Finding the place

    private func rewritten(_ text: String) -> String? {
        var lines = TextLines(text)
        guard let parser = try? Parser(yaml: text), let root = (try? parser.singleRoot()) ?? .some(Node("")) else {
            return nil
        }
        guard let top = root.mapping, let first = top.first?.key.mark else {
            guard root.scalar?.string.isEmpty == true else { return nil }
            lines.append(block(path, indent: 0))
            return lines.text
        }
        var mapping = top
        for (depth, name) in path.enumerated() {
            guard let (keyNode, value) = mapping.first(where: { $0.key.scalar?.string == name }) else {
                if depth == 0 {
                    lines.append(block(path, indent: first.column - 1))
                    return lines.text
                }
                return nil
            }
            guard let mark = keyNode.mark else { return nil }
            if depth == path.count - 1 { return replace(value, at: mark, in: &lines) }
            let rest = Array(path[(depth + 1)...])
            if let inner = value.mapping, let child = inner.first?.key.mark {
                if inner.contains(where: { $0.key.scalar?.string == rest[0] }) {
                    mapping = inner
                    continue
                }
                // The new lines go right below the heading: comments stay with the lines they stand above.
                lines.insert(block(rest, indent: child.column - 1), afterLine: mark.line)
            } else {
                lines.insert(block(rest, indent: mark.column + 1), afterLine: mark.line)
            }
            return lines.text
        }
        return nil
    }

    /// The missing part of the path as lines of its own.
    private func block(_ names: [String], indent: Int) -> [String] {
        names.enumerated().map { depth, name in
            String(repeating: " ", count: indent + 2 * depth) + name + ":"
                + (depth == names.count - 1 ? " " + literal : "")
        }
    }

    private func replace(_ value: Node, at key: Mark, in lines: inout TextLines) -> String? {
        guard let scalar = value.scalar, let mark = scalar.mark else { return nil }
        if scalar.string.isEmpty, scalar.style == .plain {
            guard let last = path.last, let line = lines[key.line] else { return nil }
            let head = line.unicodeScalars.prefix(key.column - 1 + last.unicodeScalars.count + 1)
            guard head.last == ":" else { return nil }
            lines[key.line] = String(head) + " " + literal + String(line.unicodeScalars.dropFirst(head.count))
            return lines.text
        }
        guard let line = lines[mark.line] else { return nil }
        let head = String(line.unicodeScalars.prefix(mark.column - 1))
        let tail = Substring(line.unicodeScalars.dropFirst(mark.column - 1))
        guard let length = Self.length(of: scalar, at: tail) else { return nil }
        lines[mark.line] = head + literal + String(tail.unicodeScalars.dropFirst(length))
        return lines.text
    }

    /// Returns the number of Unicode scalars that the value takes in the line; nil if the value goes on in the next line.
    private static func length(of scalar: Node.Scalar, at tail: Substring) -> Int? {
        switch scalar.style {
        case .singleQuoted, .doubleQuoted:
            guard let quote = tail.unicodeScalars.first else { return nil }
            let rest = tail.unicodeScalars.dropFirst()
            // Values with escapes or doubled quotes are not written by this program; the check after the edit refuses them.
            return rest.firstIndex(of: quote).map { rest.distance(from: rest.startIndex, to: $0) + 2 }
        default:
            return tail.hasPrefix(scalar.string) ? scalar.string.unicodeScalars.count : nil
        }
    }
}

/// A text as lines numbered from 1. Each line keeps its end. A new line gets CR LF if the first line has it, else LF.
struct TextLines {
    /// Without the line feeds.
    private var lines: [String]
    private static let carriageReturn: Unicode.Scalar = "\r"

    init(_ text: String) {
        // The split is by bytes: Swift takes CR LF for one character.
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
    }

    var text: String { lines.joined(separator: "\n") }

    subscript(number: Int) -> String? {
        get { lines.indices.contains(number - 1) ? Self.parts(lines[number - 1]).text : nil }
        set {
            guard let newValue, lines.indices.contains(number - 1) else { return }
            lines[number - 1] = newValue + Self.parts(lines[number - 1]).end
        }
    }

    mutating func insert(_ new: [String], afterLine number: Int) {
        lines.insert(contentsOf: new.map { $0 + newEnd }, at: min(number, lines.count))
    }

    /// Adds lines at the end; the text then ends with a line end.
    mutating func append(_ new: [String]) {
        if let last = lines.popLast(), !last.isEmpty { lines.append(Self.parts(last).text + newEnd) }
        lines += new.map { $0 + newEnd } + [""]
    }

    private var newEnd: String { lines.first.map { Self.parts($0).end } ?? "" }

    private static func parts(_ line: String) -> (text: String, end: String) {
        guard line.unicodeScalars.last == carriageReturn else { return (line, "") }
        return (String(line.unicodeScalars.dropLast()), String(carriageReturn))
    }
}
