/// Decides the outcome of the entries of a file (R29), by the rules that hold for everybody. Each entry is decided as
/// if it were entered afterwards, in the order of time, with every question answered. The planner reads and writes
/// nothing else.
///
/// The planner lives the nights through again: between two entries time alone does what it would have done. From the
/// record the planner takes nights that are over, never the open one.
public struct ImportPlanner: Sendable {
    /// Younger rows are held back: they may belong to a night that is not over.
    public static let youngest: Duration = .hours(12)
    /// 1990-01-01: no time before it is a night of this person.
    public static let oldest = Instant(seconds: 631_152_000)
    /// An entry on record of the same kind is the same entry within this distance.
    static let sameEntry: Duration = .minutes(5)
    /// A dose on record may be the same dose at another time within this distance.
    static let sameDose: Duration = .minutes(30)
    /// The distance from an entry within which nights are loaded.
    public static let reach: Duration = .hours(36)
    /// The offsets from UTC that a zone can have, in minutes.
    private static let offsets = -1_559...1_559

    /// A night that the file changes.
    private struct Night {
        let before: Session?
        var events: [Event] = []
        var rows: [Int] = []
    }

    private let context: DecisionContext
    private let tonight: Session?
    /// The nights that are over, and those of the file as far as they are lived through.
    private var state = LogState()
    private var ids: IdentifierGenerator
    private var nights: [SessionID: Night] = [:]
    /// The nights of the file in the order in which they were begun.
    private var order: [SessionID] = []
    private var own: Set<EventID> = []
    private var seen: Set<String> = []
    /// The doses of one moment that an import brought before. Each may have a twin in the file.
    private var knownDoses: [ImportEntry] = []
    private var fact: ImportRecorded
    private let newest: Instant?

    private(set) var rows: [ImportRow] = []
    private(set) var events: [Event] = []
    private(set) var changes: [SessionChange] = []

    /// - Parameters:
    ///   - context: the clock says what is tonight; the zone holds for rows without an offset of their own.
    ///   - tonight: the open night.
    ///   - newest: the time at which the newest event of the log was recorded.
    ///   - regimens: all regimens on record.
    public init(
        source: String, _ context: DecisionContext, tonight: Session?, newest: Instant?, regimens: [StandaloneEntry],
        ids: IdentifierGenerator = IdentifierGenerator()
    ) {
        self.context = context
        self.tonight = tonight
        self.newest = newest
        self.ids = ids
        fact = ImportRecorded(source: source)
        state = LogState(sessions: [], recent: [], newest: newest)
        state.merge(regimens)
    }

    /// Takes up the nights and entries on record around the next entries, without the open night.
    public mutating func load(sessions: [Session], entries: [StandaloneEntry]) {
        state.merge(sessions.filter { !$0.isOpen && $0.id != tonight?.id })
        state.merge(entries)
    }

    /// Lets go of nights that ended before a moment: none of the further entries can belong to such a night.
    public mutating func forget(before moment: Instant) {
        settle(upTo: moment)
        for id in order {
            guard let session = state.session(id), let end = session.end, end < moment,
                !session.hasUnresolvedWindow
            else { continue }
            write(id)
        }
        order.removeAll { nights[$0] == nil }
        // A night that is not over by the rules yet is needed until it is over.
        let needed = order.compactMap { state.session($0)?.start }.min() ?? moment
        state.forget(before: min(moment, needed))
    }

    /// Notes a row that the reader of the file gave up, or of which nothing is recorded.
    public mutating func pass(_ row: String, _ kind: String, at: Instant? = nil, _ reason: ImportReason) {
        rows.append(ImportRow(row: row, kind: kind, at: at, outcome: .notTaken, reason: reason))
    }

    /// Decides the next entry. Entries come in the order of ``comesBefore(_:_:)``.
    ///
    /// - Parameters:
    ///   - key: the key by which the entry is known again.
    ///   - isKnown: true if an import brought the entry before.
    public mutating func decide(_ entry: ImportEntry, key: String, isKnown: Bool) {
        var row = ImportRow(row: entry.row, kind: entry.what.kind, at: entry.at, night: entry.night, outcome: .new)
        let place = rows.count
        if let recording = settled(judged(entry, key: key, isKnown: isKnown), key, in: &row) {
            take(recording, place)
            if let session = recording.primary.sessionID { row.night = state.session(session)?.date }
        }
        rows.append(row)
    }

