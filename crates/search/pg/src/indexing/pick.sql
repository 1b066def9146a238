-- Whose turn it is: those that were never inspected first, in the order in which they came, then the longest due.
SELECT p.id, p.url, p.failures, p.is_new
FROM (
    (
        SELECT u.id, u.url, u.failures, true AS is_new, u.created_at AS since
        FROM indexing_urls AS u
        WHERE u.domain_id = $1 AND u.inspected_at IS NULL AND u.next_inspection_at IS NOT NULL
            AND u.next_inspection_at <= least($2, now())
        ORDER BY u.created_at, u.id
        LIMIT $3
    )
    UNION ALL
    (
        SELECT u.id, u.url, u.failures, false AS is_new, u.next_inspection_at AS since
        FROM indexing_urls AS u
        WHERE u.domain_id = $1 AND u.next_inspection_at <= least($2, now()) AND u.inspected_at IS NOT NULL
        ORDER BY u.next_inspection_at, u.id
        LIMIT $3
    )
) AS p
ORDER BY p.is_new DESC, p.since, p.id
LIMIT $3
