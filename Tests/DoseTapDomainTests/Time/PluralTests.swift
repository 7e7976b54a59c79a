import Testing

@testable import DoseTapDomain

/// Counted things have their plural everywhere: none, one, and more.
@Suite struct PluralTests {
    @Test(arguments: zip([0, 1, 2, -1] as [Int64], ["0 nights", "1 night", "2 nights", "-1 nights"]))
    func `one place chooses between singular and plural`(count: Int64, text: String) {
        #expect(Plural.of(count, "night", "nights") == text)
        #expect(Plural.of(Int(count), "night", "nights") == text)
    }

    @Test(
        arguments: zip(
            [0, 1, 2],
            [
                "0 minutes have passed since dose 1; the window opens at 02:30 by the new clock.",
                "1 minute has passed since dose 1; the window opens at 02:29 by the new clock.",
                "2 minutes have passed since dose 1; the window opens at 02:28 by the new clock.",
            ]))
    func `what has passed since dose 1`(minutes: Int, text: String) {
        let elapsed = ElapsedTime(certain: .minutes(minutes))
        #expect(elapsed.passedSentence(now: Instant(seconds: 0), Moments(zone: .utc)) == text)
    }

    @Test(arguments: zip([0, 1, 2], ["0 minutes", "1 minute", "2 minutes"]))
    func `what has passed at least`(minutes: Int, text: String) {
        let unknown = ElapsedTime(counted: .minutes(minutes), byWall: .minutes(minutes))
        #expect(unknown.doubtFigures == "At least \(text) since dose 1; the computer's clock cannot say how many.")
        let behind = ElapsedTime(counted: .minutes(minutes), byWall: .minutes(60))
        #expect(behind.doubtFigures == "At least \(text) since dose 1, 60 by the computer's clock.")
        let ahead = ElapsedTime(counted: .minutes(60), byWall: .minutes(minutes))
        #expect(ahead.doubtFigures == "At least \(text) since dose 1 by the computer's clock, 60 as counted.")
    }

    @Test func `what a repair says`() {
        func notes(_ count: Int64) -> [String] {
            var plan = RepairPlan()
            (plan.read, plan.copied, plan.unlinked, plan.opened) = (count, count, count, count)
            plan.gaps = (0..<(10 + count)).map { .init(first: $0, last: $0, after: nil, before: nil) }
            let report = plan.report(Moments(zone: .utc), isDone: true)
            return Array(report.notes.dropFirst(10)) + report.repairs.prefix(1)
        }
        #expect(notes(0) == ["0 events read of the damaged record; 10 cannot be read"])
        #expect(
            notes(1) == [
                "and 1 more place", "1 of these was in the copy of the last nights",
                "1 event does not follow the one before it: the log was changed",
                "1 night had lost its beginning, which was made anew from the entries",
                "1 event read of the damaged record; 10 cannot be read",
            ])
        #expect(
            notes(2) == [
                "and 2 more places", "2 of these were in the copy of the last nights",
                "2 events do not follow the one before them: the log was changed",
                "2 nights had lost their beginning, which was made anew from the entries",
                "2 events read of the damaged record; 10 cannot be read",
            ])
    }

    @Test func `rows that were rebuilt`() {
        func sentence(_ count: Int) -> String? { TableAudit(mended: count == 0 ? [:] : ["naps": count]).sentence }
        #expect(sentence(0) == nil)
        #expect(sentence(1) == "1 row of naps did not say what the log says and was rebuilt from it")
        #expect(sentence(2) == "2 rows of naps did not say what the log says and were rebuilt from it")
    }

    @Test(arguments: zip([0, 1, 2], ["less than a day old", "1 day old", "2 days old"]))
    func `how old a backup is`(days: Int, text: String) {
        var facts = FindingTests.well
        facts.backups = .known(.init(isOn: true, age: .hours(24 * days), events: 1, isNew: false, trouble: nil))
        #expect(facts.findings.first { $0.id == "backup" }?.sentence == "the last backup is \(text)")
    }
}
