-- Index (domain_id, changed_at, id), from the newest on. $2, $3: the position, or the beginning. $4, $5: the window.
SELECT c.id, c.url_id, u.url, c.changed_at, c.field, c.before, c.after, c.direction
FROM indexing_changes AS c
JOIN indexing_urls AS u ON u.id = c.url_id
WHERE c.domain_id = $1 AND (c.changed_at, c.id) < ($2, $3) AND c.changed_at >= $4 AND c.changed_at < $5
    AND ($6 IS NULL OR c.field = $6)
    AND ($7 IS NULL OR c.direction = $7)
ORDER BY c.changed_at DESC, c.id DESC
LIMIT $8
