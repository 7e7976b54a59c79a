import DoseTapContract
import DoseTapDomain

/// The texts of the contract's documents that are not in its rows. The words of the contract have exhaustive switches,
/// so a new word does not compile before it is described.
enum ContractWords {
    struct Item {
        let word: String
        var type = ""
        let meaning: String
    }

    struct Section {
        let title: String
        let text: String
        var items: [Item] = []
    }

    static let before: [Section] = [
        Section(
            title: "General",
            text: """
                The service owns the name org.dosetap.DoseTap1 on the session bus of one person and serves one object,
                /org/dosetap/DoseTap1. Only that person may call it. Members and keys are only added, never changed or removed;
                the property Version of the interface Service is raised with every added member.

                Instants have the type t: microseconds since 1970 UTC; 0 means none. Dictionaries have the keys of the JSON that
                dosetap(1) prints; a key whose value is null there is left out. Callers ignore keys that they do not know. The
                service does not: it refuses a call with an unknown option, and the error names the option.

                A string may have 64 KiB, an array 1000 elements; more is InvalidInput.
                """),
        Section(
            title: "Options of the calls that record an entry",
            text: "The last argument of a call that records an entry is a dictionary of options:",
            items: [
                Item(word: "at", type: "t", meaning: "When it happened; now if it is left out."),
                Item(word: "ago", type: "b", meaning: "The caller said how long ago it was, not a time of day."),
                Item(
                    word: "time_zone", type: "s",
                    meaning: "The zone of that moment, such as America/New_York; if left out, the zone of the service."),
                Item(word: "confirm", type: "as", meaning: "The confirmations given, such as early."),
                Item(
                    word: "key", type: "s",
                    meaning: """
                        An idempotency key: the same call with the same key returns the first receipt again. The option at may
                        have moved on by as much as time has passed, within a minute.
                        """),
                Item(word: "amount_mg", type: "u", meaning: "The amount in milligrams."),
                Item(
                    word: "amount", type: "s",
                    meaning: """
                        The amount with its unit: 2.25g, 4.5mL, 2 tablets. Millilitres and tablets need a known concentration.
                        """),
                Item(word: "note", type: "s", meaning: "A note of at most 4000 characters."),
                Item(word: "reason", type: "s", meaning: "A reason."),
                Item(word: "dry_run", type: "b", meaning: "Decide and answer, and record nothing."),
                Item(
                    word: "surface", type: "s",
                    meaning: "The kind of the caller: \(surfaces); dbus if it is left out."),
            ]),
        Section(
            title: "Receipts of the calls that record an entry",
            text: """
                A receipt has at least event_id s, type s, session_id s, session_date s, timestamp t, phase s, duplicate b,
                time_zone s, the zone in force, and handle s, the short name of the entry, where it stands; night_zone s, where
                the zone of the night, in which its times are told, is another one. The receipt of an undo, an amendment or a deletion also
                has corrected a{sv}: type s of the entry, counted_at t before, counts_at t since, 0 where it does not stand. After
                these and a snooze, while a second dose is due, it also has window_opens t, window_closes t and alarm_time t.
                """),
        Section(
            title: "Names of entries",
            text: """
                Where a call takes the id of an entry, it also takes a handle: dose1 or dose2 of the newest night, "last" for the
                entry recorded last, "last bathroom" for the last one of a type, the last 4 or more characters of the id among
                the newest nights, or the first 8 or more. If several entries have it, the error is InvalidInput; if none has it,
                NotFound.
                """),
    ]

