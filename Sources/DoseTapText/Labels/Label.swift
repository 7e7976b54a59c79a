package import DoseTapDomain

/// Words of the wire in words for people.
package enum Label {
    static func dose(_ kind: DoseKind) -> String {
        switch kind {
        case .dose1: tr("dose 1")
        case .dose2: tr("dose 2")
        case .extra: tr("extra dose")
        }
    }

    /// Returns the name of an entry's or a correction's type.
    package static func entry(_ type: String) -> String {
        if let kind = DoseKind(rawValue: type) { return dose(kind) }
        switch type {
        case "dose2_skipped": return tr("dose 2 skipped")
        case NightRecord.notRecorded: return tr("dose 2 not recorded")
        case "snooze": return tr("snooze")
        case EntityType.checkin.rawValue: return tr("morning check-in")
        case EntityType.preSleep.rawValue: return tr("pre-sleep log")
        case EntityType.medication.rawValue: return tr("medicine")
        case EntityType.regimen.rawValue: return tr("regimen")
        case EntityType.inventory.rawValue: return tr("inventory")
        case EntityType.sleepRecord.rawValue: return tr("sleep")
        case EntityType.labQuestion.rawValue: return tr("question of the lab")
        case EntityType.labPlan.rawValue: return tr("plan of the lab")
        case EntityType.labNight.rawValue: return tr("night of a plan of the lab")
        case EventType.checkinRecorded.rawValue: return tr("answered anew")
        case SleepEventWord.finalWake: return tr("final wake")
        case EventType.entryAmended.rawValue: return tr("amended")
        case EventType.entryDeleted.rawValue: return tr("deleted")
        case EventType.actionUndone.rawValue: return tr("undone")
        default: return SafeText.line(Words.event(SleepEventCatalogue.displayName(of: type)))
        }
    }

    static func answer(_ answer: ReminderAnswer) -> String {
        switch answer {
        case .dose2: tr("dose 2 recorded")
        case .skip: tr("dose 2 skipped")
        case .snooze: tr("snoozed")
        case .checkin: tr("check-in saved")
        case .seen: tr("seen")
        }
    }

    /// Returns the reason why a reminder did not go out.
    static func drop(_ drop: ReminderDrop, of reminder: ReminderID) -> String {
        switch drop {
        case .superseded: tr("a more urgent one was")
        case .resolved: reminder == .checkIn ? tr("the check-in was saved") : tr("dose 2 was settled")
        case .windowOver: tr("the window was over")
        case .tooLate: tr("no longer true")
        case .disabled: tr("switched off")
        }
    }

    static func completion(_ completion: PreSleepCompletion) -> String {
        switch completion {
        case .complete: tr("complete")
        case .partial: tr("partial")
        case .skipped: tr("skipped")
        }
    }

    static func level(_ level: Supply.Level) -> String {
        switch level {
        case .ok: tr("ok")
        case .low: tr("low")
        case .critical: tr("critical")
        case .empty: tr("empty")
        case .unknown: tr("unknown")
        }
    }

    static func urgency(_ urgency: ReminderID.Urgency) -> String {
        switch urgency {
        case .normal: tr("normal")
        case .critical: tr("critical")
        }
    }

    package static func phase(_ phase: Phase) -> String {
        switch phase {
        case .finalizing: tr("final wake recorded")
        case .completed: tr("done for tonight")
        case .noDose1: tr("no dose 1 yet")
        case .beforeWindow: tr("before the window")
        case .closed: tr("window closed")
        case .nearClose: tr("window closes soon")
        case .active: tr("window open")
        }
    }

    /// Returns the state of a dose 2 that is not on record; nil if that state is not settled.
    package static func withoutDose2(isSkipped: Bool, _ outcome: NightOutcome?) -> String? {
        isSkipped ? tr("skipped") : outcome == .notRecorded ? tr("not recorded") : nil
    }

    package static func outcome(_ outcome: NightOutcome) -> String {
        switch outcome {
        case .onTime: tr("on time")
        case .early: tr("early")
        case .late: tr("late")
        case .skipped: tr("skipped")
        case .notRecorded: tr("dose 2 not recorded")
        case .pending: tr("still open")
        case .onceNightly: tr("one dose a night")
        case .noDose1: tr("no dose 1")
        case .anomaly: tr("dose 2 before dose 1")
        }
    }

    static func grade(_ grade: NightScore.Grade) -> String {
        switch grade {
        case .excellent: tr("excellent")
        case .good: tr("good")
        case .fair: tr("fair")
        case .needsWork: tr("needs work")
        }
    }

    static func terminal(_ state: TerminalState) -> String {
        switch state {
        case .checkinCompleted: tr("checked in")
        case .incompleteMissedCheckin: tr("no check-in")
        case .incompletePrepRollover: tr("closed by the next evening")
        case .incompleteSleptThrough: tr("dose 2 not recorded")
        case .finalizingWake: tr("awake")
        case .backfilled: tr("entered later")
        }
    }

    /// Returns the origin of an entry: `from the command line`.
    static func from(_ surface: String?) -> String {
        guard let surface else { return tr("from an unknown place") }
        return switch Surface(rawValue: surface) {
        case .cli: tr("from the command line")
        case .dbus: tr("from another program")
        case .notification: tr("from a notification")
        case .hook: tr("from a hook")
        case .plugin: tr("from a plugin")
        case .importer: tr("imported")
        case .service: tr("by the service itself")
        case nil: tr("from \(SafeText.line(surface))")
        }
    }

    /// Returns the question before an entry that is recorded in spite of a warning.
    static func question(_ confirmation: Confirmation) -> String {
        switch confirmation {
        case .early: tr("Record it although it is too early?")
        case .late: tr("Record it although the window has closed?")
        case .afterSkip: tr("Record it although dose 2 was skipped?")
        case .afterWake: tr("Record it although the final wake or the check-in is on record?")
        case .extra: tr("Record an extra dose?")
        case .extraUnderstood: tr("Do you understand that this is one more than prescribed?")
        case .overLimit: tr("Record an amount over the label's limit?")
        case .onceNightly: tr("Record a second dose although one a night is prescribed?")
        case .longAgo: tr("Is it really that long ago?")
        case .duplicate: tr("Record the same once more?")
        case .windowUnresolved: tr("Record it although dose 2 is still open?")
        case .clockSuspect: tr("Is the clock right?")
        case .nightBegun: tr("Change the number of doses of tonight?")
        case .undoDose: tr("Take this dose off the record?")
        case .restore: tr("Replace the record by this backup?")
        case .otherRecord: tr("Replace the record by one of another origin?")
        case .wipe: tr("Delete all data.")
        }
    }

    /// `1 of 3`.
    static func snoozes(_ status: NightStatus) -> String {
        // A night can have more snoozes than the limit, if the setting was changed.
        status.snoozeCount > status.snoozeLimit
            ? "\(status.snoozeCount)" : tr("\(status.snoozeCount) of \(status.snoozeLimit)")
    }

    /// Returns `wellness 64 of 100, 4 of its 5 answers by default`; nil without a score.
    static func wellness(_ metadata: JSONObject) -> String? {
        guard let score = metadata["wellness_score"]?.integerValue else { return nil }
        let assumed = metadata["wellness_defaults"]?.arrayValue?.count ?? 0
        let mark = assumed == 0 ? "" : tr(", \(assumed) of its \(WellnessScore.keys.count) answers by default")
        return tr("wellness \(score) of 100\(mark)")
    }
}

/// The words before a command on a line of its own. Such a line is copied as a whole, so it is never broken.
package enum CommandLead {
    package static var next: String { tr("Next: ") }
    package static var attempt: String { tr("Try: ") }
    package static var olderNights: String { tr("Older nights: ") }
    package static var olderEntries: String { tr("Older entries: ") }
    package static var allEntries: String { tr("All entries: ") }
    /// The words before the command that records in spite of a warning.
    package static var unlessWrong: String { tr("Only if ") }

    /// Returns the words before the next step of a night.
    static func of(_ moment: NextStep.Moment) -> String {
        switch moment {
        case .now: next
        case .onceTaken: tr("Once it is taken: ")
        case .inTheMorning: tr("In the morning: ")
        }
    }

    /// Returns true if a line begins with such words, or with a command.
    static func begins(_ line: some StringProtocol) -> Bool {
        [next, of(.onceTaken), of(.inTheMorning), attempt, unlessWrong, olderNights, olderEntries, "dosetap "]
            .contains {
                line.hasPrefix($0)
            }
    }
}
