public import DoseTapDomain

/// What one plugin may ask of the engine, within the capabilities its manifest names.
public struct PluginContext: Sendable {
    let manifest: PluginManifest
    // Weak: they hold the plugin, and the plugin holds this. What a plugin asks after their end leads nowhere.
    weak let engine: Engine?
    weak let host: PluginHost?

    /// What the plugin with that manifest may ask of these.
    public init(_ manifest: PluginManifest, engine: Engine?, host: PluginHost?) {
        self.manifest = manifest
        self.engine = engine
        self.host = host
    }

    /// Where the night stands now.
    public func status() async -> NightStatus? { await engine?.status(at: nil) }

    /// The phase of the night that was told last; a reminder or an event is told after the phase it led to.
    public func phase() async -> Phase? { await engine?.phase }

    /// The date of a session that is in memory: tonight's and those of the last two days.
    public func date(of session: SessionID) async -> SessionDate? { await engine?.date(of: session) }

    /// Whether telling a reminder now would still be true: it was told last, nobody answered it, the night goes on.
    public func isStanding(_ due: Deadline) async -> Bool { await engine?.isStanding(due) ?? false }

    /// Asks for an action: the same rules as for everyone.
    ///
    /// It waits until nobody else does. The surface is `plugin` unless it is a button of a notification or a hook.
    ///
    /// - Throws: ``PluginFailure`` without the capability `proposes`, or for one proposal too many; ``EngineFailure``.
    public func propose(_ command: Command, _ options: CommandOptions) async throws -> Receipt {
        try check(.proposes)
        guard let engine else { throw EngineFailure.stopping }
        // Who is refused and asks again at once may not keep the loop to itself.
        await Task.yield()
        return try await engine.propose(command, options, by: manifest.id)
    }

    /// Says that a reminder reached a channel now; recorded once for each channel, with the next commit or one of its
    /// own. It does not say that anybody noticed, and stops nothing.
    ///
    /// - Parameter channel: a short word, see ``DoseTapDomain/ReminderChannel``.
    /// - Throws: ``PluginFailure`` for a malformed word, or without the capability `notifies`.
    public func delivered(_ due: Deadline, by channel: String) async throws {
        try check(.notifies)
        guard let word = ReminderChannel(channel) else { throw PluginFailure.invalidChannel }
        await engine?.delivered(due, by: word)
    }

    /// Says which event it took and is not done with: after a crash it gets that one again, and all that came later. Nil: it
    /// is done with all it took.
    public func hold(from sequence: Int64?) async { await host?.hold(manifest.id, from: sequence) }

    /// Whether no event at hand comes after it: who follows the night as it stands has to look once.
    public func isLastAtHand(_ event: StoredEvent) async -> Bool {
        await host?.isLastAtHand(manifest.id, event.sequence) ?? true
    }

    /// Whether an event stood in the log when this life of the service began: after a crash it may have been told before.
    public func isOld(_ event: StoredEvent) async -> Bool { await engine?.isOld(event.sequence) ?? false }

    /// How long ago an event was recorded, by the counter within a boot; nil before there is an engine.
    public func age(of event: Event) async -> Duration? { await engine?.age(of: event) }

    /// Says what does not work, though no call failed: the last error in `dosetap plugins` until it is taken back with nil.
    public func complain(_ what: String?) async { await host?.note(manifest.id, what) }

    /// Asks for ``Plugin/woken()`` after a while, by the time since boot: setting the clock makes it no longer. Nil takes
    /// the wish back. A plugin has one such wish, the last; it is not kept over a restart of the service.
    public func wake(after wait: Duration?) async { await host?.wake(manifest.id, after: wait) }

    /// The machine slept and is awake again: what became due in the meantime is handled now, at once.
    public func resumed() async {
        await engine?.deadlineReached()
        await host?.timeCame()
    }

    private func check(_ capability: PluginManifest.Capability) throws {
        guard manifest.capabilities.contains(capability) else {
            throw PluginFailure.notDeclared(plugin: manifest.id, capability)
        }
    }
}

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

/// What a plugin may still propose: some at once, then one every few seconds. It bounds what a plugin gone wild can write
/// into the log.
struct ProposalBudget {
    /// How many at once.
    static let burst: Int64 = 20
    /// Microseconds until one more is allowed.
    static let refill: Int64 = 3_000_000

    private var left = burst
    /// Up to when what is allowed again has been counted, in microseconds since boot.
    private var counted: Int64

    init(_ boot: Int64) { counted = boot }

    /// Takes one.
    ///
    /// - Returns: false when none is left.
    mutating func spend(_ boot: Int64) -> Bool {
        let more = max(0, boot - counted) / Self.refill
        counted += more * Self.refill
        left = min(Self.burst, left + more)
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
