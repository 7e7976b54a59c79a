import DoseTapDomain
import Testing

private let ten = utc("2026-01-14T22:00:00Z")
private let nine = utc("2026-01-14T21:00:00Z")

/// The part of a receipt about the corrected entry.
@Suite struct CorrectedEntryTests {
    private var machine: SimulatedMachine
    private let dose: Event

    init() throws {
        machine = SimulatedMachine.evening()
        dose = try machine.perform(.logDose(.dose1)).primary
    }

    private mutating func corrected(
        by command: Command, _ options: (inout CommandOptions) -> Void = { _ in }
    ) throws -> Receipt {
        let before = machine.logState
        let event = try machine.performConfirmed(command, options).primary
        let receipt = Receipt(
            event, session: machine.night,
            corrected: CorrectedEntry(by: event, before: before, after: machine.logState), duplicate: false,
            clock: machine.clock)
        #expect(try Receipt(json: receipt.json) == receipt)
        return receipt
    }

    @Test mutating func `R6.1 an undone dose counts no more, and nothing is waited for`() throws {
        let receipt = try corrected(by: .undo)
        #expect(receipt.corrected == CorrectedEntry(type: "dose1", countedAt: ten, countsAt: nil))
        #expect(receipt.dueTimes == nil)
    }

    @Test mutating func `R6.3 an amended dose says both times and where the window moved to`() throws {
        let id = dose.id
        let receipt = try corrected(by: .amend(id)) { $0.at = nine }
        #expect(receipt.corrected == CorrectedEntry(type: "dose1", countedAt: ten, countsAt: nine))
        #expect(
            receipt.dueTimes
                == DueTimes(
                    opens: nine + .minutes(150), closes: nine + .minutes(240), alarm: nine + .minutes(165),
                    snoozes: (0, 3)))
        machine.pass(.seconds(1))
        let undone = try corrected(by: .undo)
        #expect(undone.corrected == CorrectedEntry(type: "dose1", countedAt: nine, countsAt: ten))
        #expect(undone.dueTimes?.alarm == ten + .minutes(165))
    }

    @Test mutating func `R6.12 a skip counts again without the dose 2 after it, and only then`() throws {
        machine.pass(.minutes(170))
        let without = try machine.perform(.logDose(.dose2)).primary.id
        #expect(try corrected(by: .delete(without)).metadata[Receipt.skipCounts] == nil)
        machine.pass(.minutes(1))
        try machine.perform(.skipDose2)
        machine.pass(.minutes(1))
        let dose2 = try machine.performConfirmed(.logDose(.dose2)).primary.id
        #expect(try corrected(by: .delete(dose2)).metadata[Receipt.skipCounts] == true)
        machine.pass(.seconds(1))
        let undone = try corrected(by: .undo)
        #expect(undone.corrected?.countsAt != nil && undone.metadata[Receipt.skipCounts] == nil)
    }

    @Test mutating func `R7.2 a snooze says when the alarm rings now; a dose says nothing of the kind`() throws {
        machine.pass(.minutes(170))
        let snooze = try corrected(by: .snooze)
        #expect(snooze.corrected == nil && snooze.dueTimes?.alarm == ten + .minutes(180))
        #expect(try corrected(by: .logDose(.dose2)).dueTimes == nil)
    }
}
