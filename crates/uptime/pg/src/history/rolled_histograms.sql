SELECT rolled.grain, rolled.measure, rolled.starts_at, rolled.region, rolled.times
FROM unnest($2, $3, $4, $5) AS asked (grain, measure, since, until)
CROSS JOIN LATERAL (
    SELECT d.*
    FROM uptime_distributions AS d
    WHERE d.domain_id = $1 AND d.grain = asked.grain AND d.measure = asked.measure
        AND d.starts_at >= asked.since AND d.starts_at < asked.until
        AND ($6 IS NULL OR d.region = $6)
    OFFSET 0 -- Range by range, as the primary key has them.
) AS rolled
