-- Those that were forgotten meanwhile are not among what it returns.
UPDATE rum_texts AS t
SET used_on = greatest(t.used_on, touched.day)
FROM (
    SELECT f.id, touched.day
    FROM unnest($1, $2) AS touched (id, day)
    JOIN rum_texts AS f USING (id)
    ORDER BY f.id
    FOR NO KEY UPDATE OF f
) AS touched
WHERE t.id = touched.id
RETURNING t.id