    static let after: [Section] = [
        Section(
            title: "Kinds of questionnaires", text: "The argument of Diary.Questions is one of:",
            items: Questionnaire.Kind.allCases.map { Item(word: $0.rawValue, meaning: $0.meaning) }),
        Section(
            title: "Confirmations",
            text: """
                RequiresConfirmation names the questions that have to be answered before the entry is recorded. The option
                confirm holds the answers:
                """,
            items: Confirmation.allCases.map { Item(word: $0.rawValue, meaning: $0.meaning) }),
        Section(
            title: "Reminders",
            text: "The ids of reminders, with their times in minutes after dose 1:",
            items: ReminderID.allCases.map { Item(word: $0.rawValue, meaning: $0.meaning) }),
        Section(
            title: "Next steps", text: "The step of what can safely be done next is one of:",
            items: NextStep.Code.allCases.map { Item(word: $0.rawValue, meaning: $0.meaning) }),
        Section(
            title: "Remedies",
            text: "The remedy_code of a finding is one of:",
            items: Remedy.allCases.map { Item(word: $0.rawValue, meaning: $0.meaning) }),
        Section(
            title: "Types of events", text: "The types of the events in the log, which Session.EventRecorded tells:",
            items: EventType.allCases.map { Item(word: $0.rawValue, meaning: $0.meaning) }),
        Section(
            title: "Errors",
            text: """
                The name of an error is org.dosetap.DoseTap1.Error, a full stop and one of the words below. Its body is sa{sv}: a
                sentence for people, and details. The sentence ends with [confirm: early] or [reason: dose1_required] where there
                are confirmations or a reason. No error names a command: what comes next is said by each surface in its own way.
                Any error may have kept b, true where the entry is kept outside the record until the store takes it.
                """,
            items: ServiceError.Kind.allCases.map { Item(word: $0.rawValue, meaning: $0.meaning) }),
        Section(
            title: "Reasons of Refused", text: "The detail reason is one of:",
            items: BlockReason.allCases.map { Item(word: $0.rawValue, meaning: $0.meaning) }),
    ]

    private static var surfaces: String {
        Surface.allCases.filter { ![.service, .dbus].contains($0) }.map(\.rawValue).joined(separator: ", ")
    }
}

extension NextStep.Code {
    fileprivate var meaning: String {
        switch self {
        case .status: "Look at the status again: nothing can safely be recorded yet."
        case .follow: "Wait, and watch the status."
        case .doctor: "Look at what Service.Doctor finds: nobody knows what the log holds."
        case .show: "Look at the night of session_date."
        case .logDose1: "Record dose 1, once it is taken."
        case .logDose2: "Record dose 2, once it is taken."
        case .logExtra: "Record an extra dose, once it is taken."
        case .skip: "Record that dose 2 was skipped."
        case .wake: "Record the final wake, in the morning."
        case .checkIn: "Answer the morning check-in."
        }
    }
}

extension Remedy {
    fileprivate var meaning: String {
        switch self {
        case .openSession: "Log in to a session with a bus, and start the service there."
        case .repairBus: "Look at the address of the session bus, or log in anew."
        case .installService: "Install the service."
        case .startService: "Start the service, and have it started at each login."
        case .restartService: "Restart the service."
        case .readStatus: "Read the warnings of the status."
        case .repairStore: "Repair the record."
        case .makeWritable: "Make the folder of the record writable."
        case .unlockKeyring: "Unlock the keyring."
        case .checkSettings: "Correct the settings that are not in force."
        case .enablePlugin: "Switch the plugin on."
        case .inspectPlugin: "Look at the last error of the plugin."
        case .freeSpace: "Free some space on the disk of the record."
        case .backUp: "Make a backup."
        case .testNotification: "Show a test notification."
        case .startNotificationServer: "Start a notification server."
        case .restartNotificationServer: "Restart the notification server."
        case .endDoNotDisturb: "Switch do-not-disturb off."
        case .testSound: "Play a test tone."
        case .startSoundServer: "Start PipeWire or PulseAudio."
        case .allowSoundCard: "Start PipeWire, or put the person into the group that may use the sound card."
        case .protectPlayer: "Choose a player that only the person or root can change."
        case .replacePlayer: "Install the player that was chosen, or choose another."
        case .installPlayer: "Install a program that plays sounds."
        case .unmute: "Unmute the sound."
        case .raiseVolume: "Turn the volume up."
        case .preventSleep: "Prevent the computer from sleeping: charger, lid, automatic suspend."
        case .stayAwake: "Keep the computer awake until dose 2 is taken or skipped."
        case .plugIn: "Plug in the charger."
        case .leaveLidOpen: "Leave the lid open, or change what logind does when it is closed."
        case .compareClock: "Look at another clock before anything is taken."
        case .synchroniseClock: "Synchronise the clock by the network."
        case .linger: "Let the service of the person stay after the logout."
        }
    }
}

