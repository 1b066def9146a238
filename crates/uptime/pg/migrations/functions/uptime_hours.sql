CREATE OR REPLACE FUNCTION uptime_hours(domain uuid, since timestamptz, until timestamptz)
RETURNS TABLE (
    starts_at timestamptz,
    region text,
    counts bigint[],
    least_us bigint,
    most_us bigint,
    samples bigint[],
    micros bigint[],
    response integer[],
    dns integer[],
    connect integer[],
    tls integer[],
    ttfb integer[],
    download integer[]
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT
        timed.starts_at,
        timed.region,
        ARRAY[
            count(*),
            count(*) FILTER (WHERE timed.outcome = 'up'),
            count(*) FILTER (WHERE timed.outcome = 'down'),
            count(*) FILTER (WHERE timed.outcome = 'degraded')
        ],
        min(timed.response),
        max(timed.response),
        ARRAY[
            count(timed.response), count(timed.dns), count(timed.connect), count(timed.tls), count(timed.ttfb),
            count(timed.download)
        ],
        ARRAY[
            coalesce(sum(timed.response), 0), coalesce(sum(timed.dns), 0), coalesce(sum(timed.connect), 0),
            coalesce(sum(timed.tls), 0), coalesce(sum(timed.ttfb), 0), coalesce(sum(timed.download), 0)
        ]::bigint[],
        array_agg(three_digits(timed.response)) FILTER (WHERE timed.response IS NOT NULL),
        array_agg(three_digits(timed.dns)) FILTER (WHERE timed.dns IS NOT NULL),
        array_agg(three_digits(timed.connect)) FILTER (WHERE timed.connect IS NOT NULL),
        array_agg(three_digits(timed.tls)) FILTER (WHERE timed.tls IS NOT NULL),
        array_agg(three_digits(timed.ttfb)) FILTER (WHERE timed.ttfb IS NOT NULL),
        array_agg(three_digits(timed.download)) FILTER (WHERE timed.download IS NOT NULL)
    FROM (
        SELECT
            date_trunc('hour', c.checked_at, 'UTC') AS starts_at,
            c.region,
            c.outcome,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.response_ms * 1000)::bigint END AS response,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.dns_ms * 1000)::bigint END AS dns,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.connect_ms * 1000)::bigint END AS connect,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.tls_ms * 1000)::bigint END AS tls,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.ttfb_ms * 1000)::bigint END AS ttfb,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.download_ms * 1000)::bigint END AS download
        FROM uptime_checks AS c
        WHERE c.domain_id = domain AND c.checked_at >= since AND c.checked_at < until
        OFFSET 0 -- Worked out once for each check, not wherever it is used.
    ) AS timed
    GROUP BY 1, 2
$$;
COMMENT ON FUNCTION uptime_hours (uuid, timestamptz, timestamptz) IS
    'The figures of the checks of a domain between two moments, by hour (UTC) and region: the columns of uptime_rollups, and each time of the checks that passed in microseconds, rounded to three significant digits, in no order.';
