import DoseTapDomain
import DoseTapEngine
import DoseTapRandomNights
import DoseTapTestSupport
import Testing

@testable import DoseTapSimulation

@Suite struct NightJudgeTests {
    typealias Entry = Timeline.Entry

    /// Changes of the record of a sound night, and the fault that the judge must then find.
    static let wrongs: [(fault: NightVerdict.Fault, change: @Sendable ([Entry]) -> [Entry])] = [
        (.missed, { entries in entries.filter { !isTold(.preAlarm, $0) } }),
        (.missed, { entries in entries.filter { !isReached(.closing5, $0) } }),
        (.missed, { entries in entries.filter { !isTold(.alarm, $0) && !isReached(.alarm, $0) } }),
        (.missed, { entries in entries.filter { !isTold(.checkIn, $0) && !isReached(.checkIn, $0) } }),
        (.missed, { entries in entries.map { isTold(.followup1, $0) ? dropped(.superseded, $0) : $0 } }),
        (.missed, { entries in entries.map { isTold(.closing5, $0) ? dropped(.windowOver, $0) : $0 } }),
        (.missed, { entries in entries.map { isTold(.windowOpen, $0) ? dropped(.tooLate, $0) : $0 } }),
        (.missed, { entries in entries.map { isTold(.alarm, $0) ? dropped(.resolved, $0) : $0 } }),
        (.missed, { entries in entries.map { isTold(.checkIn, $0) ? dropped(.tooLate, $0) : $0 } }),
        (.missed, { entries in entries.flatMap { isTold(.preAlarm, $0) ? [$0, givenUp($0)] : [$0] } }),
        (.twice, { entries in entries.flatMap { isReached(.alarm, $0) ? [$0, $0] : [$0] } }),
        (.twice, { entries in entries.flatMap { isTold(.alarm, $0) ? [$0, $0] : [$0] } }),
        (.early, { entries in entries.map { isTold(.windowOpen, $0) ? moved($0, by: .seconds(-1)) : $0 } }),
        (.early, { entries in entries.map { isReached(.alarm, $0) ? moved($0, by: .seconds(-1)) : $0 } }),
        (.early, { entries in entries.map { isTold(.windowClosed, $0) ? moved($0, by: .milliseconds(-1)) : $0 } }),
        (.early, { entries in entries.map { isTold(.alarm, $0) ? another($0) : $0 } }),
        (.early, { entries in entries.map { isTold(.checkIn, $0) ? moved($0, by: .seconds(-1)) : $0 } }),
        (.late, { entries in entries.map { isTold(.closing15, $0) ? moved($0, by: .seconds(2)) : $0 } }),
        (.afterClose, { entries in entries.map { isTold(.closing5, $0) ? moved($0, by: .minutes(5)) : $0 } }),
        (.afterResolved, { entries in entries + entries.filter { isReached(.alarm, $0) } }),
        (.early, { entries in entries.map { isPhase(.active, $0) ? moved($0, by: .milliseconds(-1)) : $0 } }),
        (.afterClose, { entries in entries.map { isPhase(.nearClose, $0) ? moved($0, by: .minutes(15)) : $0 } }),
        (.missed, { entries in entries.filter { !isHeard($0) } }),
        (.missed, { entries in entries.filter { !isHeard($0) || $0.at < closing(entries) + .seconds(20) } }),
        (.early, { entries in entries.flatMap { isTold(.preAlarm, $0) ? [$0, ring($0)] : [$0] } }),
        (.afterClose, { entries in entries.flatMap { isTold(.windowClosed, $0) ? [$0, ring($0)] : [$0] } }),
        (.afterResolved, { entries in entries + entries.suffix(1).map(ring) }),
        (.twice, { entries in entries.filter { !isWithdrawn(.followup1, $0) } }),
        (.afterClose, { entries in entries.filter { !isWithdrawn(.alarmRepeat, $0) } }),
        (.afterResolved, { entries in entries.filter { !isWithdrawn(.windowClosed, $0) } }),
        (.afterResolved, { entries in entries.filter { !isWithdrawn(.checkIn, $0) } }),
    ]

