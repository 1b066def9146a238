SELECT
    p.rolled_until,
    p.last_at,
    ARRAY(
        SELECT coalesce(v.id, -1)
        FROM unnest($2, $3) WITH ORDINALITY AS asked (dimension, value, place)
        LEFT JOIN analytics_values AS v
            ON v.domain_id = $1 AND v.dimension = asked.dimension AND v.value = asked.value
        ORDER BY asked.place
    ) AS numbers
FROM (SELECT $1 AS domain_id) AS asked_of
LEFT JOIN analytics_progress AS p ON p.domain_id = asked_of.domain_id
