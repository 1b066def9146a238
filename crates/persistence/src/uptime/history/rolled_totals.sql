-- Columns, not rows: of a year by day a row costs more than what is in it.
SELECT asked.grain, rolled.starts_at, rolled.total
FROM unnest($2, $3, $4) AS asked (grain, since, until)
CROSS JOIN LATERAL (
    SELECT array_agg(u.starts_at) AS starts_at, array_agg(u.counts[1]) AS total
    FROM uptime_rollups AS u
    WHERE u.domain_id = $1 AND u.grain = asked.grain
        AND u.starts_at >= asked.since AND u.starts_at < asked.until
        AND ($5 IS NULL OR u.region = $5)
) AS rolled -- Range by range, as the primary key has them.
WHERE rolled.total IS NOT NULL
