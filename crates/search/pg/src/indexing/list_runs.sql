SELECT r.id, r.domain_id, r.kind, r.status, r.requested_at, r.started_at, r.finished_at, r.expires_at,
    r.total_items, r.completed_items, r.failed_items, r.error_code, r.error_detail, r.requester_kind, r.credential_id, r.credits_charged,
    i.label
FROM runs AS r
JOIN indexing_runs AS i ON i.run_id = r.id
WHERE r.domain_id = $1 AND r.kind = 'inspector'
ORDER BY r.requested_at DESC, r.id DESC
LIMIT $2
