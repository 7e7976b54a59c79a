public import DoseTapDomain
internal import Synchronization

/// What a plugin may ask of the engine. Made before the engine, which it needs as a part; filled when that exists.
public final class PluginContext: Sendable {
    private let engine = Mutex<Engine?>(nil)

    /// Leads nowhere until ``attach(_:)``.
    public init() {}

    /// Leads to the engine from now on.
    public func attach(_ engine: Engine) { self.engine.withLock { $0 = engine } }

    /// The engine, once there is one.
    var target: Engine? { engine.withLock(\.self) }

    /// Where the night stands now.
    public func status() async -> NightStatus? { await target?.status(at: nil) }

    /// The phase of the night that was told last; a reminder or an event is told after the phase it led to.
    public func phase() async -> Phase? { await target?.phase }

    /// The date of a session that is in memory: tonight's and those of the last two days.
    public func date(of session: SessionID) async -> SessionDate? { await target?.date(of: session) }

    /// Asks for an action: the same rules as for everyone.
    public func propose(_ command: Command, _ options: CommandOptions) async throws -> Receipt {
        guard let target else { throw EngineFailure.stopping }
        return try await target.propose(command, options)
    }
}
