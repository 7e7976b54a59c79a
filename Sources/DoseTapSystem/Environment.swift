internal import DoseTapDomain
internal import Glibc

/// A person's directories by the XDG base directory specification, version 0.8.
public struct XDGDirectories: Sendable, Hashable {
    /// `$XDG_DATA_HOME`, default `~/.local/share`: the store.
    public let data: String
    /// `$XDG_CONFIG_HOME`, default `~/.config`: the configuration.
    public let config: String
    /// `$XDG_STATE_HOME`, default `~/.local/state`; nil without both. Only answers that an earlier version kept are there.
    public let state: String?
    /// `$XDG_RUNTIME_DIR`, without a default.
    public let runtime: String?
    /// `$XDG_CONFIG_DIRS`, default `/etc/xdg`, most important first.
    public let systemConfig: [String]

    /// Reads an environment. Relative paths are ignored, as the specification demands.
    ///
    /// - Throws: ``SystemFault`` `.noHome` if `HOME` is missing or relative and a default needs it.
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
                    .noHome, sent("The environment names no home directory."),
                    hint: sent("Set HOME to an absolute path."))
            }
            return (home == "/" ? "" : home) + "/" + below
        }
        data = try home("XDG_DATA_HOME", ".local/share")
        config = try home("XDG_CONFIG_HOME", ".config")
        state = try? home("XDG_STATE_HOME", ".local/state")
        runtime = absolute("XDG_RUNTIME_DIR")
        let listed = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        systemConfig = listed.isEmpty ? ["/etc/xdg"] : listed.map(String.init)
    }

    /// The default store.
    public var store: String { data + "/dosetap/dosetap.db" }

    /// The path of answers to questions that are not yet an entry. The file lies beside the store, under the store's name and
    /// this ending: code that handles the files of a store (removal, repair of modes) handles this file, too.
    public static func draft(_ name: String, besides store: String) -> String { "\(store).\(name)" }

    /// Folder of files for the next process of the service, kept until the person logs out; nil without ``runtime``.
    public var runtimeFolder: String? { runtime.map { $0 + "/dosetap" } }

    /// The folders of hooks, most important first: the person's own, then the machine's.
    public var hooks: [String] { ([config] + systemConfig).map { $0 + "/dosetap/hooks.d" } }

    /// The person's configuration file.
    public var userConfig: String { config + "/dosetap/config.yaml" }
}

/// The environment variables and the standard outputs of a program without a parser of its own.
public enum ProgramEdge {
    public static var environment: [String: String] {
        var environment: [String: String] = [:]
        var entry = environ
        while let pointer = entry.pointee {
            let text = String(cString: pointer)
            if let equals = text.firstIndex(of: "=") {
                environment[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            entry += 1
        }
        return environment
    }

    public static func say(_ text: String) { write(text, to: STDOUT_FILENO) }

    public static func complain(_ text: String) { write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                written += count
            }
        }
    }
}
