package import SDBus

extension Contract {
    package enum Reminders {
        private static let name = InterfaceName.reminders

        package static let list = Method(
            name, "List", gives: Parameter<[WireObject]>("reminders"),
            summary: "Returns the reminders of the open night, or of the last night, in order of time.",
            details: """
                reminders: for each id s, due t, urgency s (normal, critical), state s (planned, fired, delivered,
                acknowledged, expired, dropped), fired_at t, late_ms x, channels as (those it reached), answer s (dose2, skip,
                snooze, checkin), seen b, reason s of a dropped one. Unknown values are left out.
                """)

        package static let acknowledge = Method(
            name, "Acknowledge", records: true, takes: id, options, gives: receipt,
            summary: "Records that the person saw the newest reminder with this id. The reminders continue.",
            details: """
                id: as in List. options: none yet. receipt: as List has it of one reminder, with reminders_continue b and
                message s.

                NotFound: no reminder with this id was sent tonight. NothingToDo: it was answered.
                """)

        package static let test = Method(
            name, "Test", records: true, takes: Parameter<String>("channel"), options, gives: receipt,
            summary: "Sends a test through a channel; the message says that it is a test.",
            details: """
                channel: journal, or a channel of another plugin. options: none yet. receipt: channel s, tested b.

                NotFound: there is no such channel; the sentence names those there are. Busy: another test of the channel
                runs.
                """)

        package static let nextReminder = Property(
            "NextReminder", UInt64(0), summary: "The time when the next reminder is due; 0 if there is none.")
        package static let nextReminderID = Property(
            "NextReminderId", "", summary: "The id of the next reminder; empty if there is none.")

        package static let fired = Signal(
            name, "Fired", gives: Parameter<String>("id"), Parameter<UInt64>("planned"), Parameter<UInt64>("fired"),
            summary: "A reminder was sent, and this is recorded.",
            details: "planned, fired: microseconds since 1970 UTC.")
        package static let dropped = Signal(
            name, "Dropped", gives: Parameter<String>("id"), Parameter<String>("reason"),
            summary: "A reminder was due and was not sent.",
            details: "reason: superseded, resolved, window_over, too_late, disabled.")

        package static let interface = Interface(
            name: name,
            summary: """
                The reminders of tonight and what became of them. Only a logged dose 2, a skip, a snooze or the end of the
                window ends the reminders of a window.
                """,
            members: [
                list.member, acknowledge.member, test.member, nextReminder.member, nextReminderID.member, fired.member,
                dropped.member,
            ])
    }
}
