-- One in nine days, of 3 to 40 minutes.
CREATE TABLE bench_outages AS
SELECT gen_random_uuid() AS id, o.domain_id, o.started_at, o.started_at + o.lasted AS ended_at
FROM (
    SELECT d.id AS domain_id, at + floor(random() * 8 * 1440) * interval '1 minute' AS started_at,
        (3 + floor(random() * 38)) * interval '1 minute' AS lasted
    FROM generate_series($1, $2 - interval '9 days', interval '9 days') AS at
    CROSS JOIN (SELECT id FROM domains ORDER BY id) AS d
    OFFSET 0
) AS o
