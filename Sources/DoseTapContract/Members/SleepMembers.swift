internal import DoseTapDomain
package import SDBus

extension Contract {
    package enum Sleep {
        private static let name = InterfaceName.sleep

        package static let record = Method(
            name, "Record", records: true, takes: Parameter<VariantEntries>("sleep"), options, gives: receipt,
            summary: "Records a sleep as a device, another program or the person tells it.",
            details: """
                It opens, wakes and closes nothing, and no reminder follows from it. It belongs to the session with which it
                shares most time, else to the session date of its middle.

                sleep: source s; start and end, t or ISO 8601, at most 24 hours apart; optional device s, part s (main, nap,
                unknown), grade s (measured by an instrument of sleep, estimated, told), offset_minutes (that of UTC at the
                start), and one of stages, 1 to 1000 of [stage s, from x, to x], milliseconds from the start, in their order,
                and durations a{sv}, seconds by stage. A stage is awake, light, deep, rem, asleep, in_bed or unknown; in_bed
                may lie under others. The option at may be left out, or is the start.

                InvalidInput names what is wrong. Refused (future): the end lies ahead.

                receipt: metadata as that of the entry in History.Show: sleep_source s, device s, part s, grade s, end_utc t, sleep
                a{sv} as sleep_diary there, stage_s a{sv}, and for stages also stages av of a{sv} (stage s, start_utc t,
                end_utc t).
                """)

        package static let records = Method(
            name, "Records", takes: Parameter<UInt32>("limit"), gives: Parameter<[WireObject]>("entries"),
            summary: "Returns the recorded sleep, newest first.",
            details: "limit: at most so many, 1 to 1000. entries: as those of History.Show, without their stages.")

        package static let reportStage = Method(
            name, "ReportStage", takes: Parameter<String>("stage"), options,
            gives: Parameter<WireObject>("live"),
            summary: "Takes note of the present stage of sleep, in memory only.",
            details: """
                It is recorded nowhere, moves no reminder, no alarm and no target, and ends with the service. stage: awake,
                light, deep or rem. options: none yet. live: stage s, freshness s (green up to 5 minutes after the report,
                yellow up to 15, then unknown), age_min x. Session.Status has it as live_stage. InvalidInput: another word
                (details: nearest as).
                """)

        package static let recordings: [Recording] = [(.sleepRecorded, record)]

        package static let interface = Interface(
            name: name,
            summary: """
                Sleep from outside: what devices, other programs and the person tell of it. It stands beside the sleep diary
                and is never put together with it. Entries are amended (note), deleted and undone with the interface Session.
                """,
            members: recordings.map(\.row.member) + [records.member, reportStage.member])
    }
}
