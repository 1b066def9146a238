SELECT (s.first AT TIME ZONE 'UTC')::date AS first, (s.week AT TIME ZONE 'UTC')::date AS seen, count(*) AS visitors
FROM (
    SELECT week, min(week) OVER (PARTITION BY text) AS first
    FROM (
        SELECT DISTINCT text, date_trunc('week', at, 'UTC') AS week
        FROM analytics_properties
        WHERE domain_id = $1 AND at >= $2 AND at < $3
            AND property = (SELECT id FROM analytics_values WHERE domain_id = $1 AND dimension = 17 AND value = 'user')
            AND session_id IN (
                SELECT id
                FROM analytics_sessions
                WHERE domain_id = $1 AND started_at >= $2 AND started_at < $3 /* filter */
            )
    ) AS weeks
) AS s
GROUP BY 1, 2
ORDER BY 1, 2
