SELECT r.id, r.domain_id, r.kind, r.status, r.requested_at, r.started_at, r.finished_at, r.expires_at,
    r.total_items, r.completed_items, r.failed_items, r.error_code, r.error_detail, r.requester_kind, r.credential_id, r.credits_charged,
    p.report, p.first_day, p.last_day, p.total_rows, p.is_truncated
FROM runs AS r
JOIN wide_pulls AS p ON p.run_id = r.id
WHERE r.domain_id = $1 AND r.kind = $3 AND r.id = $2
