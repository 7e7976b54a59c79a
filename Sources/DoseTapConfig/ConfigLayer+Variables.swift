internal import DoseTapDomain

extension ConfigLayer {
    /// What the environment says: `DOSETAP_SNOOZE_MAX=2`, `DOSETAP_PLUGINS_SLEEP_LOCK_ENABLED=no`.
    ///
    /// Other variables that start with `DOSETAP_` belong to the command line and are not looked at; an empty value
    /// counts as unset.
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

    /// What options of the command line say: full key and value.
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
            complaints.append(ConfigComplaint(source, key: name, "unknown key", suggestion: suggestion))
        }
    }
}
