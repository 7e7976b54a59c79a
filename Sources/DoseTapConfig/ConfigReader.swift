import Yams

/// Reads the text of a `config.yaml`. A pure function: no file, no environment.
public struct ConfigReader: Sendable {
    /// Largest file read, in bytes.
    public static let sizeLimit = 256 * 1024

    /// More `*word` marks than this are not handed to the YAML library: nested aliases grow as a power of their number.
    private static let aliasLimit = 16

    let source: ConfigSource
    let rules: ConfigRules
    var layer = ConfigLayer()

    init(source: ConfigSource, rules: ConfigRules) {
        self.source = source
        self.rules = rules
    }

    /// Reads a file's content.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - source: The file's name, for complaints.
    ///   - rules: What settings may refer to.
    /// - Returns: The values that are right, and a complaint for everything that is not.
    public static func read(_ bytes: [UInt8], source: ConfigSource, rules: ConfigRules = ConfigRules()) -> ConfigLayer {
        var reader = ConfigReader(source: source, rules: rules)
        reader.read(bytes)
        return reader.layer
    }

    private mutating func read(_ bytes: [UInt8]) {
        guard bytes.count <= Self.sizeLimit else {
            complain("the file is larger than \(Self.sizeLimit / 1024) KiB")
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            complain(line: Self.line(ofInvalid: bytes), "the line is not valid UTF-8")
            return
        }
        guard Self.aliasMarks(bytes) <= Self.aliasLimit else {
            complain("anchors and aliases are not accepted")
            return
        }
        let unmarked = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
        do {
            let parser = try Parser(yaml: unmarked)
            // A node's anchor lives only as long as the parser that read it.
            try withExtendedLifetime(parser) {
                if let root = try parser.singleRoot() { readRoot(root) }
            }
        } catch let error as YamlError {
            complain(error, in: bytes)
        } catch {
            complain("the file is not valid YAML")
        }
    }

    private mutating func complain(_ error: YamlError, in bytes: [UInt8]) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let where_ = context.map { " \($0.text)" } ?? ""
            complain(mark, "not valid YAML:\(where_) \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            complain(context.mark, key: duplicates.first, "the key occurs more than once")
        case .reader(let problem, let offset, _, _):
            let line = offset.map { bytes.prefix(max($0, 0)).count { $0 == UInt8(ascii: "\n") } + 1 }
            complain(line: line, "not valid YAML: \(problem)")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            complain("the file is not valid YAML")
        }
    }

    /// How many `*` stand before a letter, digit, `_` or `-`, wherever they are.
    private static func aliasMarks(_ bytes: [UInt8]) -> Int {
        zip(bytes, bytes.dropFirst()).count { mark, next in mark == UInt8(ascii: "*") && next > 0x20 && next != mark }
    }

    private static func line(ofInvalid bytes: [UInt8]) -> Int {
        // A line feed is no part of a longer UTF-8 sequence, so lines can be tried one by one.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }

    mutating func complain(_ mark: Mark?, key: String? = nil, _ message: String, suggestion: String? = nil) {
        layer.complaints.append(
            ConfigComplaint(source, line: mark?.line, column: mark?.column, key: key, message, suggestion: suggestion))
    }

    mutating func complain(line: Int? = nil, _ message: String) {
        layer.complaints.append(ConfigComplaint(source, line: line, message))
    }
}
