import DoseTapDomain
import Testing

/// R5.5–R5.9: a repeat records nothing.
struct RepeatTests {
    @Test(arguments: [Duration.zero, .seconds(10)])
    func `R5.5 the same action within 10 seconds by whatever surface is the same tap`(wait: Duration) throws {
        for (command, minutes) in [
            (Command.logDose(.dose1), 0), (.logDose(.dose2), 160), (.snooze, 160), (.skipDose2, 160),
            (.logFinalWake, 300), (.logSleepEvent("Bathroom"), 0), (.logSleepEvent("Nap Start"), 100),
        ] {
            var machine = SimulatedMachine.evening()
            if minutes > 0 { machine = try .after(.minutes(minutes)) }
            let first = try machine.perform(command)
            machine.pass(wait)
            for surface in Surface.allCases {
                let again = try machine.perform(command) { $0.surface = surface }
                #expect(again.isDuplicate && again.primary == first.primary)
            }
            machine.pass(.milliseconds(10_001))
            let later = try? machine.perform(command)
            #expect(later?.isDuplicate != true)
        }
    }

    @Test(arguments: [true, false])
    func `R5.5 after a restart only synchronised clocks say that it is the same tap`(isSynchronised: Bool) throws {
        var machine = SimulatedMachine.evening()
        machine.isSynchronised = isSynchronised
        let first = try machine.perform(.logSleepEvent("noise"))
        machine.reboot()
        if !isSynchronised {
            // Without a hardware clock each boot begins at the same time.
            machine.pass(.hours(3))
            machine.setClock(by: .hours(-3))
        }
        machine.pass(.seconds(5))
        let again = try machine.perform(.logSleepEvent("noise"))
        #expect(again.isDuplicate == isSynchronised && (again.primary == first.primary) == isSynchronised)
    }

    @Test func `R5.6 a named time, something the first call lacked or another action is no repeat`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        try machine.perform(.logDose(.dose2))
        machine.pass(.seconds(2))
        let more: [Confirmation] = [.early, .extra, .extraUnderstood]
        for change: @Sendable (inout CommandOptions) -> Void in [
            { $0.at = utc("2026-01-15T00:40:01Z") }, { $0.amountMilligrams = 2_000 }, { $0.note = "one more" },
        ] { #expect(machine.questions(.logDose(.dose2), change) == more) }
        #expect(machine.refusal(.skipDose2) == .dose2AlreadyTaken)
        var named = SimulatedMachine.evening()
        try named.perform(.logDose(.dose1)) { $0.at = utc("2026-01-14T22:00:00Z") }
        #expect(named.refusal(.logDose(.dose1)) == .dose1AlreadyTaken)
    }

