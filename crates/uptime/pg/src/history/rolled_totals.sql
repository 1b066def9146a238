-- Columns, not rows: of a year by day a row costs more than what is in it.
SELECT
    coalesce(array_agg(u.starts_at), '{}') AS starts_at,
    coalesce(array_agg(u.counts[1]), '{}') AS totals
FROM uptime_rollups AS u
WHERE u.domain_id = $1 AND u.grain = $2 AND u.starts_at >= $3 AND u.starts_at < $4
    AND ($5 IS NULL OR u.region = $5)
