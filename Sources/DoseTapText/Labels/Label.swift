package import DoseTapDomain

/// Wire words as people say them.
package enum Label {
    static func dose(_ kind: DoseKind) -> String {
        switch kind {
        case .dose1: "dose 1"
        case .dose2: "dose 2"
        case .extra: "extra dose"
        }
    }

    /// An entry's or a correction's type.
    package static func entry(_ type: String) -> String {
        if let kind = DoseKind(rawValue: type) { return dose(kind) }
        switch type {
        case "dose2_skipped": return "dose 2 skipped"
        case NightRecord.notRecorded: return "dose 2 not recorded"
        case "snooze": return "snooze"
        case EntityType.checkin.rawValue: return "morning check-in"
        case EntityType.preSleep.rawValue: return "pre-sleep log"
        case EntityType.medication.rawValue: return "medicine"
        case EntityType.regimen.rawValue: return "regimen"
        case EntityType.inventory.rawValue: return "inventory"
        case EntityType.sleepRecord.rawValue: return "sleep"
        case EventType.checkinRecorded.rawValue: return "answered anew"
        case SleepEventWord.finalWake: return "final wake"
        case EventType.entryAmended.rawValue: return "amended"
        case EventType.entryDeleted.rawValue: return "deleted"
        case EventType.actionUndone.rawValue: return "undone"
        default: return SafeText.line(SleepEventCatalogue.displayName(of: type))
        }
    }

    static func answer(_ answer: ReminderAnswer) -> String {
        switch answer {
        case .dose2: "dose 2 recorded"
        case .skip: "dose 2 skipped"
        case .snooze: "snoozed"
        case .checkin: "check-in saved"
        case .seen: "seen"
        }
    }

    /// Why a reminder did not go out.
    static func drop(_ drop: ReminderDrop) -> String {
        switch drop {
        case .superseded: "a more urgent one was"
        case .resolved: "dose 2 was settled"
        case .windowOver: "the window was over"
        case .tooLate: "no longer true"
        case .disabled: "switched off"
        }
    }

    static func completion(_ completion: PreSleepCompletion) -> String {
        switch completion {
        case .complete: "complete"
        case .partial: "partial"
        case .skipped: "skipped"
        }
    }

    static func level(_ level: Supply.Level) -> String {
        switch level {
        case .ok: "ok"
        case .low: "low"
        case .critical: "critical"
        case .empty: "empty"
        case .unknown: "unknown"
        }
    }

    static func urgency(_ urgency: ReminderID.Urgency) -> String {
        switch urgency {
        case .normal: "normal"
        case .critical: "critical"
        }
    }

    package static func phase(_ phase: Phase) -> String {
        switch phase {
        case .finalizing: "final wake recorded"
        case .completed: "done for tonight"
        case .noDose1: "no dose 1 yet"
        case .beforeWindow: "before the window"
        case .closed: "window closed"
        case .nearClose: "window closes soon"
        case .active: "window open"
        }
    }

    /// What became of a dose 2 that nobody had, as far as that is settled.
    package static func withoutDose2(isSkipped: Bool, _ outcome: NightOutcome?) -> String? {
        isSkipped ? "skipped" : outcome == .notRecorded ? "not recorded" : nil
    }

    package static func outcome(_ outcome: NightOutcome) -> String {
        switch outcome {
        case .onTime: "on time"
        case .early: "early"
        case .late: "late"
        case .skipped: "skipped"
        case .notRecorded: "dose 2 not recorded"
        case .pending: "still open"
        case .onceNightly: "one dose a night"
        case .noDose1: "no dose 1"
        case .anomaly: "dose 2 before dose 1"
        }
    }

    static func grade(_ grade: NightScore.Grade) -> String {
        switch grade {
        case .excellent: "excellent"
        case .good: "good"
        case .fair: "fair"
        case .needsWork: "needs work"
        }
    }

    static func terminal(_ state: TerminalState) -> String {
        switch state {
        case .checkinCompleted: "checked in"
        case .incompleteMissedCheckin: "no check-in"
        case .incompletePrepRollover: "closed by the next evening"
        case .incompleteSleptThrough: "dose 2 not recorded"
        case .finalizingWake: "awake"
        case .backfilled: "entered later"
        }
    }

    /// Where an entry came from: `from the command line`.
    static func from(_ surface: String?) -> String {
        guard let surface else { return "from an unknown place" }
        return switch Surface(rawValue: surface) {
        case .cli: "from the command line"
        case .dbus: "from another program"
        case .notification: "from a notification"
        case .hook: "from a hook"
        case .plugin: "from a plugin"
        case .importer: "imported"
        case .service: "by the service itself"
        case nil: "from \(SafeText.line(surface))"
        }
    }

    /// What is asked before something is recorded all the same.
    static func question(_ confirmation: Confirmation) -> String {
        switch confirmation {
        case .early: "Record it although it is too early?"
        case .late: "Record it although the window has closed?"
        case .afterSkip: "Record it although dose 2 was skipped?"
        case .afterWake: "Record it although the final wake or the check-in is on record?"
        case .extra: "Record an extra dose?"
        case .extraUnderstood: "Do you understand that this is one more than prescribed?"
        case .overLimit: "Record an amount over the label's limit?"
        case .onceNightly: "Record a second dose although one a night is prescribed?"
        case .longAgo: "Is it really that long ago?"
        case .duplicate: "Record the same once more?"
        case .windowUnresolved: "Record it although dose 2 is still open?"
        case .clockSuspect: "Is the clock right?"
        case .nightBegun: "Change the number of doses of tonight?"
        case .undoDose: "Take this dose off the record?"
        case .restore: "Replace the record by this backup?"
        case .otherRecord: "Replace the record by one of another origin?"
        case .wipe: "Delete all data."
        }
    }

    /// `1 of 3`.
    static func snoozes(_ status: NightStatus) -> String {
        // A night may have more than its limit allows by now: the setting was changed.
        status.snoozeCount > status.snoozeLimit
            ? "\(status.snoozeCount)" : "\(status.snoozeCount) of \(status.snoozeLimit)"
    }

    /// `wellness 64 of 100, 4 of its 5 answers by default`; nil where there is no score.
    static func wellness(_ metadata: JSONObject) -> String? {
        guard let score = metadata["wellness_score"]?.integerValue else { return nil }
        let assumed = metadata["wellness_defaults"]?.arrayValue?.count ?? 0
        let mark = assumed == 0 ? "" : ", \(assumed) of its \(WellnessScore.keys.count) answers by default"
        return "wellness \(score) of 100\(mark)"
    }
}

/// What stands before a command on a line of its own. Such a line is copied as a whole, so it is never broken.
package enum CommandLead {
    package static let next = "Next: "
    package static let attempt = "Try: "
    package static let olderNights = "Older nights: "
    /// Before the command that records it all the same.
    package static let unlessWrong = "Only if "

    /// Before the next step of a night.
    static func of(_ moment: NextStep.Moment) -> String {
        switch moment {
        case .now: next
        case .onceTaken: "Once it is taken: "
        case .inTheMorning: "In the morning: "
        }
    }

    /// Whether a line is one of these.
    static func begins(_ line: some StringProtocol) -> Bool {
        [next, of(.onceTaken), of(.inTheMorning), attempt, unlessWrong, olderNights, "dosetap "].contains {
            line.hasPrefix($0)
        }
    }
}
