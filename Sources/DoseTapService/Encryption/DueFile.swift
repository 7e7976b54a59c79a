internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapSystem
internal import SDBus

/// A file with the ids and times of the reminders that are still to come tonight, and nothing else. The file is for a process
/// that finds the record locked. It lies in the runtime directory, so a reboot removes it, and exists only for an encrypted
/// record.
struct DueFile: Sendable {
    struct Reminder: Hashable, Sendable {
        let id: ReminderID
        /// The time on CLOCK_BOOTTIME, in microseconds.
        let boot: Int64
    }

    let path: String

    /// - Parameter runtime: nil if there is no runtime directory; nothing is kept then.
    init?(runtime: String?) {
        guard let runtime else { return nil }
        path = runtime + "/due"
    }

    /// Replaces the file. If that fails, the file is removed: an earlier plan would tell of a dose that was taken since.
    ///
    /// - Returns: true if the file holds these reminders, or is removed because there are none.
    @discardableResult
    func write(_ reminders: [Reminder]) -> Bool {
        let lines = reminders.map { "\($0.id.rawValue) \($0.boot)\n" }
        if !reminders.isEmpty,
            (try? PrivateFile.write(Array("dosetap-due 1\n\(lines.joined())".utf8), to: path, isFlushed: false)) != nil
        {
            return true
        }
        PrivateFile.remove(path)
        return reminders.isEmpty
    }

    func remove() { PrivateFile.remove(path) }

    /// Returns true if a reminder of dose 2 is still to come: the dose is neither recorded nor skipped.
    ///
    /// - Parameter boot: now, on CLOCK_BOOTTIME, microseconds.
    func hasOpenWindow(at boot: Int64) -> Bool { read().contains { $0.id.isOfWindow && $0.boot > boot } }

    /// Returns the reminders in order of time; none if the file is torn at its beginning.
    func read() -> [Reminder] {
        guard let bytes = try? PrivateFile.read(path, limit: 16_384) else { return [] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first == "dosetap-due 1" else { return [] }
        return lines.dropFirst().compactMap { line -> Reminder? in
            let words = line.split(separator: " ")
            guard words.count == 2, let id = ReminderID(rawValue: String(words[0])), let boot = Int64(words[1]) else {
                return nil
            }
            return Reminder(id: id, boot: boot)
        }.sorted { $0.boot < $1.boot }
    }
}

/// Keeps the file equal to the plan, and hands each change on to the observer that publishes it.
actor DueFileKeeper: EngineObserver {
    private let loop: EventLoop
    private let file: DueFile
    private let next: any EngineObserver
    private var engine: Engine?
    private var written: [DueFile.Reminder]?
    private var isEncrypted = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop, _ file: DueFile, then next: any EngineObserver) {
        self.loop = loop
        self.file = file
        self.next = next
    }

    func attach(_ engine: Engine, isEncrypted: Bool) {
        self.engine = engine
        self.isEncrypted = isEncrypted
        // The plan of the previous process is wrong as soon as this process plans.
        if !isEncrypted { file.remove() }
    }

    func set(isEncrypted: Bool) async {
        self.isEncrypted = isEncrypted
        written = nil
        if isEncrypted { await write() } else { file.remove() }
    }

    func changed(_ change: EngineChange) async {
        await next.changed(change)
        await write()
    }

    func write() async {
        guard let engine, isEncrypted else { return }
        let clock = SystemClock().read()
        let planned = await engine.reminders().filter { $0.state == .planned }
        let reminders = planned.map { record in
            DueFile.Reminder(
                id: record.id, boot: clock.bootMicroseconds + record.due.microseconds - clock.wallMicroseconds)
        }
        // A difference of less than a second comes from the arithmetic.
        let isSame =
            written.map { old in
                old.count == reminders.count
                    && zip(old, reminders).allSatisfy { $0.id == $1.id && abs($0.boot - $1.boot) < 1_000_000 }
            } ?? false
        guard !isSame else { return }
        written = file.write(reminders) ? reminders : nil
    }
}
