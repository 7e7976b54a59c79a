internal import DoseTapDomain
internal import DoseTapEngine
internal import SDBus
internal import SystemdJournal

/// The timer that wakes the machine, a transient unit of the person's own service manager.
extension AwakePlugin {
    /// The session bus is there, or has gone.
    func reached(_ connection: Connection?) {
        session = connection
        forgetWake()
        guard let connection else { return }
        Task { await self.listen(toManagerOn: connection) }
    }

    private func listen(toManagerOn connection: Connection) async {
        _ = try? await connection.subscribe(
            SignalMatch(
                sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged",
                firstArgument: UserManager.name)
        ) { [weak self] signal in self?.assumeIsolated { $0.managerChanged(signal) } }
        _ = try? await connection.subscribe(
            SignalMatch(
                sender: UserManager.name, path: UserManager.path, interface: UserManager.manager, member: "JobRemoved")
        ) { [weak self] signal in self?.assumeIsolated { $0.jobDone(signal) } }
        refresh()
    }

    private func managerChanged(_ signal: Signal) {
        guard let (_, _, new) = signal.decode((String, String, String).self) else { return }
        forgetWake()
        if !new.isEmpty { refresh() }
    }

    private func forgetWake() {
        unit = nil
        canWake = nil
        wake = .none
    }

    /// Sets the timer, or takes it away.
    func setWake(_ instant: Instant?) async {
        guard let instant else {
            if unit != nil { await replaceTimer(by: nil) }
            return wake = .none
        }
        switch wake {
        case .asked(instant), .set(instant): return
        default: break
        }
        guard let session else { return refuseWake("there is no session bus") }
        let manager = UserManager(connection: session)
        if canWake == nil { await ask(manager) }
        guard canWake == true else { return }
        let unit = UserManager.unit(at: instant)
        wake = .asked(instant)
        do throws(BusError) { try await manager.start(unit, at: instant) } catch {
            return refuseWake(error.description)
        }
        await replaceTimer(by: unit)
    }

    private func replaceTimer(by new: String?) async {
        let old = unit
        unit = new
        if let old, old != new, let session { await UserManager(connection: session).stop(old) }
    }

    /// Asks the manager once what it can do, and takes away what an earlier life of the service left there.
    private func ask(_ manager: UserManager) async {
        do throws(BusError) {
            let refusal = UserManager.refusal(version: try await manager.version(), clocks: environment.folders.clocks)
            canWake = refusal == nil
            if let refusal { return refuseWake(refusal) }
            try await manager.subscribe()
            for left in try await manager.timers() { await manager.stop(left) }
        } catch {
            // One that comes later says so.
            if error.name == BusError.Name.serviceUnknown { canWake = false }
            refuseWake("no systemd user manager answers: \(error)")
        }
    }

    /// A job of the manager is done: if it is ours, the timer is read back.
    private func jobDone(_ signal: Signal) {
        guard let (_, _, name, result) = signal.decode((UInt32, ObjectPath, String, String).self),
            case .asked(let instant) = wake, name == UserManager.unit(at: instant)
        else { return }
        guard result == "done" else { return refuseWake("the service manager could not start the timer (\(result))") }
        Task { await self.readBack(name, instant) }
    }

    private func readBack(_ name: String, _ instant: Instant) async {
        guard let session else { return }
        do throws(BusError) {
            let elapses = try await UserManager(connection: session).elapses(name)
            guard wake == .asked(instant) else { return }
            guard elapses == instant else {
                return refuseWake("the timer was set for \(instant.iso8601) and elapses at \(elapses.iso8601)")
            }
            wake = .set(instant)
            tell(.wakeTimerSet, "The machine is woken for the next reminder", [("DOSETAP_AT", instant.iso8601)])
        } catch { if wake == .asked(instant) { refuseWake(error.description) } }
    }

    /// Said once for every reason.
    private func refuseWake(_ why: String) {
        let why = why.journalText
        let isKnown = toldRefusal == why
        wake = .refused(why)
        toldRefusal = why
        guard !isKnown else { return }
        tell(
            .wakeTimerRefused, "The computer cannot be woken from sleep for reminders: \(why)",
            [("DOSETAP_REASON", why)],
            .notice)
    }
}
