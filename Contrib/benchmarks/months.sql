SELECT substr(session_date, 1, 7) AS month, count(*), sum(interval_ms), min(interval_ms), max(interval_ms)
FROM night_measures WHERE interval_ms >= 0 GROUP BY month ORDER BY month DESC
