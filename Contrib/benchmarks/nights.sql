SELECT s.session_id, s.session_date, start_utc, end_utc, terminal_state,
  (SELECT group_concat(event_type || ' ' || timestamp) FROM dose_events WHERE session_id = s.session_id),
  (SELECT time_zone FROM events WHERE session_id = s.session_id ORDER BY seq LIMIT 1),
  m.wellness_score,
  (SELECT group_concat(completion_state) FROM pre_sleep_logs WHERE session_id = s.session_id),
  m.outcome, m.night_score
FROM sleep_sessions s LEFT JOIN night_measures m ON m.session_id = s.session_id
WHERE start_utc >= '' AND start_utc < '~' AND (start_utc, s.session_id) < ('~', '')
ORDER BY start_utc DESC, s.session_id DESC LIMIT 31
