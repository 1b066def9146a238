-- Whole hours that are rolled up are read from there, the rest check by check.
SELECT
    asked.number,
    coalesce(sum(part.checks), 0)::bigint AS checks,
    coalesce(sum(part.responses), 0)::bigint AS responses,
    coalesce(sum(part.response_us), 0)::float8 AS response_us,
    coalesce(sum(part.ttfbs), 0)::bigint AS ttfbs,
    coalesce(sum(part.ttfb_us), 0)::float8 AS ttfb_us
FROM unnest($1, $2, $3) WITH ORDINALITY AS asked (domain_id, since, until, number)
LEFT JOIN uptime_rollup_progress AS p ON p.domain_id = asked.domain_id
CROSS JOIN LATERAL (
    SELECT date_trunc('hour', asked.since + interval '1 hour' - interval '1 microsecond', 'UTC') AS since
) AS whole
CROSS JOIN LATERAL (
    SELECT greatest(date_trunc('hour', least(asked.until, coalesce(p.rolled_until, '-infinity')), 'UTC'), whole.since) AS until
) AS rolled
LEFT JOIN LATERAL (
    SELECT u.counts[1] AS checks, u.samples[1] AS responses, u.micros[1] AS response_us,
        u.samples[5] AS ttfbs, u.micros[5] AS ttfb_us
    FROM uptime_rollups AS u
    WHERE u.domain_id = asked.domain_id AND u.grain = 'hour'
        AND u.starts_at >= whole.since AND u.starts_at < rolled.until
    UNION ALL
    SELECT 1, (timed.response IS NOT NULL)::integer, timed.response, (timed.ttfb IS NOT NULL)::integer, timed.ttfb
    FROM (
        SELECT
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.response_ms * 1000)::bigint END AS response,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.ttfb_ms * 1000)::bigint END AS ttfb
        FROM (
            SELECT * FROM uptime_checks AS c
            WHERE c.domain_id = asked.domain_id
                AND c.checked_at >= asked.since AND c.checked_at < least(whole.since, asked.until)
            UNION ALL
            SELECT * FROM uptime_checks AS c
            WHERE c.domain_id = asked.domain_id
                AND c.checked_at >= greatest(rolled.until, whole.since) AND c.checked_at < asked.until
        ) AS c
    ) AS timed
) AS part ON true
GROUP BY asked.number
ORDER BY asked.number
