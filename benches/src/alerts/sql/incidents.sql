SELECT
    (
        SELECT count(*)
        FROM uptime_incidents AS i
        WHERE i.domain_id = $1 AND i.started_at >= asked.since AND i.started_at < asked.until
    )::float8 AS value
FROM unnest($2, $3) WITH ORDINALITY AS asked (since, until, number)
ORDER BY asked.number