    /// Decides the next sleep of a device. Sleeps come in the order of their starts; none is part of a night (R30.1).
    public mutating func decide(_ sleep: ImportedSleep, key: String, isKnown: Bool) {
        var row = ImportRow(row: sleep.row, kind: "sleep_record", at: sleep.start, outcome: .new)
        if let recording = settled(judged(sleep, key: key, isKnown: isKnown), key, in: &row) {
            // The new record stays out of the state: a sleep is compared with loaded records only.
            events += recording.events
            if let recorded: SleepRecorded = recording.primary.payload.recorded() { row.night = recorded.date }
        }
        rows.append(row)
    }

    /// Writes the outcome into a row.
    ///
    /// - Returns: the recording; nil if nothing is to be recorded.
    private mutating func settled(
        _ judgement: Judgement, _ key: String, in row: inout ImportRow
    ) -> CommandHandler.Recording? {
        switch judgement {
        case .record(let recording, let flags):
            seen.insert(key)
            row.flags = flags
            return recording
        case .linked(let id):
            seen.insert(key)
            row.outcome = .linked
            if fact.links.count < ImportRecorded.mostLinks { fact.links.append(id) }
        case .known: row.outcome = .known
        case .heldBack(let reason): (row.outcome, row.reason) = (.heldBack, reason)
        case .notTaken(let reason): (row.outcome, row.reason) = (.notTaken, reason)
        }
        return nil
    }

    /// Ends the nights of the file.
    ///
    /// - Returns: the plan to record and to tell. Its last event says that it is an import; a plan that would record
    ///   nothing has no events.
    public mutating func finish() -> ImportPlan {
        settle(upTo: .max)
        for id in order where nights[id] != nil {
            if let session = state.session(id), session.isOpen { clip(session) }
            if state.session(id)?.isOpen == false { write(id) } else { giveUp(id) }
        }
        count()
        guard !events.isEmpty else { return ImportPlan(rows: rows, fact: fact) }
        fact.events = events.count
        var maker = maker(in: context.zone)
        let last = maker.event(
            .importRecorded(fact), .store, about: ImportRecorded.entity, nil, at: maker.occurredAt)
        return ImportPlan(rows: rows, fact: fact, events: events + [last], changes: changes)
    }

    /// Returns true if an entry is decided first: by time, and for entries of one moment by their place in a night.
    public static func comesBefore(_ one: ImportEntry, _ other: ImportEntry) -> Bool {
        (one.at, one.what.rank) < (other.at, other.what.rank)
    }

    // MARK: One entry

    private enum Judgement {
        case record(CommandHandler.Recording, [Confirmation])
        case linked(EventID)
        case known
        case heldBack(ImportReason)
        case notTaken(ImportReason)
    }

