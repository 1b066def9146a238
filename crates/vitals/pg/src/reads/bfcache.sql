WITH went AS (
    SELECT v.at, v.load_id, v.page, v.navigation, e.tells_reasons
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    LEFT JOIN LATERAL (
        SELECT e.*
        FROM rum_engagements AS e
        WHERE e.domain_id = v.domain_id AND e.at = v.at AND e.load_id = v.load_id AND e.at >= $2 AND e.at < $3
        OFFSET 0
    ) AS e ON true
    -- Back or forward: loaded anew, or restored.
    WHERE v.navigation IN (3, 4)
), counted AS (
    SELECT count(*) AS all_of_them,
        count(*) FILTER (WHERE navigation = 4) AS hits,
        count(*) FILTER (WHERE navigation = 3 AND tells_reasons) AS told
    FROM went
), reasons AS (
    SELECT r.reason, r.kind, count(DISTINCT (w.at, w.load_id)) AS navigations, count(DISTINCT w.page) AS pages
    FROM went AS w
    CROSS JOIN LATERAL (
        SELECT r.*
        FROM rum_reasons AS r
        WHERE r.domain_id = $1 AND r.at = w.at AND r.load_id = w.load_id AND r.at >= $2 AND r.at < $3
        OFFSET 0
    ) AS r
    WHERE w.navigation = 3
    GROUP BY r.reason, r.kind
    ORDER BY navigations DESC, r.reason, r.kind
    LIMIT $12
)
SELECT c.all_of_them, c.hits, c.told, t.value AS reason, r.kind, r.navigations, r.pages
FROM counted AS c
LEFT JOIN reasons AS r ON true
LEFT JOIN rum_texts AS t ON t.domain_id = $1 AND t.id = r.reason
ORDER BY r.navigations DESC, t.value, r.kind
