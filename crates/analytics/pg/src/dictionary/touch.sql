-- Those that were forgotten meanwhile are not among what it returns.
UPDATE analytics_values AS v
SET used_on = greatest(v.used_on, touched.day)
FROM (
    SELECT f.id, touched.day
    FROM unnest($1, $2) AS touched (id, day)
    JOIN analytics_values AS f USING (id)
    ORDER BY f.id
    FOR NO KEY UPDATE OF f
) AS touched
WHERE v.id = touched.id
RETURNING v.id
