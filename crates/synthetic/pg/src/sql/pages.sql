-- The pages of a domain, or one of them ($2), each with its newest run.
SELECT u.id, u.settings, u.has_basic_auth, u.has_cookie, u.next_run_at, u.created_at, u.updated_at,
    last.id AS run_id, last.status, last.requested_at, last.finished_at
FROM synthetic_urls AS u
LEFT JOIN LATERAL (
    SELECT r.id, r.status, r.requested_at, r.finished_at
    FROM synthetic_runs AS r
    WHERE r.url_id = u.id
    ORDER BY r.requested_at DESC, r.id DESC
    LIMIT 1
) AS last ON true
WHERE u.domain_id = $1 AND u.deleted_at IS NULL AND ($2::uuid IS NULL OR u.id = $2)
ORDER BY u.created_at DESC, u.id DESC
