import DoseTapDomain
import DoseTapText
import Testing

/// What is told of reminders.
@Suite struct ReminderTextTests {
    @Test(arguments: ReminderID.allCases)
    func `R23.3 that the window opens is told with the next whole minute, every other reminder with its own`(
        id: ReminderID
    ) throws {
        let moments = Moments(zone: .utc)
        let due = try Instant(iso8601: "2026-01-15T01:00:30Z")
        #expect(ReminderText.time(id, due, moments) == (id == .windowOpen ? "01:01" : "01:00"))
        #expect(ReminderText.time(id, due - .seconds(30), moments) == "01:00")
    }
}
