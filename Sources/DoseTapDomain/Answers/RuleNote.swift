/// A rule about an event: its number in the list of rules, and its words for the event.
public struct RuleNote: Hashable, Sendable {
    /// The number, e.g. `R4.2`.
    public private(set) var rule: String
    /// The rule in one sentence.
    public private(set) var text: String

    static let description = RecordDescription(
        RuleNote("", "")
    ) { it in
        it.text("rule", get: { $0.rule }, set: { $0.rule = $1 })
        it.text("text", get: { $0.text }, set: { $0.text = $1 })
    }

    init(_ rule: String, _ text: String) {
        self.rule = rule
        self.text = text
    }

    /// Returns the rules about an event.
    ///
    /// - Parameters:
    ///   - phase: the phase of the night just before the event.
    ///   - opensNight: true if the event opened its session.
    static func about(_ payload: EventPayload, phase: Phase?, opensNight: Bool) -> [RuleNote] {
        own(payload, phase, opensNight) + (payload.request?.confirmations ?? []).map(about)
    }

    // An exhaustive table: a new type of event has to name its rule.
    private static func own(_ payload: EventPayload, _ phase: Phase?, _ opensNight: Bool) -> [RuleNote] {
        switch payload {
        case .sessionOpened(let opened):
            [
                opened.backfilled
                    ? RuleNote("R2.4", sent("An entry of a night that is over opens a session that is already closed."))
                    : RuleNote(
                        "R2.1", sent("The first dose, sleep event or final wake opens a session at its own time."))
            ]
        case .sessionClosed(let closed): [about(closed.state)]
        case .doseRecorded(let dose): [about(dose.kind, phase)] + opening(opensNight)
        case .doseSkipped(let skip):
            [
                skip.isAutomatic
                    ? RuleNote(
                        "R2.10",
                        sent("270 minutes after dose 1 nobody had recorded a dose 2 or a skip: it stays not recorded."))
                    : RuleNote("R4.17", sent("A skip needs dose 1 and is possible in any phase, once."))
            ]
        case .snoozeRecorded:
            [
                RuleNote("R4.15", sent("A snooze is for the open window and never moves the alarm past 225 minutes.")),
                RuleNote("R7.3", sent("The alarm moves to the later of alarm and now, plus the step.")),
            ]
        case .finalWakeRecorded:
            [
                RuleNote(
                    "R2.14", sent("A final wake makes the night finalizing; an unresolved window keeps its reminders."))
            ]
                + opening(opensNight)
        case .sleepEventRecorded(let event): [about(sleepEvent: event.type)] + opening(opensNight)
        case .checkinRecorded(let checkIn):
            [
                checkIn.amends == nil
                    ? RuleNote("R9.6", sent("A check-in ends its night."))
                    : RuleNote("R9.5", sent("A night has one check-in: a later one changes it."))
            ]
        case .entry(let entry): entry.value.rules
        case .entryAmended:
            [
                RuleNote("R6.7", sent("An amendment changes only what it names; the original stays in the log.")),
                RuleNote("R6.10", sent("An amended time stays in its night and in its order.")),
            ]
        case .entryDeleted:
            [RuleNote("R6.11", sent("A deleted entry leaves the night, not the log; what others rest on goes last."))]
        case .actionUndone:
            [
                RuleNote("R6.1", sent("An undo takes back the newest action with all it brought about.")),
                RuleNote("R6.2", sent("It is possible within the undo window from the recording.")),
            ]
        case .settingChanged: [RuleNote("R2.20", sent("Changed settings hold for the open night from the change on."))]
        case .reminderFired(let fired):
            [
                fired.reminder.isOfWindow
                    ? RuleNote(
                        "R7.1",
                        sent("\(fired.reminder.rawValue) is due at a fixed time after dose 1, or with the alarm."))
                    : RuleNote(
                        "R7.14", sent("check_in is due at the final wake or at the wake time, whichever comes first."))
            ]
        case .reminderDropped(let dropped): [about(dropped)]
        case .reminderDelivered:
            [
                RuleNote(
                    "R7.12", sent("What reached a channel is on record; that a person noticed it is not known by that.")
                )
            ]
        case .reminderAcknowledged(let answer):
            [
                answer.by == .seen
                    ? RuleNote("R7.13", sent("A reminder that was only seen goes on."))
                    : RuleNote(
                        "R7.13", sent("A logged dose, skip, snooze or check-in answers the reminders told before it."))
            ]
        case .clockStepped(let step):
            [
                step.suspect
                    ? RuleNote(
                        "R2.19",
                        sent(
                            "After a new start a clock that stands before the newest event is asked about, never refused."
                        ))
                    : RuleNote(
                        "R2.18",
                        sent("What is done to the clock while a window is open is recorded and told; it moves nothing.")
                    )
            ]
        case .storeRestored(let restored) where restored.isByPerson:
            [RuleNote("R24.11", sent("A record that was restored from a backup says so."))]
        case .storeRestored:
            [RuleNote("R21.5", sent("A store that is older than what was written to it is recorded and told."))]
        case .importRecorded:
            [RuleNote("R29.7", sent("A file is taken in one transaction, whose last event says what it brought."))]
        }
    }