    /// Troubles of a night in which every reminder is told. They excuse no fault.
    static let troubles = [
        "", "+30m suspend 100m", "+100m crash 20m", "+100m reboot 20m", "+20m clock -30m\n+140m clock +30m",
        "+20m clock -12h\n+140m clock +12h", "+20m clock -3h\n+21m clock +3h synchronised\n+25m reboot 20s",
        "+20m clock -1h\n+25m crash 20s\n+30m clock +1h\n+40m crash 1s",
        "+100m travel Asia/Tokyo\n+110m reboot 60s", "+5m reboot 60s\n+10m clock -48h\n+12m clock +48h",
        "+10m clock -6h\n+200m crash 1s", "+10m clock +0s\n+20m slew +50s", "+10m clock +60s synchronised",
    ]

    @Test(arguments: troubles)
    func `what is wrong with a night is found, whatever befell it`(trouble: String) async throws {
        let night = try await SimulationBench.run(
            "start 2026-01-14 22:30\nset target_minutes 225\n22:30 log dose1\n\(trouble)\n+241m skip\nuntil 2026-01-15T18:00:00Z"
        )
        #expect(night.told == SimulationTests.whole)
        let sound = verdict(night.timeline)
        #expect(sound.isSound, "\(sound.complaints)")
        #expect(sound.misled == 0)
        for (index, wrong) in Self.wrongs.enumerated() {
            let found = verdict(wrong.change(night.timeline))
            #expect(found.count(wrong.fault) > 0, "\(index) \(wrong.fault): \(found.counts)")
        }
    }

    /// Nights with clocks in doubt, an addition so many minutes after dose 1, and the fault that the judge must then
    /// find.
    static let doubtful: [(script: String, after: Int, more: More, fault: NightVerdict.Fault)] = [
        // The clock is an hour ahead: 110 minutes by the counter are 170 by the wall clock.
        ("+100m clock +1h", 110, .phase(.active), .early), ("+100m clock +1h", 110, .told(.closing15, 225), .early),
        ("+100m clock +1h", 170, .told(.windowClosed, 240), .early),
        ("+100m clock +1h", 210, .phase(.nearClose), .afterClose),
        ("+100m clock +1h", 110, .said("Time to take dose 2. By the clock."), .saysTake),
        ("+100m clock +1h", 110, .said("Dose 2 is still open"), .saysTake),
        ("+100m clock +1h", 110, .asked([.early]), .asked), ("+100m clock +1h", 110, .asked([.late]), .asked),
        ("+100m clock +1h", 110, .asked([.early, .clockSuspect]), .asked),
        ("+100m clock +1h", 110, .dose2([]), .asked), ("+100m clock +1h", 110, .dose2([.early]), .early),
        ("+100m clock +1h", 200, .dropped(.alarm, 165, .windowOver), .missed),
        ("+100m clock +1h", 220, .givenUp, .missed),
        // The clock is three hours ahead, so the window is over by the wall clock.
        ("+100m clock +3h", 110, .told(.alarmRepeat, 276), .twice),
        ("+100m clock +3h", 245, .told(.alarmRepeat, 236), .afterClose),
        ("+100m clock +3h", 110, .said("Take dose 2 now"), .saysTake),
        ("+100m clock +3h", 110, .asked([.late]), .asked),
        // A trusted source sets the clock back, so the counter may be wrong.
        ("+100m clock -1h synchronised", 160, .phase(.active), .early),
        ("+100m clock -1h synchronised", 160, .dose2([]), .asked),
        // The machine was started anew with a wall clock that no source vouches for.
        ("+100m reboot 60s unsynchronised", 160, .asked([.early]), .asked),
        ("+100m clock -3h\n+110m reboot 60s", 160, .phase(.active), .early),
        // These clocks are not in doubt: set back by hand, set right by the first synchronisation, or the night is
        // over.
        ("+100m clock -1h", 160, .asked([.clockSuspect]), .asked), ("+100m clock -1h", 120, .asked([.late]), .asked),
        ("+100m clock -1h", 245, .asked([.early]), .asked), ("+100m clock -1h", 140, .phase(.active), .early),
        ("+100m clock -1h", 140, .told(.windowOpen, 150), .early),
        ("+100m clock -3h", 245, .told(.alarmRepeat, 236), .afterClose),
        ("+100m clock -12h", 245, .said("You can take dose 2 now"), .saysTake),
    ]

