internal import DoseTapDomain
internal import Yams

/// Reads the text of a `config.yaml`. A pure function: no file, no environment.
public struct ConfigReader: Sendable {
    /// Largest file read, in bytes.
    public static let sizeLimit = 256 * 1024

    /// Limit of `*word` marks that are handed to the YAML library: nested aliases grow as a power of their number.
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
    ///   - rules: The settings and what they may refer to.
    /// - Returns: The valid values, and a complaint for every fault.
    public static func read(_ bytes: [UInt8], source: ConfigSource, rules: ConfigRules = ConfigRules()) -> ConfigLayer {
        var reader = ConfigReader(source: source, rules: rules)
        reader.read(bytes)
        return reader.layer
    }

    private mutating func read(_ bytes: [UInt8]) {
        guard bytes.count <= Self.sizeLimit else {
            complain(sent("the file is larger than \(Self.sizeLimit / 1024) KiB"))
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            complain(line: Self.line(ofInvalid: bytes), sent("the line is not valid UTF-8"))
            return
        }
        guard Self.aliasMarks(bytes) <= Self.aliasLimit else {
            complain(sent("anchors and aliases are not accepted"))
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
            complain(sent("the file is not valid YAML"))
        }
    }

    private mutating func complain(_ error: YamlError, in bytes: [UInt8]) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let what = (context.map { "\($0.text) " } ?? "") + problem
            complain(mark, sent("not valid YAML: \(what)"))
        case .duplicatedKeysInMapping(let duplicates, let context):
            complain(context.mark, key: duplicates.first, sent("the key occurs more than once"))
        case .reader(let problem, let offset, _, _):
            let line = offset.map { bytes.prefix(max($0, 0)).count { $0 == UInt8(ascii: "\n") } + 1 }
            complain(line: line, sent("not valid YAML: \(problem)"))
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            complain(sent("the file is not valid YAML"))
        }
    }

    /// Returns the number of `*` before a byte that is neither a space, a control character nor another `*`.
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

extension ConfigReader {
    /// Reads the outermost mapping.
    mutating func readRoot(_ root: Node) {
        if Self.isNothing(root) { return }
        guard let pairs = mapping(root, key: nil, sent("expected settings as “key: value” lines")) else { return }
        let sections = Set(rules.rows.compactMap(\.section))
        for (keyNode, value) in pairs {
            guard let name = key(keyNode, in: nil) else { continue }
            if name == "plugins" {
                readPlugins(value)
            } else if sections.contains(name) {
                readSection(name, value)
            } else if let setting = rules.row(name), setting.section == nil {
                readValue(setting, value)
            } else {
                complainOfUnknown(name, at: keyNode, sections)
            }
        }
    }

    /// Complains with the nearest known key. A full key on one line, or a section's key without its section, is a likely slip.
    private mutating func complainOfUnknown(_ name: String, at node: Node, _ sections: Set<String>) {
        let full = rules.rows.map(\.key)
        if full.contains(name) {
            complain(node.mark, key: name, sent("a section and its key stand on two lines, the key indented"))
            return
        }
        let known = sections.union(["plugins"]).union(rules.rows.filter { $0.section == nil }.map(\.key))
        complain(
            node.mark, key: name, sent("unknown key"),
            suggestion: full.first { $0.hasSuffix("." + name) } ?? Suggestions.to(name, in: known).min()
                ?? Suggestions.to(name, in: full).min())
    }

    private mutating func readSection(_ section: String, _ node: Node) {
        if Self.isNothing(node) { return }
        guard let pairs = mapping(node, key: section, sent("expected a section with indented “key: value” lines"))
        else {
            return
        }
        let names = rules.rows.filter { $0.section == section }.map(\.key)
        for (keyNode, value) in pairs {
            guard let name = key(keyNode, in: section) else { continue }
            let full = section + "." + name
            if let setting = rules.row(full) {
                readValue(setting, value)
            } else {
                complain(
                    keyNode.mark, key: full, sent("unknown key"),
                    suggestion: Suggestions.to(full, in: names).min()
                        ?? Suggestions.to(full, in: rules.rows.map(\.key)).min())
            }
        }
    }