extension Questionnaire.Kind {
    fileprivate var meaning: String {
        switch self {
        case .morning: "The questions of the morning check-in, for Diary.SaveCheckIn."
        case .preSleep: "The questions of the evening, for Diary.SavePreSleep."
        }
    }
}

extension Confirmation {
    fileprivate var meaning: String {
        switch self {
        case .early: "The dose is less than 150 minutes from another dose of oxybate."
        case .late: "The window for dose 2 has closed."
        case .afterSkip: "Dose 2 is on record as skipped."
        case .afterWake: "The night has its final wake or its check-in."
        case .extra: "It is a dose more than prescribed, or the first dose of a date whose night is over."
        case .extraUnderstood: "The person has understood that it is a dose more than prescribed. It comes with extra."
        case .overLimit: "The dose or the night is above the limit of the label."
        case .onceNightly: "The regimen has one dose a night, and it is on record."
        case .longAgo: "The time is more than seven days ago."
        case .duplicate: "The same ingredient, or the same discarded item, is on record less than five minutes apart."
        case .windowUnresolved: "Dose 2 is neither recorded nor skipped, and its reminders continue."
        case .clockSuspect:
            """
            The clocks leave doubt how much time has passed, or the clock stands before the newest entry. The answer is
            clock_suspect=right or clock_suspect=wrong, which says whether the computer's clock is right.
            """
        case .nightBegun: "The present night began with another number of doses, and the regimen would change it."
        case .undoDose: "A second undo in a row, or one after a declined entry, would remove a dose."
        case .restore: "A backup takes the place of the record, which is kept beside it."
        case .otherRecord: "The backup is of another record than the present one. It comes with restore."
        case .wipe: "All data would be deleted."
        }
    }
}

extension ReminderID {
    fileprivate var meaning: String {
        switch self {
        case .windowOpen: "150: the window for dose 2 is open."
        case .preAlarm: "5 before the alarm."
        case .alarm: "The target, or what the snoozes made of it."
        case .followup1: "2 after the alarm."
        case .followup2: "4 after the alarm."
        case .followup3: "6 after the alarm."
        case .alarmRepeat: "Every 5 after the last follow-up."
        case .closing15: "225: 15 minutes are left."
        case .closing5: "235: 5 minutes are left."
        case .windowClosed: "240: the window is closed."
        case .checkIn: "The final wake or the usual wake time: the check-in is open."
        }
    }
}

extension EventType {
    fileprivate var meaning: String {
        switch self {
        case .sessionOpened: "A session began."
        case .sessionClosed: "A session ended."
        case .doseRecorded: "Dose 1, dose 2 or an extra dose."
        case .doseSkipped: "A skip of dose 2, by the person or because the window passed."
        case .snoozeRecorded: "A snooze of the alarm."
        case .finalWakeRecorded: "The final wake of the night."
        case .sleepEventRecorded: "A sleep event, such as bathroom."
        case .checkinRecorded: "The answers of the morning."
        case .preSleepRecorded: "The answers of the evening."
        case .medicationRecorded: "A medicine beside the doses."
        case .regimenSet: "A prescribed regimen."
        case .inventoryRecorded: "Bottles, a poured cup, a counted stock, or a discarded item."
        case .sleepRecorded: "Sleep as a device, another program or the person tells it."
        case .labRegistered: "A question of the lab."
        case .labPlanned: "A plan of the lab."
        case .labAnswered: "What was kept of a plan in a night."
        case .entryAmended: "A correction of an entry."
        case .entryDeleted: "The deletion of an entry."
        case .actionUndone: "The undo of an entry."
        case .settingChanged: "A setting of the night changed."
        case .reminderFired: "A reminder was due and was sent."
        case .reminderDropped: "A reminder was due and was not sent."
        case .reminderDelivered: "A channel delivered a reminder."
        case .reminderAcknowledged: "A reminder was answered."
        case .clockStepped: "The clock was set, or it is in doubt."
        case .storeRestored: "The store is older than what was written to it before."
        case .importRecorded: "A file was taken in, or an import was taken back."
        }
    }
}

