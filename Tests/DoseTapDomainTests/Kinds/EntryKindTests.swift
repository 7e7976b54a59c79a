import DoseTapDomain
import DoseTapTestSupport
import Testing

/// Properties of every kind of entry, checked with each sample. Rows and surfaces have tests of their own.
struct EntryKindTests {
    /// A recorded sample.
    private struct Played {
        /// The machine without the sample.
        var never: SimulatedMachine
        /// The machine with the sample.
        var machine: SimulatedMachine
        var event: Event
        /// The events of the acts before the sample, and the sample's entry.
        var events: [EventID]

        /// The entry. A save that continues an entry shares it.
        var entry: EventID { EventID(event.entityID) }

        init(_ sample: EntrySample) throws {
            machine = SimulatedMachine(at: utc("2026-01-15T03:00:00Z"))
            events = []
            for act in sample.before {
                events.append(try machine.performConfirmed(act, events).id)
                machine.pass(.seconds(11))
            }
            machine.settle()
            never = machine
            let (now, ids) = (machine.wall, events)
            event = try machine.perform(sample.act.ask.command(ids)) { sample.act.fill(&$0, now: now) }.primary
            events.append(entry)
            machine.pass(.seconds(1))
            never.pass(.seconds(1))
        }

        /// The entry before and after a correction.
        mutating func correct(by command: NightCommand, _ act: Act? = nil) throws -> CorrectedEntry? {
            let (before, now) = (machine.logState, machine.wall)
            let event = try machine.performConfirmed(command) { options in
                act?.fill(&options, now: now)
                options.confirmations = Set(Confirmation.allCases)
            }.primary
            return CorrectedEntry(by: event, before: before, after: machine.logState)
        }

        /// Expects the newest event of a type as a correction in the entry's night and in its explanation.
        func expectTold(_ type: EventType, of target: EventID) {
            guard let correction = machine.log.last(where: { $0.type == type }),
                let first = machine.log.first(where: { $0.id == entry })
            else {
                Issue.record("there is no \(type.rawValue)")
                return
            }
            let explained = Explanation(first, sequence: nil, among: machine.log).corrections
            #expect(explained.contains { $0.id == correction.id && $0.target == target })
            guard let night = event.sessionID.flatMap({ machine.logState.session($0) }) else { return }
            let told = NightRecord(night).corrections.filter { $0.id == correction.id }
            #expect(told.map(\.target) == [target] && told.map(\.type) == [type.rawValue])
        }

        var state: Explanation.State? {
            Explanation(event, sequence: nil, among: machine.log).state
        }
    }

    @Test func `every type of event has a sample, and every kind of entry one that is recorded`() throws {
        #expect(Set(PayloadSamples.all.map(\.type)) == Set(EventType.allCases))
        let asked = Set(PayloadSamples.all.filter { $0.request != nil }.map(\.type))
        #expect(Set(EntrySample.all.map(\.type)) == asked.subtracting([.entryAmended, .entryDeleted, .actionUndone]))
        let names = EntrySample.all.map(\.description)
        #expect(Set(names).count == names.count)

        let made = PayloadSamples.all + (try EntrySample.all.map { try Played($0).event.payload })
        for payloads in [Array(made.prefix(PayloadSamples.all.count)), Array(made.suffix(EntrySample.all.count))] {
            var (doses, items): (Set<DoseKind>, Set<InventoryItem.Kind>) = ([], [])
            for payload in payloads {
                if case .doseRecorded(let dose) = payload { doses.insert(dose.kind) }
                if let noted: InventoryRecorded = payload.recorded() { items.insert(noted.item.kind) }
            }
            #expect(doses == Set(DoseKind.allCases))
            #expect(items == Set(InventoryItem.Kind.allCases))
        }
    }

