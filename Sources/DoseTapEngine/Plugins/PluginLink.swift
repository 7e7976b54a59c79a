internal import DoseTapDomain
internal import Synchronization

/// Leads plugins to the engine and their host. Made before both, for plugins are parts of them; filled when they exist.
public final class PluginLink: Sendable {
    private let ends = Mutex<(engine: Engine, host: PluginHost)?>(nil)

    /// Leads nowhere until ``attach(_:_:)``.
    public init() {}

    /// Leads to these from now on.
    public func attach(_ engine: Engine, _ host: PluginHost) { ends.withLock { $0 = (engine, host) } }

    /// Leads nowhere any more, and holds nothing.
    package func detach() { ends.withLock { $0 = nil } }

    /// What one plugin may ask.
    public func context(for manifest: PluginManifest) -> PluginContext { PluginContext(manifest: manifest, link: self) }

    var engine: Engine? { ends.withLock { $0?.engine } }
    var host: PluginHost? { ends.withLock { $0?.host } }
}
