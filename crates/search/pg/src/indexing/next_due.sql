-- When the next URL is due that is not due now, and when the next of those is that are looked at daily: each by the index of these.
SELECT
    (
        SELECT min(u.next_inspection_at)
        FROM indexing_urls AS u
        WHERE u.domain_id = $1 AND u.next_inspection_at > least($2, now())
    ) AS next,
    (
        SELECT min(u.next_inspection_at)
        FROM indexing_urls AS u
        WHERE u.domain_id = $1 AND u.next_inspection_at > least($2, now()) AND u.inspected_at IS NOT NULL
            AND (u.is_valuable OR u.has_changed)
    ) AS next_daily
