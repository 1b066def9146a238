-- The runs of one page: index (url_id, requested_at, id), backwards. $2, $3: the position, or the beginning.
SELECT r.id, r.url_id, r.url, r.profile_id, r.trigger, r.status, r.requested_at, r.started_at, r.finished_at, r.error_code,
    r.error_detail, r.summary, r.budgets, r.images_until,
    coalesce((SELECT t.filmstrip ->> 'final_screenshot' IS NOT NULL FROM synthetic_results AS t WHERE t.run_id = r.id), false)
        AS has_screenshot,
    k.requester_kind, k.credential_id, k.credits_charged
FROM synthetic_runs AS r
-- Runs that a caller asked for have a row here; those of schedules have none.
LEFT JOIN runs AS k ON k.id = r.id
WHERE r.url_id = $5 AND r.domain_id = $1
    AND (r.requested_at, r.id) < ($2, $3)
ORDER BY r.requested_at DESC, r.id DESC
LIMIT $4