    private static func opening(_ opensNight: Bool) -> [RuleNote] {
        opensNight
            ? [RuleNote("R2.1", sent("The first dose, sleep event or final wake opens a session at its own time."))]
            : []
    }

    private static func about(_ kind: DoseKind, _ phase: Phase?) -> RuleNote {
        switch (kind, phase) {
        case (.dose1, _): RuleNote("R4.1", sent("A session has one dose 1."))
        case (.extra, _): RuleNote("R4.5", sent("A dose after dose 2 is an extra dose and asks twice."))
        case (.dose2, .active), (.dose2, .nearClose):
            RuleNote("R4.2", sent("In the open window dose 2 is recorded without a question."))
        case (.dose2, .beforeWindow): RuleNote("R4.2", sent("Before the window dose 2 asks early."))
        case (.dose2, .closed): RuleNote("R4.2", sent("From 240 minutes on dose 2 asks late."))
        case (.dose2, _): RuleNote("R4.2", sent("What was really taken is recorded, with the questions it raises."))
        }
    }

    private static func about(sleepEvent type: String) -> RuleNote {
        switch type {
        case SleepEventWord.napStart: RuleNote("R8.7", sent("A nap starts where none is open."))
        case SleepEventWord.napEnd:
            RuleNote("R8.6", sent("The end of a nap belongs to the first start that has none yet."))
        case let type where (SleepEventCatalogue.standard[type]?.cooldownSeconds ?? 0) > 0:
            RuleNote("R8.3", sent("A live repeat within 60 seconds is refused; an earlier time never is."))
        default: RuleNote("R8.1", sent("A type is known by its word, in any spelling."))
        }
    }

    private static func about(_ state: TerminalState) -> RuleNote {
        switch state {
        case .incompleteMissedCheckin:
            RuleNote("R2.6", sent("Without a check-in a night ends at the wake time plus the cutoff."))
        case .incompletePrepRollover: RuleNote("R2.7", sent("A night ends at the next prep time at the latest."))
        case .backfilled: RuleNote("R2.4", sent("A night entered when it was over is closed at once."))
        case .incompleteSleptThrough:
            RuleNote("R2.10", sent("A night whose window was slept through keeps that state."))
        case .checkinCompleted: RuleNote("R9.6", sent("A check-in ends its night."))
        case .finalizingWake: RuleNote("R2.14", sent("After the final wake a night waits for its check-in."))
        }
    }

    private static func about(_ dropped: ReminderDropped) -> RuleNote {
        guard dropped.reminder.isOfWindow else {
            return dropped.reason == .resolved
                ? RuleNote("R7.16", sent("Once the check-in is saved nothing reminds of it."))
                : RuleNote("R7.16", sent("When the night is over nothing reminds of its check-in."))
        }
        return switch dropped.reason {
        case .superseded: RuleNote("R7.6", sent("After a gap only the most urgent reminder is told."))
        case .resolved: RuleNote("R7.4", sent("Once dose 2 is taken or skipped nothing reminds of it."))
        case .windowOver: RuleNote("R7.2", sent("From 240 minutes on nothing says that dose 2 is to be had."))
        case .tooLate: RuleNote("R7.6", sent("What is no longer true is not told."))
        case .disabled: RuleNote("R7.4", sent("What is switched off is not told."))
        }
    }

    private static func about(_ answer: Confirmation) -> RuleNote {
        switch answer {
        case .early: RuleNote("R4.3", sent("early: less than 150 minutes from another dose."))
        case .late: RuleNote("R4.2", sent("late: 240 minutes or more after dose 1."))
        case .afterSkip: RuleNote("R4.9", sent("after_skip: the person had skipped dose 2."))
        case .afterWake: RuleNote("R4.10", sent("after_wake: the final wake or the check-in was on record."))
        case .extra, .extraUnderstood: RuleNote("R4.5", sent("\(answer.rawValue): one dose more than prescribed."))
        case .overLimit: RuleNote("R4.12", sent("over_limit: more than 4500 mg at once or 9000 mg in the night."))
        case .onceNightly: RuleNote("R4.11", sent("once_nightly: one dose a night is prescribed."))
        case .longAgo: RuleNote("R4.19", sent("long_ago: more than seven days before it was recorded."))
        case .duplicate: RuleNote("R11.3", sent("duplicate: the same ingredient less than five minutes from another."))
        case .windowUnresolved: RuleNote("R2.14", sent("window_unresolved: dose 2 was neither taken nor skipped."))
        case .clockSuspect: RuleNote("R2.17", sent("clock_suspect: the clocks left doubt how much time had passed."))
        case .nightBegun: RuleNote("R12.4", sent("night_begun: dose 1 was taken under another number of doses."))
        case .restore: RuleNote("R24.9", sent("restore: a backup took the place of the record."))
        case .otherRecord: RuleNote("R24.9", sent("other_record: the backup was of another record."))
        case .undoDose:
            RuleNote(
                "R6.13",
                sent("undo_dose: an undo after another, or after an entry that was declined, took back a dose."))
        case .wipe: RuleNote("R26.4", sent("wipe: nothing of the record stays."))
        }
    }
}
