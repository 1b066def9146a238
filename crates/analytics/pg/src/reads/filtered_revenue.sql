SELECT
    (c.at AT TIME ZONE 'UTC')::date AS day,
    analytics_cents(
        sum(CASE c.step WHEN 3 THEN c.value_cents ELSE -c.value_cents END) FILTER (WHERE c.currency IN ('', $5))
    ) AS cents,
    count(*) FILTER (WHERE c.step = 3) AS orders
FROM (
    SELECT c.*
    FROM analytics_commerce AS c
    WHERE c.domain_id = $1 AND c.at >= $2 AND c.at < $3 AND c.step IN (3, 4) AND NOT c.is_repeated
) AS c
-- A full join is never a loop within a loop, however few sessions are expected.
FULL JOIN analytics_filtered_sessions($1, $2, $3, $4) AS s ON s.id = c.session_id
WHERE num_nulls(c.hit_id, s.id) = 0
GROUP BY 1
ORDER BY 1
