package import SDBus

extension Contract {
    package enum Session {
        private static let name = InterfaceName.session

        package static let status = Method(
            name, "Status", takes: options, gives: Parameter<WireObject>("status"),
            summary: "Returns the state of tonight, for status bars and the command line.",
            details: """
                options: at t, another instant. For an instant in the past the entries recorded up to then count; one in the
                future shows what will be if nothing more is recorded.

                status: phase s, primary a{sv}, snooze a{sv}, skip a{sv}, elapsed_s x, remaining_s x, errors as, session_id s,
                session_date s, time_zone s (of the session), zone_in_force s (in which local times are read), rollover_hour u
                (local hour at which a date begins), dose1_time t, dose1_surface s, dose2_time t, dose2_surface s,
                dose2_skipped b (by the person), outcome s, pre_sleep a{sv} (at t, completion_state s), snooze_count u,
                terminal_state s, nap_open_since t, checkin_pending b, next_reminder a{sv}, date s (the session date of the
                instant), present_date s, next a{sv} (what can safely be done next: step s, one of the next steps below;
                session_date s of the night to show; when s: now, once_taken, in_the_morning), clearance av of a{sv} (kind s: earliest_drive, meal, alcohol, late_stimulant, prepared_cup;
                at t, until t, detail s, source s; detail at_least: a dose 2 that is not settled moves it).

                Where the clocks leave doubt how much time has passed, elapsed_s is the least, elapsed_most_s x the most and
                elapsed_by_clock_s x what the computer's clock says; certain b is then false.

                The status and every receipt have warnings av of a{sv}, the worst first: code s (no_channel, no_service, timer,
                store, settings, clock, other_doses, finding), message s. The code no_channel means that no reminder can reach the person.
                """)

        package static let logDose1 = Method(
            name, "LogDose1", records: true, takes: options, gives: receipt,
            summary: "Records the first dose of the night. Opens a session if none is open.",
            details: """
                Refused (dose1_already_taken): the session has a dose 1.

                RequiresConfirmation: early, within 150 minutes of any other dose of oxybate; extra, on a date whose night is
                over, and extra_understood too where that date has all its doses, both where the doses of other dates in the
                last twelve hours are as many (details: session_date, night_ended); over_limit, above the label's limits;
                long_ago, more than seven days back.

                The reply comes after the event is safely on disk.
                """)

        package static let logDose2 = Method(
            name, "LogDose2", records: true, takes: options, gives: receipt,
            summary: "Records the second dose.",
            details: """
                Refused (dose1_required): there is no dose 1.

                RequiresConfirmation: early, before the window; late, after the window; after_skip, after a skip; after_wake,
                after the final wake; once_nightly, with a once-nightly prescription. If a second dose is on record it is an
                extra dose and asks as LogExtraDose does. All questions that apply come together, and all must be confirmed.
                """)

        package static let logExtraDose = Method(
            name, "LogExtraDose", records: true, takes: options, gives: receipt,
            summary: "Records a dose after the second dose. The time of dose 2 stays as it is.",
            details: "RequiresConfirmation: always extra and extra_understood.")

        package static let snooze = Method(
            name, "Snooze", records: true, takes: options, gives: receipt,
            summary: "Postpones the alarm by one step.",
            details: "Refused, with the reason why it cannot be postponed, such as phase, near_close or snooze_limit.")

        package static let skipDose2 = Method(
            name, "SkipDose2", records: true, takes: options, gives: receipt,
            summary: "Records that the second dose is skipped. Its reminders end.",
            details: "Refused: there is no first dose, or a second dose or a skip is on record.")

        package static let logFinalWake = Method(
            name, "LogFinalWake", records: true, takes: options, gives: receipt,
            summary: "Records the final wake of the night.",
            details: """
                RequiresConfirmation: window_unresolved while a second dose is open in any night; its reminders then continue
                until it is settled.

                receipt: where nobody recorded dose 2, metadata has dose2_not_recorded a{sv} (window_closes t).
                """)

        package static let undo = Method(
            name, "Undo", records: true, takes: options, gives: receipt,
            summary: "Undoes the newest entry, if it was recorded within the undo window.",
            details: """
                receipt: metadata as of Amend and Delete.

                NothingToDo: there is none. RequiresConfirmation: undo_dose, where the call right before was an undo or an
                entry that was declined, and this one would remove a dose.
                """)

        package static let amend = Method(
            name, "Amend", records: true, takes: id, options, gives: receipt,
            summary: "Corrects the time (at), the amount (amount_mg) or the note (note) of an entry of any age.",
            details: """
                The original stays in the event log. Reminders are planned anew at once.

                id: the id or the handle of the entry. receipt: metadata has window_over b where the window of dose 1 is over by
                the new time, so that no reminder comes. NothingToDo: the entry has that time already. Refused (order): the time
                lies on the other side of another dose.
                """)

        package static let delete = Method(
            name, "Delete", records: true, takes: id, options, gives: receipt,
            summary: "Deletes an entry of any age; the original stays in the log.",
            details: """
                id: the id or the handle of the entry. receipt: metadata has skip_counts b where a skip of dose 2 counts again.
                Refused (order): it is a first dose whose second dose is on record.
                """)

        package static let phase = Property(
            "Phase", "no_dose1",
            summary: "no_dose1, before_window, active, near_close, closed, completed or finalizing.")
        package static let sessionID = Property(
            "SessionId", "", summary: "The id of the open session, or empty.")
        package static let sessionDate = Property(
            "SessionDate", "", summary: "The date of the open session, YYYY-MM-DD, or empty.")
        package static let dose1Time = Property("Dose1Time", UInt64(0), summary: "The time of the first dose.")
        package static let dose2Time = Property("Dose2Time", UInt64(0), summary: "The time of the second dose.")
        package static let dose2Skipped = Property(
            "Dose2Skipped", false, summary: "Whether the person skipped the second dose.")
        package static let snoozeCount = Property(
            "SnoozeCount", UInt32(0), summary: "The number of snoozes of this night.")
        package static let windowOpens = Property(
            "WindowOpens", UInt64(0), summary: "The time when the window for the second dose opens or opened.")
        package static let windowCloses = Property(
            "WindowCloses", UInt64(0), summary: "The time when the window for the second dose closes or closed.")
        package static let alarmTime = Property(
            "AlarmTime", UInt64(0), summary: "The time when the alarm is or was due, after all snoozes.")
        package static let terminalState = Property(
            "TerminalState", "",
            summary: """
                The end state of the session, such as finalizing_wake or incomplete_slept_through; empty if there is none yet.
                """)

        package static let eventRecorded = Signal(
            name, "EventRecorded", gives: Parameter<String>("type"), Parameter<String>("id"),
            Parameter<WireObject>("details"),
            summary: "An event is safely on disk.",
            details: """
                type: the type in the event log. id: the id of the event. details: only at t, when it happened. Everyone on
                the bus can receive signals; History.Why answers the rest.
                """)
        package static let phaseChanged = Signal(
            name, "PhaseChanged", gives: Parameter<String>("old"), Parameter<String>("new"),
            summary: "The phase of the night changed, because of an event or of the time.")

        package static let interface = Interface(
            name: name, summary: "Tonight. The properties follow every change, from whatever caller.",
            members: [
                status.member, logDose1.member, logDose2.member, logExtraDose.member, snooze.member, skipDose2.member,
                logFinalWake.member, undo.member, amend.member, delete.member, phase.member, sessionID.member,
                sessionDate.member, dose1Time.member, dose2Time.member, dose2Skipped.member, snoozeCount.member,
                windowOpens.member, windowCloses.member, alarmTime.member, terminalState.member, eventRecorded.member,
                phaseChanged.member,
            ])
    }
}