    private mutating func judged(_ entry: ImportEntry, key: String, isKnown: Bool) -> Judgement {
        if isKnown, entry.what.isCountedDose {
            knownDoses.removeAll { $0.at != entry.at }
            knownDoses.append(entry)
        }
        guard !isKnown, !seen.contains(key), !isTwinOfKnown(entry) else { return .known }
        guard entry.at >= Self.oldest else { return .notTaken(ImportReason(.tooOld)) }
        let now = context.now
        guard entry.at <= now + Bounds.future else { return .notTaken(ImportReason(.future)) }
        guard entry.offsetMinutes.map(Self.offsets.contains) ?? true else {
            return .notTaken(ImportReason(.invalid, sent("its offset from UTC is none that any zone has")))
        }
        settle(upTo: entry.at)
        guard !isOfTonight(entry.at) else {
            guard case .dose(let kind, _) = entry.what,
                tonight?.doses.contains(where: { $0.kind == kind && $0.wall == entry.at }) == true
            else { return .heldBack(ImportReason(.tonight)) }
            return .heldBack(ImportReason(.tonight, "on_record"))
        }
        guard entry.at <= now - Self.youngest else { return .heldBack(ImportReason(.recent)) }
        if let near = onRecord(entry) {
            return near.isSame ? .linked(near.id) : .notTaken(ImportReason(.anotherTime, near.at.iso8601))
        }
        guard !isTwice(entry) else { return .known }
        let recording: CommandHandler.Recording
        var flags: [Confirmation] = []
        do throws(CommandFailure) {
            recording = try decided(entry, key, &flags)
        } catch { return .notTaken(Self.reason(error)) }
        // Of an own log a dose 1 of another night of the date stood beside the first one; of another program it may be a slip.
        if entry.what.isDose1, flags.contains(.extra), fact.source != ImportSource.log.rawValue {
            return .notTaken(ImportReason(.secondDose1))
        }
        // A dose is an extra dose only if the file calls it one.
        if case .dose(.dose2, _) = entry.what, flags.contains(.extra) { return .notTaken(ImportReason(.onRecord)) }
        if let reason = stands(in: recording) { return reason }
        return .record(recording, flags)
    }

    private mutating func judged(_ sleep: ImportedSleep, key: String, isKnown: Bool) -> Judgement {
        guard !isKnown, !seen.contains(key) else { return .known }
        guard sleep.start >= Self.oldest else { return .notTaken(ImportReason(.tooOld)) }
        let now = context.now
        guard max(sleep.start, sleep.end) <= now + Bounds.future else { return .notTaken(ImportReason(.future)) }
        guard sleep.offsetMinutes.map(Self.offsets.contains) ?? true else {
            return .notTaken(ImportReason(.invalid, sent("its offset from UTC is none that any zone has")))
        }
        if let tonight, sleep.end > tonight.start { return .heldBack(ImportReason(.tonight)) }
        guard sleep.end <= now - Self.youngest else { return .heldBack(ImportReason(.recent)) }
        let source = sleep.source ?? fact.source
        let same = state.sleepRecords.first { record in
            record.isActive && record.now.source == source
                && (record.now.device == nil || sleep.device == nil || record.now.device == sleep.device)
                && (record.now.start - sleep.start).magnitude <= Self.sameEntry
                && (record.now.end - sleep.end).magnitude <= Self.sameEntry
        }
        if let same { return .linked(same.id) }
        var options = CommandOptions(surface: .importer)
        (options.origin, options.at, options.key, options.note) = (.file, sleep.start, key, sleep.note)
        do throws(CommandFailure) {
            let command = Command.recordSleep(sleep, source: source)
            return .record(try answered(command, &options, context), [])
        } catch { return .notTaken(Self.reason(error)) }
    }

    /// Decides the command of an entry, with each question that it raises answered.
    private mutating func decided(
        _ entry: ImportEntry, _ key: String, _ flags: inout [Confirmation]
    ) throws(CommandFailure) -> CommandHandler.Recording {
        var context = context
        context.zone = zone(of: entry)
        let command = command(of: entry, context)
        var options = CommandOptions(surface: .importer)
        options.origin = .file
        // A regimen holds from its date on, not from a time.
        if case .regimen = entry.what {} else { options.at = entry.at }
        (options.key, options.note, options.medicationID) = (key, entry.note, entry.medicationID)
        switch entry.what {
        case .dose(_, let amount), .medication(_, let amount): options.amountMilligrams = amount
        case .skip(let reason): options.reason = reason
        default: break
        }
        let recording = try answered(command, &options, context)
        flags = ImportRow.told.filter(options.confirmations.contains)
        return recording
    }

    /// Decides a command as if a person had answered all of its questions.
    private mutating func answered(
        _ command: Command, _ options: inout CommandOptions, _ context: DecisionContext
    ) throws(CommandFailure) -> CommandHandler.Recording {
        while true {
            do throws(CommandFailure) {
                return try CommandHandler.decide(command, options, logState: state, context, ids: &ids)
            } catch {
                guard case .needsConfirmation(let question) = error,
                    !options.confirmations.isSuperset(of: question.confirmations)
                else { throw error }
                options.confirmations.formUnion(question.confirmations)
            }
        }
    }

