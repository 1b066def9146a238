SELECT told.event, (array_agg(v.value ORDER BY v.value COLLATE "C"))[1:$6] AS properties
FROM (
    SELECT DISTINCT p.event, p.property
    FROM analytics_properties AS p
    WHERE p.domain_id = $1 AND p.at >= $2 AND p.at < $3 AND p.event = ANY ($5)
        AND (
            coalesce(num_nonnulls(VARIADIC $4), 0) = 0
            OR p.session_id IN (SELECT s.id FROM analytics_filtered_sessions($1, $2, $3, $4) AS s)
        )
) AS told
JOIN analytics_values AS v ON v.domain_id = $1 AND v.id = told.property
GROUP BY 1
