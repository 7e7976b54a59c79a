/// A person's directories by the XDG base directory specification, version 0.8.
public struct XDGDirectories: Sendable, Hashable {
    /// `$XDG_DATA_HOME`, default `~/.local/share`: the store.
    public let data: String
    /// `$XDG_CONFIG_HOME`, default `~/.config`: the configuration.
    public let config: String
    /// `$XDG_STATE_HOME`, default `~/.local/state`.
    public let state: String
    /// `$XDG_CACHE_HOME`, default `~/.cache`.
    public let cache: String
    /// `$XDG_RUNTIME_DIR`; it has no default.
    public let runtime: String?
    /// `$XDG_CONFIG_DIRS`, default `/etc/xdg`, most important first.
    public let systemConfig: [String]

    /// Reads an environment. Relative paths are ignored, as the specification demands.
    ///
    /// - Throws: ``SystemFault`` `.noHome` where `HOME` is missing or relative and a default needs it.
    public init(environment: [String: String]) throws(SystemFault) {
        func absolute(_ name: String) -> String? {
            guard var path = environment[name], path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
            while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
            return path
        }
        func home(_ name: String, _ below: String) throws(SystemFault) -> String {
            if let path = absolute(name) { return path }
            guard let home = absolute("HOME") else {
                throw SystemFault(
                    .noHome, "The environment names no home directory.", hint: "Set HOME to an absolute path.")
            }
            return (home == "/" ? "" : home) + "/" + below
        }
        data = try home("XDG_DATA_HOME", ".local/share")
        config = try home("XDG_CONFIG_HOME", ".config")
        state = try home("XDG_STATE_HOME", ".local/state")
        cache = try home("XDG_CACHE_HOME", ".cache")
        runtime = absolute("XDG_RUNTIME_DIR")
        let listed = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        systemConfig = listed.isEmpty ? ["/etc/xdg"] : listed.map(String.init)
    }

    /// Where the store lies unless told otherwise.
    public var store: String { data + "/dosetap/dosetap.db" }

    /// What the service leaves for its next process, until the person logs out; nil without ``runtime``.
    public var runtimeFolder: String? { runtime.map { $0 + "/dosetap" } }

    /// Where hooks lie, most important first: the person's own, then the machine's.
    public var hooks: [String] { ([config] + systemConfig).map { $0 + "/dosetap/hooks.d" } }

    /// The person's configuration file.
    public var userConfig: String { config + "/dosetap/config.yaml" }
}