    private func command(of entry: ImportEntry, _ context: DecisionContext) -> Command {
        switch entry.what {
        case .dose(let kind, _): return .logDose(kind)
        case .skip: return .skipDose2
        case .finalWake: return .logFinalWake
        case .sleepEvent(let type): return .logSleepEvent(type)
        case .checkIn(let answers):
            let named = entry.night.flatMap { date in state.sessions.first { $0.date == date } }
            return .saveCheckIn(answers, night: named?.date.text)
        case .preSleep(let answers, let completion): return .savePreSleep(answers, completion)
        case .medication(let id, _): return .takeMedication(id)
        case .regimen(var said):
            let date = SessionDate.key(of: entry.at, in: context.zone, rolloverHour: context.rules.rolloverHour)
            if said["from"] == nil { said["from"] = .string((entry.night ?? date).text) }
            return .setRegimen(said)
        }
    }

    /// Returns the zone of the person if its clock showed the offset of the entry, else a zone with that offset.
    private func zone(of entry: ImportEntry) -> Zone {
        guard let minutes = entry.offsetMinutes, context.zone.offset(at: entry.at) != minutes * 60 else {
            return context.zone
        }
        return Zone(fixedOffsetMinutes: minutes)
    }

    private static func reason(_ failure: CommandFailure) -> ImportReason {
        switch failure {
        case .refused(.dose1AlreadyTaken, _): ImportReason(.secondDose1)
        case .refused(.alreadySkipped, _): ImportReason(.onRecord)
        case .refused(.phase, let refusal) where refusal.existing != nil: ImportReason(.onRecord)
        case .refused(let reason, _): ImportReason(.refused, reason.rawValue)
        case .invalidInput(let text), .nothingToDo(let text, _): ImportReason(.invalid, text)
        case .unknown(let word): ImportReason(.invalid, sent("there is no \(word.what) '\(word.word.prefix(40))'"))
        case .notFound: ImportReason(.invalid, sent("no night on record belongs to it"))
        case .needsConfirmation: ImportReason(.invalid, sent("it raises a question that an import cannot answer"))
        }
    }

    // MARK: What is on record

    /// Returns true if a moment is of tonight: from its start on, or within its reach before and in no other night.
    private func isOfTonight(_ at: Instant) -> Bool {
        guard let tonight else { return false }
        if at >= tonight.start { return true }
        guard tonight.isInReach(of: at) else { return false }
        return state.session(for: at) == nil && state.night(begunBy: at) == nil
    }

    /// Returns the nearest entry on record that is the same, or near enough to be the same at another time. A dose of
    /// another kind is never the same: dose 2 and an extra dose a few minutes later are two.
    private func onRecord(_ entry: ImportEntry) -> (id: EventID, at: Instant, isSame: Bool)? {
        var found: [(EventID, Instant)] = []
        var limit = Self.sameDose
        var others: [(EventID, Instant)] = []
        switch entry.what {
        case .dose(let kind, _):
            found = doses { $0 == kind }
            others = doses { $0 != kind }
        case .medication(let word, _):
            let medicine = context.medications[word]
            if medicine?.isOxybate == true {
                found = doses { _ in true }
            } else {
                let taken = state.medications.filter { $0.isActive && $0.now.medicationID == medicine?.id }
                found = taken.map { ($0.id, $0.at) }
            }
        case .skip:
            found = state.sessions.flatMap { $0.skips.filter { !$0.isAutomatic }.map { ($0.id, $0.wall) } }
        case .finalWake: found = state.sessions.flatMap { $0.wakes.map { ($0.id, $0.wall) } }
        case .sleepEvent(let type):
            let word = SleepEventCatalogue.word(type)
            found = state.sessions.flatMap { session in
                session.sleepEvents.filter { $0.type == word }.map { ($0.id, $0.wall) }
            }
            limit = Self.sameEntry
        case .checkIn:
            found = state.sessions.compactMap { $0.checkIn.map { ($0.id, $0.wall) } }
            limit = Self.sameEntry
        case .preSleep:
            found = state.preSleepLogs.filter(\.isActive).map { ($0.id, $0.at) }
            limit = Self.sameEntry
        case .regimen: return nil
        }
        func nearest(_ found: [(EventID, Instant)]) -> (id: EventID, at: Instant, apart: Duration)? {
            found.filter { !own.contains($0.0) }.map { ($0.0, $0.1, ($0.1 - entry.at).magnitude) }
                .min { $0.2 < $1.2 }
        }
        if let same = nearest(found), same.apart <= Self.sameEntry { return (same.id, same.at, true) }
        guard let near = nearest(found + others), near.apart <= Self.sameEntry || near.apart < limit else { return nil }
        return (near.id, near.at, false)
    }