    @Test func `R5.6 surfaces that alternate and answer everything record one dose`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let first = try machine.perform(.logDose(.dose2))
        for (number, surface) in [Surface.dbus, .cli, .notification, .hook, .cli, .dbus].enumerated() {
            machine.pass(.seconds(1))
            let again = try machine.performConfirmed(.logDose(.dose2)) { options in
                options.surface = surface
                if surface == .notification { options.key = "press \(number)" }
            }
            #expect(again.isDuplicate && again.primary == first.primary)
        }
        #expect(machine.night?.doses.count == 2)
        let extra = try machine.performConfirmed(.logDose(.extra))
        #expect(!extra.isDuplicate)
        for surface in [Surface.dbus, .cli, .hook] {
            machine.pass(.seconds(2))
            for command in [Command.logDose(.dose2), .logDose(.extra)] {
                let again = try machine.performConfirmed(command) { $0.surface = surface }
                #expect(again.primary == extra.primary)
            }
        }
        #expect(machine.night?.doses.count == 3)
    }

    @Test func `R5.6 two keys are two entries beside the window, in it one tap`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let noise = try machine.perform(.logSleepEvent("noise")) { $0.key = "a" }
        let other = try machine.perform(.logSleepEvent("noise")) { $0.key = "b" }
        #expect(!other.isDuplicate && other.primary != noise.primary)
        let snooze = try machine.perform(.snooze) { $0.key = "c" }
        let again = try machine.perform(.snooze) { $0.key = "d" }
        #expect(again.isDuplicate && again.primary == snooze.primary)
    }

    /// A tap, the command recorded right after it, and the refusal of the same tap then.
    static let overtaken: [(tap: Command, then: Command, refused: BlockReason)] = [
        (.snooze, .logDose(.dose2), .dose2TakenOrSkipped), (.snooze, .skipDose2, .dose2TakenOrSkipped),
        (.skipDose2, .logDose(.dose2), .dose2AlreadyTaken), (.logFinalWake, .skipDose2, .phase),
    ]

    @Test(arguments: overtaken)
    func `R5.5 once something else of the window is on record the rules answer, not the first receipt`(
        tap: Command, then: Command, refused: BlockReason
    ) throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let first = try machine.performConfirmed(tap)
        machine.pass(.seconds(2))
        try machine.perform(.logSleepEvent("Bathroom"))
        var again = machine
        let beside = try again.performConfirmed(tap)
        #expect(beside.isDuplicate && beside.primary == first.primary, "what is beside the window does not count")
        try machine.performConfirmed(then)
        machine.pass(.seconds(2))
        #expect(machine.refusal(tap) == refused)
        try machine.perform(.undo)
        let back = try machine.performConfirmed(tap)
        #expect(back.isDuplicate && back.primary == first.primary, "what was taken back is as if it had not been")
    }

    @Test func `R5.5 after dose 2 a repeated dose 1 or dose 2 records nothing`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        try machine.performConfirmed(.logDose(.dose2))
        #expect(machine.refusal(.logDose(.dose1)) == .dose1AlreadyTaken)
        let again = try machine.perform(.logDose(.dose2))
        #expect(again.isDuplicate)
        try machine.performConfirmed(.logFinalWake)
        #expect(machine.questions(.logDose(.dose2)).contains(.extra))
        #expect(machine.night?.doses.count == 2)
    }

    @Test func `R5.7 a tap that was undone or deleted is not repeated but recorded again`() throws {
        var machine = SimulatedMachine.evening()
        let first = try machine.perform(.logDose(.dose1))
        try machine.perform(.undo)
        let second = try machine.perform(.logDose(.dose1))
        #expect(!second.isDuplicate && second.primary.id != first.primary.id)
        try machine.perform(.delete(second.primary.id))
        let third = try machine.perform(.logDose(.dose1))
        #expect(!third.isDuplicate)
        #expect(machine.night?.dose1?.id == third.primary.id)
    }

    static func regimen(_ total: String) -> Command {
        .setRegimen(["medication_id": "xyrem", "total": .string(total)])
    }
    static func count(_ left: String) -> Command { .inventory(.correct(["of": "xyrem", "left": .string(left)])) }

    /// An entry, and another one after which the first entry counts no more.
    static let replaced: [(first: Command, then: Command)] = [
        (regimen("9g"), regimen("9mL")), (count("100mL"), count("50mL")), (count("100mL"), .logDose(.dose1)),
        (.logSleepEvent("nap_start"), .logSleepEvent("nap_end")),
    ]

    @Test(arguments: replaced)
    func `R5.7 an entry whose place a later one took is recorded anew, and is then the first tap`(
        first: Command, then: Command
    ) throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.inventory(.addBottle(["medication_id": "xyrem", "amount": "180mL"])))
        machine.pass(.minutes(1))
        let before = try machine.perform(first)
        machine.pass(.seconds(2))
        try machine.perform(.logSleepEvent("noise"))
        #expect(try machine.perform(first).primary == before.primary, "what is beside it does not count")
        try machine.perform(then)
        machine.pass(.seconds(2))
        let anew = try machine.perform(first)
        #expect(!anew.isDuplicate && anew.primary.id != before.primary.id)
        machine.pass(.seconds(2))
        #expect(try machine.perform(first).primary == anew.primary)
        try machine.performConfirmed(.undo)
        try machine.performConfirmed(.undo)
        #expect(try machine.perform(first).primary == before.primary, "what was taken back is as if it had not been")
    }

    @Test func `R5.7 the regimen and the count said last are those in force`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.inventory(.addBottle(["medication_id": "xyrem", "amount": "180mL"])))
        machine.pass(.minutes(1))
        for command in ["9g", "9mL", "9g"].map(Self.regimen) + ["100mL", "50mL", "100mL"].map(Self.count) {
            try machine.perform(command)
            machine.pass(.seconds(3))
        }
        let date = machine.logState.presentDate(machine.context)
        #expect(machine.logState.regimen(on: date)?.regimen.totalMilligrams(on: date) == 9_000)
        #expect(machine.stock.supplies.map(\.line.milligrams) == [50_000])
    }

    @Test func `R5.7 what was kept of a plan may be said anew within seconds`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.planLab(["routine": "screens", "outcome": "rested", "seed": 1]))
        for (kept, isNew) in [("a", true), ("a", false), ("b", true), ("a", true)] {
            let recording = try machine.perform(.keptLab(["kept": .string(kept)]))
            #expect(recording.isDuplicate != isNew, "\(kept)")
            machine.pass(.seconds(1))
        }
    }

    @Test func `R5.8 the same key and arguments give the first event, other arguments are invalid`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let at = utc("2026-01-15T00:35:00Z")
        let set: (inout CommandOptions) -> Void = { options in
            options.key = "k"
            options.at = at
            options.amountMilligrams = 4_000
            options.note = "n"
        }
        let first = try machine.perform(.logDose(.dose2), set)
        #expect(first.primary.idempotencyKey == "k")
        machine.pass(.hours(3))
        let again = try machine.perform(.logDose(.dose2), keyed: first.primary, set)
        #expect(again.isDuplicate && again.primary == first.primary)
        let others: [(Command, @Sendable (inout CommandOptions) -> Void)] = [
            (.logDose(.dose2), { $0.at = nil }), (.logDose(.dose2), { $0.amountMilligrams = nil }),
            (.logDose(.dose2), { $0.note = "m" }), (.logDose(.dose1), { _ in }), (.logDose(.extra), { _ in }),
            (.skipDose2, { _ in }), (.snooze, { _ in }), (.undo, { _ in }),
        ]
        for (command, change) in others {
            let failure = machine.failure(command, keyed: first.primary) { options in
                set(&options)
                change(&options)
            }
            #expect(failure == .invalidInput("the key was used before with other arguments"))
        }
    }

    @Test(arguments: [
        // The wait before the second call, the second call's time ago, and if the two times are the same.
        (Duration.seconds(3), Duration.minutes(5), true), (.hours(30), .minutes(5), true),
        (.hours(2), .minutes(6), true), (.hours(2), .minutes(4), true), (.hours(2), .minutes(125), true),
        (.hours(2), .minutes(6, milliseconds: 1), false), (.hours(2), .minutes(4, milliseconds: -1), false),
        (.hours(2), .minutes(60), false), (.seconds(3), .minutes(10), false),
    ])
    func `R5.8 the same time ago is the same time, whenever the call is repeated`(
        wait: Duration, ago: Duration, isSame: Bool
    ) throws {
        var machine = SimulatedMachine.evening()
        let at = machine.wall - .minutes(5)
        let first = try machine.perform(.logDose(.dose1)) {
            $0.at = at; $0.key = "K1"
        }
        machine.pass(wait)
        let again = machine.wall - ago
        let failure = machine.failure(.logDose(.dose1), keyed: first.primary) {
            $0.at = again; $0.key = "K1"
        }
        #expect(failure == (isSame ? nil : .invalidInput("the key was used before with other arguments")))
        #expect(machine.night?.dose1?.at == at && machine.log.count { $0.type == .doseRecorded } == 1)
        #expect(machine.failure(.logDose(.dose1), keyed: first.primary) { $0.key = "K1" } != nil, "now is no time ago")
    }

    @Test func `R5.8 every kind of command is known again by its key`() throws {
        var machine = try SimulatedMachine.after(.minutes(160))
        let dose1 = try #require(machine.night?.dose1?.id)
        let commands: [(Command, @Sendable (inout CommandOptions) -> Void)] = [
            (.snooze, { $0.note = "a" }), (.amend(dose1), { $0.note = "b" }), (.skipDose2, { $0.reason = "c" }),
            (.undo, { _ in }), (.logFinalWake, { $0.confirmations = [.windowUnresolved] }),
            (.logSleepEvent("Dream"), { $0.note = "d" }),
        ]
        for (number, (command, change)) in commands.enumerated() {
            let set: (inout CommandOptions) -> Void = { options in
                options.key = "key \(number)"
                change(&options)
            }
            let first = try machine.perform(command, set)
            machine.pass(.seconds(20))
            let again = try machine.perform(command, keyed: first.primary, set)
            #expect(again.isDuplicate && again.primary == first.primary)
            #expect(machine.isInvalid(.delete(dose1)) { $0.key = "" })
        }
        let set: (inout CommandOptions) -> Void = { options in
            options.key = "delete"
            options.note = "words"
        }
        let wake = try #require(machine.night?.wakes.first?.id)
        let deleted = try machine.perform(.delete(wake), set)
        let again = try machine.perform(.delete(wake), keyed: deleted.primary, set)
        #expect(again.isDuplicate)
    }

    struct Bound: Sendable {
        var fits: Bool
        var change: @Sendable (inout CommandOptions) -> Void

        init(_ fits: Bool, _ change: @escaping @Sendable (inout CommandOptions) -> Void) {
            self.fits = fits
            self.change = change
        }
    }

    static let bounds = [
        Bound(false) { $0.note = String(repeating: "x", count: 4_001) },
        Bound(true) { $0.note = String(repeating: "x", count: 4_000) },
        Bound(false) { $0.note = "a\u{7}b" }, Bound(false) { $0.note = "a\u{202E}b" },
        Bound(true) { $0.note = "a\nb\tc" }, Bound(false) { $0.reason = "a\u{1B}[2Jb" },
        Bound(false) { $0.key = "" }, Bound(true) { $0.key = String(repeating: "k", count: 255) },
        Bound(false) { $0.key = String(repeating: "k", count: 256) }, Bound(false) { $0.amountMilligrams = 0 },
        Bound(true) { $0.amountMilligrams = 1 }, Bound(true) { $0.amountMilligrams = 20_000 },
        Bound(false) { $0.amountMilligrams = 20_001 }, Bound(false) { $0.amountMilligrams = -5 },
    ]

    @Test(arguments: bounds)
    func `R5.9 words, keys and amounts have bounds`(bound: Bound) {
        var machine = SimulatedMachine.evening()
        let isInvalid = machine.isInvalid(.logDose(.dose1)) { options in
            options.confirmations = Set(Confirmation.allCases)
            bound.change(&options)
        }
        #expect(isInvalid != bound.fits)
    }
}
