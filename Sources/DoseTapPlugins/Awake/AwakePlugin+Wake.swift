internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText
internal import Glibc
internal import SDBus
internal import SystemdJournal

/// The timer that wakes the machine, a transient unit of the person's own service manager.
extension AwakePlugin {
    /// The session bus was reached; nil: the bus has gone.
    func reached(_ connection: Connection?) {
        session = connection
        forgetWake()
        hearsOfManager = false
        guard let connection else { return }
        Task { await self.listen(toManagerOn: connection) }
    }

    private func listen(toManagerOn connection: Connection) async {
        let heard = try? await connection.subscribe(
            SignalMatch(
                sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged",
                firstArgument: UserManager.name)
        ) { [weak self] signal in self?.assumeIsolated { $0.managerChanged(signal) } }
        if session === connection { hearsOfManager = heard != nil }
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
        managerChanges += 1
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
        guard let session else { return refuseWake(sent("there is no session bus")) }
        let manager = UserManager(connection: session)
        let unit = UserManager.unit(at: instant)
        let isThere = canWake == nil ? await ask(manager, for: unit) : false
        guard canWake == true else { return }
        wake = .asked(instant)
        if isThere {
            self.unit = unit
            return await readBack(unit, instant)
        }
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

    /// Asks the manager once what it can do, and stops the timers that an earlier process of the service left there.
    ///
    /// - Parameter wanted: the timer that is wanted now. A timer of that name stays, for a new one could not have its name.
    /// - Returns: true if there is a timer of that name.
    private func ask(_ manager: UserManager, for wanted: String) async -> Bool {
        let changes = managerChanges
        do throws(BusError) {
            let refusal = UserManager.refusal(version: try await manager.version(), clocks: environment.folders.clocks)
            canWake = refusal == nil
            if let refusal {
                refuseWake(refusal)
                return false
            }
            try await manager.subscribe()
            let left = try await manager.timers()
            for other in left where other != wanted { await manager.stop(other) }
            return left.contains(wanted)
        } catch {
            // A manager that comes later says so, and may have come while this answer was on its way.
            guard changes == managerChanges else { return false }
            let isAbsent = [BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner].contains(error.name)
            if isAbsent, hearsOfManager { canWake = false }
            refuseWake(sent("no systemd user manager answers: \(error)"))
            return false
        }
    }

    /// Reads the timer back if the job that is done started it.
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
            journal.send(.wakeTimerSet, JournalText.wakeTimerSet, [("DOSETAP_AT", instant.iso8601)])
        } catch { if wake == .asked(instant) { refuseWake(error.description) } }
    }

    /// Records a refusal, and reports each new reason once.
    private func refuseWake(_ why: String) {
        let why = why.journalText
        let isKnown = loggedRefusal == why
        wake = .refused(why)
        loggedRefusal = why
        guard !isKnown else { return }
        journal.send(
            .wakeTimerRefused, JournalText.wakeTimerRefused(why),
            [("DOSETAP_REASON", why)],
            .notice)
    }
}

/// The person's own service manager (`org.freedesktop.systemd1` on the session bus), as far as it can wake the machine.
struct UserManager: Sendable {
    let connection: Connection

    static let name = "org.freedesktop.systemd1"
    static let path: ObjectPath = "/org/freedesktop/systemd1"
    static let manager = "org.freedesktop.systemd1.Manager"
    private static let timer = "org.freedesktop.systemd1.Timer"
    private static let limit: Duration = .seconds(5)
    /// The beginning of the names of this service's units.
    static let prefix = "dosetap-wake-"
    /// The first systemd whose user managers may set timers that wake the machine.
    static let firstWaking = 254

    /// Returns the reason why the service manager cannot wake the machine; nil if it may be able to.
    ///
    /// - Parameter clocks: the folder of the machine's own clocks, see ``PluginEnvironment/Folders/clocks``.
    static func refusal(version: String, clocks: String) -> String? {
        guard let major = major(version) else { return sent("the service manager does not tell its version") }
        guard major >= firstWaking else { return sent("systemd \(major): wake timers need \(firstWaking)") }
        return hasWakingClock(clocks) ? nil : sent("there is no clock in this machine that can wake it")
    }

