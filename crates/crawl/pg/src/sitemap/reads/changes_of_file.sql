-- The changes of one file, $6. $2, $3: the position, or the beginning. $5: the kinds of changes.
SELECT c.id, c.changed_at, c.change, c.url, c.file_id, c.before, c.after
FROM unnest($5) AS k (change)
-- A page of each kind, by an index.
CROSS JOIN LATERAL (
    SELECT o.*
    FROM sitemap_changes AS o
    WHERE o.file_id = $6 AND o.change = k.change
        -- The first bounds what the index reads, the second leaves out the rest of the cursor's microsecond.
        AND o.changed_at <= $2 AND (o.changed_at < $2 OR o.id < $3)
    ORDER BY o.changed_at DESC, o.id DESC
    LIMIT $4
) AS c
-- Whoever has another domain does not see it.
WHERE c.domain_id = $1
ORDER BY c.changed_at DESC, c.id DESC
LIMIT $4
