import DoseTapDomain
import GRDB

/// What a query asks of a night besides when it began: one condition for all questions, so that one statement does.
struct SessionFilter {
    /// Of `sleep_sessions s` and `night_measures m`, with parameters from 6 on.
    static let condition = """
        AND (?6 IS NULL OR EXISTS (SELECT 1 FROM sleep_events WHERE session_id = s.session_id AND event_type = ?6))
        AND s.session_date >= ?7 AND s.session_date <= ?8
        AND (?9 OR instr(?10, ',' || m.outcome || ',') OR ?11 AND end_utc IS NULL
          OR ?12 AND EXISTS (SELECT 1 FROM dose_events WHERE session_id = s.session_id AND event_type = 'extra_dose')
          OR ?13 AND EXISTS (SELECT 1 FROM dose_events WHERE session_id = s.session_id AND event_type = 'snooze'))
        """

    /// The parameters of the condition.
    let arguments: StatementArguments

    /// Nil for a query that asks nothing more.
    init?(_ query: SessionQuery) {
        guard query.event != nil || query.dates != NightSpan() || !query.kinds.isEmpty else { return nil }
        let outcomes = Set(query.kinds.flatMap(\.outcomes)).flatMap(\.stored).sorted()
        arguments = [
            query.event, query.dates.first?.text ?? "", query.dates.last?.text ?? "~", query.kinds.isEmpty,
            outcomes.isEmpty ? "" : ",\(outcomes.joined(separator: ",")),", query.kinds.contains(.open),
            query.kinds.contains(.extra), query.kinds.contains(.snoozed),
        ]
    }
}