    /// An entry that is added to the timeline.
    enum More: Sendable {
        case phase(Phase)
        case told(ReminderID, Int)
        case dropped(ReminderID, Int, ReminderDrop)
        case said(String)
        case asked([DoseTapDomain.Confirmation])
        case dose2(Set<DoseTapDomain.Confirmation>)
        case givenUp

        /// The added entry, at the time of a glass of water.
        func entry(_ water: Event, _ entry: Entry, dose1: Instant) -> Entry {
            func recorded(_ payload: EventPayload) -> Timeline.Happening {
                guard case .recorded(let event) = NightJudgeTests.changed(entry, { _ in payload }).what else {
                    return .resumed
                }
                return .recorded(event)
            }
            let what: Timeline.Happening =
                switch self {
                case .phase(let phase): .phase(old: .beforeWindow, new: phase)
                case .told(let id, let minutes):
                    recorded(.reminderFired(ReminderFired(reminder: id, due: dose1 + .minutes(minutes))))
                case .dropped(let id, let minutes, let reason):
                    recorded(
                        .reminderDropped(
                            ReminderDropped(reminder: id, due: dose1 + .minutes(minutes), reason: reason)))
                case .said(let words): .said(words, stays: false)
                case .asked(let confirmations):
                    .declined(
                        .logDose(.dose2),
                        .needsConfirmation(
                            Question(
                                confirmations: confirmations, minutesToOpen: nil, limitMilligrams: nil,
                                sumMilligrams: nil, wouldRecord: "dose2", at: entry.clock.wall)))
                case .dose2(let confirmations):
                    recorded(
                        .doseRecorded(
                            DoseRecorded(
                                kind: .dose2, amountMilligrams: nil, medicationID: nil, regimenID: nil, note: nil,
                                request: Request(at: nil, confirmations: Array(confirmations)))))
                case .givenUp:
                    recorded(
                        .doseSkipped(
                            DoseSkipped(
                                reason: "slept_through", note: nil, sleptThroughFrom: entry.clock.wall, request: nil,
                                cause: nil)))
                }
            return Entry(at: entry.at, clock: entry.clock, zone: entry.zone, what: what)
        }
    }

    @Test(arguments: doubtful)
    func `R2.16: clocks that are in doubt excuse nothing that was known, and clocks that are not leave none`(
        night: (script: String, after: Int, more: More, fault: NightVerdict.Fault)
    ) async throws {
        let water = "+\(night.after)m log water --confirm clock_suspect"
        let outcome = try await SimulationBench.run(
            "start 2026-01-14 22:30\n22:30 log dose1\n\(night.script)\n\(water)\nuntil +\(night.after + 60)m")
        let sound = verdict(outcome.timeline)
        #expect(sound.isSound, "\(sound.complaints)")
        let dose1 = try #require(outcome.night?.dose1)
        let found = verdict(
            outcome.timeline.flatMap { entry -> [Entry] in
                guard case .recorded(let event) = entry.what, case .sleepEventRecorded = event.payload else {
                    return [entry]
                }
                return [entry, night.more.entry(event, entry, dose1: dose1.at)]
            })
        #expect(found.count(night.fault) > 0, "\(found.counts)")
    }

