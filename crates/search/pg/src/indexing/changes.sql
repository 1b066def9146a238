-- $2, $3: the position, or the beginning. $4, $5: the window.
SELECT c.id, c.url_id, u.url, c.changed_at, c.field, c.before, c.after, c.direction
FROM unnest($6) AS f (field)
CROSS JOIN unnest($7) AS d (direction)
-- A page of each pair of field and direction. Its index alone can serve this, whatever the planner takes for rare.
CROSS JOIN LATERAL (
    SELECT o.*
    FROM indexing_changes AS o
    WHERE hashtextextended(o.field || ' ' || o.direction, uuid_hash_extended(o.domain_id, 0))
            = hashtextextended(f.field || ' ' || d.direction, uuid_hash_extended($1, 0))
        -- The first bounds what the index reads, the second leaves out the rest of the cursor's microsecond.
        AND o.changed_at <= $2 AND (o.changed_at < $2 OR o.id < $3)
        AND o.changed_at >= $4 AND o.changed_at < $5
        AND EXISTS (SELECT FROM indexing_urls AS k WHERE k.id = o.url_id)
    ORDER BY o.changed_at DESC, o.id DESC
    LIMIT $8
) AS c
JOIN indexing_urls AS u ON u.id = c.url_id
-- Without what only shares the hash.
WHERE c.domain_id = $1 AND c.field = f.field AND c.direction = d.direction
ORDER BY c.changed_at DESC, c.id DESC
LIMIT $8
