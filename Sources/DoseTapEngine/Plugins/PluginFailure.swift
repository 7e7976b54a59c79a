/// Why a plugin was not let, or what it did not do.
public enum PluginFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its manifest does not name the capability.
    case notDeclared(plugin: String, PluginManifest.Capability)
    /// The name of a channel is no short word.
    case invalidChannel

    /// In words.
    public var description: String {
        switch self {
        case .notDeclared(let plugin, let capability):
            "the plugin '\(plugin)' does not declare the capability '\(capability.rawValue)'"
        case .invalidChannel: "a channel is named by 1 to 32 lowercase letters, digits and underscores"
        }
    }
}
