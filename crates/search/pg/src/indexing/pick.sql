-- Whose turn it is: of those that are looked at daily up to $4, the longest due first; then those that were never inspected, what the
-- search sends most to first; then the others of the daily ones; then the longest due.
WITH daily AS (
    SELECT u.id, u.url, u.failures, row_number() OVER (ORDER BY u.next_inspection_at, u.id) AS place
    FROM indexing_urls AS u
    WHERE u.domain_id = $1 AND u.next_inspection_at <= least($2, now()) AND u.inspected_at IS NOT NULL
        AND (u.is_valuable OR u.has_changed)
    ORDER BY u.next_inspection_at, u.id
    LIMIT $3
), fresh AS (
    SELECT u.id, u.url, u.failures, row_number() OVER (ORDER BY u.clicks DESC, u.created_at, u.id) AS place
    FROM indexing_urls AS u
    WHERE u.domain_id = $1 AND u.inspected_at IS NULL AND u.next_inspection_at IS NOT NULL
        AND u.next_inspection_at <= least($2, now())
    ORDER BY u.clicks DESC, u.created_at, u.id
    LIMIT $3
), due AS (
    SELECT u.id, u.url, u.failures, row_number() OVER (ORDER BY u.next_inspection_at, u.id) AS place
    FROM indexing_urls AS u
    WHERE u.domain_id = $1 AND u.next_inspection_at <= least($2, now()) AND u.inspected_at IS NOT NULL
        AND NOT (u.is_valuable OR u.has_changed)
    ORDER BY u.next_inspection_at, u.id
    LIMIT $3
), turns AS (
    SELECT d.*, false AS is_new, true AS is_daily, CASE WHEN d.place <= $4 THEN 0 ELSE 2 END AS turn FROM daily AS d
    UNION ALL
    SELECT n.*, true AS is_new, false AS is_daily, 1 AS turn FROM fresh AS n
    UNION ALL
    SELECT o.*, false AS is_new, false AS is_daily, 3 AS turn FROM due AS o
)
SELECT t.id, t.url, t.failures, t.is_new, t.is_daily
FROM turns AS t
ORDER BY t.turn, t.place
LIMIT $3
