SELECT
    EXISTS (
        SELECT FROM analytics_progress AS p WHERE p.domain_id = $1 AND p.commerce_at IS NOT NULL
    ) AS has_ecommerce,
    ARRAY(
        SELECT DISTINCT e.load_id
        FROM (
            SELECT e.*
            FROM analytics_engagements AS e
            WHERE e.domain_id = $1 AND e.at >= $2 AND e.at < $3
        ) AS e
        -- A full join is never a loop within a loop, however few orders are expected.
        FULL JOIN (
            SELECT DISTINCT c.session_id
            FROM analytics_commerce AS c
            WHERE c.domain_id = $1 AND c.at >= $2 AND c.at < $3 AND c.step = 3 AND NOT c.is_repeated
        ) AS c ON c.session_id = e.session_id
        WHERE num_nulls(e.id, c.session_id) = 0
        LIMIT $4
    ) AS loads
