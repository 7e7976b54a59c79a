import DoseTapDomain
import Testing

/// Invariants, checked after each step.
extension RandomHistory {
    mutating func check() {
        machine.settle()
        let logState = machine.logState
        #expect(logState.sessions.filter(\.isOpen).count <= 1, note)
        for night in logState.sessions {
            if let (date, start) = begun[night.id] { #expect(night.date == date && night.start == start, note) }
            begun[night.id] = (night.date, night.start)
            let kinds = night.doses.map(\.kind)
            #expect(kinds.count { $0 == .dose1 } <= 1 && kinds.count { $0 == .dose2 } <= 1, note)
            if kinds.contains(.dose2) { #expect(night.dose1 != nil, note) }
            if kinds.contains(.extra) { #expect(night.dose2 != nil, note) }
            if let interval = night.interval { #expect(interval >= .zero, note) }
            if let end = night.end {
                #expect(night.doses.allSatisfy { $0.wall <= end }, note)
                #expect(end >= night.start, note)
                #expect(night.pendingReminders.isEmpty, note)
            }
            #expect((night.checkIn == nil) == (night.terminalState != .checkinCompleted), note)
            if night.checkIn != nil {
                #expect(!night.isOpen || night.hasUnresolvedWindow, note)
                // Beside an open or a later night the night stays closed (R2.5, R2.9).
                let isAlone = !logState.sessions.contains { $0.id != night.id && ($0.isOpen || $0.start > night.start) }
                if isAlone, !night.isBackfilled { #expect(night.isOpen == night.hasUnresolvedWindow, note) }
            }
            if night.isOpen, night.hasUnresolvedWindow {
                // A reminder due within the window is dropped only while another reminder is told, so no miss is
                // silent.
                let due = DueReminders(session: night, in: machine.logState, machine.context)
                let inside = due.drop.contains { $0.reason == .tooLate }
                #expect(!inside || !due.fire.isEmpty || night.elapsed(now: machine.clock)?.isCertain == false, note)
            }
            checkNaps(night)
            checkCheckInReminder(night)
            #expect(Set(night.doses.map(night.index(of:))) == Set(1..<(night.doses.count + 1)), note)
            #expect(night.alarm <= .minutes(225), note)
        }
        checkNextStep()
        let active = logState.sessions.flatMap { $0.doses.map(\.id) + $0.sleepEvents.map(\.id) }
        let oracle = HistoryOracle(machine.log)
        #expect(Set(active) == Set((oracle.taken + oracle.slept).map(\.event.id)), note)
        checkMedications()
        checkStock()
        checkNewEvents()
        _ = machine.status(at: machine.wall + .minutes(Int.random(in: -3_000...3_000, using: &random)))
    }

    /// The proposed step is safe on any surface, any number of times: no dose is recorded early, extra or doubled. A
    /// dose is proposed only where the facts call for one (R20.17).
    private mutating func checkNextStep() {
        let step = NextStep(machine.logState, machine.context)
        #expect(machine.status().next == NextStep.Record(step), note)
        if step == .skip, let night = machine.logState.open {
            #expect(night.elapsed(now: machine.clock).map { $0.longer >= DoseWindow.closes } == true, note)
        }
        guard let command = step.command else { return }
        let before = machine
        var twin = machine
        let surfaces = [Surface.cli, .dbus, .notification, .hook].shuffled(using: &random)
        var taken = machine.clock
        for surface in surfaces {
            let clock = twin.clock
            let recording = try? twin.perform(command) { $0.surface = surface }
            if recording?.isDuplicate == false { taken = clock }
            twin.pass(.milliseconds(Int64.random(in: 0...90_000, using: &random)))
        }
        let doses = twin.logState.sessions.flatMap(\.doses)
        let known = Set(before.logState.sessions.flatMap(\.doses).map(\.id))
        let new = doses.filter { !known.contains($0.id) }
        guard case .logDose(let kind) = command else {
            #expect(new.isEmpty, note)
            return
        }
        #expect(new.count <= 1 && new.allSatisfy { $0.kind == kind }, note)
        let open = before.logState.open
        #expect(open?.checkIn == nil && !(open.map(Self.hasEnded) ?? false), note)
        let date = before.logState.presentDate(before.context)
        let over = before.logState.sessions.contains {
            $0.id != open?.id && $0.date == date && $0.hasSigns && !$0.isOpen
        }
        if kind == .dose1 { #expect(!over, note) }
        if let first = new.first {
            let oracle = HistoryOracle(before.log)
            #expect(!oracle.isNear(nil, now: taken, slack: .seconds(-1)), note)
            #expect(first.event.payload.request?.confirmations == [], note)
        }
    }

    /// A final wake before dose 1 ended another sleep (R2.14).
    private static func hasEnded(_ night: Session) -> Bool {
        guard let dose1 = night.dose1 else { return false }
        return night.wakes.contains { $0.at >= dose1.at }
    }

    /// The reminder of the check-in is told once as long as no final wake was taken back or went before dose 1. The reminder is never told
    /// after the check-in or in a night that is over, and does not depend on the window's reminders.
    private func checkCheckInReminder(_ night: Session) {
        let told = night.reminderFacts.filter { $0.item.id == .checkIn && $0.dropped == nil }
        let wakes = night.events.filter { $0.type == .finalWakeRecorded }
        let isWakeGone = Set(wakes.map(\.effectiveAt)) != Set(night.wakes.map(\.wall))
        // The dose 1 after the wake may be gone since, or moved before it.
        let isOfDay = night.events.contains { event in
            guard case .doseRecorded(let dose) = event.payload, dose.kind == .dose1 else {
                return event.type == .entryAmended
            }
            return wakes.contains { $0.effectiveAt < event.effectiveAt }
        }
        #expect(told.count <= 1 || isWakeGone || isOfDay, note)
        #expect(Set(told.map(\.item)).count == told.count, note)
        if let checkIn = night.checkIn {
            #expect(told.allSatisfy { $0.at <= checkIn.event.occurredAt }, note)
        }
        let zone = machine.context.zone(of: night)
        let pending = night.pendingReminders(in: zone).filter { $0.id == .checkIn }
        #expect(pending.count <= (night.awaitsCheckIn ? 1 : 0), note)
        if night.awaitsCheckIn, told.isEmpty, !night.reminderFacts.contains(where: { $0.item.id == .checkIn }) {
            #expect(pending.count == 1, note)
        }
        #expect(night.pendingReminders(in: zone).filter(\.id.isOfWindow) == night.pendingReminders, note)
    }

    /// Every start and every end is in one nap, and no nap ends before it begins.
    private func checkNaps(_ night: Session) {
        let naps = night.naps
        let all = naps.complete + naps.open + naps.unmatched
        let marks = night.sleepEvents.filter { [SleepEventWord.napStart, SleepEventWord.napEnd].contains($0.type) }
        #expect(all.flatMap { [$0.startID, $0.endID].compactMap(\.self) }.count == marks.count, note)
        #expect(Set(all.flatMap { [$0.startID, $0.endID].compactMap(\.self) }) == Set(marks.map(\.id)), note)
        #expect(naps.complete.allSatisfy { $0.length.map { $0 >= .zero } ?? false }, note)
        #expect(night.sleepEvents.map(\.at) == night.sleepEvents.map(\.at).sorted(), note)
    }

    /// Two entries of one ingredient less than five minutes apart need a confirmation, and no oxybate is among the
    /// entries. A night has the number of doses of the regimen by which it opens.
    private func checkMedications() {
        let catalogue = machine.medications
        let active = machine.logState.medications.filter(\.isActive)
        for (place, one) in active.enumerated() {
            #expect(catalogue[one.recorded.medicationID]?.isOxybate == false, note)
            for other in active[..<place]
            where catalogue[one.recorded.medicationID]?.ingredient
                == catalogue[other.recorded.medicationID]?.ingredient
            {
                let gap = max(one.at - other.at, other.at - one.at)
                if gap < .minutes(5) { #expect(one.confirmedDuplicate || other.confirmedDuplicate, note) }
            }
            if let session = one.sessionID { #expect(one.date == machine.logState.session(session)?.date, note) }
        }
        for regimen in machine.logState.regimenHistory.map(\.regimen) {
            let parts = regimen.parts(on: regimen.from)
            if !parts.isEmpty { #expect(parts.reduce(0, +) == regimen.totalMilligrams(on: regimen.from), note) }
        }
    }

    /// The stock never exceeds the supplies and the counts, and nothing is lost or drunk twice. The cups in the status
    /// are the cups that the whole fold leaves active.
    private func checkStock() {
        let entries = machine.logState.inventory.filter(\.isActive)
        let stock = machine.stock
        for supply in stock.supplies {
            let cameIn = entries.reduce(0) { sum, entry in
                switch entry.item {
                case .bottles(let bottles) where bottles.medicationID == supply.line.medicationID:
                    sum + bottles.milligrams * bottles.count
                case .counted(let count) where count.medicationID == supply.line.medicationID: sum + count.milligrams
                default: sum
                }
            }
            #expect(supply.line.milligrams >= 0 && supply.line.milligrams <= cameIn, note)
            #expect(supply.line.lots.allSatisfy { $0.milligrams >= 0 }, note)
        }
        for entry in entries {
            guard let target = entry.item.target else { continue }
            #expect(entries.contains { $0.id == target && $0.at <= entry.at }, note)
        }
        let gone = entries.filter { $0.item.kind == .cupDiscarded }.compactMap(\.item.target)
        #expect(Set(gone).count == gone.count, note)
        // Two days of entries, as memory holds them, are enough for the cups.
        var recent = machine.logState
        recent.forget(before: machine.wall - .hours(48))
        let cups = PreparedCups(recent.stockMovements.filter { $0.at <= machine.wall }) {
            recent.prescribedMedicine(on: $0)
        }
        let whole = PreparedCups(machine.logState.stockMovements.filter { $0.at <= machine.wall }) {
            machine.logState.prescribedMedicine(on: $0)
        }
        #expect(cups.ready(at: machine.wall) == whole.ready(at: machine.wall), note)
        let told = machine.status().clearance.filter { $0.kind == .preparedCup }
        #expect(told.map(\.at) == cups.ready(at: machine.wall).map(\.at), note)
    }

    private mutating func checkNewEvents() {
        var newest = checked > 0 ? machine.log[checked - 1].occurredAt : .min
        for event in machine.log[checked...] {
            #expect(event.occurredAt >= newest, note)
            newest = event.occurredAt
            let json = try? JSONValue.parse(event.payload.json(origin: event.origin).serialized())
            let read = json.flatMap { try? EventPayload(type: event.type, json: $0) }
            #expect(read == event.payload, note)
        }
        checked = machine.log.count
    }

    /// The same events give the same log state, one by one as in batches.
    func replay() {
        #expect(Set(machine.log.map(\.id)).count == machine.log.count, note)
        for logState in machine.replayed { #expect(logState == machine.logState, note) }
    }
}