    @Test(arguments: [
        "+100m clock +1h", "+100m clock +3h", "+100m clock -1h synchronised", "+100m reboot 60s unsynchronised",
    ])
    func `in doubt the alarm rings until the window has closed by the shorter figure, too`(trouble: String) async throws
    {
        let outcome = try await SimulationBench.run(
            "start 2026-01-14 22:30\n22:30 log dose1\n\(trouble)\nuntil 2026-01-15T12:00:00Z")
        #expect(verdict(outcome.timeline).isSound)
        #expect(verdict(outcome.timeline).doubtful == 1)
        #expect(verdict(outcome.timeline.filter { !Self.isHeard($0) }).count(.missed) > 0)
        let half = try #require(outcome.dose1) + .minutes(200)
        #expect(verdict(outcome.timeline.filter { !Self.isHeard($0) || $0.at < half }).count(.missed) > 0)
        let silent = outcome.timeline.filter { entry in
            switch entry.what {
            case .shown, .withdrawn, .ran, .said: false
            case .recorded(let event): if case .reminderFired = event.payload { false } else { true }
            default: true
            }
        }
        #expect(verdict(silent).count(.missed) > 0)
    }

    @Test func `what no clock of the machine can know is counted, and is no fault`() async throws {
        // A wrong time server sets the clock ahead. After a new start the wall clock counts.
        let outcome = try await SimulationBench.run(
            "start 2026-01-14 22:30\nset target_minutes 225\n22:30 log dose1\n+50m clock +1h synchronised\n+60m reboot 60s"
        )
        #expect(outcome.told.first == "window_open@90")
        #expect(outcome.verdict.isSound, "\(outcome.verdict.complaints)")
        let untrue = outcome.told.filter { told in
            let minutes = Int(told.drop { $0 != "@" }.dropFirst()) ?? 0
            return !told.hasPrefix("window_closed") && !(150..<240).contains(minutes)
        }
        #expect(outcome.verdict.misled == untrue.count)
    }

    @Test func `a service that sleeps until the next command is late, however well it catches up`() async throws {
        let night = try await SimulationBench.run(
            "start 2026-01-14 22:30\n22:30 log dose1\n+155m log bathroom\nuntil 06:00")
        // The service behaves as if it told the window only when the person logged an event.
        let opens = try #require(night.timeline.first { Self.isTold(.windowOpen, $0) }).at
        let late = night.timeline.filter { $0.at == opens }.map { Self.moved($0, by: .minutes(5)) }
        let found = verdict(
            night.timeline.filter { $0.at < opens } + night.timeline.filter { $0.at == opens + .minutes(5) } + late
                + night.timeline.filter { $0.at > opens + .minutes(5) })
        #expect(found.count(.missed) > 0, "\(found.counts)")
    }

    @Test func `K8: a dose too near another, or one too many, that nobody was asked about is found`() async throws {
        let night = try await SimulationBench.run(
            """
            start 2026-01-14 22:30
            22:30 log dose1
            +100m log dose2 --confirm early
            +101m log extra --confirm early,extra,extra_understood
            until 2026-01-15T04:00:00Z
            """)
        #expect(night.night?.doses.count == 3)
        #expect(verdict(night.timeline).isSound)
        let unasked = verdict(
            night.timeline.map { entry in
                Self.changed(entry) { payload in
                    guard case .doseRecorded(var dose) = payload else { return payload }
                    dose.request.confirmations = []
                    return .doseRecorded(dose)
                }
            })
        #expect(unasked.count(.early) == 2, "\(unasked.counts)")
        #expect(unasked.count(.twice) == 1, "\(unasked.counts)")
    }

    @Test func `a channel that lives again and does not hear what still stands is found`() async throws {
        let night = try await SimulationBench.run(
            "start 2026-01-14 22:30\n22:30 log dose1\n+140m no-notifications\n+152m notifications\n+200m skip\nuntil 06:00"
        )
        #expect(verdict(night.timeline).isSound)
        let opens = try #require(night.dose1) + .minutes(150)
        let late = night.timeline.filter { Self.isReached(.windowOpen, $0) }
        #expect(late.count == 1 && late[0].at > opens)
        #expect(verdict(night.timeline.filter { !Self.isReached(.windowOpen, $0) }).count(.missed) > 0)
    }

