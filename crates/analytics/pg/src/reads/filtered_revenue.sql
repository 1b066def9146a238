SELECT
    (c.at AT TIME ZONE 'UTC')::date AS day,
    analytics_cents(
        sum(CASE c.step WHEN 3 THEN c.value_cents ELSE -c.value_cents END) FILTER (WHERE c.currency IN ('', $5))
    ) AS cents,
    count(*) FILTER (WHERE c.step = 3) AS orders
FROM analytics_commerce AS c
WHERE c.domain_id = $1 AND c.at >= $2 AND c.at < $3 AND c.step IN (3, 4) AND NOT c.is_repeated
    AND c.session_id IN (SELECT s.id FROM analytics_filtered_sessions($1, $2, $3, $4) AS s)
GROUP BY 1
ORDER BY 1
