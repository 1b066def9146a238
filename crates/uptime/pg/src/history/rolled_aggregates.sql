SELECT rolled.*
FROM unnest($2, $3, $4) AS asked (grain, since, until)
CROSS JOIN LATERAL (
    SELECT u.grain, u.starts_at, u.region, u.counts, u.least_us, u.most_us, u.samples, u.micros
    FROM uptime_rollups AS u
    WHERE u.domain_id = $1 AND u.grain = asked.grain
        AND u.starts_at >= asked.since AND u.starts_at < asked.until
        AND ($5 IS NULL OR u.region = $5)
    OFFSET 0 -- Range by range, as the primary key has them.
) AS rolled
