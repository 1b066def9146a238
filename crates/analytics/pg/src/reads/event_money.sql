SELECT
    h.event,
    analytics_cents(
        sum(CASE c.step WHEN 3 THEN c.value_cents ELSE -c.value_cents END) FILTER (WHERE c.currency IN ('', $6))
    ) AS cents
FROM analytics_commerce AS c
-- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
CROSS JOIN LATERAL (
    SELECT h.event
    FROM analytics_hits AS h
    WHERE h.domain_id = $1 AND h.at = c.at AND h.id = c.hit_id AND h.at >= $2 AND h.at < $3 AND h.event = ANY ($5)
    OFFSET 0
) AS h
WHERE c.domain_id = $1 AND c.at >= $2 AND c.at < $3 AND c.step IN (3, 4) AND NOT c.is_repeated
    AND (
        coalesce(num_nonnulls(VARIADIC $4), 0) = 0
        OR c.session_id IN (SELECT s.id FROM analytics_filtered_sessions($1, $2, $3, $4) AS s)
    )
GROUP BY 1
