-- As the primary key has them.
DELETE FROM uptime_distributions AS d
USING uptime_rollup_progress AS progress
CROSS JOIN unnest(ARRAY['hour', 'day', 'month', 'quarter']) AS rolled (grain)
CROSS JOIN unnest(ARRAY['response', 'dns', 'connect', 'tls', 'ttfb', 'download']) AS asked (measure)
WHERE d.domain_id = progress.domain_id AND d.grain = rolled.grain AND d.measure = asked.measure
    AND d.starts_at < day_before($1, $2)