    private mutating func readPlugins(_ node: Node) {
        if Self.isNothing(node) { return }
        guard let pairs = mapping(node, key: "plugins", sent("expected a section with one entry per plugin")) else {
            return
        }
        for (keyNode, value) in pairs {
            guard let id = key(keyNode, in: "plugins") else { continue }
            let path = "plugins." + id
            guard ConfigRules.isPluginID(id), rules.knownPlugins?.contains(id) != false else {
                let near = Suggestions.to(id, in: rules.knownPlugins ?? []).min()
                complain(keyNode.mark, key: path, sent("unknown plugin"), suggestion: near.map { "plugins." + $0 })
                continue
            }
            if Self.isNothing(value) { continue }
            guard let settings = mapping(value, key: path, sent("expected “enabled: true” or “enabled: false” below"))
            else {
                continue
            }
            for (nameNode, flag) in settings {
                guard let name = key(nameNode, in: path) else { continue }
                guard name == "enabled" else {
                    complain(
                        nameNode.mark, key: path + "." + name, sent("unknown key"),
                        suggestion: Suggestions.to(name, in: ["enabled"]).min().map { path + "." + $0 })
                    continue
                }
                guard let text = scalar(flag, key: path + ".enabled", .flag),
                    accepts(id == ConfigRules.lockablePlugin, path + ".enabled", flag)
                else { continue }
                if case .flag(let isEnabled) = SettingKind.flag.value(text) {
                    layer.plugins[id] = .init(value: isEnabled, source: source)
                } else {
                    complain(flag.mark, key: path + ".enabled", SettingKind.flag.complaint(text))
                }
            }
        }
    }

    private mutating func readValue(_ setting: SettingRow, _ node: Node) {
        let text =
            setting.kind.isList ? list(node, setting) : scalar(node, key: setting.key, setting.kind)
        guard let text, accepts(ConfigRules.isLockable(setting), setting.key, node) else { return }
        switch rules.value(setting, text) {
        case .success(let value): layer.values[setting.key] = .init(value: value, source: source)
        case .failure(let objection): complain(node.mark, key: setting.key, objection.message)
        }
    }

    /// Returns true if this source may hold the setting; a policy may hold only lockable ones.
    private mutating func accepts(_ isLockable: Bool, _ key: String, _ node: Node) -> Bool {
        guard case .policy = source, !isLockable else { return true }
        complain(node.mark, key: key, sent("a policy cannot set it, only privacy, backup and plugins.hooks.enabled"))
        return false
    }

    // MARK: - Nodes

    /// Returns true for an empty value, `~` or `null`: an empty file, or a section whose lines are all comments.
    private static func isNothing(_ node: Node) -> Bool {
        guard let scalar = node.scalar, scalar.style == .plain, scalar.anchor == nil else { return false }
        return scalar.string.isEmpty || scalar.string == "~" || scalar.string == "null"
    }

    private mutating func mapping(_ node: Node, key: String?, _ message: String) -> Node.Mapping? {
        guard isUnanchored(node) else { return nil }
        guard let mapping = node.mapping else {
            complain(node.mark, key: key, message)
            return nil
        }
        return mapping
    }

    private mutating func key(_ node: Node, in section: String?) -> String? {
        guard isUnanchored(node) else { return nil }
        guard let name = node.scalar?.string, !name.isEmpty else {
            complain(node.mark, key: section, sent("a key must be a word"))
            return nil
        }
        return name
    }

    /// Returns the text of a value that must not be a list, a section, or empty without quotes.
    private mutating func scalar(_ node: Node, key: String, _ kind: SettingKind) -> String? {
        guard isUnanchored(node) else { return nil }
        guard let scalar = node.scalar else {
            complain(
                node.mark, key: key,
                node.mapping == nil
                    ? sent("expected \(kind.range), found a list") : sent("expected \(kind.range), found a section"))
            return nil
        }
        let isQuoted = scalar.style == .singleQuoted || scalar.style == .doubleQuoted
        if scalar.string.isEmpty, !isQuoted {
            complain(node.mark, key: key, sent("the value is missing: \(kind.range)"))
            return nil
        }
        switch kind {
        case .integer, .choice, .delay, .flag:
            guard !isQuoted else {
                complain(node.mark, key: key, sent("expected \(kind.range) without quotes"))
                return nil
            }
        case .clockTime, .word, .zone, .soundName, .program, .sentence, .sleepEvents, .medications, .names:
            break
        }
        return scalar.string
    }

    /// Returns the text of a value that may be a list; the parts of a list are separated by commas.
    private mutating func list(_ node: Node, _ setting: SettingRow) -> String? {
        guard let parts = node.sequence else { return scalar(node, key: setting.key, setting.kind) }
        guard isUnanchored(node) else { return nil }
        var texts: [String] = []
        for part in parts {
            guard let text = scalar(part, key: setting.key, setting.kind) else { return nil }
            texts.append(text)
        }
        return texts.joined(separator: ",")
    }

    private mutating func isUnanchored(_ node: Node) -> Bool {
        guard node.anchor != nil else { return true }
        complain(node.mark, sent("anchors and aliases are not accepted"))
        return false
    }
}
