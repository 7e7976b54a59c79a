internal import DoseTapEngine
internal import Synchronization

/// Timers are parts of the engine and call it: this is how they find it.
final class EngineBox: Sendable {
    private let parts = Mutex<(engine: Engine, host: PluginHost)?>(nil)

    func fill(_ engine: Engine, _ host: PluginHost) { parts.withLock { $0 = (engine, host) } }

    var engine: Engine? { parts.withLock { $0?.engine } }
    var host: PluginHost? { parts.withLock { $0?.host } }
}
