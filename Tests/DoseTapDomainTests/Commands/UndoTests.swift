import DoseTapDomain
import Testing

/// R6.1–R6.5: the newest action is taken back as if it had not happened.
struct UndoTests {
    /// A night so far, and an action in it. ``EntryKindTests`` undoes every kind of entry; the scenes cover the rest of
    /// a night.
    struct Scene: Sendable, CustomTestStringConvertible {
        var name: String
        var start = "2026-01-14T22:00:00Z"
        var before: @Sendable (inout SimulatedMachine) throws -> Void = { _ in }
        var action: @Sendable (inout SimulatedMachine) throws -> Void

        var testDescription: String { name }
    }

    @Test func `R6.1 a correction that was undone stands no longer, and an undo is none that does`() throws {
        var machine = SimulatedMachine.evening()
        let dose1 = try machine.perform(.logDose(.dose1))
        try machine.perform(.amend(dose1.primary.id)) { $0.note = "with water" }
        let amended = NightRecord(try #require(machine.night))
        #expect(amended.standingCorrections.map(\.type) == ["entry_amended"])
        try machine.perform(.undo)
        let undone = NightRecord(try #require(machine.night))
        #expect(undone.corrections.map(\.type) == ["entry_amended", "action_undone"])
        #expect(undone.standingCorrections.isEmpty)
    }

    static let scenes = [
        Scene(name: "dose 1 said to lie 268:30 back") { machine in
            let at = machine.wall - .minutes(268) - .seconds(30)
            try machine.perform(.logDose(.dose1)) { $0.at = at }
        },
        Scene(name: "dose 1 that joins a night", before: { try $0.perform(.logFinalWake) }) {
            try $0.perform(.logDose(.dose1))
        },
        Scene(name: "dose 2 just before the alarm", before: waited(164, milliseconds: 50_000)) {
            try $0.perform(.logDose(.dose2))
        },
        Scene(name: "dose 2 over an automatic skip", before: waited(300)) { machine in
            try machine.perform(.logDose(.dose2)) { $0.at = utc("2026-01-15T01:00:00Z") }
        },
        Scene(name: "dose 2 after the prep time", start: "2026-01-14T17:30:00Z", before: waited(170)) {
            try $0.perform(.logDose(.dose2))
        },
        Scene(name: "skip just before sleeping through", before: waited(269, milliseconds: 30_000)) {
            try $0.perform(.skipDose2)
        },
        Scene(
            name: "skip just before the prep time", start: "2026-01-14T17:30:00Z",
            before: waited(29, milliseconds: 30_000)
        ) {
            try $0.perform(.skipDose2)
        },
        Scene(
            name: "second snooze",
            before: { machine in
                try waited(160)(&machine)
                try machine.perform(.snooze)
                machine.pass(.minutes(5))
            }
        ) { try $0.perform(.snooze) },
        Scene(name: "final wake", before: waited(160)) { try $0.performConfirmed(.logFinalWake) },
        Scene(name: "amended start of a nap", before: { try $0.perform(.logSleepEvent("nap_start")) }) { machine in
            guard let start = machine.night?.sleepEvents.first else { return }
            try machine.perform(.amend(start.id)) { $0.at = utc("2026-01-14T21:00:00Z") }
        },
        Scene(name: "deleted sleep event", before: { try $0.perform(.logSleepEvent("pain")) }) { machine in
            guard let event = machine.night?.sleepEvents.first else { return }
            try machine.perform(.delete(event.id))
        },
        Scene(name: "amended dose 1", before: waited(160)) { machine in
            guard let dose1 = machine.night?.dose1 else { return }
            try machine.perform(.amend(dose1.id)) { options in
                options.at = utc("2026-01-14T21:40:00Z")
                options.note = "sooner"
                options.amountMilligrams = 3_000
            }
        },
        Scene(name: "amended dose 1 after sleeping through", before: waited(280)) { machine in
            guard let dose1 = machine.night?.dose1 else { return }
            try machine.perform(.amend(dose1.id)) { $0.at = utc("2026-01-14T22:10:30Z") }
        },
        Scene(name: "deleted dose 1", before: waited(160)) { machine in
            guard let dose1 = machine.night?.dose1 else { return }
            try machine.perform(.delete(dose1.id))
        },
        Scene(
            name: "deleted skip of a night that is over", start: "2026-01-14T17:30:00Z",
            before: { machine in
                try waited(20)(&machine)
                try machine.perform(.skipDose2)
                machine.pass(.minutes(20))
            }
        ) { machine in
            guard let skip = machine.night?.skips.first else { return }
            try machine.perform(.delete(skip.id))
        },
        Scene(
            name: "deleted skip just before sleeping through", start: "2026-01-14T17:30:00Z",
            before: { machine in
                try waited(20)(&machine)
                try machine.perform(.skipDose2)
                machine.pass(.minutes(249, milliseconds: 30_000))
            }
        ) { machine in
            guard let skip = machine.night?.skips.first else { return }
            try machine.perform(.delete(skip.id))
        },
        Scene(name: "an old night entered now") { machine in
            try machine.perform(.logDose(.dose1)) { $0.at = utc("2026-01-10T22:00:00Z") }
        },
        Scene(name: "an old night entered beside an open one", before: waited(160)) { machine in
            try machine.perform(.logDose(.dose1)) { $0.at = utc("2026-01-14T07:00:00Z") }
        },
    ]

    static func waited(_ minutes: Int, milliseconds: Int = 0) -> @Sendable (inout SimulatedMachine) throws -> Void {
        { machine in
            try machine.perform(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
            machine.pass(.minutes(minutes, milliseconds: milliseconds))
            machine.settle()
        }
    }

    @Test(arguments: scenes, [Duration.zero, .seconds(59), .seconds(60)])
    func `R6.1 after undo everything is as if it had not happened`(scene: Scene, wait: Duration) throws {
        var never = SimulatedMachine(at: utc(scene.start))
        try scene.before(&never)
        never.settle()
        var machine = never
        try scene.action(&machine)
        #expect(machine.facts != never.facts, "the action changes something")
        for other in [false, true] {
            var (machine, never) = (machine, never)
            machine.pass(wait)
            never.pass(wait)
            if other { machine.settle() }
            never.settle()
            let logged = machine.log.count
            try machine.perform(.undo)
            #expect(machine.facts == never.facts)
            #expect(machine.log.count > logged, "the log keeps both")
            #expect(machine.settle().isEmpty)
            machine.pass(.hours(20))
            never.pass(.hours(20))
            machine.settle()
            never.settle()
            #expect(machine.facts == never.facts, "also later")
        }
    }

    @Test(arguments: [
        (3, Duration.seconds(3), true), (3, .milliseconds(3_001), false), (600, .seconds(600), true),
        (60, .milliseconds(60_001), false),
    ])
    func `R6.2 the undo window counts from the recording, inclusive`(window: Int, wait: Duration, possible: Bool) throws
    {
        var machine = SimulatedMachine.evening(rules: .standard { $0.undoWindowSeconds = window })
        try machine.perform(.logDose(.dose1)) { $0.at = utc("2026-01-14T21:00:00Z") }
        machine.pass(wait)
        let failure = machine.failure(.undo)
        if possible {
            #expect(failure == nil)
            #expect(machine.logState.sessions.isEmpty)
        } else {
            guard case .nothingToDo? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(machine.night?.dose1 != nil)
        }
    }

    @Test func `R6.2 a set clock neither shortens nor stretches it`() throws {
        for step in [Duration.hours(2), .hours(-2)] {
            var machine = SimulatedMachine.evening()
            try machine.perform(.logDose(.dose1))
            machine.setClock(by: step)
            machine.pass(.seconds(60))
            var late = machine
            late.pass(.milliseconds(1))
            if step < .zero { #expect(machine.failure(.undo) == nil) }
            #expect(late.failure(.undo) != nil)
        }
    }

    @Test
    func `R6.14 across boots only synchronised clocks open the undo window, and nothing ahead of the clock is in it`()
        throws
    {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(160))
        try machine.perform(.logDose(.dose2))
        let hoursLater: (inout SimulatedMachine) -> Void = { machine in
            machine.setClock(by: .hours(-5))
            machine.reboot()
            machine.isSynchronised = false
            machine.pass(.minutes(10))
        }
        let justNow: (inout SimulatedMachine) -> Void = { machine in
            machine.reboot()
            machine.isSynchronised = false
            machine.pass(.seconds(30))
        }
        let earlierState: (inout SimulatedMachine) -> Void = { $0.turnCounterBack(by: .minutes(2)) }
        for (name, befall) in [("hours later", hoursLater), ("just now", justNow), ("earlier state", earlierState)] {
            var machine = machine
            befall(&machine)
            guard case .nothingToDo(let why, _)? = machine.failure(.undo) else {
                Issue.record("\(name): dose 2 was taken back")
                continue
            }
            #expect(why.hasPrefix("the clocks do not show"))
            #expect(machine.night?.dose2 != nil)
        }
        machine.reboot()
        machine.pass(.seconds(30))
        #expect(machine.failure(.undo) == nil, "both clocks are synchronised")
        #expect(machine.night?.dose2 == nil)
    }

    @Test func `R6.3 with nothing recorded there is nothing to undo, and an undo is not undone`() throws {
        var machine = SimulatedMachine.evening()
        #expect(machine.failure(.undo) == .nothingToDo("nothing was recorded just now"))
        try machine.perform(.logDose(.dose1))
        try machine.perform(.undo)
        #expect(machine.failure(.undo) == .nothingToDo("the newest action was already undone"))
        // The person has not forgotten an hour ago, but what was just taken back.
        try machine.perform(.logDose(.dose1))
        machine.pass(.seconds(61))
        try machine.perform(.logSleepEvent("bathroom"))
        try machine.perform(.undo)
        guard case .nothingToDo(let why, _)? = machine.failure(.undo) else {
            Issue.record("dose 1 was taken back")
            return
        }
        #expect(why.hasPrefix("the newest action was already undone, and the one before it is older than 60 seconds"))
    }

    @Test func `R6.2 what is too old to undo is to be looked up in its night`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        machine.pass(.seconds(61))
        let night = try #require(machine.night?.date)
        let text = "the newest action is older than 60 seconds; amend or delete it instead"
        #expect(machine.failure(.undo) == .nothingToDo(text, night: night))
        try machine.perform(.takeMedication("adderall_ir")) { $0.amountText = "10mg" }
        machine.pass(.seconds(61))
        #expect(machine.failure(.undo) == .nothingToDo(text, night: night), "a medicine has a date, too")
    }

    @Test func `R6.4 undo after undo goes back one action more`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let before = machine.facts
        try machine.perform(.snooze)
        machine.pass(.seconds(5))
        try machine.perform(.logDose(.dose2))
        try machine.perform(.undo)
        #expect(machine.night?.snoozes.count == 1)
        try machine.perform(.undo)
        machine.pass(.seconds(-5))
        #expect(machine.facts == before)
    }

    @Test func `R6.5 what time alone did is no action`() throws {
        var machine = try SimulatedMachine.after(.minutes(270))
        #expect(machine.night?.isDose2Skipped == true)
        #expect(machine.failure(.undo) == .nothingToDo("nothing was recorded just now"))
    }

    @Test func `R6.13 a second undo that would take back a dose asks undo_dose`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.pass(.seconds(5))
        try machine.perform(.logSleepEvent("bathroom"))
        machine.pass(.seconds(5))
        var direct = machine
        try direct.perform(.undo)
        #expect(direct.questions(.undo) == [.undoDose])
        #expect(direct.questions(.undo) { $0.confirmations = [.early, .extra] } == [.undoDose])
        #expect(direct.night?.dose2 != nil)
        try direct.perform(.undo) { $0.confirmations = [.undoDose] }
        #expect(direct.night?.dose2 == nil)
        // After a new entry an undo counts as the first again, and a first undo never asks.
        try machine.perform(.undo)
        try machine.perform(.logSleepEvent("noise"))
        try machine.perform(.undo)
        try machine.perform(.logSleepEvent("water"))
        #expect(machine.questions(.undo) == [])
        var single = try SimulatedMachine.after(.minutes(160))
        try single.perform(.logDose(.dose2))
        #expect(single.questions(.undo) == [] && single.night?.dose2 == nil)
        // An undo of an entry that is no dose asks nothing.
        var events = try SimulatedMachine.after(.minutes(160))
        try events.perform(.logSleepEvent("noise"))
        try events.perform(.logSleepEvent("dream"))
        try events.perform(.undo)
        #expect(events.questions(.undo) == [] && events.night?.sleepEvents.isEmpty == true)
    }
}
