import DoseTapDomain
import Testing

/// R11: medicines beside the doses.
struct MedicationTests {
    static let noon = utc("2026-01-14T12:00:00Z")

    static func machine(_ first: String = "modafinil", at instant: Instant = noon) throws -> SimulatedMachine {
        var machine = SimulatedMachine(at: instant)
        try machine.perform(.takeMedication(first))
        return machine
    }

    @Test func `R11.1 a medicine opens no night, and has the date of its time`() throws {
        var machine = try Self.machine()
        let entry = try #require(machine.logState.medications.first)
        #expect(machine.logState.sessions.isEmpty && entry.sessionID == nil && entry.date.text == "2026-01-13")
        #expect(entry.milligrams == 200 && entry.recorded.isUsualDose && entry.recorded.formulation == .immediate)
        machine.pass(.hours(7))
        try machine.perform(.takeMedication("sunosi"))
        #expect(machine.logState.medications.last?.date.text == "2026-01-14")
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(1))
        let earlier = machine.wall - .hours(11)
        let within = try machine.perform(.takeMedication("Adderall")) { $0.at = earlier }
        #expect(within.primary.sessionID == machine.night?.id && machine.logState.medications.count == 3)
        #expect(machine.logState.medications.last?.date == machine.night?.date)
        let receipt = Receipt(within.primary, session: machine.night, duplicate: false, clock: machine.clock)
        #expect(receipt.type == "medication" && receipt.metadata["dose_mg"] == 10)
    }

    @Test(arguments: [
        ("modafinil", "modafinil", Duration.minutes(4) + .seconds(59), true),
        ("modafinil", "modafinil", .minutes(5), false),
        ("modafinil", "provigil", .minutes(4), true), ("provigil", "modafinil", .minutes(4), true),
        ("adderall_ir", "adderall_xr", .minutes(1), true), ("modafinil", "armodafinil", .minutes(1), false),
        ("sunosi", "sunosi", .seconds(11), true), ("sunosi", "sunosi", .minutes(5), false),
        ("adderall_ir", "vyvanse", .minutes(1), false),
    ])
    func `R11.3 the same ingredient within five minutes is asked, whatever its brand`(
        first: String, second: String, gap: Duration, isAsked: Bool
    ) throws {
        var machine = try Self.machine(first)
        machine.pass(gap)
        #expect(machine.questions(.takeMedication(second)) == (isAsked ? [.duplicate] : []))
        guard isAsked else { return }
        let taken = try machine.performConfirmed(.takeMedication(second))
        let entry = machine.logState.medications.first { $0.id == taken.primary.id }
        #expect(entry?.confirmedDuplicate == true)
        #expect(machine.logState.medications.first?.confirmedDuplicate == false)
    }

    @Test func `R11.3 the guard looks across the rollover and across nights, before and after`() throws {
        var machine = try Self.machine(at: utc("2026-01-14T17:58:00Z"))
        machine.pass(until: utc("2026-01-14T18:01:00Z"))
        let first = try #require(machine.logState.medications.first)
        guard case .needsConfirmation(let question)? = machine.failure(.takeMedication("provigil")) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.existing == first.id && question.existingAt == first.at)
        try machine.perform(.logFinalWake)
        machine.pass(.minutes(30))
        let before = first.at - .minutes(4)
        #expect(machine.questions(.takeMedication("modafinil")) { $0.at = before } == [.duplicate])
        #expect(machine.failure(.takeMedication("modafinil")) { $0.at = before - .minutes(1) } == nil)
    }

    @Test(
        arguments: [
            ("adderall_ir", "adderall_ir", 59, 60), ("adderall_ir", "adderall_ir", 60, nil),
            ("modafinil", "provigil", 719, 720),
            ("modafinil", "provigil", 720, nil), ("adderall_xr", "adderall_ir", 400, 480),
            ("concerta", "ritalin_ir", 1_439, 1_440),
            ("concerta", "concerta", 1_440, nil), ("dexedrine", "dexedrine", 6, nil), ("modafinil", "sunosi", 6, nil),
        ] as [(String, String, Int, Int?)])
    func `R11.4 within the warning span it is recorded with a warning`(
        first: String, second: String, minutes: Int, span: Int?
    ) throws {
        var machine = try Self.machine(first)
        machine.pass(.minutes(minutes))
        let taken = try machine.perform(.takeMedication(second))
        let entry = try #require(machine.logState.medications.first { $0.id == taken.primary.id })
        #expect(entry.recorded.warning?.spanMinutes == span)
        if span != nil { #expect(entry.recorded.warning?.minutesApart == minutes) }
        #expect(!entry.confirmedDuplicate)
    }

    @Test func `R11.5 how much: said, usual, or needed`() throws {
        var machine = try Self.machine()
        machine.medications = try MedicationCatalogue(own: ["Melatonin 3mg/tablet", "Magnesium"])
        let two = try machine.perform(.takeMedication("melatonin")) { $0.amountText = "2 tablets" }
        let entry = try #require(machine.logState.medications.first { $0.id == two.primary.id })
        #expect(entry.milligrams == 6 && entry.recorded.unit == .tablet && !entry.recorded.isUsualDose)
        func isInvalid(_ word: String, _ amount: String?, milligrams: Int? = nil) -> Bool {
            let failure = machine.failure(.takeMedication(word)) { options in
                options.amountText = amount
                options.amountMilligrams = milligrams
            }
            guard case .invalidInput? = failure else { return false }
            return true
        }
        #expect(isInvalid("magnesium", nil) && isInvalid("magnesium", "2 tablets") && isInvalid("sunosi", "5mL"))
        #expect(isInvalid("sunosi", "75mg", milligrams: 75) && isInvalid("sunosi", "21g") && isInvalid("sunosi", "x"))
        let unknown = machine.failure(.takeMedication("modafinl"))
        #expect(unknown == .unknown(UnknownWord(what: "medication", word: "modafinl", nearest: ["modafinil"])))
    }

    @Test func `R11.6 an oxybate is a dose of the night with all its questions`() throws {
        var machine = SimulatedMachine.evening()
        let first = try machine.perform(.takeMedication("Xyrem")) { $0.amountText = "4.5mL" }
        #expect(machine.night?.dose1?.id == first.primary.id && machine.night?.dose1?.amountMilligrams == 2_250)
        #expect(machine.logState.medications.isEmpty && machine.night?.dose1?.medicationID == "xyrem")
        machine.pass(.minutes(149))
        #expect(machine.questions(.takeMedication("xywav")) == [.early])
        machine.pass(.minutes(1))
        let second = try machine.perform(.takeMedication("xyrem")) { $0.amountText = "4.5g" }
        #expect(machine.night?.dose2?.id == second.primary.id)
        machine.pass(.minutes(1))
        #expect(machine.questions(.takeMedication("xyrem")) == [.early, .extra, .extraUnderstood])
        #expect(
            machine.questions(.takeMedication("lumryz")) { $0.amountText = "4501mg" }
                == [.early, .extra, .extraUnderstood, .overLimit])
        #expect(machine.questions(.logDose(.dose2)) == [.early, .extra, .extraUnderstood])
    }

    @Test func `R11.8 the same tap, and what is said to be one more`() throws {
        var machine = try Self.machine()
        let first = try #require(machine.logState.medications.first)
        #expect(try machine.perform(.takeMedication("Modafinil")).primary == first.event)
        #expect(machine.questions(.takeMedication("modafinil")) { $0.amountMilligrams = 100 } == [.duplicate])
        #expect(try machine.perform(.takeMedication("modafinil")) { $0.surface = .dbus }.primary == first.event)
        let more = try machine.perform(.takeMedication("modafinil")) { $0.confirmations = [.duplicate] }
        #expect(more.primary.id != first.id)
        let again = try machine.perform(.takeMedication("modafinil")) { $0.confirmations = [.duplicate] }
        #expect(again.primary == more.primary && again.isDuplicate)
    }

    @Test func `R11.8 a key gives the first receipt, with other arguments none`() throws {
        var machine = SimulatedMachine(at: Self.noon)
        let first = try machine.perform(.takeMedication("sunosi")) { $0.key = "k" }
        machine.pass(.hours(2))
        let again = try machine.perform(.takeMedication("Sunosi"), keyed: first.primary) { $0.key = "k" }
        #expect(again.isDuplicate)
        for (word, amount) in [("wakix", Int?.none), ("sunosi", 75)] {
            let other = machine.failure(.takeMedication(word), keyed: first.primary) { options in
                options.key = "k"
                options.amountMilligrams = amount
            }
            #expect(other == .invalidInput("the key was used before with other arguments"))
        }
    }

    @Test func `R11.9 undone, amended and deleted like every entry`() throws {
        var machine = try Self.machine()
        let id = try #require(machine.logState.medications.first?.id)
        machine.pass(.minutes(2))
        try machine.perform(.amend(id)) { options in
            options.at = utc("2026-01-13T19:00:00Z")
            options.amountText = "0.1g"
            options.note = "half"
        }
        let entry = try #require(machine.logState.medications.first)
        #expect(entry.at == utc("2026-01-13T19:00:00Z") && entry.date.text == "2026-01-13" && entry.milligrams == 100)
        #expect(entry.note == "half" && entry.metadata["note"] == "half" && entry.metadata["usual_dose"] == nil)
        try machine.perform(.undo)
        #expect(machine.logState.medications.first?.at == Self.noon)
        try machine.perform(.delete(id))
        #expect(machine.logState.medications.first?.isActive == false)
        #expect(machine.failure(.delete(id)) == .notFound(id.text))
        #expect(machine.failure(.amend(id)) { $0.note = "x" } == .notFound(id.text))
        #expect(machine.failure(.takeMedication("modafinil")) == nil, "what is deleted is not doubled")
    }

    @Test func `R11.9 an amended time asks anew, and stays in its night`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logFinalWake)
        try machine.perform(.takeMedication("modafinil"))
        machine.pass(.minutes(30))
        let second = try machine.perform(.takeMedication("provigil")).primary.id
        let near = machine.wall - .minutes(27)
        #expect(machine.questions(.amend(second)) { $0.at = near } == [.duplicate])
        try machine.performConfirmed(.amend(second)) { $0.at = near }
        #expect(machine.logState.medications.last?.confirmedDuplicate == true)
        let before = machine.wall - .hours(13)
        let outside = machine.failure(.amend(second)) { $0.at = before }
        guard case .invalidInput? = outside else {
            Issue.record("\(String(describing: outside))")
            return
        }
    }
}
