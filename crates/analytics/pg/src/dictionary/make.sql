WITH wanted AS (
    SELECT
        w.domain_id, w.dimension, w.value, w.day,
        row_number() OVER (PARTITION BY w.domain_id, w.dimension, w.day ORDER BY w.value) AS place,
        count(*) OVER (PARTITION BY w.domain_id, w.dimension, w.day) AS asked
    FROM unnest($1, $2, $3, $4) AS w (domain_id, dimension, value, day)
), counted AS (
    INSERT INTO analytics_new_values AS counted (domain_id, dimension, day, made)
    SELECT w.domain_id, w.dimension, w.day, count(*)
    FROM wanted AS w
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3
    ON CONFLICT (domain_id, dimension, day)
        DO UPDATE SET made = least(counted.made::bigint + excluded.made, 1000000000)
    RETURNING counted.domain_id, counted.dimension, counted.day, counted.made
)
INSERT INTO analytics_values (domain_id, dimension, value, used_on)
SELECT w.domain_id, w.dimension, w.value, w.day
FROM wanted AS w
JOIN counted USING (domain_id, dimension, day)
WHERE counted.made - w.asked + w.place <= $5
ORDER BY 1, 2, 3
ON CONFLICT DO NOTHING
