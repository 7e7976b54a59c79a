public import DoseTapDomain
package import DoseTapEngine
internal import DoseTapText
internal import SDBus

/// Keeps the machine awake while dose 2 is open, and has it woken for the next reminder should it sleep all the same.
///
/// What is wanted follows from the night alone and is worked out anew whenever something happens; the locks and the timer
/// are brought to it in steps, none of which anybody waits for.
package actor AwakePlugin: RosterPlugin {
    /// As shown by `dosetap plugins`.
    package static nonisolated let manifest = PluginManifest(
        id: "awake", summary: sent("keeps the machine awake while dose 2 is open, and wakes it"), capabilities: [.reads]
    )

    package nonisolated let environment: PluginEnvironment

    /// What the night wants now.
    var need: AwakeNeed?
    private var isStale = false
    private var isSettling = false
    private var isStopping = false

    // Locks.
    var locks: [Login.What: Login.Lock] = [:]
    /// The reason for which a lock was refused; it is asked for again when there is another reason, after the machine woke,
    /// and after a while where the refusal may pass.
    var refused: [Login.What: String] = [:]
    /// Sleep was refused, or put off only, for a reason that may pass.
    var isRefusalPassing = false
    /// The host calls again for what was refused.
    var isRetryAgreed = false
    /// A lock that only puts sleep off is to be asked for anew.
    var isTryingAgain = false
    /// What the journal knows of the locks.
    var loggedLocks: [Login.What: Login.Mode] = [:]
    /// Why sleep cannot be held off; said once.
    var trouble: String?
    /// The connection whose signals are heard.
    var heard: Connection?
    /// The machine is about to sleep, or sleeps.
    var isAsleep = false

    // The wake timer.
    var session: Connection?
    var wake = AwakeState.Wake.none
    /// The timer that was started last, until it is stopped.
    var unit: String?
    /// Whether the manager at hand is known to be able to; nil until it was asked.
    var canWake: Bool?
    /// How often the manager or its bus came or went.
    var managerChanges = 0
    /// Whether it would be noticed that the manager comes.
    var hearsOfManager = false
    /// Why the machine cannot be woken, as the journal knows it.
    var loggedRefusal: String?

    /// How soon an absent bus, and a lock whose refusal may pass, are tried again while dose 2 is open.
    static let retryAfter: Duration = .minutes(5)

    package init(environment: PluginEnvironment) {
        self.environment = environment
        environment.desktop.follow { [weak self] session in self?.assumeIsolated { $0.reached(session?.connection) } }
    }

    /// What holds now.
    package var state: AwakeState {
        AwakeState(
            sleepMode: locks[.sleep]?.mode.rawValue, holdsLid: locks[.lid] != nil, sleepTrouble: trouble, wake: wake)
    }

    // MARK: From the host

    /// Something happened: the machine follows, a moment later.
    package func receive(_ event: StoredEvent) async throws { refresh() }

    /// The window may have closed, or opened again.
    package func phaseChanged() async { refresh() }

    /// It is switched on or off.
    package func switched(on: Bool) async {
        // What was agreed before is forgotten by the host, too.
        isRetryAgreed = false
        refresh()
    }

    /// What was absent is tried again.
    package func woken() async throws {
        (isAsleep, isRetryAgreed) = (false, false)
        tryAgain()
        refresh()
    }

    func tryAgain() {
        refused = [:]
        (isTryingAgain, isRefusalPassing) = (true, false)
    }

    /// Gives everything up. A timer that stays would only wake the machine for nothing.
    package func stop() async {
        isStopping = true
        locks = [:]
        if let unit, let session { await UserManager(connection: session).stop(unit) }
    }

    // MARK: Following

    /// Brings the machine to what the night wants now.
    func refresh() {
        isStale = true
        guard !isSettling else { return }
        isSettling = true
        Task { await self.settle() }
    }

    private func settle() async {
        while isStale, !isStopping {
            isStale = false
            guard let view = await engine.view(notified: nil) else { break }
            need = AwakeNeed(view)
            await hold()
            await setWake(need?.wake)
            let isMissing = locks[.sleep] == nil && heard == nil || isRefusalPassing
            // A further call would put off the one that is agreed.
            if need != nil, isMissing, !isRetryAgreed {
                isRetryAgreed = true
                await engine.wake(after: Self.retryAfter)
            }
        }
        isSettling = false
        if isStopping { locks = [:] }
    }
}

/// What a night wants of the machine while dose 2 is open: from dose 1 until it is resolved or the window has closed.
struct AwakeNeed: Hashable, Sendable {
    /// What people read who ask why the machine does not sleep. No names, no amounts.
    let why: String
    /// When the machine has to be up again, if it sleeps all the same; whole seconds.
    let wake: Instant?

    /// How long before a reminder the machine is woken: it takes seconds to get up.
    static let lead: Duration = .seconds(10)

    /// Nil when nothing is open.
    init?(_ view: NightView) {
        guard view.isEnabled, let next = view.nextOfWindow, let closes = view.status.windowCloses else {
            return nil
        }
        let now = view.status.at
        if let alarm = view.status.alarm, alarm > now {
            why = DisplayLanguage.addressingPerson { SpokenText.awake(alarm: alarm, view.moments) }
        } else {
            why = DisplayLanguage.addressingPerson { SpokenText.awake(closes: closes, view.moments) }
        }
        wake = [next.due - Self.lead, next.due].map { Instant(seconds: $0.seconds) }.first { $0 > now }
    }
}

/// What keeps the machine awake and what would wake it, for people.
public struct AwakeState: Hashable, Sendable {
    /// How sleep is held off now: `block`, `delay`, or nil when it is not.
    public var sleepMode: String?
    /// Whether the lid is held off, too.
    public var holdsLid: Bool
    /// Why sleep cannot be held off; nil while nothing is known against it.
    public var sleepTrouble: String?
    /// The wake timer.
    public var wake: Wake

    /// A timer that wakes the machine.
    public enum Wake: Hashable, Sendable {
        /// None is wanted.
        case none
        /// Asked for, not confirmed yet.
        case asked(Instant)
        /// Set, and read back.
        case set(Instant)
        /// It cannot be had.
        case refused(String)
    }
}
