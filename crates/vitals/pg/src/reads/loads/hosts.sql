-- Hosts of other sites: those of most requests, so that those who are left out matter least.
SELECT r.host AS number, t.value AS host
FROM (
    SELECT r.host, count(*) AS requests
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    CROSS JOIN LATERAL (
        SELECT r.*
        FROM rum_resources AS r
        WHERE r.domain_id = $1 AND r.at = v.at AND r.load_id = v.load_id AND r.at >= $2 AND r.at < $3
        OFFSET 0
    ) AS r
    WHERE r.is_third_party
    GROUP BY r.host
    ORDER BY requests DESC, r.host
    LIMIT $14
) AS r
JOIN rum_texts AS t ON t.domain_id = $1 AND t.id = r.host
ORDER BY r.requests DESC, r.host
