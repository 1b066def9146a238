-- Ten sites have a past of their own, which the others share: an outage as their watch begins, and one in nine days of 3 to
-- 40 minutes.
CREATE TABLE bench_outages AS
WITH drawn AS MATERIALIZED (
    SELECT template, $1 AS started_at, interval '10 minutes' AS lasted
    FROM generate_series(0, 9) AS template
    UNION ALL
    SELECT template, at + floor(random() * 8 * 1440) * interval '1 minute', (3 + floor(random() * 38)) * interval '1 minute'
    FROM generate_series(0, 9) AS template
    CROSS JOIN generate_series($1 + interval '1 hour', $2 - interval '9 days', interval '9 days') AS at
)
SELECT gen_random_uuid() AS id, s.domain_id, d.started_at, d.started_at + d.lasted AS ended_at
FROM bench_sites AS s
JOIN drawn AS d ON d.template = s.number % 10
WHERE s.is_watched
