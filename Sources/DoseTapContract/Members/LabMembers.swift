internal import DoseTapDomain
package import SDBus

extension Contract {
    package enum Lab {
        private static let name = InterfaceName.lab

        package static let register = Method(
            name, "Register", records: true, takes: Parameter<VariantEntries>("question"), options, gives: receipt,
            summary: "Records a question about the nights to come.",
            details: """
                What is compared is exposure: interval (between the doses), late_meal, alcohol, bedtime, split (the share of
                dose 1) or screens. The outcome of the day after is rested, clarity, wellness, grogginess or nap_minutes. Before
                its nights are complete nothing but their number is told.

                question: exposure s, outcome s; optional nights x, 60 (if left out) to 730, and from_date s, which is the next
                night that has not begun.

                InvalidInput: an unknown word, or a night that is past.

                receipt: metadata has exposure s, outcome s, nights x, from_date s.
                """)

        package static let plan = Method(
            name, "Plan", records: true, takes: Parameter<VariantEntries>("plan"), options, gives: receipt,
            summary: "Records a plan: a routine in one night of each pair, as usual in the other.",
            details: """
                A seed draws the order of each pair: the highest bit of each number of SplitMix64 from the seed is 0 where the
                routine comes first.

                plan: routine s (screens, late_meal, caffeine_end, room, nap, bedtime_earlier, bedtime_later), outcome s as in
                Register, seed x, 0 to 2^53 - 1; optional pairs x, 14 (if left out) to 180, and from_date s, the first night:
                the next one that has not begun, if left out, at most 60 days ahead.

                InvalidInput: another routine. What is prescribed is no routine: a plan of doses, amounts or intervals is
                refused with a sentence that says so.

                receipt: metadata has routine s, outcome s, pairs x, seed x, from_date s.
                """)

        package static let recordAnswer = Method(
            name, "RecordAnswer", records: true, takes: Parameter<VariantEntries>("night"), options, gives: receipt,
            summary: "Records what was kept of a plan in a night.",
            details: """
                A night counts as it was planned; what was kept is told beside the answer. What was said last of a night counts.

                night: kept s (a: with the routine, b: as usual, neither); optional night_date s, the present session date if
                left out, and plan_id s, the newest plan with that night if left out.

                NotFound: there is no such plan. InvalidInput: the night is none of the plan, or lies ahead.

                receipt: metadata has plan_id s, night_date s, kept s.
                """)

        package static let list = Method(
            name, "List", takes: Parameter<UInt32>("limit"), gives: Parameter<[WireObject]>("entries"),
            summary: "Returns the questions, the plans and what was kept of them, newest first.",
            details: """
                limit: at most so many of each, 1 to 1000. entries: as those of History.Show, with the type lab_question,
                lab_plan or lab_night. A question or plan that was deleted comes with withdrawn b true in its metadata: it
                still counts among those that are judged together. Answers follow from them and from the nights of Data.Export: the service calculates none.
                """)

        package static let recordings: [Recording] = [
            (.labRegistered, register), (.labPlanned, plan), (.labAnswered, recordAnswer),
        ]

        package static let interface = Interface(
            name: name,
            summary: """
                The lab: questions to the record that are asked before their nights, and plans of routines. Nothing here changes
                a night, a reminder or a dose. Entries are deleted and undone with the interface Session.
                """,
            members: recordings.map(\.row.member) + [list.member])
    }
}
