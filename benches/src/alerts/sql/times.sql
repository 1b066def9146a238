SELECT
    (
        SELECT sum(part.micros) / nullif(sum(part.samples), 0) / 1000
        FROM (
            SELECT u.samples[$4] AS samples, u.micros[$4] AS micros
            FROM uptime_rollups AS u
            WHERE u.domain_id = $1 AND u.grain = 'hour'
                AND u.starts_at >= asked.since AND u.starts_at < least(asked.until, p.rolled_until)
            UNION ALL
            SELECT 1, 1000 * CASE $4 WHEN 1 THEN c.response_ms ELSE c.ttfb_ms END
            FROM uptime_checks AS c
            WHERE c.domain_id = $1 AND c.checked_at >= greatest(asked.since, p.rolled_until) AND c.checked_at < asked.until
                AND c.outcome = 'up'
        ) AS part
    )::float8 AS value
FROM unnest($2, $3) WITH ORDINALITY AS asked (since, until, number)
CROSS JOIN (SELECT rolled_until FROM uptime_rollup_progress WHERE domain_id = $1) AS p
ORDER BY asked.number