    /// Faults of a channel or a service with one reminder.
    static let slips: [@Sendable ([Entry], ReminderPlan.Item) -> [Entry]] = [
        { entries, item in entries.filter { !isAbout(item, $0) } },
        { entries, item in entries.flatMap { isReached(item, $0) ? [$0, $0] : [$0] } },
        { entries, item in entries.filter { !isReached(item, $0) } },
        { entries, item in
            sorted(entries.map { isAbout(item, $0) ? moved($0, by: .seconds(2)) : $0 })
        },
        { entries, item in
            entries.filter { !isReached(item, $0) }.map { isAbout(item, $0) ? dropped(.superseded, $0) : $0 }
        },
        { entries, item in
            entries.filter { !isReached(item, $0) }.map { isAbout(item, $0) ? dropped(.tooLate, $0) : $0 }
        },
    ]

    @Test(arguments: [UInt64(4), 6])
    func `in a night by chance, whatever befalls it, each reminder lost, told again or put off is found`(
        seed: UInt64
    ) async throws {
        let zone = try SystemZones.named(RandomNights.zones[Int(seed)])
        var random = RandomNights(seed: seed, zone: zone) { try? SystemZones.named($0) }
        let nights = random.dates(3).map { date in random.night(on: date) }
        let bench = try SimulationBench(from: try #require(nights.first).start, in: zone, ladder: random.ladder)
        var slips = 0
        for night in nights {
            let outcome = try await bench.simulation.run(night)
            #expect(verdict(outcome.timeline, random.ladder).isSound, "\(night.text)")
            let told = outcome.events.compactMap { event -> ReminderPlan.Item? in
                guard case .reminderFired(let payload) = event.payload else { return nil }
                return ReminderPlan.Item(id: payload.reminder, due: payload.due)
            }
            // In a long doubt the alarm is repeated for hours. Three of the repeats stand for all.
            let repeats = told.filter { $0.id == .alarmRepeat }
            let some = told.filter { $0.id != .alarmRepeat } + repeats.prefix(2) + repeats.dropFirst(2).suffix(1)
            for item in some where outcome.timeline.contains(where: { Self.isReached(item, $0) }) {
                // Of two reminders that are due at the same moment one need not be shown.
                guard told.filter({ $0.due == item.due }).count == 1 else { continue }
                // The judge does not know when a check-in should stand on a screen that was dead at its time.
                if item.id == .checkIn, night.text.contains("no-notifications") { continue }
                for (index, slip) in Self.slips.enumerated() {
                    // In doubt the alarm may continue in its place, and the judge knows its end less exactly.
                    if item.id == .windowClosed, index == 4, outcome.verdict.doubtful > 0 { continue }
                    let found = verdict(slip(outcome.timeline, item), random.ladder)
                    #expect(!found.isSound, "\(index) \(item.id) \(item.due)\n\(night.text)")
                    slips += 1
                }
            }
        }
        #expect(slips > 30)
        await bench.stop()
    }

    private func verdict(_ entries: [Entry], _ ladder: AlarmLadder = .standard) -> NightVerdict {
        var judge = NightJudge(ladder: ladder)
        var dead: Set<SimulatedChannel> = []
        for (index, entry) in entries.enumerated() {
            // As in a simulation, the judge settles the reminders that are due before an act is looked at.
            if Self.isAct(entry) { judge.settle(clock: entry.clock, at: entry.at, dead: dead) }
            judge.see(entry)
            if case .befell(.channel(let channel, let isDead)) = entry.what {
                if isDead { dead.insert(channel) } else { dead.remove(channel) }
            }
            // As in a simulation, entries of the same moment are judged together.
            if index + 1 == entries.count || entries[index + 1].at > entry.at {
                judge.settle(clock: entry.clock, at: entry.at, dead: dead)
            }
        }
        return judge.verdict
    }

    private static func sorted(_ entries: [Entry]) -> [Entry] {
        entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    private static func isAbout(_ item: ReminderPlan.Item, _ entry: Entry) -> Bool {
        guard case .recorded(let event) = entry.what, case .reminderFired(let payload) = event.payload else {
            return isReached(item, entry)
        }
        return payload.reminder == item.id && payload.due == item.due
    }

    private static func isReached(_ item: ReminderPlan.Item, _ entry: Entry) -> Bool {
        if case .shown(item, _) = entry.what { true } else { false }
    }

    private static func isTold(_ id: ReminderID, _ entry: Entry) -> Bool {
        guard case .recorded(let event) = entry.what, case .reminderFired(let payload) = event.payload else {
            return false
        }
        return payload.reminder == id
    }

    private static func isReached(_ id: ReminderID, _ entry: Entry) -> Bool {
        if case .shown(let item, _) = entry.what { item.id == id } else { false }
    }

    /// The beginning of the last quarter of an hour of the window.
    private static func closing(_ entries: [Entry]) -> Instant {
        entries.first { isTold(.closing15, $0) }?.at ?? .min
    }

    private static func isHeard(_ entry: Entry) -> Bool {
        if case .ran(let purpose, _, worked: true) = entry.what { purpose != "hook" } else { false }
    }

    private static func isWithdrawn(_ id: ReminderID, _ entry: Entry) -> Bool {
        if case .withdrawn(let item, _) = entry.what { item.id == id } else { false }
    }

    /// A ring of the alarm at the time of another entry.
    private static func ring(_ entry: Entry) -> Entry {
        Entry(
            at: entry.at, clock: entry.clock, zone: entry.zone,
            what: .ran(purpose: "sound", path: "/usr/bin/pw-play", worked: true))
    }

    private static func isAct(_ entry: Entry) -> Bool {
        switch entry.what {
        case .recorded(let event): event.payload.request != nil
        case .befell: true
        default: false
        }
    }

    /// The entry as the fact that the reminder was dropped.
    private static func dropped(_ reason: ReminderDrop, _ entry: Entry) -> Entry {
        changed(entry) { payload in
            guard case .reminderFired(let fired) = payload else { return payload }
            return .reminderDropped(ReminderDropped(reminder: fired.reminder, due: fired.due, reason: reason))
        }
    }

    /// The reminder, due a minute earlier than in any plan.
    private static func another(_ entry: Entry) -> Entry {
        changed(entry) { payload in
            guard case .reminderFired(let fired) = payload else { return payload }
            return .reminderFired(ReminderFired(reminder: fired.reminder, due: fired.due - .minutes(1)))
        }
    }

    /// The entry as the fact that the night was given up as slept through.
    private static func givenUp(_ entry: Entry) -> Entry {
        changed(entry) { _ in
            .doseSkipped(
                DoseSkipped(
                    reason: "slept_through", note: nil, sleptThroughFrom: entry.clock.wall, request: nil, cause: nil))
        }
    }

    static func changed(_ entry: Entry, _ change: (EventPayload) -> EventPayload) -> Entry {
        guard case .recorded(let event) = entry.what else { return entry }
        let changed = Event(
            id: event.id, payload: change(event.payload), entityType: event.entityType, entityID: event.entityID,
            sessionID: event.sessionID, occurredAt: event.occurredAt, effectiveAt: event.effectiveAt,
            timeZone: event.timeZone, localOffsetMinutes: event.localOffsetMinutes,
            clock: event.clock, deviceID: event.deviceID, surface: event.surface, origin: event.origin,
            idempotencyKey: event.idempotencyKey)
        return Entry(at: entry.at, clock: entry.clock, zone: entry.zone, what: .recorded(changed))
    }

    private static func isPhase(_ phase: Phase, _ entry: Entry) -> Bool {
        if case .phase(_, let new) = entry.what { new == phase } else { false }
    }

    private static func moved(_ entry: Entry, by time: Duration) -> Entry {
        let clock = ClockReading(
            wall: entry.clock.wall + time,
            counterMicroseconds: entry.clock.counterMicroseconds + time.wholeMilliseconds * 1_000,
            bootID: entry.clock.bootID,
            isSynchronised: entry.clock.isSynchronised)
        return Entry(at: entry.at + time, clock: clock, zone: entry.zone, what: entry.what)
    }
}
