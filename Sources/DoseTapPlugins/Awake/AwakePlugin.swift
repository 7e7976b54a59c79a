public import DoseTapDomain
package import DoseTapEngine
internal import DoseTapText
internal import SDBus

/// Keeps the machine awake while dose 2 is open, and has it woken for the next reminder if it sleeps all the same.
///
/// The need follows from the night alone and is worked out anew after every event. The locks and the timer are brought
/// to the need in steps, and nobody waits for a step.
package actor AwakePlugin: RosterPlugin {
    /// As shown by `dosetap plugins`.
    package static nonisolated let manifest = PluginManifest(
        id: "awake", summary: sent("keeps the machine awake while dose 2 is open, and wakes it"), capabilities: [.reads]
    )

    package nonisolated let environment: PluginEnvironment

    /// The need of the night now; nil if there is none.
    var need: AwakeNeed?
    private var isStale = false
    private var isSettling = false
    private var isStopping = false

    // Locks.
    var locks: [Login.What: Login.Lock] = [:]
    /// The text with which a lock was refused. The lock is asked for again with another text, after the machine woke, and
    /// after a while if the refusal may pass.
    var refused: [Login.What: String] = [:]
    /// True if a lock of sleep or lid was refused for a reason that may pass.
    var isRefusalPassing = false
    /// True while the host is asked to call again.
    var isRetryAgreed = false
    /// True if a lock that only puts sleep off is to be asked for anew.
    var isTryingAgain = false
    /// The locks as the journal knows them.
    var loggedLocks: [Login.What: Login.Mode] = [:]
    /// The reason why sleep cannot be held off; reported once.
    var trouble: String?
    /// The connection whose signals are heard.
    var heard: Connection?
    /// True while the machine is about to sleep, or sleeps.
    var isAsleep = false

    // The wake timer.
    var session: Connection?
    var wake = AwakeState.Wake.none
    /// The timer that was started last, until it is stopped.
    var unit: String?
    /// True if the present service manager can wake the machine; nil until the manager was asked.
    var canWake: Bool?
    /// The number of times that the manager or its bus came or went.
    var managerChanges = 0
    /// True if this plugin would hear of a manager that comes.
    var hearsOfManager = false
    /// The reason why the machine cannot be woken, as the journal knows it.
    var loggedRefusal: String?

    /// The pause before an absent bus, or a lock whose refusal may pass, is tried again while dose 2 is open.
    static let retryAfter: Duration = .minutes(5)

    package init(environment: PluginEnvironment) {
        self.environment = environment
        environment.desktop.follow { [weak self] session in self?.assumeIsolated { $0.reached(session?.connection) } }
    }

    /// The locks held and the timer set now.
    package var state: AwakeState {
        AwakeState(
            sleepMode: locks[.sleep]?.mode.rawValue, holdsLid: locks[.lid] != nil, sleepTrouble: trouble, wake: wake)
    }

    // MARK: From the host

    /// Brings the machine up to date after an event, a moment later.
    package func receive(_ event: StoredEvent) async throws { refresh() }

    /// The window may have closed, or opened again.
    package func phaseChanged() async { refresh() }

    package func switched(on: Bool) async {
        // The host has forgotten an agreed call, too.
        isRetryAgreed = false
        refresh()
    }

    /// Tries absent buses and refused locks again.
    package func woken() async throws {
        (isAsleep, isRetryAgreed) = (false, false)
        tryAgain()
        refresh()
    }

    func tryAgain() {
        refused = [:]
        (isTryingAgain, isRefusalPassing) = (true, false)
    }

    /// Gives up the locks and the timer. A timer that stays would only wake the machine for nothing.
    package func stop() async {
        isStopping = true
        locks = [:]
        if let unit, let session { await UserManager(connection: session).stop(unit) }
    }

    // MARK: Following

    /// Brings the machine to the need of the night now.
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
            // A further request would put off the call that is agreed.
            if need != nil, isMissing, !isRetryAgreed {
                isRetryAgreed = true
                await engine.wake(after: Self.retryAfter)
            }
        }
        isSettling = false
        if isStopping { locks = [:] }
    }
}

/// The need of a night while dose 2 is open: from dose 1 until dose 2 is resolved or the window has closed.
struct AwakeNeed: Hashable, Sendable {
    /// The text for people who ask why the machine does not sleep. It has no names and no amounts.
    let why: String
    /// The instant, in whole seconds, when the machine has to be up again if it sleeps all the same.
    let wake: Instant?

    /// The time from the wake of the machine to the reminder: a machine takes seconds to get up.
    static let lead: Duration = .seconds(10)

    /// Nil when the plugin is off or nothing is open.
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

/// The locks that keep the machine awake and the timer that wakes it, for people.
public struct AwakeState: Hashable, Sendable {
    /// The mode in which sleep is held off now: `block` or `delay`; nil if sleep is not held off.
    public var sleepMode: String?
    /// True if the lid is held off, too.
    public var holdsLid: Bool
    /// The reason why sleep cannot be held off; nil while none is known.
    public var sleepTrouble: String?
    /// The wake timer.
    public var wake: Wake

    /// A timer that wakes the machine.
    public enum Wake: Hashable, Sendable {
        /// No timer is wanted, or none was asked for yet.
        case none
        /// The timer was asked for and is not confirmed yet.
        case asked(Instant)
        /// The timer is set, and was read back.
        case set(Instant)
        /// The timer cannot be had, for this reason.
        case refused(String)
    }
}
