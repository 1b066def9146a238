-- Those of the named URLs ($2) that were gathered are somebody's own from now on, as those of the source $3. They are locked in the
-- order in which inspections are stored.
WITH gathered AS (
    SELECT u.id
    FROM indexing_urls AS u
    WHERE u.domain_id = $1 AND u.url = ANY ($2) AND u.next_inspection_at IS NOT NULL AND u.source <> $3
    ORDER BY u.url
    FOR NO KEY UPDATE
)
UPDATE indexing_urls AS u
SET source = $3
FROM gathered AS g
WHERE u.id = g.id
