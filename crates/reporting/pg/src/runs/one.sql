SELECT r.id, r.domain_id, r.kind, r.status, r.requested_at, r.started_at, r.finished_at, r.expires_at,
    r.total_items, r.completed_items, r.failed_items, r.error_code, r.error_detail, r.requester_kind, r.credential_id, r.credits_charged,
    a.template_id, a.template_name, a.trigger, a.format, a.period, a.first_day, a.last_day, a.result
FROM runs AS r
JOIN report_runs AS a ON a.run_id = r.id
JOIN domains AS d ON d.id = r.domain_id
WHERE r.id = $2 AND r.kind = 'report' AND r.domain_id = $1 AND d.deleted_at IS NULL