    @Test(arguments: EntrySample.all)
    func `R20.7 it is recorded as itself, and its receipt says so`(sample: EntrySample) throws {
        let played = try Played(sample)
        let (event, logState) = (played.event, played.machine.logState)
        #expect(event.type == sample.type)
        let json = try JSONValue.parse(event.payload.json(origin: nil).serialized())
        #expect(try EventPayload(type: event.type, json: json) == event.payload)
        let receipt = Receipt(
            event, session: logState.session(of: event), open: logState.open, duplicate: false,
            clock: played.machine.clock)
        #expect(receipt.type == sample.word)
        if sample.type.entity != nil {
            #expect(EntityType.fixedInTime.contains(event.entityType) == !(sample.isAmendable && sample.hasTime))
        }
        #expect(try Receipt(json: receipt.json) == receipt)
        if let amount = sample.amount, sample.act.amount != nil { #expect(receipt.metadata[amount] != nil) }
        #expect(played.machine.facts != played.never.facts)
        if played.entry != event.id {
            #expect(receipt.target == played.entry)
            played.expectTold(event.type, of: played.entry)
        }
    }

    @Test(arguments: EntrySample.all, [Duration.zero, .seconds(58), .seconds(59)])
    func `R6.1 undone it never happened`(sample: EntrySample, wait: Duration) throws {
        for isSettled in [false, true] {
            var played = try Played(sample)
            played.machine.pass(wait)
            played.never.pass(wait)
            if isSettled { played.machine.settle() }
            played.never.settle()
            let logged = played.machine.log.count
            try played.machine.perform(.undo)
            #expect(played.machine.log.count > logged, "the log keeps both")
            #expect(played.machine.facts == played.never.facts)
            #expect(played.machine.settle().isEmpty)
            #expect(played.state == .undone)
            for logState in played.machine.replayed { #expect(logState == played.machine.logState) }
            played.machine.pass(.hours(20))
            played.never.pass(.hours(20))
            played.machine.settle()
            played.never.settle()
            #expect(played.machine.facts == played.never.facts, "also later")
        }
    }

    @Test(arguments: EntrySample.all)
    func `R6.7 an amendment changes what it names, and is taken back`(sample: EntrySample) throws {
        var played = try Played(sample)
        let first = played.machine
        for act in sample.amendments {
            let command = act.ask.command(played.events)
            let changed = try played.correct(by: command, act)
            #expect(changed?.countsAt != nil && changed?.type == sample.word)
            #expect((changed?.countsAt != changed?.countedAt) == (act.ago != nil))
            #expect(played.machine.facts != first.facts, "\(act)")
            if played.entry == played.event.id { #expect(played.state == .amended) }
            for logState in played.machine.replayed { #expect(logState == played.machine.logState) }
            played.expectTold(.entryAmended, of: played.entry)
            let amendment = try #require(played.machine.log.last { $0.type == .entryAmended })
            _ = try played.correct(by: .undo)
            played.expectTold(.actionUndone, of: amendment.id)
            #expect(played.machine.facts == first.facts, "\(act)")
            #expect(played.state == .active)
        }
        for act in sample.refusedAmendments {
            let (now, log) = (played.machine.wall, played.machine.log)
            let failure = played.machine.failure(act.ask.command(played.events)) { act.fill(&$0, now: now) }
            guard case .invalidInput? = failure else {
                Issue.record("\(act): \(String(describing: failure))")
                continue
            }
            #expect(played.machine.log == log)
        }
    }

    @Test(arguments: EntrySample.all)
    func `R6.11 deleted it counts no more, and a deletion is taken back`(sample: EntrySample) throws {
        var played = try Played(sample)
        let first = played.machine
        let gone = try played.correct(by: .delete(played.entry))
        #expect(gone?.countedAt != nil && gone?.countsAt == nil && gone?.type == sample.word)
        #expect(played.machine.facts != first.facts)
        if played.entry == played.event.id { #expect(played.state == .deleted) }
        played.expectTold(.entryDeleted, of: played.entry)
        #expect(played.machine.failure(.delete(played.entry)) != nil, "it is there no more")
        for logState in played.machine.replayed { #expect(logState == played.machine.logState) }
        let back = try played.correct(by: .undo)
        #expect(back?.countedAt == nil && back?.countsAt != nil)
        #expect(played.machine.facts == first.facts)
        #expect(played.state == .active)
    }

    @Test(arguments: EntrySample.all)
    func `R5.5 the same tap again records nothing`(sample: EntrySample) throws {
        guard sample.act.ago == nil else { return }
        var played = try Played(sample)
        let (now, ids) = (played.machine.wall, played.events)
        let again = try played.machine.perform(sample.act.ask.command(ids)) { sample.act.fill(&$0, now: now) }
        #expect(again.isDuplicate && again.primary == played.event)
    }

    @Test(arguments: EntrySample.all)
    func `R5.8 its key again records nothing, and with other words is refused`(sample: EntrySample) throws {
        let played = try Played(sample)
        var machine = played.never
        let (now, ids) = (machine.wall, played.events)
        func keyed(_ note: String?) -> (inout CommandOptions) -> Void {
            { options in
                sample.act.fill(&options, now: now)
                options.key = "k"
                if let note { options.note = note }
            }
        }
        let first = try machine.perform(sample.act.ask.command(ids), keyed(nil)).primary
        machine.pass(.seconds(20))
        let again = try machine.perform(sample.act.ask.command(ids), keyed: first, keyed(nil))
        #expect(again.isDuplicate && again.primary == first)
        guard case .invalidInput? = machine.failure(sample.act.ask.command(ids), keyed: first, keyed("other")) else {
            Issue.record("the key was taken for other words")
            return
        }
    }

    @Test(arguments: EntrySample.all)
    func `R20.9 it is explained by rules`(sample: EntrySample) throws {
        let played = try Played(sample)
        let explanation = Explanation(played.event, sequence: 1, among: played.machine.log)
        #expect(explanation.state == .active && explanation.event.id == played.event.id)
        #expect(!explanation.rules.isEmpty && explanation.phase != nil)
        #expect(try Explanation(json: explanation.json) == explanation)
    }
}

extension SimulatedMachine {
    /// Records an act with every question answered.
    mutating func performConfirmed(_ act: Act, _ entries: [EventID]) throws -> Event {
        let now = wall
        return try performConfirmed(act.ask.command(entries)) { options in
            act.fill(&options, now: now)
            options.confirmations = Set(Confirmation.allCases)
        }.primary
    }
}
