/// Why a plugin was not let, or what it did not do.
public enum PluginFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its manifest does not name the capability.
    case notDeclared(plugin: String, PluginManifest.Capability)
    /// The name of a channel is no short word.
    case invalidChannel
    /// It proposed too much in too short a time.
    case tooManyProposals
    /// It took longer than its time budget; the call was cancelled and given up.
    case hanging
    /// One of its channels is being tried already.
    case beingTested
    /// It has no such channel.
    case noChannel(String)
    /// A channel that was tried did not work, and why.
    case notWorking(String)

    /// In words.
    public var description: String {
        switch self {
        case .notDeclared(let plugin, let capability):
            "the plugin '\(plugin)' does not declare the capability '\(capability.rawValue)'"
        case .invalidChannel: "a channel is named by 1 to 32 lowercase letters, digits and underscores"
        case .tooManyProposals: "too many proposals in too short a time"
        case .hanging: "it took longer than its time budget and was given up"
        case .beingTested: "a channel of the same plugin is being tried"
        case .noChannel(let channel): "it has no channel '\(channel)'"
        case .notWorking(let why): why
        }
    }
}
