SELECT
    (
        SELECT 100 * sum(s.seconds) FILTER (WHERE s.state = 'up') / nullif(sum(s.seconds), 0)
        FROM (
            SELECT s.state, extract(epoch FROM least(s.ended_at, asked.until) - greatest(s.started_at, asked.since)) AS seconds
            FROM uptime_spans AS s
            WHERE s.domain_id = $1 AND s.started_at < asked.until AND s.ended_at > asked.since
        ) AS s
    )::float8 AS value
FROM unnest($2, $3) WITH ORDINALITY AS asked (since, until, number)
ORDER BY asked.number
