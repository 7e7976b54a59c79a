internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// Sleep and lid, held off by logind for as long as a descriptor is open.
extension AwakePlugin {
    /// Takes the locks that the night needs, or gives them up.
    func hold() async {
        guard let need else { return release() }
        guard !isAsleep else { return }
        let missing = Login.What.allCases.filter { what in
            let isHeld = locks[what].map { $0.why == need.why && ($0.mode == .block || !isTryingAgain) } ?? false
            return !isHeld && refused[what] != need.why
        }
        isTryingAgain = false
        guard !missing.isEmpty else { return }
        let bus: Connection
        do throws(BusError) {
            bus = try await environment.system.connected()
            try await listen(to: bus)
        } catch { return fail(error) }
        for what in missing { await take(what, why: need.why, on: bus) }
        logLocks()
    }

    /// Takes a lock. The new lock is there before the old one goes, so that the machine does not sleep in between.
    private func take(_ what: Login.What, why: String, on bus: Connection) async {
        do throws(BusError) {
            locks[what] = try await Login.inhibit(what, .block, why: why, on: bus)
            if what == .sleep { trouble = nil }
        } catch {
            if !Login.isFinal(error) { isRefusalPassing = true }
            guard what == .sleep else { return refuse(what, why) }
            do throws(BusError) {
                locks[what] = try await Login.inhibit(what, .delay, why: why, on: bus)
                say("it can only be put off for seconds: \(error)")
            } catch {
                refuse(what, why)
                fail(error)
            }
        }
    }

    private func refuse(_ what: Login.What, _ why: String) {
        locks[what] = nil
        refused[what] = why
    }

    private func release() {
        locks = [:]
        refused = [:]
        // The trouble may be over in another night.
        trouble = nil
        logLocks()
    }

    private func logLocks() {
        let held = locks.mapValues(\.mode)
        guard held != loggedLocks else { return }
        loggedLocks = held
        guard !held.isEmpty else { return journal.send(.sleepAllowed, JournalText.sleepAllowed) }
        let words = Login.What.allCases.compactMap { what in held[what].map { "\(what.rawValue) (\($0.rawValue))" } }
        let text = words.joined(separator: ", ")
        journal.send(.sleepHeldOff, JournalText.sleepHeldOff(text), [("DOSETAP_LOCKS", text)])
    }

    // MARK: logind, found, lost, found again

    private func listen(to bus: Connection) async throws(BusError) {
        guard heard !== bus else { return }
        let owners = try await bus.subscribe(
            SignalMatch(
                sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged",
                firstArgument: Login.name)
        ) { [weak self] signal in self?.assumeIsolated { $0.loginChanged(signal) } }
        do throws(BusError) {
            try await bus.subscribe(
                SignalMatch(sender: Login.name, path: Login.path, interface: Login.manager, member: "PrepareForSleep")
            ) { [weak self] signal in self?.assumeIsolated { $0.prepare(signal) } }
        } catch {
            // Both are made anew at the next attempt.
            await bus.unsubscribe(owners)
            throw error
        }
        heard = bus
        await bus.onClose { [weak self] _ in self?.assumeIsolated { $0.lost(bus) } }
    }

    private func lost(_ bus: Connection) {
        guard heard === bus else { return }
        heard = nil
        forgetLocks()
        fail(.init(name: BusError.Name.disconnected, message: "the system bus has gone"))
        refresh()
    }

    private func loginChanged(_ signal: Signal) {
        guard let (_, _, new) = signal.decode((String, String, String).self) else { return }
        forgetLocks()
        if !new.isEmpty { refresh() }
    }

    /// Forgets the locks, for the next logind knows nothing of them.
    private func forgetLocks() {
        locks = [:]
        refused = [:]
        loggedLocks = [:]
        isAsleep = false
    }

    // MARK: Sleep

    private func prepare(_ signal: Signal) {
        guard let begins = signal.decode(Bool.self) else { return }
        isAsleep = begins
        Task { begins ? await self.prepareForSleep() : await self.wakeUp() }
    }

    private func prepareForSleep() async {
        journal.send(.machineSleeps, JournalText.machineSleeps, [], .notice)
        // The timer may have elapsed a moment ago, with the machine awake: the next reminder may be seconds away.
        need = await engine.view(notified: nil).flatMap(AwakeNeed.init)
        guard need != nil else { return }
        await setWake(need?.wake)
        // The lock kept the machine waiting for the timer; the machine need not wait longer.
        if locks[.sleep]?.mode == .delay { locks[.sleep] = nil }
    }

    private func wakeUp() async {
        journal.send(.machineWoke, JournalText.machineWoke, [], .notice)
        // logind refuses every lock while a machine falls asleep.
        tryAgain()
        await engine.resumed()
        refresh()
    }

    // MARK: Trouble

    private func fail(_ error: BusError) { say(error.description) }

    private func say(_ why: String) {
        let isKnown = trouble != nil
        trouble = why.journalText
        guard !isKnown else { return }
        journal.send(
            .sleepNotHeldOff, JournalText.sleepNotHeldOff(why.journalText),
            [("DOSETAP_REASON", why.journalText)], .warning)
    }
}

/// The machine's keeper of sleep and lid (`org.freedesktop.login1`, systemd-logind), as far as it matters here.
enum Login {
    /// The name on the bus.
    static let name = "org.freedesktop.login1"
    static let path: ObjectPath = "/org/freedesktop/login1"
    static let manager = "org.freedesktop.login1.Manager"
    /// The time that logind may take to answer.
    static let limit: Duration = .seconds(5)

    /// The things that can be held off; the raw value is the word on the bus. Each gets its own lock: a lock for several is
    /// refused to some callers who may have each of them.
    enum What: String, Hashable, Sendable, CaseIterable {
        case sleep
        case lid = "handle-lid-switch"
    }

    /// The strictness of a lock; the raw value is the word on the bus.
    enum Mode: String, Hashable, Sendable {
        /// The lock holds until it is given up.
        case block
        /// The lock holds for a few seconds, to get ready.
        case delay
    }

    /// A lock that is held for as long as this value lives.
    struct Lock: Sendable {
        let mode: Mode
        /// The text that people read in `systemd-inhibit --list`.
        let why: String
        let descriptor: UnixFD
    }

    /// Returns true for a refusal by policy, and for a nonsense answer: another question changes neither.
    static func isFinal(_ error: BusError) -> Bool {
        [
            BusError.Name.accessDenied, BusError.Name.notSupported, BusError.Name.invalidSignature,
            "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired",
        ].contains(error.name)
    }

    /// Takes a lock.
    static func inhibit(_ what: What, _ mode: Mode, why: String, on bus: Connection) async throws(BusError) -> Lock {
        let descriptor = try await bus.call(
            name, path, manager, "Inhibit", what.rawValue, "DoseTap", why, mode.rawValue, returning: UnixFD.self,
            timeout: limit)
        return Lock(mode: mode, why: why, descriptor: descriptor)
    }
}