extension ServiceError.Kind {
    fileprivate var meaning: String {
        switch self {
        case .requiresConfirmation:
            """
            Nothing is recorded before the questions are answered. Details: confirmations as; would_record s, at t, and
            time_named b, true where that time was given; the same call with the option confirm answers them, which is
            never a next step: offer it apart, for a person who is sure; minutes_to_open u, left out for one dose too many; limit_mg x, sum_mg x; standing_id s, standing_at t, the entry in
            question; time_zone s, that of the night in question, in which the sentence tells its times;
            since_standing_s x and since_standing_most_s x, the least and the most time since that dose;
            session_date s, night_ended t of a night that is over; elapsed_s x, elapsed_most_s x and
            elapsed_by_clock_s x as in Status where the clocks leave doubt.
            """
        case .refused:
            """
            The rules do not allow it, and no confirmation changes that. Details: reason s; phase s; standing_id s, standing_at t
            and handle s, the entry in the way and its short name; remaining_s x; alarm_time t; time_zone s, that of the night
            in question, in which the sentence tells its times; session_date s and
            night_ended t of a night that is over; record_as s, the dose (dose1, dose2, extra_dose) as which one that was really
            taken can be recorded; window_closed t, where time alone recorded the skip.
            """
        case .notFound:
            """
            There is no such night, entry, plugin or channel. Details: name s, night s, plugin s or channel s, as it came in;
            plugin s beside channel s is the plugin of that channel, which is off; nearest as, the channels that may be meant.
            """
        case .nothingToDo:
            """
            There is nothing to undo or to answer. Details: session_date s, the night to look at instead; encrypted b, whether
            the record is, where a change of its key has nothing to do.
            """
        case .invalidInput:
            """
            An argument or an option is unknown or invalid. Nothing is recorded. Details: option s, and known as, what there is
            to choose from; word s and nearest as, for a word that is unknown; time_zone s, one that this machine does
            not know; key s, nearest as and written b, for a setting; complaints u, how many the settings have.
            """
        case .readOnly:
            """
            The store or a settings file cannot be written. Details: id s, enabled b, written b, file s, for a plugin; key s,
            written b, for a setting.
            """
        case .noSpace: "The disk of the store is full."
        case .storeUnavailable:
            """
            The store cannot be opened or used. Details: fault s, one of damaged, newer, foreign, altered and unavailable;
            with altered store s, its path, and statement s, the SQL that takes away what no version of DoseTap makes;
            open_directory s, a directory that other users can change; remedy s, what to do, in words.
            """
        case .outcomeUnknown: "A flush failed: whether the entry is on disk is unknown. Call again with the same key."
        case .locked:
            "Another service has the store or the name. Details: bus_name s, where no DoseTap service has that name."
        case .busy: "The service has more urgent work. Call again in a moment."
        case .timedOut: "The reader of a stream took nothing for too long."
        case .internal: "A fault of the service. Details: channel s, one that did not work; bus_error s."
        }
    }
}

extension BlockReason {
    fileprivate var meaning: String {
        switch self {
        case .dose1Required: "The night has no dose 1."
        case .dose1AlreadyTaken: "The night has a dose 1."
        case .dose2AlreadyTaken: "The night has a dose 2."
        case .alreadySkipped: "Dose 2 is skipped already."
        case .dose2TakenOrSkipped: "Dose 2 is taken or skipped."
        case .nearClose: "Too little of the window is left to snooze."
        case .snoozeLimit: "No snooze is left tonight."
        case .snoozeOff: "Snoozing is switched off."
        case .phase: "It does not fit the phase of the night."
        case .future: "The time lies in the future."
        case .cooldown: "The same was recorded a moment ago."
        case .napOpen: "A nap is open at that time."
        case .order: "The time does not fit the order of the entries."
        case .alreadyDiscarded: "It was thrown away before."
        case .alreadyUsed: "The cup was used up by a dose."
        case .windowOpen: "The dose window is open, or opens within 10 minutes. Details: retry_at t."
        }
    }
}
