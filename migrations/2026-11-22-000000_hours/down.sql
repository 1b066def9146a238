-- Takes back what is made by hour: roll-ups begin empty and are made anew, the checks stay.
-- Locks: ACCESS EXCLUSIVE on the tables of roll-ups.

DROP FUNCTION uptime_hours (uuid, timestamptz, timestamptz);
DROP TABLE uptime_rollups;
DROP TABLE uptime_distributions;
UPDATE uptime_rollup_progress SET rolled_until = NULL;

CREATE TABLE uptime_rollups (
    domain_id uuid NOT NULL REFERENCES domains (id),
    grain text NOT NULL CHECK (grain IN ('hour', 'day', 'month')),
    starts_at timestamptz NOT NULL,
    region text NOT NULL,
    total bigint NOT NULL CHECK (total > 0),
    up bigint NOT NULL,
    down bigint NOT NULL,
    degraded bigint NOT NULL,
    least_us bigint,
    most_us bigint,
    response_samples bigint NOT NULL,
    response_us bigint NOT NULL,
    dns_samples bigint NOT NULL,
    dns_us bigint NOT NULL,
    connect_samples bigint NOT NULL,
    connect_us bigint NOT NULL,
    tls_samples bigint NOT NULL,
    tls_us bigint NOT NULL,
    ttfb_samples bigint NOT NULL,
    ttfb_us bigint NOT NULL,
    download_samples bigint NOT NULL,
    download_us bigint NOT NULL,
    PRIMARY KEY (domain_id, grain, starts_at, region)
);
COMMENT ON TABLE uptime_rollups IS
    'What the checks of each hour, day and month come to, seen from one region. Of checks that passed also the times.';
COMMENT ON COLUMN uptime_rollups.grain IS 'A month has a row once all of it is rolled up.';
COMMENT ON COLUMN uptime_rollups.starts_at IS 'When the hour, day or month begins, UTC.';
COMMENT ON COLUMN uptime_rollups.least_us IS 'The fastest answer in microseconds; null without any.';
COMMENT ON COLUMN uptime_rollups.most_us IS 'The slowest.';
COMMENT ON COLUMN uptime_rollups.response_samples IS 'How many answers were timed; likewise each phase.';
COMMENT ON COLUMN uptime_rollups.response_us IS 'The sum of their times in microseconds; likewise each phase.';

CREATE TABLE uptime_distributions (
    domain_id uuid NOT NULL REFERENCES domains (id),
    grain text NOT NULL CHECK (grain IN ('hour', 'day', 'month')),
    measure text NOT NULL CHECK (measure IN ('response', 'dns', 'connect', 'tls', 'ttfb', 'download')),
    starts_at timestamptz NOT NULL,
    region text NOT NULL,
    micros integer[] NOT NULL,
    counts integer[] NOT NULL,
    PRIMARY KEY (domain_id, grain, measure, starts_at, region),
    CHECK (cardinality(micros) = cardinality(counts))
);
COMMENT ON TABLE uptime_distributions IS
    'How often which time was measured, for percentiles. Of hours there is the response alone.';
COMMENT ON COLUMN uptime_distributions.micros IS 'Times in microseconds, ascending, each once, of three significant digits.';
COMMENT ON COLUMN uptime_distributions.counts IS 'How often each was measured.';

-- The roll-ups of a domain are what this makes of its checks, and what is not rolled up yet is read through this too.
CREATE FUNCTION uptime_rollup(domain uuid, grain text, since timestamptz, until timestamptz)
RETURNS TABLE (
    starts_at timestamptz,
    region text,
    total bigint,
    up bigint,
    down bigint,
    degraded bigint,
    least_us bigint,
    most_us bigint,
    response_samples bigint,
    response_us bigint,
    dns_samples bigint,
    dns_us bigint,
    connect_samples bigint,
    connect_us bigint,
    tls_samples bigint,
    tls_us bigint,
    ttfb_samples bigint,
    ttfb_us bigint,
    download_samples bigint,
    download_us bigint
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT
        date_trunc(grain, c.checked_at, 'UTC'),
        c.region,
        count(*),
        count(*) FILTER (WHERE c.outcome = 'up'),
        count(*) FILTER (WHERE c.outcome = 'down'),
        count(*) FILTER (WHERE c.outcome = 'degraded'),
        min(round(c.response_ms * 1000)) FILTER (WHERE c.outcome IN ('up', 'degraded'))::bigint,
        max(round(c.response_ms * 1000)) FILTER (WHERE c.outcome IN ('up', 'degraded'))::bigint,
        count(c.response_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        coalesce(sum(round(c.response_ms * 1000)) FILTER (WHERE c.outcome IN ('up', 'degraded')), 0)::bigint,
        count(c.dns_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        coalesce(sum(round(c.dns_ms * 1000)) FILTER (WHERE c.outcome IN ('up', 'degraded')), 0)::bigint,
        count(c.connect_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        coalesce(sum(round(c.connect_ms * 1000)) FILTER (WHERE c.outcome IN ('up', 'degraded')), 0)::bigint,
        count(c.tls_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        coalesce(sum(round(c.tls_ms * 1000)) FILTER (WHERE c.outcome IN ('up', 'degraded')), 0)::bigint,
        count(c.ttfb_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        coalesce(sum(round(c.ttfb_ms * 1000)) FILTER (WHERE c.outcome IN ('up', 'degraded')), 0)::bigint,
        count(c.download_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        coalesce(sum(round(c.download_ms * 1000)) FILTER (WHERE c.outcome IN ('up', 'degraded')), 0)::bigint
    FROM uptime_checks AS c
    WHERE c.domain_id = domain AND c.checked_at >= since AND c.checked_at < until
    GROUP BY 1, 2
$$;
COMMENT ON FUNCTION uptime_rollup (uuid, text, timestamptz, timestamptz) IS
    'What the checks of a domain between two moments come to, by hour, day or month (UTC) and region.';

CREATE FUNCTION uptime_distribution(
    domain uuid, grain text, measure text, since timestamptz, until timestamptz
)
RETURNS TABLE (starts_at timestamptz, region text, micros integer[], counts integer[])
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT
        counted.starts_at,
        counted.region,
        array_agg(counted.micros ORDER BY counted.micros),
        array_agg(counted.number ORDER BY counted.micros)
    FROM (
        SELECT timed.starts_at, timed.region, three_digits(timed.micros) AS micros, count(*)::integer AS number
        FROM (
            SELECT
                date_trunc(grain, c.checked_at, 'UTC') AS starts_at,
                c.region,
                round(1000 * CASE measure
                    WHEN 'response' THEN c.response_ms
                    WHEN 'dns' THEN c.dns_ms
                    WHEN 'connect' THEN c.connect_ms
                    WHEN 'tls' THEN c.tls_ms
                    WHEN 'ttfb' THEN c.ttfb_ms
                    WHEN 'download' THEN c.download_ms
                END)::bigint AS micros
            FROM uptime_checks AS c
            WHERE c.domain_id = domain AND c.checked_at >= since AND c.checked_at < until
                AND c.outcome IN ('up', 'degraded')
            OFFSET 0 -- Worked out once for each check, not wherever it is used.
        ) AS timed
        WHERE timed.micros IS NOT NULL
        GROUP BY 1, 2, 3
    ) AS counted
    GROUP BY 1, 2
$$;
COMMENT ON FUNCTION uptime_distribution (uuid, text, text, timestamptz, timestamptz) IS
    'How often which time was measured by the checks of a domain between two moments, by hour, day or month (UTC) and region; of checks that passed.';