    /// Returns true if a dose that an import brought before stands twice in the file. That dose may be deleted since, so the
    /// nights do not show it.
    private func isTwinOfKnown(_ entry: ImportEntry) -> Bool {
        guard case .dose(let kind, let amount) = entry.what else { return false }
        return knownDoses.contains { known in
            guard case .dose(kind, let knownAmount) = known.what, known.at == entry.at else { return false }
            // Without an amount a dose has the usual one, which the twin may name.
            return (amount ?? knownAmount) == (knownAmount ?? amount) && (entry.note ?? known.note) == known.note
                && (entry.medicationID ?? known.medicationID) == known.medicationID
        }
    }

    /// Returns true if the file has told this dose 1 or dose 2 already, at the same time, and the row adds nothing to it.
    private func isTwice(_ entry: ImportEntry) -> Bool {
        guard entry.what.isCountedDose, case .dose(let kind, let amount) = entry.what else { return false }
        return state.sessions.contains { session in
            session.doses.contains { dose in
                own.contains(dose.id) && dose.kind == kind && dose.wall == entry.at
                    && (amount ?? dose.amountMilligrams) == dose.amountMilligrams
                    && (entry.note ?? dose.note) == dose.note
                    && (entry.medicationID ?? dose.medicationID) == dose.medicationID
            }
        }
    }

    private func doses(_ isWanted: (DoseKind) -> Bool) -> [(EventID, Instant)] {
        state.sessions.flatMap { session in
            session.doses.filter { isWanted($0.kind) }.map { ($0.id, $0.wall) }
        }
    }

    /// Returns a judgement against a recording that changes an entry, or a time with a prescription; nil for others.
    private func stands(in recording: CommandHandler.Recording) -> Judgement? {
        switch recording.primary.payload {
        case .checkinRecorded(let saved): return saved.amends == nil ? nil : .notTaken(ImportReason(.onRecord))
        case .entry(let payload):
            if payload.value.continues != nil { return .notTaken(ImportReason(.onRecord)) }
            guard let set = payload.value(as: RegimenSet.self) else { return nil }
            return stands(set.regimen)
        default: return nil
        }
    }

    private func stands(_ regimen: Regimen) -> Judgement? {
        let others = state.regimens.filter { $0.isActive && !own.contains($0.id) }
        if let same = others.first(where: { $0.regimen == regimen }) { return .linked(same.id) }
        let overlaps = others.contains { other in
            (other.regimen.until.map { $0 >= regimen.from } ?? true)
                && (regimen.until.map { $0 >= other.regimen.from } ?? true)
        }
        if overlaps { return .notTaken(ImportReason(.regimenOnRecord)) }
        // The prescription for tonight is not changed while the night goes on.
        if let tonight, regimen.isActive(on: tonight.date) { return .heldBack(ImportReason(.tonight)) }
        return nil
    }

    // MARK: Living nights through

    private func maker(in zone: Zone) -> EventMaker {
        var context = context
        context.zone = zone
        var maker = EventMaker(context: context, newest: newest, ids: ids)
        (maker.surface, maker.origin) = (.importer, .file)
        return maker
    }

