import DoseTapDomain
import DoseTapEngine
import Testing

@testable import DoseTapPlugins

@Suite struct NotificationTextTests {
    private static let dose1 = Instant(seconds: 1_768_429_800)
    private static let everything: Set<NotificationServer.Capability> = Set(NotificationServer.Capability.allCases)

    private static func view(
        _ elapsed: Duration, snooze: Bool = true, regimen: JSONObject? = nil, outcome: NightOutcome? = nil
    ) -> NightView {
        let now = dose1 + elapsed
        var input = DoseWindow.Input(now: now)
        input.dose1 = dose1
        let clock = ClockReading(wall: now, counterMicroseconds: 0, bootID: "b", isSynchronised: true)
        let context = DecisionContext(
            clock: clock, zone: .utc, zoneNamed: { _ in nil }, rules: .standard, deviceID: "d")
        var status = NightStatus(LogState(), at: nil, context)
        status.window = DoseWindow.state(input)
        status.dose1 = dose1
        status.alarm = dose1 + .minutes(165)
        status.regimen = regimen
        status.outcome = outcome
        return NightView(
            status: status, active: nil, alarmChannels: [], offersSnooze: snooze, snoozeStepMinutes: 10,
            moments: Moments(zone: .utc),
            isEnabled: true)
    }

    private static func deadline(
        _ id: ReminderID, _ minutes: Int, late: Duration = .zero, known: Instant? = nil
    ) -> DueReminder {
        let due = dose1 + .minutes(minutes)
        return DueReminder(
            item: ReminderPlan.Item(id: id, due: due), session: SessionID("s"),
            date: SessionDate(CivilDate(daysSinceEpoch: 20_467)), windowCloses: dose1 + .minutes(240),
            fired: due + late, overdue: known.map { due + late - max(due, $0) })
    }

    static let table: [(ReminderID, Int, String, [String])] = [
        (.windowOpen, 150, "You can take dose 2 now", ["2 h 30 min since dose 1.", "1 h 30 min left, until 02:30."]),
        (
            .preAlarm, 160, "The alarm for dose 2 rings in 5 min",
            ["2 h 40 min since dose 1.", "1 h 20 min left, until 02:30."]
        ),
        (.alarm, 165, "Time to take dose 2", ["2 h 45 min since dose 1.", "1 h 15 min left, until 02:30."]),
        (.followup1, 167, "Dose 2 is still open", ["2 h 47 min since dose 1.", "1 h 13 min left, until 02:30."]),
        (.followup2, 169, "Dose 2 is still open", ["2 h 49 min since dose 1.", "1 h 11 min left, until 02:30."]),
        (.followup3, 171, "Dose 2 is still open", ["2 h 51 min since dose 1.", "1 h 9 min left, until 02:30."]),
        (.alarmRepeat, 176, "Dose 2 is still open", ["2 h 56 min since dose 1.", "1 h 4 min left, until 02:30."]),
        (.closing15, 225, "Only 15 min left for dose 2", ["3 h 45 min since dose 1.", "15 min left, until 02:30."]),
        (.closing5, 235, "Only 5 min left for dose 2", ["3 h 55 min since dose 1.", "5 min left, until 02:30."]),
        (
            .windowClosed, 240, "The window for dose 2 has closed",
            [
                "It closed at 02:30.", "Did you have dose 2? In a terminal: dosetap log dose2 --at TIME",
                "If you did not: skip it.",
            ]
        ),
        (.checkIn, 510, "Good morning: the check-in is open", ["In a terminal: dosetap checkin"]),
    ]

