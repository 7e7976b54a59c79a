internal import DoseTapDomain
internal import DoseTapPlugins
internal import DoseTapStore
internal import DoseTapSystem
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// A service whose record is locked. The service says so on every channel, and brings the reminders of a night that was open
/// when the previous process ended.
actor LockedRecord {
    private let loop: EventLoop
    private let journal: any JournalSink
    private let file: DueFile?
    private var due: [DueFile.Reminder]
    private var timer: LoopTimer?
    private let address: BusAddress
    private var connection: Connection?
    private var shown: UInt32 = 0
    /// True if the statement was not shown yet.
    private var isStatementDue = false
    /// The last reminder that went into the journal.
    private var told: DueFile.Reminder?
    private var isBusy = false
    private var isAgain = false
    private var isOver = false
    /// True after the record was deleted.
    private var isWiped = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter address: the bus of the screen.
    init(on loop: EventLoop, _ address: BusAddress, _ file: DueFile?, journal: any JournalSink) {
        self.loop = loop
        self.address = address
        self.file = file
        self.journal = journal
        due = file?.read() ?? []
    }

    /// The sentence for every channel.
    var statement: String { due.isEmpty ? LockedText.noReminders : LockedText.reminders }

    /// - Parameter isFirst: true if the statement was not said yet.
    func begin(isFirst: Bool) async {
        isStatementDue = isFirst
        await catchUp()
    }

    /// - Parameter isUnlocked: true if the service of the record follows, which shows its own reminders.
    func end(isUnlocked: Bool = false) async {
        isOver = true
        await timer?.disarm()
        if isUnlocked { await clearScreen() }
        await connection?.close(within: .milliseconds(100))
        connection = nil
    }

    /// Ends the reminders of a deleted record, and takes its notification off the screen.
    func wiped() async {
        (due, isStatementDue, isWiped) = ([], false, true)
        file?.remove()
        await timer?.disarm()
        await clearScreen()
    }

    private func clearScreen() async {
        guard shown != 0, let connection, await connection.isOpen else { return }
        try? await connection.send(
            Self.name, "/org/freedesktop/Notifications", Self.name, "CloseNotification", shown)
        shown = 0
    }

    /// Shows everything that is due and was not shown yet. A reminder that no screen took stays due, for the next call.
    func catchUp() async {
        guard !isBusy else {
            isAgain = true
            return
        }
        isBusy = true
        repeat {
            isAgain = false
            await showDue()
        } while isAgain && !isOver
        isBusy = false
        let now = SystemClock().read().bootMicroseconds
        guard !isOver, let next = due.first(where: { $0.boot > now }) else { return }
        let timer =
            timer ?? LoopTimer(on: loop, clock: .boottime) { [weak self] _ in self?.assumeIsolated { $0.changed() } }
        self.timer = timer
        try? await timer.arm(at: UInt64(max(0, next.boot)))
    }

    private func showDue() async {
        if isStatementDue, await show(DisplayLanguage.addressingPerson { statement }, sound: nil) {
            isStatementDue = false
        }
        let now = SystemClock().read().bootMicroseconds
        let passed = due.prefix { $0.boot <= now }
        // The last of several missed reminders counts. A reminder of dose 2 goes before the check-in, which never takes its
        // place.
        let ofWindow = passed.last { $0.id.isOfWindow }
        guard let last = ofWindow ?? passed.last, ofWindow != nil || !due.contains(where: \.id.isOfWindow) else {
            return
        }
        let text = LockedText.reminder(last.id)
        if told != last {
            journal.send(.reminder, text, [("DOSETAP_REMINDER", last.id.rawValue)], .warning)
            told = last
        }
        guard await show(DisplayLanguage.addressingPerson { LockedText.reminder(last.id) }, sound: Self.sound) else {
            return
        }
        // The reminder says that the record is locked. A later statement would take the place of the reminder on the screen.
        isStatementDue = false
        // The check-in waits until no reminder of dose 2 is left.
        due.removeAll { $0.boot <= now && ($0.id.isOfWindow || ofWindow == nil) }
        file?.write(due)
    }

    private nonisolated func changed() {
        Task(executorPreference: loop.preference) { await self.catchUp() }
    }

    // MARK: The screen

    private static let name = "org.freedesktop.Notifications"
    /// The desktop's own alarm sound, the default of `notifications.sound_name`: the settings may be unreadable, too.
    private static let sound = "alarm-clock-elapsed"

    /// Returns the bus, opened anew after a loss.
    private func bus() async -> Connection? {
        if let connection, await connection.isOpen { return connection }
        connection = nil
        guard !isOver, let found = try? await Connection.open(address, on: loop) else { return nil }
        guard !isOver else {
            await found.abort()
            return nil
        }
        (connection, shown) = (found, 0)
        _ = try? await found.subscribe(
            SignalMatch(
                sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged",
                firstArgument: Self.name)
        ) { [weak self] signal in
            guard let (_, _, owner) = signal.decode((String, String, String).self), !owner.isEmpty else { return }
            self?.changed()
        }
        return found
    }

    /// - Parameter sound: nil for none.
    /// - Returns: true if a screen took the text and shows it.
    private func show(_ text: String, sound: String?) async -> Bool {
        guard let connection = await bus() else { return false }
        var hints: [String: Variant] = [
            "urgency": .byte(2), "desktop-entry": .string("org.dosetap.DoseTap"),
        ]
        hints["sound-name"] = sound.map(Variant.string)
        let id = try? await connection.call(
            Self.name, "/org/freedesktop/Notifications", Self.name, "Notify", "DoseTap", shown, "appointment-soon",
            text, "", [String](), hints, Int32(0), returning: (UInt32).self, timeout: .seconds(5))
        // The service that follows an unlocked record has its own plans.
        guard let id, id != 0, !isOver else { return false }
        shown = id
        // If the record was deleted while the screen answered, nothing of it stays there and nothing is due any more.
        if isWiped { await clearScreen() }
        return !isWiped
    }
}
