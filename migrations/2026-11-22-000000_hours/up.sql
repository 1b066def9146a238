-- What checks come to by hour, in one scan; days and months are made of hours. Distributions as bytes: an array is sent
-- number by number, which took most of the time of a read over a year.
-- Locks: ACCESS EXCLUSIVE on the tables of roll-ups. They begin empty, and are made anew by the upkeep; until it has done
-- so, reads look at every check.

DROP FUNCTION uptime_rollup (uuid, text, timestamptz, timestamptz);
DROP FUNCTION uptime_distribution (uuid, text, text, timestamptz, timestamptz);
DROP TABLE uptime_rollups;
DROP TABLE uptime_distributions;
UPDATE uptime_rollup_progress SET rolled_until = NULL;

CREATE TABLE uptime_rollups (
    domain_id uuid NOT NULL REFERENCES domains (id),
    grain text NOT NULL CHECK (grain IN ('hour', 'day', 'month')),
    starts_at timestamptz NOT NULL,
    region text NOT NULL,
    counts bigint[] NOT NULL CHECK (cardinality(counts) = 4),
    least_us bigint,
    most_us bigint,
    samples bigint[] NOT NULL CHECK (cardinality(samples) = 6),
    micros bigint[] NOT NULL CHECK (cardinality(micros) = 6),
    PRIMARY KEY (domain_id, grain, starts_at, region)
);
COMMENT ON TABLE uptime_rollups IS
    'What the checks of each hour, day and month come to, seen from one region. Of checks that passed also the times.';
COMMENT ON COLUMN uptime_rollups.grain IS 'A month has a row once all of it is rolled up.';
COMMENT ON COLUMN uptime_rollups.starts_at IS 'When the hour, day or month begins, UTC.';
COMMENT ON COLUMN uptime_rollups.counts IS 'How many checks there were, and how many of them were up, down and degraded.';
COMMENT ON COLUMN uptime_rollups.least_us IS 'The fastest answer in microseconds; null without any.';
COMMENT ON COLUMN uptime_rollups.most_us IS 'The slowest.';
COMMENT ON COLUMN uptime_rollups.samples IS
    'How many answers were timed, and their phases: response, dns, connect, tls, ttfb, download.';
COMMENT ON COLUMN uptime_rollups.micros IS 'The sums of their times in microseconds, in the same order.';

CREATE TABLE uptime_distributions (
    domain_id uuid NOT NULL REFERENCES domains (id),
    grain text NOT NULL CHECK (grain IN ('hour', 'day', 'month')),
    measure text NOT NULL CHECK (measure IN ('response', 'dns', 'connect', 'tls', 'ttfb', 'download')),
    starts_at timestamptz NOT NULL,
    region text NOT NULL,
    times bytea NOT NULL,
    PRIMARY KEY (domain_id, grain, measure, starts_at, region)
);
ALTER TABLE uptime_distributions ALTER COLUMN times SET STORAGE EXTERNAL;
COMMENT ON TABLE uptime_distributions IS
    'How often which time was measured, for percentiles. Of hours there is the response alone.';
COMMENT ON COLUMN uptime_distributions.times IS
    'Times in microseconds of three significant digits, ascending, each once with its count: a sequence of pairs of numbers in the format of postcard, the first of each the step from the time before. It hardly compresses.';

CREATE FUNCTION uptime_hours(domain uuid, since timestamptz, until timestamptz)
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
    'What the checks of a domain between two moments come to, by hour (UTC) and region: the columns of uptime_rollups, and each time of the checks that passed in microseconds, rounded to three significant digits, in no order.';
