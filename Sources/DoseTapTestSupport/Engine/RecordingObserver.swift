public import DoseTapDomain
public import DoseTapEngine

/// Remembers what the engine told.
public final class RecordingObserver: EngineObserver {
    /// What was told, in order.
    public let changes = Recorder<EngineChange>()

    /// Nothing told yet.
    public init() {}

    /// Remembers a change.
    public func changed(_ change: EngineChange) async { changes.append(change) }

    /// The types of all recorded events, in order.
    public var recorded: [EventType] {
        changes.elements.flatMap { change -> [EventType] in
            if case .recorded(let events, _) = change { events.map(\.type) } else { [] }
        }
    }

    /// All phase changes, in order.
    public var phases: [Phase] { Self.phases(in: changes.elements) }

    /// The phase changes among some changes.
    public static func phases(in changes: [EngineChange]) -> [Phase] {
        changes.compactMap { change in
            if case .phase(_, let new, _) = change { new } else { nil }
        }
    }
}
