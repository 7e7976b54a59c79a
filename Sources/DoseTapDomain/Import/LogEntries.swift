/// The entries that stand at the end of a log, as lines of an import (R35.5). Entries that were undone or deleted are
/// gone; amended entries are as they are now.
public struct LogEntries: Sendable {
    private var lines: [ImportLine] = []
    private var isTooMuch = false
    private var snoozes = 0
    private var stock = 0
    private var lab = 0

    public init() {}

    /// Adds the entries of a night.
    ///
    /// - Parameter place: the number of an event in its log.
    public mutating func add(_ night: Session, place: (EventID) -> Int64) {
        func entry(
            _ what: ImportEntry.What, _ event: Event, _ at: Instant, _ note: String? = nil, medicationID: String? = nil
        ) -> ImportLine {
            var entry = ImportEntry(
                what, row: Self.row(place(event.id)), id: event.id.text, at: at,
                offsetMinutes: event.localOffsetMinutes, night: night.date, note: note)
            entry.medicationID = medicationID
            return .entry(entry)
        }
        for dose in night.doses {
            let what = ImportEntry.What.dose(dose.kind, amountMilligrams: dose.amountMilligrams)
            add(entry(what, dose.event, dose.wall, dose.note, medicationID: dose.medicationID))
        }
        for skip in night.skips where !skip.isAutomatic {
            add(entry(.skip(reason: skip.reason), skip.event, skip.wall, skip.note))
        }
        for wake in night.wakes { add(entry(.finalWake, wake.event, wake.wall, wake.note)) }
        for event in night.sleepEvents { add(entry(.sleepEvent(event.type), event.event, event.wall, event.note)) }
        if let checkIn = night.checkIn {
            add(entry(.checkIn(Self.given(checkIn)), checkIn.event, checkIn.wall))
        }
        snoozes += night.snoozes.count
    }

    /// Adds an entry that is no part of a night's fold.
    public mutating func add(_ entry: StandaloneEntry, place: Int64) {
        guard entry.isActive else { return }
        func line(_ what: ImportEntry.What, _ note: String?) -> ImportLine {
            .entry(
                ImportEntry(
                    what, row: Self.row(place), id: entry.id.text, at: entry.at,
                    offsetMinutes: entry.event.localOffsetMinutes, note: note))
        }
        switch entry.value {
        case let taken as MedicationRecorded:
            add(line(.medication(taken.medicationID, amountMilligrams: taken.milligrams), taken.note))
        case let log as PreSleepRecorded: add(line(.preSleep(log.answers.values, log.completion), nil))
        case let set as RegimenSet: add(line(.regimen(set.regimen.json), set.note))
        case let sleep as SleepRecorded:
            var imported = ImportedSleep(
                row: Self.row(place), id: entry.id.text, device: sleep.device, start: sleep.start, end: sleep.end,
                offsetMinutes: sleep.offsetMinutes, part: sleep.part, grade: sleep.grade, course: sleep.course)
            (imported.source, imported.note) = (sleep.source, sleep.note)
            add(.sleep(imported))
        case is LabRegistered, is LabPlanned, is LabAnswered: lab += 1
        default: stock += 1
        }
    }

    /// The file of all lines; nil if the lines are more than one import takes.
    public var file: ImportFile? {
        guard !isTooMuch else { return nil }
        var notes: [String] = []
        if snoozes > 0 { notes.append(sent("snoozes stay behind, \(snoozes) of them: their reminders are over")) }
        if stock > 0 {
            notes.append(sent("entries of the inventory stay behind, \(stock) of them: each record has its own"))
        }
        if lab > 0 {
            notes.append(
                sent("questions, plans and nights of the lab stay behind, \(lab) of them: they are about one record"))
        }
        return ImportFile(ImportHeader(source: ImportSource.log.rawValue, notes: notes), lines)
    }

    private mutating func add(_ line: ImportLine) {
        guard lines.count < ImportFile.mostLines else {
            isTooMuch = true
            return
        }
        lines.append(line)
    }

    private static func row(_ place: Int64) -> String { "event \(place)" }

    /// Returns the answers that somebody gave, without the defaults.
    private static func given(_ checkIn: CheckIn) -> JSONObject {
        let defaults = Set(checkIn.defaults)
        return JSONObject(checkIn.answers.values.filter { !defaults.contains($0.key) }.map { ($0.key, $0.value) })
    }
}