    private mutating func take(_ recording: CommandHandler.Recording, _ place: Int) {
        for event in recording.events {
            own.insert(event.id)
            guard let id = event.sessionID else {
                events.append(event)
                continue
            }
            if nights[id] == nil {
                nights[id] = Night(before: state.session(id))
                order.append(id)
            }
            nights[id]?.events.append(event)
        }
        if let id = recording.primary.sessionID { nights[id]?.rows.append(place) }
        state.append(recording.events, folded: recording.night.map { [$0] } ?? [])
    }

    /// Records what time alone does to the nights of the file up to a moment.
    private mutating func settle(upTo moment: Instant) {
        for id in order {
            while let session = state.session(id),
                let boundary = Boundaries.next(of: session, zone: zone(of: session), now: context.clock),
                boundary.at <= moment, boundary.due.isDue(context.now)
            {
                guard record(boundary, session) else { break }
            }
            guard let session = state.session(id), session.isOpen else { continue }
            // A night on record began since, so this night was over.
            let next = state.sessions.first { $0.start > session.start && $0.start <= moment && $0.id != id }
            if let next { end(session, before: next) }
        }
    }

    /// Ends a night that is not over by its own rules if the open night began after it.
    private mutating func clip(_ session: Session) {
        if let tonight, tonight.start > session.start { end(session, before: tonight) }
    }

    private mutating func end(_ session: Session, before next: Session) {
        let last = (session.doses.map(\.wall) + session.skips.map(\.wall) + [session.start]).max() ?? session.start
        let boundary = Boundaries.Boundary(
            at: max(next.start, last), due: NextDue(wall: context.now), kind: .closed(.backfilled))
        _ = record(boundary, session)
    }

    /// - Returns: true if the night is still there.
    private mutating func record(_ boundary: Boundaries.Boundary, _ session: Session) -> Bool {
        var maker = maker(in: zone(of: session))
        let event = maker.event(boundary, session, cause: nil)
        ids = maker.ids
        own.insert(event.id)
        nights[session.id]?.events.append(event)
        state.append([event])
        return state.session(session.id) != nil
    }

    private func zone(of session: Session) -> Zone {
        if let known = context.zone.identifier == session.timeZone ? context.zone : context.zoneNamed(session.timeZone)
        {
            return known
        }
        let first = session.events.first
        return first.map { Zone(fixedOffsetMinutes: $0.localOffsetMinutes) } ?? context.zone
    }

    private mutating func write(_ id: SessionID) {
        guard let night = nights.removeValue(forKey: id) else { return }
        events += night.events
        let after = state.session(id)
        changes.append(SessionChange(id: id, before: night.before, after: after))
        if let date = after?.date {
            fact.from = min(fact.from ?? date, date)
            fact.to = max(fact.to ?? date, date)
        }
        fact.nights += 1
    }

    /// Gives up a night that would be open: nothing of it is recorded.
    private mutating func giveUp(_ id: SessionID) {
        guard let night = nights.removeValue(forKey: id) else { return }
        for place in night.rows {
            (rows[place].outcome, rows[place].reason, rows[place].flags) = (.heldBack, ImportReason(.nightNotOver), [])
        }
    }

    private mutating func count() {
        for row in rows {
            switch row.outcome {
            case .new: fact.counts[row.kind, default: 0] += 1
            case .known: fact.known += 1
            case .linked: fact.linked += 1
            case .heldBack: fact.heldBack += 1
            case .notTaken: fact.notTaken += 1
            }
        }
    }
}

extension ImportEntry.What {
    fileprivate var isDose1: Bool { if case .dose(.dose1, _) = self { true } else { false } }

    /// True for dose 1 and dose 2, of which a night has one each.
    fileprivate var isCountedDose: Bool {
        if case .dose(let kind, _) = self { kind != .extra } else { false }
    }

    /// The place of an entry among those of one moment.
    fileprivate var rank: Int {
        switch self {
        case .regimen: 0
        case .preSleep: 1
        case .dose(.dose1, _): 2
        case .medication, .sleepEvent: 3
        case .dose(.dose2, _), .skip: 4
        case .dose(.extra, _): 5
        case .finalWake: 6
        case .checkIn: 7
        }
    }
}
