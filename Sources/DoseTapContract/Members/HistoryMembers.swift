package import SDBus

extension Contract {
    package enum History {
        private static let name = InterfaceName.history

        package static let findSessions = Method(
            name, "FindSessions", takes: options, gives: Parameter<[WireObject]>("sessions"), Parameter<String>("next"),
            summary: "Returns nights, newest first.",
            details: """
                options: from s and to s, session dates, both included; limit u, 1 to 1000 (30); cursor s, next of the reply
                before; with s, only nights with a sleep event of that type, wake_final included; only as, kinds of nights, of
                which any one will do: on_time, early, late, skipped, not_recorded, extra, snoozed, open.

                sessions: one dictionary per night with the columns of the session. next: the cursor of the following page;
                empty at the end.

                InvalidInput: an option is unknown or has no valid value; with is a type that does not exist and of which
                nothing is on record.
                """)

        package static let intervals = Method(
            name, "Intervals", takes: options, gives: Parameter<[String]>("keys"), Parameter<[UInt32]>("counts"),
            Parameter<[Double]>("means"), Parameter<[Double]>("shortest"), Parameter<[Double]>("longest"),
            summary: "Returns the intervals between the doses for each month or week, newest first.",
            details: """
                options: by s, month (the default) or week; from s and to s, session dates, both included.

                The results are arrays of one length, with an element for each month or week that has an interval: keys such as
                2026-01 or 2026-W03, counts of nights, and means, shortest and longest in minutes, to a tenth. Anomalies are
                left out.
                """)

        package static let show = Method(
            name, "Show", takes: Parameter<String>("what"), gives: Parameter<WireObject>("night"),
            summary: "Returns one night with all its entries.",
            details: """
                what: a session date, YYYY-MM-DD, the id of a session, or the id or the handle of an entry.

                NotFound: there is none. InvalidInput: several ids in several nights begin like that; the sentence names them.
                """)

        package static let stats = Method(
            name, "Stats", takes: options, gives: Parameter<WireObject>("statistics"),
            summary: "Returns statistics of past nights. A mean is one of the nights that have the value.",
            details: """
                options: range u, the newest so many nights, 1 to 10000 (30 if no dates are given, else all of them); from s
                and to s, session dates, both included; by s, week or month, for groups.

                statistics: nights x; from s, to s; counts a{sv} of nights by outcome (on_time, early, late, skipped,
                not_recorded, pending, once_nightly, no_dose1, anomaly) and optimal, all x; extra_doses x; compliance a{sv}
                (on_time x, of x, percent d); interval a{sv} (count x, mean_min d, median_min d, shortest_min d, longest_min d); target_min x;
                trend a{sv} (direction s: towards_target, away_from_target, stable; earlier_mean_min d, later_mean_min d);
                usual_interval_min x; night_score and wellness_score a{sv} (count x, mean d); sleep a{sv}: a count and a
                mean for each measure of the sleep diary; zones a{sv} (optimal, acceptable, non_compliant: total_sleep_min and
                wellness_score); intervals av of a{sv} (session_date s, interval_min x), oldest first; groups av of a{sv} (key
                s, and the keys above), newest first. Unknown values are left out.
                """)

        package static let why = Method(
            name, "Why", takes: id, gives: Parameter<WireObject>("explanation"),
            summary: "Explains one event of the log.",
            details: """
                id: the id of an event of any kind (an entry, a correction, a reminder, a closing), its first 8 or more
                characters, or the handle of an entry.

                explanation: event a{sv} (id s, type s, timestamp t, recorded_at t, surface s, metadata a{sv}), sequence x,
                entity_type s, session_id s, session_date s, time_zone s, the zone in force then; night_zone s, where that of
                the night is another one; sender s, pid x and comm s of the calling process; phase s and elapsed_s x of the
                night just before it; confirmations as; rules av of a{sv} (rule s, text s); standing s (stands, amended,
                deleted, undone, superseded); cause a{sv}, the event that it follows from or corrects; consequences and
                corrections av of a{sv}. Keys without a value are left out.

                NotFound: there is none. InvalidInput: several begin like that.
                """)

        package static let interface = Interface(
            name: name, summary: "Past nights. Nothing is recorded.",
            members: [findSessions.member, intervals.member, show.member, stats.member, why.member])
    }
}
