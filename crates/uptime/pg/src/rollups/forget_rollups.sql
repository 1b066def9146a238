-- Domain by domain and grain by grain, as the primary key has them.
DELETE FROM uptime_rollups AS u
USING uptime_rollup_progress AS progress
CROSS JOIN unnest(ARRAY['hour', 'day', 'month', 'quarter']) AS rolled (grain)
WHERE u.domain_id = progress.domain_id AND u.grain = rolled.grain AND u.starts_at < day_before($1, $2)
