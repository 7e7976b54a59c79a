package import DoseTapDomain

/// The line of each journal entry that plugins write: stable sentences for people and for scripts that read the journal. No line
/// has notes, or names and amounts of medicines. The fields of an entry are words of the wire and stand at the place that sends
/// the entry.
package enum JournalText {
    // MARK: Events of the log

    /// - Parameters:
    ///   - sleepEvent: returns the word of the sleep event, if its name may be told.
    ///   - moments: the moments that show times.
    package static func recorded(_ event: Event, sleepEvent: (String) -> String, _ moments: Moments) -> String {
        switch event.payload {
        case .sessionOpened: "Session opened"
        case .sessionClosed(let payload): "Session closed: \(payload.state.rawValue)"
        case .doseRecorded(let payload): "Recorded \(payload.kind.rawValue)"
        case .doseSkipped(let payload):
            payload.isAutomatic ? "Dose 2 is not recorded 270 minutes after dose 1" : "Recorded a skip"
        case .snoozeRecorded: "Recorded a snooze"
        case .finalWakeRecorded: "Recorded the final wake"
        case .sleepEventRecorded(let payload): "Recorded a sleep event: \(sleepEvent(payload.type))"
        case .checkinRecorded(let payload):
            payload.amends == nil ? "Recorded the morning check-in" : "Changed the morning check-in"
        case .entry(let entry): entry.journalLine
        case .entryAmended: "Amended an entry"
        case .entryDeleted: "Deleted an entry"
        case .actionUndone: "Undid an action"
        case .settingChanged: "The rules of the night changed"
        case .reminderFired(let payload): "Reminder fired: \(payload.reminder.rawValue)"
        case .reminderDropped(let payload):
            "Reminder dropped: \(payload.reminder.rawValue), \(payload.reason.rawValue)"
        case .reminderDelivered(let payload):
            "Reminder delivered: \(payload.reminder.rawValue) by \(payload.channel)"
        case .reminderAcknowledged(let payload):
            "Reminder \(payload.reminder.rawValue) answered: \(payload.by.rawValue)"
        case .clockStepped(let payload):
            payload.suspect
                ? "Recorded although the clock stands before the newest entry"
                : payload.sentence(now: event.clock.wall, moments)
        case .storeRestored(let restored) where restored.isByPerson: "The record was restored from a backup"
        case .storeRestored: "The store is older than what was written before"
        case .importRecorded(let fact):
            fact.takesBack == nil
                ? "Imported from \(fact.source): \(Count.entries(fact.entries))"
                : "Took an import from \(fact.source) back: \(Count.entries(fact.entries))"
        }
    }

    /// Returns the line of an event that may have been written before.
    package static func again(_ line: String) -> String { "\(line) (written again after a restart)" }

    /// Returns the line of an event that is not in the log yet.
    package static func unsafe(_ event: Event) -> String {
        "Not yet safe on disk: \(event.type.rawValue) at \(event.effectiveAt.iso8601)"
    }

    /// Returns the line after care of the record failed. The line does not name the person's files and folders.
    package static func failed(_ member: String, _ error: StoreError) -> String { "\(member) failed: \(error.context)" }

    /// Returns the line of an event that was not in the log when the service stopped.
    package static func left(_ event: Event, in place: KeptPlace) -> String {
        let kept =
            switch place {
            case .reserve: "the reserve beside the store"
            case .configuration: "the configuration folder"
            case .journal: "the journal, without amounts and notes"
            }
        return
            "Stopped before the log took \(event.type.rawValue) at \(event.effectiveAt.iso8601): it is kept in \(kept)"
    }

    // MARK: The night

    package static func phase(_ old: Phase, _ new: Phase) -> String { "Phase \(old.rawValue) -> \(new.rawValue)" }

    /// Returns the line of a command that recorded nothing.
    package static func declined(_ command: String, _ failure: CommandFailure) -> String {
        switch failure {
        case .needsConfirmation(let question):
            "\(command) needs confirmation: \(question.confirmations.map(\.rawValue).joined(separator: ","))"
        case .refused(let reason, _): "\(command) refused: \(reason.rawValue)"
        case .invalidInput: "\(command) refused: invalid input"
        case .unknown(let word): "\(command) refused: no such \(word.what)"
        case .notFound: "\(command) refused: no such entry"
        case .nothingToDo: "\(command): nothing to do"
        }
    }

    package static func channelTested(_ channel: String) -> String {
        "Test of the channel \(channel): no reminder is due"
    }

    package static let timerFault = "No reminder will come: the timer for reminders cannot be armed"

    // MARK: The alarm and its hooks

    package static let alarmRings = "The alarm rings"
    package static let alarmSpeaks = "The alarm is spoken"
    package static let alarmHooks = "The alarm's hooks are run"
    package static let alarmPartner = "The alarm was not answered: somebody else is told"

    package static func alarmFault(_ rung: String, _ why: String) -> String {
        "The alarm's \(rung) did not work: \(why)"
    }

    package static func hookFailed(_ path: String, _ complaint: String) -> String { "The hook \(path) \(complaint)" }

    package static func hooksPassedOver(_ count: Int) -> String {
        "Hooks were not run for \(Count.events(count)): more than five minutes had passed"
    }

    package static func hookRefused(_ path: String, _ reason: String) -> String {
        "The hook \(path) is not run: \(reason)"
    }

    package static func unknownHookFolder(_ path: String, _ nearest: [String]) -> String {
        let meant = nearest.isEmpty ? "" : ". Did you mean \(nearest.joined(separator: " or "))?"
        return "Nothing in \(path) is ever run: there is no event of that name\(meant)"
    }

    // MARK: The machine

    package static let sleepAllowed = "The machine may sleep again"
    package static let machineSleeps = "The machine goes to sleep"
    package static let machineWoke = "The machine is awake again"
    package static let wakeTimerSet = "The machine is woken for the next reminder"

    package static func sleepHeldOff(_ locks: String) -> String { "Held off while dose 2 is open: \(locks)" }

    package static func sleepNotHeldOff(_ why: String) -> String {
        "Sleep cannot be held off while dose 2 is open: \(why)"
    }

    package static func wakeTimerRefused(_ why: String) -> String {
        "The computer cannot be woken from sleep for reminders: \(why)"
    }

    // MARK: Notifications

    package static func shown(by server: String, hasButtons: Bool) -> String {
        "Reminders are shown by \(server)\(hasButtons ? "" : ", without buttons")"
    }

    package static func notShown(_ why: String) -> String { "Reminders cannot be shown on the desktop: \(why)" }
    package static func pressIgnored(_ why: String) -> String { "A press on a notification was ignored: \(why)" }

    package static func screenUnknown(_ why: String) -> String {
        "What an earlier process left on the screen is not known: \(why)"
    }

    package static func screenForgotten(_ why: String) -> String {
        "What stands on the screen would be forgotten by a crash: \(why)"
    }
}
