internal import DoseTapDomain
package import SDBus

extension Contract {
    package enum Diary {
        private static let name = InterfaceName.diary

        package static let logSleepEvent = Method(
            name, "LogSleepEvent", records: true, takes: Parameter<String>("type"), options, gives: receipt,
            summary:
                "Records a sleep event, such as bathroom, lights_out or nap_start. Opens a session if none is open.",
            details: """
                type: in_bed, lights_out, wake_temp, bathroom, water, snack, nap_start, nap_end, anxiety, dream, heart_racing,
                noise, temperature, pain, or a type of the setting sleep_events.custom. Case, blanks and hyphens do not matter,
                and common other spellings are known: "Lights Out", "brief wake". wake_final, also "wake", is
                Session.LogFinalWake.

                InvalidInput: the type is unknown (details: nearest as, where any is near). Refused (cooldown): a live repeat
                of bathroom, water or snack within 60 seconds (details: remaining_s x); never with a time before now. Refused
                (nap_open): nap_start while a nap is open.

                receipt: for the end of a nap, metadata has nap_min x, its length in whole minutes.
                """)

        package static let saveCheckIn = Method(
            name, "SaveCheckIn", records: true, takes: Parameter<VariantEntries>("answers"), options, gives: receipt,
            summary: "Records the answers of the morning and ends the session at its time.",
            details: """
                A question without an answer counts as its default. A second check-in of the same night changes the answers it
                has. The questions are home-made and not validated.

                answers: by the keys of Questions("morning"): codes and texts as s, lists as as, numbers as any integer or d,
                yes or no as b, moments as t or ISO 8601, places that hurt as text or a{sv}. An empty text removes an answer.

                options: also night s, the date or the id of the night; without it the present night, or the last one that
                ended within 24 hours. A nap or another session by day gives way to the night before it.

                RequiresConfirmation: window_unresolved where dose 2 is neither taken nor skipped; the reminders then continue
                until it is settled. InvalidInput: an unknown key or code, or a value out of range, named with the nearest valid
                one; then nothing is recorded. NotFound: there is no such night.

                receipt: metadata has answers a{sv}, defaults as, and, where any of its questions was answered, wellness_score
                x, 0 to 100, with wellness_defaults as; dose2_not_recorded as in LogFinalWake, where no final wake has it.
                """)

        package static let savePreSleep = Method(
            name, "SavePreSleep", records: true, takes: Parameter<VariantEntries>("answers"), options, gives: receipt,
            summary: "Records the answers of the evening. A question without an answer stays unknown.",
            details: """
                The log belongs to the session that begins within 120 minutes after it. A log saved again within 120 minutes
                is continued. No dose waits for it.

                answers: by the keys of Questions("pre_sleep"), as for SaveCheckIn. options: also completion s: complete (if
                left out), partial or skipped; one that is skipped has no answers.

                receipt: metadata has answers a{sv}, completion_state s, and plan_over_limit as (dose, night) where the noted
                plan passes the label's limit for one dose or one night.
                """)

        package static let questions = Method(
            name, "Questions", takes: Parameter<String>("kind"), gives: Parameter<[WireObject]>("questions"),
            summary: "Returns the questions of one kind, in the order in which they are asked.",
            details: """
                kind: morning or pre_sleep.

                questions: for each key s, kind s (integer, number, boolean, choice, choices, text, instant, pains), prompt s;
                where there is one default v, hint s, title s (asked together), column s, codes as with labels as, minimum and
                maximum, step x, unit s, characters x; asked_if s, the question it depends on, with asked_if_is v or
                asked_if_is_not v, the answer, or any answer where both are left out.
                """)

        package static let napOpenSince = Property(
            "NapOpenSince", UInt64(0), summary: "The start of the nap of this night that has no end yet.")
        package static let checkInPending = Property(
            "CheckInPending", false,
            summary: "Whether the final wake is recorded, or the last night ended, without a check-in.")

        /// Kinds of entries that are recorded from one object with their content. The service serves these rows, and the client
        /// sends them.
        package static let recordings: [Recording] = []

        package static let interface = Interface(
            name: name, summary: "Entries beside the doses.",
            members: [
                logSleepEvent.member, saveCheckIn.member, savePreSleep.member, questions.member, napOpenSince.member,
                checkInPending.member,
            ] + recordings.map(\.row.member))
    }
}
