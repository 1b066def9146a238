SELECT rolled.grain, rolled.starts_at, rolled.region, rolled.counts, rolled.least_us, rolled.most_us,
    CASE WHEN asked.is_timed THEN rolled.samples END AS samples,
    CASE WHEN asked.is_timed THEN rolled.micros END AS micros
FROM unnest($2, $3, $4, $5) AS asked (grain, since, until, is_timed)
CROSS JOIN LATERAL (
    SELECT u.*
    FROM uptime_rollups AS u
    WHERE u.domain_id = $1 AND u.grain = asked.grain
        AND u.starts_at >= asked.since AND u.starts_at < asked.until
        AND ($6 IS NULL OR u.region = $6)
    OFFSET 0 -- Range by range, as the primary key has them.
) AS rolled
