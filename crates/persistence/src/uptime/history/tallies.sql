-- Sums in arrays: a column costs a search for its name in every row.
SELECT told.grain, told.starts_at, told.region, told.least_us, told.most_us,
    ARRAY[told.total, told.up, told.down, told.degraded] AS counts,
    CASE WHEN told.is_timed THEN ARRAY[
        told.response_samples, told.dns_samples, told.connect_samples, told.tls_samples, told.ttfb_samples,
        told.download_samples
    ] END AS samples,
    CASE WHEN told.is_timed THEN
        ARRAY[told.response_us, told.dns_us, told.connect_us, told.tls_us, told.ttfb_us, told.download_us]
    END AS micros
FROM (
    SELECT asked.is_timed, rolled.*
    FROM unnest($2, $3, $4, $8) AS asked (grain, since, until, is_timed)
    CROSS JOIN LATERAL (
        SELECT u.*
        FROM uptime_rollups AS u
        WHERE u.domain_id = $1 AND u.grain = asked.grain
            AND u.starts_at >= asked.since AND u.starts_at < asked.until
            AND ($5 IS NULL OR u.region = $5)
        OFFSET 0 -- Range by range, as the primary key has them.
    ) AS rolled
    UNION ALL
    SELECT true, $1, 'hour', fresh.*
    FROM uptime_rollup($1, 'hour', $6, $7) AS fresh
    WHERE $5 IS NULL OR fresh.region = $5
) AS told