    @Test func `R20.19 the reminder of the check-in asks about a dose 2 that nobody recorded`() {
        let view = Self.view(.minutes(510), outcome: .notRecorded)
        let content = NotificationContent(Self.deadline(.checkIn, 510), view, showsDetails: false)
        #expect(
            content.lines == [
                "In a terminal: dosetap checkin",
                "Dose 2 is not recorded. Did you have it? In a terminal: dosetap status",
            ])
    }

    @Test func `every reminder has its words`() {
        for (id, minutes, summary, lines) in Self.table {
            // A few milliseconds do not count as a minute.
            let view = Self.view(.minutes(minutes) + .milliseconds(4))
            let content = NotificationContent(Self.deadline(id, minutes), view, showsDetails: false)
            #expect(content.summary == summary)
            #expect(content.lines == lines)
            #expect(content.urgency == id.urgency)
            let labels = content.buttons.map(\.label)
            switch id {
            case .windowClosed: #expect(labels == ["Dose 2 not taken"])
            case .checkIn: #expect(labels == [])
            default: #expect(labels == ["Dose 2 taken", "Snooze 10 min", "Skip"])
            }
        }
        #expect(Set(Self.table.map(\.0)) == Set(ReminderID.allCases))
    }

    @Test func `a snooze is offered only where one is allowed`() {
        let content = NotificationContent(
            Self.deadline(.closing15, 225), Self.view(.minutes(225), snooze: false), showsDetails: false)
        #expect(content.buttons.map(\.label) == ["Dose 2 taken", "Skip"])
    }

    @Test func `a reminder that comes late says so, and the figures are those of the moment it is shown`() {
        let content = NotificationContent(
            Self.deadline(.alarm, 165, late: .minutes(12)), Self.view(.minutes(178)), showsDetails: false)
        #expect(
            content.lines == [
                "2 h 58 min since dose 1.", "1 h 2 min left, until 02:30.", "This comes 12 min late.",
            ])
        // Before dose 1 was on record the reminder could not be told, so it does not count as late.
        let known = Self.deadline(.alarm, 165, late: .minutes(12), known: Self.dose1 + .minutes(177))
        #expect(NotificationContent(known, Self.view(.minutes(177)), showsDetails: false).lines.count == 2)
    }

    @Test func `medicine and amount are named only where the person wants it`() {
        let regimen: JSONObject = ["medication_id": "xyrem", "parts_mg": [4_500, 3_000]]
        for id in ReminderID.allCases {
            let view = Self.view(.minutes(165), regimen: regimen)
            let plain = NotificationContent(Self.deadline(id, 165), view, showsDetails: false)
            let text = ([plain.summary] + plain.lines).joined(separator: " ").lowercased()
            #expect(!text.contains("xyrem") && !text.contains("mg"))
        }
        let shown = NotificationContent(
            Self.deadline(.alarm, 165), Self.view(.minutes(165), regimen: regimen), showsDetails: true)
        #expect(shown.lines.last?.hasSuffix("3000 mg.") == true)
    }

    @Test func `once the window has closed no notification says take`() {
        let view = Self.view(.minutes(245))
        var contents = [ReminderID.windowClosed, .checkIn].map {
            NotificationContent(Self.deadline($0, 240, late: .minutes(9)), view, showsDetails: true)
        }
        for confirmation in DoseTapDomain.Confirmation.allCases {
            let question = Question(
                confirmations: [confirmation], minutesToOpen: 3, limitMilligrams: 9_000, sumMilligrams: 9_500,
                wouldRecord: "dose2", at: view.status.at)
            contents.append(
                NotificationContent(question, to: .logDose(.dose2), Moments(zone: .utc), showsDetails: true))
        }
        for reason in BlockReason.allCases {
            contents.append(NotificationContent(.command(.refused(reason, Refusal())), Moments(zone: .utc)))
        }
        for content in contents {
            let wire = NotificationWire(content, for: Self.everything)
            let text = ([wire.summary, wire.body] + wire.actions).joined(separator: " ").lowercased()
            let asked = text.replacing("not_taken", with: "").replacing("not taken", with: "")
            #expect(!asked.contains("take"), "\(text)")
            #expect(!wire.summary.isEmpty)
        }
    }

    @Test func `a question names what its button records, and asks for an extra dose elsewhere`() {
        func content(_ confirmations: [DoseTapDomain.Confirmation]) -> NotificationContent {
            let question = Question(
                confirmations: confirmations, minutesToOpen: 12, limitMilligrams: 9_000, sumMilligrams: 9_500,
                isOneTooMany: !Set(confirmations).isDisjoint(with: [.extra, .onceNightly]), wouldRecord: "dose2",
                at: Self.dose1)
            return NotificationContent(question, to: .logDose(.dose2), Moments(zone: .utc), showsDetails: false)
        }
        let early = content([.early, .afterSkip])
        #expect(early.summary == "Too early by 12 min")
        #expect(early.buttons.map(\.label) == ["Not taken", "Record dose 2: 12 min early, after the skip"])
        #expect(early.urgency == .critical)
        #expect(content([.overLimit]).lines.allSatisfy { !$0.contains("mg") })
        for confirmations: [DoseTapDomain.Confirmation] in [
            [.extra, .extraUnderstood], [.early, .extra, .extraUnderstood],
        ] {
            #expect(content(confirmations).buttons.map(\.action) == [.notTaken])
            #expect(content(confirmations).lines.last == "Nothing was recorded.")
        }
        for confirmations: [DoseTapDomain.Confirmation] in [
            [.early, .extra, .extraUnderstood], [.early, .onceNightly],
        ] {
            let question = content(confirmations)
            #expect(question.summary == "Too early" && !question.lines.contains { $0.contains("Wait") })
            #expect(question.lines.first == "Doses together can stop breathing. Nothing more is due tonight.")
        }
    }

    @Test func `a desktop gets only what it can show`() {
        let content = NotificationContent(
            summary: "A & B", lines: ["1 < 2", "b"], buttons: [.init(action: .skip, label: "Skip")], urgency: .critical)
        let full = NotificationWire(content, for: Self.everything)
        #expect(full.summary == "A & B" && full.body == "1 &lt; 2\nb" && full.actions == ["skip", "Skip"])
        #expect(full.expiry == 0)
        let plain = NotificationWire(content, for: [.body])
        #expect(plain.body == "1 < 2\nb\nIn a terminal: dosetap skip" && plain.actions == [])
        let bare = NotificationWire(content, for: [.actions])
        #expect(bare.summary == "A & B · 1 < 2 · b" && bare.body == "")
    }
}