    /// Returns true if the machine has a clock that can wake it. Without such a clock, a timer is accepted and wakes nobody:
    /// systemd.timer(5), `WakeSystem=`.
    private static func hasWakingClock(_ folder: String) -> Bool {
        (0..<8).contains { access("\(folder)/rtc\($0)/wakealarm", F_OK) == 0 }
    }

    /// Returns the leading number of `252.39-1`, `v254.1` or `255~rc1`.
    static func major(_ version: String) -> Int? {
        let text = version.hasPrefix("v") ? version.dropFirst() : version[...]
        return Int(text.prefix { $0.isASCII && $0.isNumber }.prefix(6))
    }

    /// Returns the name of the unit that wakes the machine at an instant.
    static func unit(at instant: Instant) -> String { "\(prefix)\(instant.seconds).timer" }

    /// Returns the manager's version, as the manager tells it.
    func version() async throws(BusError) -> String {
        let value = try await connection.call(
            Self.name, Self.path, "org.freedesktop.DBus.Properties", "Get", Self.manager, "Version",
            returning: Variant.self, timeout: Self.limit, autoStart: false)
        return value.stringValue ?? ""
    }

    /// Asks to be told of jobs that are done.
    func subscribe() async throws(BusError) {
        try await connection.call(
            Self.name, Self.path, Self.manager, "Subscribe", returning: Void.self, timeout: Self.limit,
            autoStart: false)
    }

    /// Returns the running timers of this service, those of an earlier process included.
    func timers() async throws(BusError) -> [String] {
        let units = try await connection.call(
            Self.name, Self.path, Self.manager, "ListUnitsByPatterns", ["active", "activating"],
            [Self.prefix + "*.timer"],
            returning: [
                DBusStruct<
                    String, String, String, String, String, String, ObjectPath, UInt32, String, ObjectPath
                >
            ].self, timeout: Self.limit, autoStart: false)
        return units.map(\.fields.0).filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(".timer") }
    }

    /// Starts a transient timer that wakes the machine and then runs nothing but `true`: the service's own timer does the
    /// rest. A `JobRemoved` tells whether the timer runs.
    func start(_ unit: String, at instant: Instant) async throws(BusError) {
        typealias Property = DBusStruct<String, Variant>
        let calendar = Variant([DBusStruct("OnCalendar", Self.calendar(instant))])
        let properties: [Property] = [
            DBusStruct("Description", Variant(DisplayLanguage.addressingPerson { SpokenText.wakesMachine })),
            DBusStruct("TimersCalendar", calendar), DBusStruct("WakeSystem", Variant(true)),
            DBusStruct("AccuracyUSec", Variant(UInt64(1_000_000))), DBusStruct("RemainAfterElapse", Variant(false)),
        ]
        let command = Variant([DBusStruct("/bin/true", ["/bin/true"], false)])
        let service: [Property] = [
            DBusStruct("Description", Variant(DisplayLanguage.addressingPerson { SpokenText.wokeMachine })),
            DBusStruct("ExecStart", command),
        ]
        let auxiliary = [DBusStruct(String(unit.dropLast(".timer".count)) + ".service", service)]
        _ = try await connection.call(
            Self.name, Self.path, Self.manager, "StartTransientUnit", unit, "replace", properties, auxiliary,
            returning: ObjectPath.self, timeout: Self.limit, autoStart: false)
    }

    /// Stops a timer; a timer that is already gone is no error.
    func stop(_ unit: String) async {
        _ = try? await connection.call(
            Self.name, Self.path, Self.manager, "StopUnit", unit, "replace", returning: ObjectPath.self,
            timeout: Self.limit, autoStart: false)
    }

    /// Returns the instant when a timer elapses next, as the manager says.
    func elapses(_ unit: String) async throws(BusError) -> Instant {
        let object = try await connection.call(
            Self.name, Self.path, Self.manager, "GetUnit", unit, returning: ObjectPath.self, timeout: Self.limit,
            autoStart: false)
        let microseconds = try await connection.property(
            Self.name, object, Self.timer, "NextElapseUSecRealtime", as: UInt64.self, timeout: Self.limit)
        return Instant(microseconds: Int64(clamping: microseconds))
    }

    /// Returns the instant in the form of systemd.time(7).
    private static func calendar(_ instant: Instant) -> String {
        let text = instant.iso8601
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }
}
