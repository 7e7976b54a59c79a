import DoseTapDomain
import DoseTapText
import Testing

/// Texts about reminders.
@Suite struct ReminderTextTests {
    @Test func `R20.17 an alarm is told with its time, and the recorded dose stands first among what stops it`() throws
    {
        let now = try Instant(iso8601: "2026-01-15T01:00:00Z")
        // A dose 1 that was logged late has an alarm whose time was before it rang.
        let dose1 = now - .minutes(200)
        let context = DecisionContext(
            clock: ClockReading(wall: now, counterMicroseconds: 0, bootID: "b", isSynchronised: true), zone: .utc,
            zoneNamed: { _ in nil }, rules: .standard, deviceID: "d")
        var input = DoseWindow.Input(now: now)
        input.dose1 = dose1
        var status = NightStatus(LogState(), at: nil, context)
        (status.window, status.dose1, status.outcome) = (DoseWindow.state(input), dose1, .pending)
        (status.sessionID, status.alarm) = (SessionID("s"), dose1 + .minutes(165))
        status.nextReminder = ReminderPlan.Item(id: .closing15, due: dose1 + .minutes(225))
        let page = Page(
            isTerminal: false, columns: 80, textColumns: nil, usesUnicode: false, paint: { text, _ in text },
            addressed: { $0 }, address: { "" })
        status.next = NextStep.Record(.logDose(.dose2))
        let alarm = TonightText(status, Moments(zone: .utc), page).lines.first
        #expect(
            alarm
                == "The alarm of 00:25 is on. It stops with dosetap log dose2 once dose 2 is taken, with dosetap snooze for a while, "
                + "or with dosetap skip if it will not be taken.")
        // Right after an undo no dose is proposed.
        status.next = NextStep.Record(.status)
        input.snoozes = input.maximumSnoozes
        status.window = DoseWindow.state(input)
        let undone = TonightText(status, Moments(zone: .utc), page).lines.first
        #expect(
            undone
                == "The alarm of 00:25 is on. It stops once dose 2 is on record, or with dosetap skip if it will not be taken."
        )
    }

    @Test func `R23.15 the list of reminders names the zone of the night where its clock is another one`() throws {
        let due = try Instant(iso8601: "2026-01-15T01:00:00Z")
        let rows: [JSONObject] = [(ReminderID.alarm, 0), (.followup1, 10), (.followup2, 12)].map { id, minutes in
            [
                "id": .string(id.rawValue), "due": .instant(due + .minutes(minutes)), "state": "planned",
                "urgency": .string(id.urgency.rawValue), "channels": .array([]), "seen": false,
            ]
        }
        let reminders = try rows.map { try ReminderRecord(json: $0) }
        let here = RemindersText.lines(reminders, Moments(zone: .utc, inForce: .utc), 80)
        #expect(here.dropFirst().map { $0.prefix(14) } == ["01:00".padded(to: 14)[...], "01:10 to 01:12"], "\(here)")
        let tokyo = Zone(fixedOffsetMinutes: 540)
        let there = RemindersText.lines(reminders, Moments(zone: .utc, inForce: tokyo), 80)
        #expect(there == ["The times are those of UTC."] + here, "\(there)")
    }

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
