public import DoseTapDomain

/// The settings of one source, before the sources are laid over each other.
public struct ConfigLayer: Sendable, Hashable {
    /// A value and where it was found.
    public struct Found<Value: Sendable & Hashable>: Sendable, Hashable {
        /// The value, within its range.
        public let value: Value
        public let source: ConfigSource
    }

    /// Settings by key.
    public internal(set) var values: [String: Found<SettingValue>] = [:]
    /// Plugins turned on or off, by id.
    public internal(set) var plugins: [String: Found<Bool>] = [:]
    /// Faults of the source. A setting with a fault is not among the values.
    public internal(set) var complaints: [ConfigComplaint] = []

    public init() {}
}

extension ConfigLayer {
    /// Reads the environment: `DOSETAP_SNOOZE_MAX=2`, `DOSETAP_PLUGINS_SLEEP_LOCK_ENABLED=no`.
    ///
    /// Other variables that start with `DOSETAP_` belong to the command line and are ignored; an empty value counts as unset.
    public init(environment: [String: String], rules: ConfigRules = ConfigRules()) {
        self.init()
        for row in rules.rows {
            guard let text = environment[row.variable], !text.isEmpty else { continue }
            set(row.key, text, from: .environment(row.variable), rules: rules)
        }
        let start = "DOSETAP_PLUGINS_", end = "_ENABLED"
        for (name, text) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix(start) && name.hasSuffix(end) && name.count > start.count + end.count && !text.isEmpty {
            let id = name.dropFirst(start.count).dropLast(end.count).lowercased().replacing("_", with: "-")
            set("plugins.\(id).enabled", text, from: .environment(name), rules: rules)
        }
    }

    /// Returns the variables that begin with a group of settings, as `DOSETAP_SNOOZE_`, and name no setting. These complaints
    /// hold nothing back.
    public static func unknownVariables(
        _ environment: [String: String], rules: ConfigRules = ConfigRules()
    ) -> [ConfigComplaint] {
        let known = rules.rows.map(\.variable)
        let groups = Set(rules.rows.map { $0.key.prefix { $0 != "." } }).map { "DOSETAP_\($0.uppercased())_" }
        let names = environment.filter { !$0.value.isEmpty && !known.contains($0.key) }.map(\.key).sorted()
        return names.filter { name in
            !name.hasPrefix("DOSETAP_PLUGINS_") && groups.contains(where: name.hasPrefix)
        }.map { name in
            let nearest = Suggestions.to(name, in: known.map { $0.lowercased() })
            return ConfigComplaint(
                .environment(name), key: name, sent("unknown variable"),
                suggestion: nearest.count == 1 ? nearest[0].uppercased() : nil)
        }
    }

    /// Reads options of the command line: full key and value.
    public init(flags: [(key: String, value: String)], rules: ConfigRules = ConfigRules()) {
        self.init()
        for flag in flags { set(flag.key, flag.value, from: .flag(flag.key), rules: rules) }
    }

    private mutating func set(_ name: String, _ text: String, from source: ConfigSource, rules: ConfigRules) {
        switch ConfigKey(name, rules: rules) {
        case .setting(let row):
            switch rules.value(row, text) {
            case .success(let value): values[row.key] = Found(value: value, source: source)
            case .failure(let objection): complaints.append(ConfigComplaint(source, key: name, objection.message))
            }
        case .plugin(let id):
            if case .flag(let isEnabled) = SettingKind.flag.value(text) {
                plugins[id] = Found(value: isEnabled, source: source)
            } else {
                complaints.append(ConfigComplaint(source, key: name, SettingKind.flag.complaint(text)))
            }
        case .unknown(let suggestion):
            complaints.append(ConfigComplaint(source, key: name, sent("unknown key"), suggestion: suggestion))
        }
    }
}

/// The source of a value, weakest first.
public enum ConfigSource: Sendable, Hashable, CustomStringConvertible {
    case builtIn
    /// The machine's file, with its path.
    case systemFile(String)
    /// The person's file, with its path.
    case userFile(String)
    /// An environment variable, with its name.
    case environment(String)
    /// An option of the command line, with its name.
    case flag(String)
    /// The machine's policy, with its path; a policy wins over all other sources.
    case policy(String)

    /// True if the person cannot change a value of this source.
    public var isLock: Bool {
        if case .policy = self { true } else { false }
    }

    /// The file, variable or option, for people.
    public var description: String {
        switch self {
        case .builtIn: "default"
        case .systemFile(let path), .userFile(let path), .policy(let path): path
        case .environment(let name): "environment " + name
        case .flag(let name): "option " + name
        }
    }
}

/// A fault in the configuration.
public struct ConfigComplaint: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, variable or option.
    public let source: ConfigSource
    /// Line in the file, from 1; nil for a variable, an option or the file as a whole.
    public let line: Int?
    /// Column in Unicode scalars, from 1.
    public let column: Int?
    /// The setting's key as written, if the fault concerns a key.
    public let key: String?
    /// The fault in one sentence without a full stop.
    public let message: String
    /// The nearest known key, for an unknown one.
    public let suggestion: String?

    init(
        _ source: ConfigSource, line: Int? = nil, column: Int? = nil, key: String? = nil, _ message: String,
        suggestion: String? = nil
    ) {
        self.source = source
        self.line = line
        self.column = column
        self.key = key
        self.message = message
        self.suggestion = suggestion
    }

    /// `FILE:LINE:COLUMN: KEY: message; did you mean …?`
    public var description: String {
        var text = source.description
        if let line { text += ":\(line)" }
        if let line, let column, line > 0 { text += ":\(column)" }
        text += ": "
        if let key { text += Quoted.text(key) + ": " }
        text += message
        if let suggestion { text += "; did you mean \(suggestion)?" }
        return text
    }
}

extension ConfigComplaint {
    /// Returns true if the complaint is about the value of that setting and nothing else. A new value then removes the fault.
    func isAbout(_ key: String) -> Bool { self.key == key && suggestion == nil }
}
