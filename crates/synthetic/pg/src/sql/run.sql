SELECT r.id, r.url_id, r.url, r.profile_id, r.trigger, r.status, r.requested_at, r.started_at, r.finished_at, r.error_code,
    r.error_detail, r.summary, r.budgets, r.images_until
FROM synthetic_runs AS r
WHERE r.id = $2 AND r.domain_id = $1
